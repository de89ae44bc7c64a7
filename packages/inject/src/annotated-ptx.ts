// A parsed PTX text: its injections to look at, and rendering. What sites look like in the text is known to marked/ alone.
import { describeValue, didYouMean, quoted, type Span } from "@mm-ptx/types/core";
import { PtxInjectError } from "./error.js";
import type { Operand } from "./marked/marker.js";
import { cut, renderBytes, renderedSize, renderText, type Segments } from "./marked/render.js";
import { type Scan, type SiteGroup, scan } from "./marked/scan.js";

/** A place in the PTX where an injection's stub goes: several when the compiler unrolled or inlined it. */
export interface Site {
  /** The line of the start marker, counted from 1. */
  readonly line: number;
  /** What a stub replaces: from the tab before the start marker to the end of the end marker's line, without its line end. */
  readonly span: Span;
}

/** Stub texts by injection name. A plain object's own properties count, inherited ones do not. */
export type Stubs = Readonly<Record<string, string>> | ReadonlyMap<string, string>;

/**
 * Reads PTX that was compiled from CUDA with `PTX_INJECT` sites.
 *
 * Text without sites is fine and renders to itself. LF and CRLF line ends are taken, in one text too.
 *
 * @throws PtxInjectError FORMATTING when a site breaks the grammar of markers, INCONSISTENT_INJECTION when sites of one
 * name differ in their operands, INVALID_INPUT when `text` is not a string.
 */
export function parsePtx(text: string): AnnotatedPtx {
  if (typeof text !== "string")
    throw new PtxInjectError("INVALID_INPUT", `expected PTX text, found ${describeValue(text)}`);
  return new AnnotatedPtx(text, scan(text));
}

/** PTX with its injections, ready to render any number of times. Made by `parsePtx`. */
export class AnnotatedPtx {
  /** The text as parsed. */
  readonly text: string;
  /** One for each name, in order of first appearance. */
  readonly injections: readonly Injection[];
  readonly #segments: Segments;
  #sites: readonly (readonly Site[])[] | undefined;
  #byName: Map<string, Injection> | undefined;

  /** @internal */
  constructor(text: string, scanned: Scan) {
    this.text = text;
    this.#segments = cut(text, scanned);
    const sitesOf = (index: number): readonly Site[] => {
      this.#sites ??= locate(text, scanned);
      return this.#sites[index]!;
    };
    this.injections = Object.freeze(scanned.groups.map((group) => new Injection(group, sitesOf)));
  }

  /**
   * The injection of this name, or the one at this place in `injections`.
   *
   * @throws PtxInjectError INJECTION_NAME_NOT_FOUND, OUT_OF_BOUNDS_IDX, or INVALID_INPUT for what is neither.
   */
  injection(nameOrIndex: string | number): Injection {
    if (typeof nameOrIndex !== "string") return atIndex(this.injections, nameOrIndex, "injection");
    const found = this.#named().get(nameOrIndex);
    if (found !== undefined) return found;
    throw unknownName("INJECTION_NAME_NOT_FOUND", "injection", nameOrIndex, this.injections);
  }

  /**
   * The text with every site replaced by its injection's stub; everything else stays as it is. A stub is PTX without
   * the line end after its last line.
   *
   * @throws PtxInjectError WRONG_NUM_STUBS when an injection has no stub, INJECTION_NAME_NOT_FOUND for a stub of an unknown
   * name, INVALID_INPUT for a stub that is not a string.
   */
  render(stubs: Stubs): string {
    return renderText(this.#segments, this.#inOrder(stubs));
  }

  /**
   * Writes what `render` gives into `bytes` from `offset` on, as UTF-8 (ASCII where the texts are ASCII), and gives the
   * number of bytes written. Faster than `render` for texts above 128 KB.
   *
   * @throws PtxInjectError as `render`; INSUFFICIENT_BUFFER when the text does not fit: nothing was written then, unless the text is not ASCII.
   */
  renderInto(stubs: Stubs, bytes: Uint8Array, offset = 0): number {
    if (!(bytes instanceof Uint8Array)) {
      throw new PtxInjectError(
        "INVALID_INPUT",
        `expected a Uint8Array to render into, found ${describeValue(bytes)}`,
      );
    }
    if (!Number.isInteger(offset) || offset < 0 || offset > bytes.length) {
      const message = `expected an offset from 0 to ${bytes.length}, found ${describeValue(offset)}`;
      throw new PtxInjectError("INVALID_INPUT", message);
    }
    const ordered = this.#inOrder(stubs);
    const written = renderBytes(this.#segments, ordered, bytes, offset);
    if (written >= 0) return written;
    throw new PtxInjectError(
      "INSUFFICIENT_BUFFER",
      `expected room for ${renderedSize(this.#segments, ordered)} bytes, found ${bytes.length - offset}`,
    );
  }

  /** The stubs in the order of `injections`, or the error that says which is wrong. */
  #inOrder(stubs: Stubs): readonly string[] {
    if (typeof stubs !== "object" || stubs === null || Array.isArray(stubs)) {
      throw new PtxInjectError(
        "INVALID_INPUT",
        `expected stubs by injection name, found ${describeValue(stubs)}`,
      );
    }
    const map = stubs instanceof Map ? (stubs as ReadonlyMap<string, unknown>) : undefined;
    const record = stubs as Readonly<Record<string, unknown>>;
    const prototype: unknown = Object.getPrototypeOf(stubs);
    // Nothing that an ordinary object inherits is a string, so that the costly question is rarely asked.
    const plain = map !== undefined || prototype === null || prototype === Object.prototype;
    const ordered: string[] = [];
    let missing: string | undefined;
    for (const { name } of this.injections) {
      const stub = map === undefined ? record[name] : map.get(name);
      if (typeof stub === "string" && (plain || Object.hasOwn(record, name))) ordered.push(stub);
      else if (map === undefined ? Object.hasOwn(record, name) : map.has(name)) {
        const message = `expected PTX text as stub of ${quoted(name)}, found ${describeValue(stub)}`;
        throw new PtxInjectError("INVALID_INPUT", message);
      } else missing ??= name;
    }
    const names = map === undefined ? Object.keys(record) : [...map.keys()];
    if (names.length > ordered.length) this.#refuseUnknown(names);
    if (missing !== undefined) {
      const message = `expected stubs for all ${this.injections.length} injections, found none for ${quoted(missing)}`;
      throw new PtxInjectError("WRONG_NUM_STUBS", message);
    }
    return ordered;
  }

  #refuseUnknown(names: readonly unknown[]): void {
    for (const name of names)
      if (typeof name !== "string" || !this.#named().has(name)) this.injection(name as string);
  }

  #named(): Map<string, Injection> {
    this.#byName ??= new Map(this.injections.map((injection) => [injection.name, injection]));
    return this.#byName;
  }
}

