// Compares what a program computed in a pack with what it computes alone. The analysis of a kernel cannot see mistakes such as a length
// that is too large, which make a launch read or write the memory of others.
import type { PackAnswer, PackFault, PackRan } from "../running/work.js";

/** What is wrong with a program that fails alone, as the end of a sentence. */
export const failureAlone = ({ code, message }: PackFault): string =>
  `fails alone with ${code}: ${message.split("\n")[0]}`;

/** How the outputs of a member differ from those alone, as the end of a sentence; undefined if they are equal bit for bit. */
export function differenceFromAlone(packed: PackRan, member: number, alone: PackAnswer): string | undefined {
  if (!alone.ok) return failureAlone(alone);
  const score = packed.scores?.[member];
  if (!Object.is(score, alone.scores?.[0]))
    return `has the score ${score} in a pack and ${alone.scores?.[0]} alone`;
  for (const [i, { data, step, length }] of packed.outputs.entries()) {
    const own = bytesOf(data, member * step, length);
    const other = bytesOf(alone.outputs[i]!.data, 0, length);
    const at = own.findIndex((byte, j) => byte !== other[j]);
    if (at !== -1) {
      const element = Math.floor(at / data.BYTES_PER_ELEMENT);
      return `writes ${data[member * step + element]} in a pack and ${alone.outputs[i]!.data[element]} alone as element ${element} of output ${i}`;
    }
  }
  return undefined;
}

function bytesOf(data: PackRan["outputs"][number]["data"], first: number, length: number): Uint8Array {
  const { buffer, byteOffset, BYTES_PER_ELEMENT: bytes } = data;
  return new Uint8Array(buffer, byteOffset + first * bytes, length * bytes);
}
