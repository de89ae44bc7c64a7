// Compares what programs computed before and after they were timed.
import type { TypedArray } from "@mm-ptx/types/device";
import type { ProgramReadings } from "../running/work.js";

const EXPECTED = "expected the same machine code to compute the same again after it was timed, found";

/** In words, what a program computed after it was timed that it did not compute before; undefined if all is the same. */
export function changeOf(
  before: ProgramReadings,
  after: ProgramReadings,
  member: number,
): string | undefined {
  const [score, later] = [before.scores?.[member], after.scores?.[member]];
  if (!Object.is(score, later)) return `${EXPECTED} the score ${later} instead of ${score}`;
  for (const [i, { data, step, length }] of before.outputs.entries()) {
    const from = member * step;
    const element = firstChange(data, after.outputs[i]!.data, from, from + length);
    if (element !== undefined) return `${EXPECTED} another value in element ${element - from} of output ${i}`;
  }
  return undefined;
}

/** The first element from `begin` to `end` whose bytes differ. */
function firstChange(a: TypedArray, b: TypedArray, begin: number, end: number): number | undefined {
  const size = a.BYTES_PER_ELEMENT;
  const [one, other] = [a, b].map(({ buffer, byteOffset }) =>
    Buffer.from(buffer, byteOffset + begin * size, (end - begin) * size),
  ) as [Buffer, Buffer];
  if (one.equals(other)) return undefined;
  return begin + Math.floor(one.findIndex((byte, i) => byte !== other[i]) / size);
}