/** What one name stands for: its operands, and the places where its stub goes. */
export class Injection {
  readonly name: string;
  /** Place in `AnnotatedPtx.injections`. */
  readonly index: number;
  /** In the order of the marker, which is mod, then out, then in. */
  readonly operands: readonly Operand[];
  readonly #sitesOf: (index: number) => readonly Site[];

  /** @internal */
  constructor({ name, index, body }: SiteGroup, sitesOf: (index: number) => readonly Site[]) {
    this.name = name;
    this.index = index;
    this.operands = body.operands;
    this.#sitesOf = sitesOf;
  }

  /** In the order of the text; lines are counted when this is first asked for. */
  get sites(): readonly Site[] {
    return this.#sitesOf(this.index);
  }

  /**
   * The operand of this name (the first when several share it), or the one at this place in `operands`.
   *
   * @throws PtxInjectError INJECTION_ARG_NAME_NOT_FOUND, OUT_OF_BOUNDS_IDX, or INVALID_INPUT for what is neither.
   */
  operand(nameOrIndex: string | number): Operand {
    if (typeof nameOrIndex !== "string") return atIndex(this.operands, nameOrIndex, "operand");
    const found = this.operands.find((operand) => operand.name === nameOrIndex);
    if (found !== undefined) return found;
    throw unknownName(
      "INJECTION_ARG_NAME_NOT_FOUND",
      `operand of ${quoted(this.name)}`,
      nameOrIndex,
      this.operands,
    );
  }
}

/** The sites of each injection; one walk over the text counts the lines. */
function locate(text: string, { groups, groupOf, starts, ends }: Scan): readonly (readonly Site[])[] {
  const sites: Site[][] = groups.map(() => []);
  let line = 1;
  let newline = text.indexOf("\n");
  for (let i = 0; i < starts.length; i++) {
    const span = { start: starts[i]!, end: ends[i]! };
    for (; newline !== -1 && newline < span.start; newline = text.indexOf("\n", newline + 1)) line++;
    sites[groupOf[i]!.index]!.push(Object.freeze({ line, span: Object.freeze(span) }));
  }
  return sites.map((list) => Object.freeze(list));
}

function atIndex<T>(list: readonly T[], index: unknown, what: string): T {
  if (typeof index !== "number") {
    throw new PtxInjectError(
      "INVALID_INPUT",
      `expected the name or index of an ${what}, found ${describeValue(index)}`,
    );
  }
  const found = Number.isInteger(index) ? list[index] : undefined;
  if (found !== undefined) return found;
  const range = list.length === 0 ? "no index, as there is none" : `an index from 0 to ${list.length - 1}`;
  throw new PtxInjectError("OUT_OF_BOUNDS_IDX", `expected ${range}, found ${what} ${index}`);
}

/** The longest name that a suggestion is looked for: comparing takes the product of the lengths. */
const LONGEST_SUGGESTED = 100;

function unknownName(
  code: "INJECTION_NAME_NOT_FOUND" | "INJECTION_ARG_NAME_NOT_FOUND",
  what: string,
  name: string,
  known: readonly { readonly name: string }[],
): PtxInjectError {
  const names = known.map((entry) => entry.name).filter((entry) => entry.length <= LONGEST_SUGGESTED);
  const listed = names.length === 0 ? "there is none" : names.slice(0, 8).map(quoted).join(", ");
  const more = names.length > 8 ? ` and ${names.length - 8} more` : "";
  const suggestion = name.length <= LONGEST_SUGGESTED ? didYouMean(name, names) : "";
  return new PtxInjectError(
    code,
    `expected an ${what} (${listed}${more}), found ${quoted(name)}${suggestion}`,
  );
}
