// What a program is compared with that computes nothing: the best constant, or a miss in every row.
import type { Loss } from "@mm-ptx/columns";

/** The loss of a constant output, roughly the best one. It is above 0. */
export function baselineOf({ kind, target }: Loss): number {
  const rows = target.length;
  if (kind === "r2" || kind === "nmse") return 1;
  if (kind === "misses") return rows;
  if (kind === "hamming") return 4 * rows * target.BYTES_PER_ELEMENT;
  let sum = 0;
  for (let row = 0; row < rows; row++) sum += Number(target[row]);
  const mean = sum / rows;
  let squares = 0;
  let distances = 0;
  let greatest = 0;
  for (let row = 0; row < rows; row++) {
    const distance = Math.abs(Number(target[row]) - mean);
    squares += distance * distance;
    distances += distance;
    greatest = Math.max(greatest, distance);
  }
  const loss = kind === "mse" ? squares / rows : kind === "mae" ? distances / rows : greatest;
  return loss > 0 ? loss : 1;
}

/** From 0 for an infinite loss to 1 for none, 1/2 for the baseline. */
export const quality = (loss: number, baseline: number): number => baseline / (baseline + loss);

/** By how much a loss would improve an archive whose cell has an elite with the loss `elite`, or infinity without one. */
export const promise = (loss: number, elite: number, baseline: number): number =>
  quality(loss, baseline) - (elite === Number.POSITIVE_INFINITY ? 0 : quality(elite, baseline));
