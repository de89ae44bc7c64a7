// PTX with holes, as it passes between packages, threads and processes: plain, frozen, safe to clone and to write as JSON.
// `@mm-ptx/inject` makes templates; a template and its stubs can be rendered without the text that it was made from.
import { describeValue } from "../internal/describe.js";

/** The relation of the lines of one segment to those of the kernel's text. All counts are of line feeds. */
export interface SegmentLines {
  /** The line of the kernel, counted from 1, in which the kernel's own text of this segment begins. */
  readonly kernelLine: number;
  /** Lines that end within the segment. */
  readonly lines: number;
  /** Of those, lines at the beginning that the kernel does not have: they belong to the site before. */
  readonly head: number;
  /** Of those, lines at the end that the kernel does not have: they belong to the site that follows. */
  readonly tail: number;
}

/** Text in pieces: `segments[0]`, the text for `holes[0]`, `segments[1]`, and so on; one segment more than holes. */
export interface Segments {
  readonly segments: readonly string[];
  readonly holes: readonly number[];
}

/** The text of a kernel around its sites. A rendering puts the stub of `names[holes[i]]` between segments i and i + 1. */
export interface PtxTemplate extends Segments {
  /** The injections, each with one stub in a rendering. */
  readonly names: readonly string[];
  /** The lines of each segment. */
  readonly lines: readonly SegmentLines[];
}

/** Makes the error for a wrong value at a place such as `template.holes[2]`. */
export type Refuse = (place: string, expected: string, found: string) => Error;

/** What is found when a caller passes an annotated kernel, whose `template` is a method, without filling it. */
const UNFILLED = "a function, as in a kernel that has to be filled first with `kernel.fill(stubs)`";

const checked = new WeakSet<object>();

/**
 * Checks a template when it is first used and freezes it with all its parts, because values that are derived from it
 * are cached and would not notice a change. Checking it again costs nothing.
 */
export function checkTemplate(value: unknown, refuse: Refuse): PtxTemplate {
  if (typeof value === "function") throw refuse("template", "a template", UNFILLED);
  if (typeof value !== "object" || value === null)
    throw refuse("template", "a template", describeValue(value));
  const template = value as PtxTemplate;
  if (checked.has(template)) return template;
  const { names, segments, holes, lines } = template;
  const known = new Set<string>();
  const checkEach = <T>(
    part: string,
    values: readonly T[],
    expected: string,
    isRight: (value: T, i: number) => boolean,
  ): void => {
    if (!Array.isArray(values)) throw refuse(`template.${part}`, "an array", describeValue(values));
    // Unlike `every`, this visits the gaps of a sparse array.
    const wrong = values.findIndex((one, i) => !isRight(one, i));
    if (wrong !== -1) throw refuse(`template.${part}[${wrong}]`, expected, describeValue(values[wrong]));
  };
  const checkLength = (part: string, values: readonly unknown[], length: number): void => {
    if (values.length !== length) throw refuse(`template.${part}.length`, String(length), `${values.length}`);
  };
  checkEach("names", names, "a name that no other injection has", (name) => {
    const before = known.size;
    return typeof name === "string" && known.add(name).size > before;
  });
  checkEach("segments", segments, "a string", (segment) => typeof segment === "string");
  const range = `a whole number from 0 to ${names.length - 1}`;
  checkEach("holes", holes, range, (hole) => isCount(hole) && hole < names.length);
  checkLength("segments", segments, holes.length + 1);
  checkEach("lines", lines, "the lines of its segment", (each, i) => fits(each, segments[i]));
  checkLength("lines", lines, segments.length);
  for (const part of [names, segments, holes, lines, ...lines, template]) Object.freeze(part);
  checked.add(template);
  return template;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Whether these are lines that a segment with this text can have. */
function fits(value: unknown, segment: string | undefined): boolean {
  if (typeof value !== "object" || value === null || segment === undefined) return false;
  const { kernelLine, lines, head, tail } = value as Record<string, unknown>;
  return (
    isCount(kernelLine) &&
    kernelLine > 0 &&
    isCount(head) &&
    isCount(tail) &&
    lines === countLineFeeds(segment) &&
    head + tail <= lines
  );
}

/**
 * The rendered text as a flat string: joining an array copies every piece once, whereas `+=` would build a rope that is
 * copied when it is first read.
 */
export function joinSegments({ segments, holes }: Segments, stubs: readonly string[]): string {
  const pieces = new Array<string>(2 * holes.length + 1);
  pieces[0] = segments[0]!;
  for (let i = 0; i < holes.length; i++) {
    pieces[2 * i + 1] = stubs[holes[i]!]!;
    pieces[2 * i + 2] = segments[i + 1]!;
  }
  return pieces.join("");
}

/** The length of the rendered text. */
export function renderedLength({ segments, holes }: Segments, stubs: readonly string[]): number {
  let length = 0;
  for (const segment of segments) length += segment.length;
  for (const hole of holes) length += stubs[hole]!.length;
  return length;
}

/** The number of line feeds in a text; CRLF counts as one. */
export function countLineFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
