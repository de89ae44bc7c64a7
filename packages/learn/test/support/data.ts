// Rows and labels for tests, from a seed.
import { wordAt } from "../../src/random.js";

/** Rows with values from -1 to 1, and labels with interactions, steps and some noise. */
export function syntheticRows(count: number, columns: number, seed: number) {
  const rows = new Float32Array(count * columns);
  const labels = new Float32Array(count);
  let index = 0;
  const next = () => (wordAt(seed, index++) / 2 ** 32) * 2 - 1;
  for (let row = 0; row < count; row++) {
    const values = rows.subarray(row * columns, (row + 1) * columns);
    for (let column = 0; column < columns; column++) values[column] = next();
    const at = (column: number) => values[column % columns]!;
    labels[row] = 2 * at(0) * at(1) + (at(2) > 0.3 ? 1 : 0) + at(3) * at(3) + 0.5 * at(4) + 0.05 * next();
  }
  return { rows, labels };
}

/** The hash of the trees by default that are fitted to `syntheticRows(2000, 8, 1)`, saved. */
export const OBLIVIOUS_TREES = "d4f8c320";

/** The bits of numbers. */
export const bitsOf = (values: Float32Array): number[] => Array.from(new Uint32Array(values.slice().buffer));

/** FNV-1a over bytes, in hexadecimal digits. */
export function hashOf(bytes: Uint8Array): string {
  let sum = 0x811c9dc5;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193);
  return (sum >>> 0).toString(16).padStart(8, "0");
}

/** The share of the variance of labels that predictions explain. */
export function explained(labels: Float32Array, predictions: Float32Array): number {
  const mean = labels.reduce((sum, label) => sum + label, 0) / labels.length;
  let [left, all] = [0, 0];
  labels.forEach((label, row) => {
    left += (label - predictions[row]!) ** 2;
    all += (label - mean) ** 2;
  });
  return 1 - left / all;
}
