// A parsed PTX text: its injections to look at, and rendering. What sites look like in the text is known to marked/ alone.
import { describeValue, didYouMean, type InjectTypes, quoted } from "@mm-ptx/types/core";
import { PtxInjectError } from "./error.js";
import { types as defaultTypes } from "./generated/default.js";
import { type Injection, injectionsOf } from "./injection.js";
import { defineLazy } from "./lazy.js";
import { atIndex, unknownName } from "./lookup.js";
import { cut, renderBytes, renderedSize, renderText, type Segments } from "./marked/render.js";
import { type Scan, scan } from "./marked/scan.js";

/** Stub texts by injection name. A plain object's own properties count, inherited ones do not. */
export type Stubs = Readonly<Record<string, string>> | ReadonlyMap<string, string>;

/** How PTX is read. */
export interface ParseOptions {
  /**
   * What the types of 0.x sites are, whose lines do not say it; those of our inject description by default. Markers of 1.x
   * say all by themselves.
   */
  readonly types?: InjectTypes;
}

/**
 * Reads PTX that was compiled from CUDA with `PTX_INJECT` sites, those of mm-ptx 0.x (`// %f1 mod f32 y`) too, one text
 * may have both. A site of 0.x becomes what one of 1.x is: a scope with registers `_x0`, `_x1`, … in the order of its lines.
 *
 * Text without sites is fine and renders to itself. LF and CRLF line ends are taken, in one text too.
 *
 * @throws PtxInjectError FORMATTING when a site breaks the grammar of markers, INCONSISTENT_INJECTION when sites of one
 * name differ in their operands, UNKNOWN_TYPE when `types` lacks the type of a 0.x site, INVALID_INPUT when `text` is not a
 * string or an option not what it should be.
 */
export function parsePtx(text: string, options: ParseOptions = {}): AnnotatedPtx {
  if (typeof text !== "string")
    throw new PtxInjectError("INVALID_INPUT", `expected PTX text, found ${describeValue(text)}`);
  return new AnnotatedPtx(() => text, scan(text, typesOf(options)));
}

function typesOf(options: ParseOptions): InjectTypes {
  if (typeof options !== "object" || options === null)
    throw new PtxInjectError("INVALID_INPUT", `expected options, found ${describeValue(options)}`);
  for (const key of Object.keys(options)) {
    if (key === "types") continue;
    const message = `expected options of parsePtx (\`types\`), found ${quoted(key)}${didYouMean(key, ["types"])}`;
    throw new PtxInjectError("INVALID_INPUT", message);
  }
  const { types = defaultTypes } = options;
  if (types?.kind === "inject" && Array.isArray(types.types)) return types;
  throw new PtxInjectError("INVALID_INPUT", `expected an inject description, found ${describeValue(types)}`);
}

/** PTX with its injections, ready to render any number of times. Made by `parsePtx`. */
export class AnnotatedPtx {
  /** The text as parsed. */
  declare readonly text: string;
  /** One for each name, in order of first appearance. */
  declare readonly injections: readonly Injection[];
  readonly #scanned: Scan;
  #cut: Segments | undefined;
  #byName: Map<string, Injection> | undefined;

  /** @internal */
  constructor(text: () => string, scanned: Scan) {
    this.#scanned = scanned;
    defineLazy(this, "text", text);
    defineLazy(this, "injections", () => injectionsOf(this.text, scanned));
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
    return renderText(this.#segments(), this.#inOrder(stubs));
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
    const written = renderBytes(this.#segments(), ordered, bytes, offset);
    if (written >= 0) return written;
    throw new PtxInjectError(
      "INSUFFICIENT_BUFFER",
      `expected room for ${renderedSize(this.#segments(), ordered)} bytes, found ${bytes.length - offset}`,
    );
  }

  #segments(): Segments {
    this.#cut ??= cut(this.text, this.#scanned);
    return this.#cut;
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
