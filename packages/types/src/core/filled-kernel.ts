// A kernel with its stubs filled in: the one value that is passed on to compilers and devices.
import { describeError, describeValue, quoted } from "../internal/describe.js";
import { STRING_LIMIT } from "../internal/ptx-size.js";
import { MmPtxError } from "./error.js";
import { type LineOrigins, RenderedLines, type SourceLine } from "./source-line.js";
import { checkTemplate, joinSegments, type PtxTemplate, type Refuse, renderedLength } from "./template.js";

/**
 * A template with a stub for each of its injections: plain, frozen data, which survives `structuredClone` and JSON.
 * `kernel.fill` of `@mm-ptx/inject` creates one, and everything that accepts PTX accepts it.
 */
export interface FilledKernel {
  readonly template: PtxTemplate;
  /** PTX by the name of its injection. */
  readonly stubs: Readonly<Record<string, string>>;
}

/** INVALID_ARGUMENT: the value is not a template with its stubs. */
export class FilledKernelError extends MmPtxError<"INVALID_ARGUMENT"> {
  override readonly name: string = "FilledKernelError";
  /** The wrong part, for example `template.holes[2]` or `stubs.func`. */
  readonly place: string;

  constructor(place: string, expected: string, found: string) {
    super("INVALID_ARGUMENT", `${quoted(place)}: expected ${expected}, found ${found}`);
    this.place = place;
  }
}

const refuse: Refuse = (place, expected, found) => new FilledKernelError(place, expected, found);

const checkedKernels = new WeakSet<object>();

/**
 * Fills a template. The template is checked and frozen when it is first used; the stubs are copied.
 *
 * @param stubs one for each of `template.names`
 * @throws FilledKernelError INVALID_ARGUMENT with the place of what is wrong
 */
export function filledKernel(
  template: PtxTemplate,
  stubs: Readonly<Record<string, string>> | ReadonlyMap<string, string>,
): FilledKernel {
  return fillOrdered(template, orderStubs(checkTemplate(template, refuse), stubs, refuse));
}

/** A filled kernel made of stubs that have already been checked, in the order of `template.names`. */
export function fillOrdered(template: PtxTemplate, ordered: readonly string[]): FilledKernel {
  const { names } = checkTemplate(template, refuse);
  const stubs = Object.fromEntries(ordered.map((stub, i) => [names[i]!, stub]));
  const filled = Object.freeze({ template, stubs: Object.freeze(stubs) });
  checkedKernels.add(filled);
  return filled;
}

/**
 * Checks a value that came from JSON, a structured clone or another thread, and freezes it in place.
 *
 * @returns the value itself
 * @throws FilledKernelError INVALID_ARGUMENT with the place of what is wrong
 */
export function checkFilledKernel(value: unknown): FilledKernel {
  if (typeof value !== "object" || value === null)
    throw new FilledKernelError("filled", "an object with `template` and `stubs`", describeValue(value));
  const filled = value as FilledKernel;
  if (checkedKernels.has(filled)) return filled;
  const { template, stubs } = filled;
  checkTemplate(template, refuse);
  if (stubs instanceof Map) throw refuse("stubs", "an object with the stubs by name", describeValue(stubs));
  orderStubs(template, stubs, refuse);
  Object.freeze(stubs);
  Object.freeze(filled);
  checkedKernels.add(filled);
  return filled;
}

/** The text of a filled kernel. @throws FilledKernelError INVALID_ARGUMENT */
export function renderText(filled: FilledKernel): string {
  const { template, stubs } = checkFilledKernel(filled);
  return rendered(template, orderStubs(template, stubs, refuse));
}

/** The text of a filled kernel as UTF-8. @throws FilledKernelError INVALID_ARGUMENT */
export function renderBytes(filled: FilledKernel): Uint8Array {
  return new TextEncoder().encode(renderText(filled));
}

const linesOf = new WeakMap<FilledKernel, RenderedLines>();

