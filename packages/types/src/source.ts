// One description file while it is read: its data, the places of its values, and the problems found in all files of a
// table, which are told together in the order of the files.
import { codeFrameAt, type Position, type Span } from "./core/span.js";
import { didYouMean } from "./core/suggest.js";
import {
  DescriptionError,
  type DescriptionErrorCode,
  type DescriptionPlace,
  type DescriptionProblem,
  placeText,
} from "./error.js";
import { type JsonDocument, type JsonNode, type JsonPath, pathText } from "./json/document.js";
import { copyPlain } from "./json/plain.js";
import { readJsonText } from "./json/text.js";

const BYTE_ORDER_MARK = "\ufeff";

export class Source {
  readonly document: JsonDocument;
  private readonly text: string | undefined;
  private lineStarts: readonly number[] | undefined;

  /** @param json the text, or the object that a text says */
  constructor(
    json: unknown,
    readonly name: string | undefined,
  ) {
    // Columns are those of an editor, which shows no byte order mark.
    this.text = typeof json === "string" && json.startsWith(BYTE_ORDER_MARK) ? json.slice(1) : undefined;
    if (typeof json === "string") this.text ??= json;
    this.document = this.text === undefined ? copyPlain(json) : readJsonText(this.text);
  }

  /** The place of a value in the text, or of its key; of what is missing, where it should have been. */
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
      ...(span === undefined ? {} : this.position(span.start)),
    };
  }

  /** The line of a span with carets below it. */
  frame(span: Span): string | undefined {
    return this.text === undefined ? undefined : codeFrameAt(this.text, span, this.position(span.start));
  }

  /** As `positionAt`, but a file of many problems is searched for its lines once. */
  private position(offset: number): Position {
    this.lineStarts ??= [0, ...Array.from((this.text ?? "").matchAll(/\n/g), ({ index }) => index + 1)];
    let line = 0;
    for (let step = 1 << 30; step > 0; step >>= 1) {
      if (line + step < this.lineStarts.length && this.lineStarts[line + step]! <= offset) line += step;
    }
    return { line: line + 1, column: offset - this.lineStarts[line]! + 1 };
  }
}

/** What is wrong at a place. */
export interface Finding {
  readonly code: DescriptionErrorCode;
  readonly source: Source;
  readonly path: JsonPath;
  readonly expected: string;
  readonly found: string;
  /** What the message adds, in words that follow `found`. */
  readonly hint?: string;
  /** Where in the text; otherwise the value at the path. */
  readonly span?: Span | undefined;
  readonly related?: DescriptionPlace;
}

/** Of several kinds of problems an error has the first code of these. */
const GRAVITY: readonly DescriptionErrorCode[] = ["SYNTAX", "SCHEMA", "EXTENDS", "REFERENCE"];

/** Problems of which an error tells; nobody reads more. */
const MAX_PROBLEMS = 10_000;

/** Pairs of characters that are compared for suggestions; a file of thousands of wrong names would take minutes. */
const MAX_COMPARISONS = 100_000_000;

/** Gathers the problems of all files of a table. */
export class Problems {
  private readonly findings: (Finding & { readonly order: number })[] = [];
  private readonly told = new Set<string>();
  private readonly sources: Source[] = [];
  private comparisons = 0;

  /** Files are told in the order in which they were added. */
  addSource(source: Source): void {
    this.sources.push(source);
  }

  /** Adds a problem, unless one of this kind and place is known: what follows from it says nothing new. */
  add(finding: Finding): void {
    if (this.findings.length >= MAX_PROBLEMS) return;
    const order = this.sources.indexOf(finding.source);
    const key = `${finding.code} ${order} ${pathText(finding.path)}`;
    if (this.told.has(key)) return;
    this.told.add(key);
    this.findings.push({ ...finding, order });
  }

  /** `, did you mean `x`?`, as long as there are few enough names to compare with. */
  suggest(name: string, names: ReadonlyMap<string, unknown>): string {
    this.comparisons += names.size * name.length ** 2;
    return this.comparisons > MAX_COMPARISONS ? "" : didYouMean(name, names.keys());
  }

  get any(): boolean {
    return this.findings.length > 0;
  }

  /** The error that tells them all. */
  error(what: string): DescriptionError {
    const code = GRAVITY.find((grave) => this.findings.some((finding) => finding.code === grave))!;
    const located = this.findings.map((finding) => ({
      ...finding,
      span: finding.span ?? finding.source.span(finding.path),
    }));
    located.sort((a, b) => a.order - b.order || (a.span?.start ?? 0) - (b.span?.start ?? 0));
    return new DescriptionError(code, what, located.map(problemOf));
  }
}

/** Tells what kept a file from being read as JSON. */
export function tellDocument(source: Source, problems: Problems): void {
  for (const { path, expected, found, span, first } of source.document.problems) {
    const code = span === undefined ? "SCHEMA" : "SYNTAX";
    const finding = { code, source, path, expected, found, span } as const;
    if (first === undefined) problems.add(finding);
    else {
      const related = source.place(path, first);
      problems.add({ ...finding, related, hint: againAfter(related) });
    }
  }
}

/** The hint where something stands once more. */
export function againAfter(first: DescriptionPlace): string {
  return ` again, first at ${placeText(first)}`;
}

function problemOf({ source, path, expected, found, hint, span, related }: Finding): DescriptionProblem {
  const frame = span === undefined ? undefined : source.frame(span);
  return {
    ...source.place(path, span),
    message: `expected ${expected}, found ${found}${hint ?? ""}`,
    expected,
    found,
    ...(related === undefined ? {} : { related }),
    ...(frame === undefined ? {} : { frame }),
  };
}
