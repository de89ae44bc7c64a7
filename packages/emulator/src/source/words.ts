// Places in words: where an instruction was written in CUDA, and where it is in the PTX.
import { demangled, type SourceFrame } from "@mm-ptx/ptx";
import { quoted } from "@mm-ptx/types/internal";
import { placeText } from "../front/place.js";
import type { TextPlace } from "../run/launch-fault.js";

/** The most functions inlined into each other that a message names. */
const SHOWN_FRAMES = 6;

/** `kernel.cu:12 (PTX line 40, column 2)`, or the place in the PTX if there is no other. */
export function placeWords({
  line,
  column,
  source,
  frames,
  text: number,
  function: name,
  isAdded,
}: Pick<TextPlace, "line" | "column" | "source" | "frames" | "text"> &
  Partial<Pick<TextPlace, "function" | "isAdded">>): string {
  const text = placeText(line, column, source, number);
  if (frames.length > 0) return `${frameWords(frames)} (PTX ${text})`;
  if (isAdded !== true || name === undefined) return text;
  return `${text} in ${quoted(demangled(name).path)}, which has no source lines`;
}

/** ``helper.cuh:3 in `twice`, inlined at kernel.cu:12`` */
export function frameWords(frames: readonly SourceFrame[]): string {
  const [first, ...others] = frames;
  if (first === undefined) return "";
  const shown =
    others.length < SHOWN_FRAMES ? others : [...others.slice(0, SHOWN_FRAMES - 2), others.at(-1)!];
  const words = [first, ...shown].map((frame, i, { length }) => {
    const place = `${fileName(frame.file)}:${frame.line}`;
    return i === length - 1 || frame.function === undefined
      ? place
      : `${place} in ${quoted(demangled(frame.function).path)}`;
  });
  if (shown.length < others.length) words.splice(-1, 0, `${others.length - shown.length} more`);
  return words.join(", inlined at ");
}

/** The name of a file without its folder. */
export const fileName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
