// A description file while it is being read: its data, and the places of its values.
import { type Span, TextLines } from "./core/span.js";
import type { DescriptionPlace } from "./error.js";
import { type JsonDocument, type JsonNode, type JsonPath, pathText } from "./json/document.js";
import { copyPlain } from "./json/plain.js";
import { readJsonText } from "./json/text.js";

const BYTE_ORDER_MARK = "\ufeff";

export class Source {
  readonly document: JsonDocument;
  readonly #text: string | undefined;
  #counted: TextLines | undefined;

  /** @param json the text, or the parsed object */
  constructor(
    json: unknown,
    readonly name: string | undefined,
  ) {
    // Columns are counted as in an editor, which does not show a byte order mark.
    this.#text = typeof json === "string" && json.startsWith(BYTE_ORDER_MARK) ? json.slice(1) : undefined;
    if (typeof json === "string") this.#text ??= json;
    this.document = this.#text === undefined ? copyPlain(json) : readJsonText(this.#text);
  }

  /** The place in the text of a value or of its key; for a missing one, the place where it should be. */
  span(path: JsonPath, of: "key" | "value" = "value"): Span | undefined {
    let node: JsonNode | undefined = this.document.root;
    for (const [depth, key] of path.entries()) {
      const member = typeof key === "string" ? node?.members?.get(key) : undefined;
      if (member !== undefined && of === "key" && depth === path.length - 1) return member.key;
      const next: JsonNode | undefined = typeof key === "number" ? node?.items?.[key] : member?.value;
      if (next === undefined) return node && { start: node.start, end: node.start + 1 };
      node = next;
    }
    return node;
  }

  place(path: JsonPath, span: Span | undefined = this.span(path)): DescriptionPlace {
    return {
      ...(this.name === undefined ? {} : { file: this.name }),
      path: pathText(path),
      ...(span === undefined ? {} : this.#lines.positionAt(span.start)),
    };
  }

  /** The line of a span with carets below it. */
  frame(span: Span): string | undefined {
    return this.#text === undefined ? undefined : this.#lines.codeFrame(span);
  }

  get #lines(): TextLines {
    this.#counted ??= new TextLines(this.#text ?? "");
    return this.#counted;
  }
}
