// Checks of the memory that scores are computed from.
import { disposedText, isWhole } from "@mm-ptx/types/internal";
import { refuse } from "../check.js";
import { PipelineError } from "../error.js";
import type { OutputSlices } from "../launch/plan.js";
import type { OutputMemory } from "./open.js";

/** The most blocks in x (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"). */
const MOST_PROGRAMS = 2 ** 31 - 1;

/** @throws PipelineError INVALID_ARGUMENT; INSUFFICIENT_BUFFER if the memory of an output ends before that of the last program */
export function checkMemory(
  slices: readonly OutputSlices[],
  outputs: readonly OutputMemory[],
  count: number,
): void {
  const problem = isWhole(1, MOST_PROGRAMS)(count, "count");
  if (problem !== undefined) throw refuse(problem);
  if (outputs.length !== slices.length)
    throw refuse(`expected the memory of each output, ${slices.length} in all, found ${outputs.length}`);
  slices.forEach(({ bytes, elements }, index) => {
    const { buffer, stride } = outputs[index]!;
    if (
      !Number.isSafeInteger(stride) ||
      stride < bytes ||
      stride >= 2 ** 32 ||
      stride % elements.BYTES_PER_ELEMENT
    )
      throw refuse(
        `expected a stride of at least ${bytes} bytes and below 2^32 that aligns the elements of output ${index}, found ${stride}`,
      );
    const needed = (count - 1) * stride + bytes;
    if (buffer.byteLength < needed)
      throw new PipelineError(
        "INSUFFICIENT_BUFFER",
        `expected at least ${needed} bytes for output ${index} of ${count} programs, found ${buffer.byteLength}`,
      );
  });
}

/** @throws PipelineError DISPOSED */
export function checkNotDisposed(disposed: boolean): void {
  if (disposed) throw new PipelineError("DISPOSED", disposedText("reduction"));
}
