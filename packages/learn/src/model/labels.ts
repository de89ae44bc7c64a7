// Labels of a table as a model learns them, and their mean and spread.
import type { Table } from "../table.js";

/** What a model learns: the label itself, or whether it is among the highest tenth of the labels. */
export type LabelKind = "best tenth" | "value";

export const LABEL_KINDS: readonly LabelKind[] = ["value", "best tenth"];

/** The number of rows in the best tenth of `count`: at least one. */
export const tenthOf = (count: number): number => Math.max(1, Math.round(count / 10));

/** The mean of labels, and the square root of their mean squared distance from it; computed from the oldest row to the youngest. */
export interface LabelStatistics {
  mean: number;
  deviation: number;
}

/** @param threshold the least label of the best tenth, or `undefined` for the labels themselves */
export function labelStatistics(rows: Table, threshold: number | undefined, result: LabelStatistics): void {
  const { count } = rows;
  let sum = 0;
  for (let age = 0; age < count; age++) sum += labelAt(rows, age, threshold);
  const mean = sum / count;
  let squares = 0;
  for (let age = 0; age < count; age++) {
    const difference = labelAt(rows, age, threshold) - mean;
    squares += difference * difference;
  }
  result.mean = mean;
  result.deviation = Math.sqrt(squares / count);
}

/** What a model learns for the row of an age. */
export function labelAt(rows: Table, age: number, threshold: number | undefined): number {
  const label = rows.labels[rows.place(age)]!;
  return threshold === undefined ? label : Number(label >= threshold);
}