/**
 * Where a line (counted from 1) of a rendered kernel was written: in the kernel's text or in a stub; `undefined` if the
 * text has no such line. The first call walks the template once; later calls do a binary search.
 *
 * @throws FilledKernelError INVALID_ARGUMENT
 */
export function locateLine(filled: FilledKernel, line: number): SourceLine | undefined {
  let lines = linesOf.get(filled);
  if (lines === undefined) {
    const { template, stubs } = checkFilledKernel(filled);
    lines = new RenderedLines(template, orderStubs(template, stubs, refuse));
    linesOf.set(filled, lines);
  }
  return lines.locate(line);
}

/**
 * Parses a filled kernel that was written as JSON; returns `undefined` for other text, such as PTX, which never begins
 * with a brace.
 *
 * @throws FilledKernelError INVALID_ARGUMENT for corrupt JSON, and for JSON that is not a filled kernel
 */
export function parseFilledKernel(text: string): FilledKernel | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new FilledKernelError("filled", "JSON of a filled kernel", describeError(error));
  }
  return checkFilledKernel(value);
}

/** The stubs in the order of the template's names. A plain object's own properties count, inherited ones do not. */
export function orderStubs(template: PtxTemplate, stubs: unknown, refuse: Refuse): readonly string[] {
  if (typeof stubs !== "object" || stubs === null || Array.isArray(stubs))
    throw refuse("stubs", "stubs by the names of injections", describeValue(stubs));
  const { names } = template;
  const map = stubs instanceof Map ? stubs : undefined;
  const record = stubs as Readonly<Record<string, unknown>>;
  const ordered = names.map((name) => {
    const stub: unknown =
      map === undefined ? (Object.hasOwn(record, name) ? record[name] : undefined) : map.get(name);
    if (typeof stub !== "string") throw refuse(`stubs.${name}`, "PTX text", describeValue(stub));
    return stub;
  });
  const given = map === undefined ? Object.keys(record) : [...map.keys()];
  if (given.length > names.length) {
    const unknown = given.find((name) => !names.includes(name));
    throw refuse(`stubs.${String(unknown)}`, "the name of an injection of the template", "another name");
  }
  return ordered;
}

/** Rendered PTX that knows where its lines were written, such as a pack of `@mm-ptx/inject`. */
export interface LocatedPtx extends LineOrigins {
  readonly text: string;
}

/** The text of a filled kernel with the origins of its lines. @throws FilledKernelError INVALID_ARGUMENT */
export function locatedPtx(filled: FilledKernel): LocatedPtx {
  const template = checkTemplate(filled.template, refuse);
  const ordered = orderStubs(template, filled.stubs, refuse);
  const lines = new RenderedLines(template, ordered);
  return {
    text: rendered(template, ordered),
    locate: (line) => lines.locate(line),
    stubs: () => lines.stubs(),
  };
}

function rendered(template: PtxTemplate, stubs: readonly string[]): string {
  const length = renderedLength(template, stubs);
  if (length > STRING_LIMIT.bytes)
    throw refuse("stubs", `stubs that render at most ${STRING_LIMIT.bytes} bytes`, `${length} bytes`);
  return joinSegments(template, stubs);
}

/** PTX in every form that compilers, linkers and devices take: text, its bytes, a filled kernel, or a pack. */
export type PtxSource = string | Uint8Array | FilledKernel | LocatedPtx;

/** Whether a value claims to be a filled kernel; `checkFilledKernel` says whether it is one. */
export const isFilledKernel = (value: unknown): value is FilledKernel =>
  typeof value === "object" && value !== null && "template" in value;

/** Whether a value is text with origins. */
export function isLocatedPtx(value: unknown): value is LocatedPtx {
  const { text, locate, stubs } = (value ?? {}) as Partial<LocatedPtx>;
  return typeof text === "string" && typeof locate === "function" && typeof stubs === "function";
}
