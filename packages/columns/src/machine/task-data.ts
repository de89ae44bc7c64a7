// Writes the columns and the loss of a task to the memory of a WebAssembly machine.
import type { Views } from "./chunk.js";
import { InputMask, Lane, LossNumber } from "./layout.js";
import type { InputColumn, LossData } from "./machine.js";
import type { TaskLayout } from "./task-layout.js";

/** Writes the columns, with zeros after the last row, and the facts about them that the planner needs. */
export function writeColumns(
  { words, bytes: memory }: Views,
  { columns: addresses, inputs }: TaskLayout,
  columns: readonly InputColumn[],
  paddedRows: number,
  hasSubnormals: (address: number, rows: number) => boolean,
): void {
  columns.forEach(({ bytes, isDouble, types }, index) => {
    const address = addresses[index]!;
    memory.set(bytes, address);
    memory.fill(0, address + bytes.length, address + paddedRows * (isDouble ? 8 : 4));
    const dirty = !isDouble && hasSubnormals(address, paddedRows) ? InputMask.dirty : 0;
    words[inputs / 4 + 2 * index] = address + (isDouble ? Lane.double : Lane.word);
    words[inputs / 4 + 2 * index + 1] = types | dirty;
  });
}

/** Writes the target, the weights, and the numbers of a loss, which start at an address. */
export function writeLoss(
  { words, doubles, bytes }: Views,
  layout: TaskLayout,
  { target, weights, mask, divisor, tolerance, targetMean, weightSum }: LossData,
  numbers: number,
): void {
  bytes.set(new Uint8Array(target.buffer, target.byteOffset, target.byteLength), layout.target);
  if (weights !== undefined) doubles.set(weights, layout.weights / 8);
  doubles[(numbers + LossNumber.divisor) / 8] = divisor;
  doubles[(numbers + LossNumber.tolerance) / 8] = tolerance;
  doubles[(numbers + LossNumber.targetMean) / 8] = targetMean;
  doubles[(numbers + LossNumber.weightSum) / 8] = weightSum;
  words[(numbers + LossNumber.mask) / 4] = Number(mask & 0xffffffffn);
  words[(numbers + LossNumber.mask) / 4 + 1] = Number(mask >> 32n);
}
