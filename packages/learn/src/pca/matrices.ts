// The few operations on small matrices of f64 that a PCA needs. Matrices are row by row.

/** The sum of products of two runs of values, whose number is a multiple of 4: four sums, which do not wait for each other. */
export function dot(a: Float64Array, aStart: number, b: Float64Array, bStart: number, count: number): number {
  // No lists of variables here: engines allocate these lists.
  let sum0 = 0;
  let sum1 = 0;
  let sum2 = 0;
  let sum3 = 0;
  for (let index = 0; index < count; index += 4) {
    const left = aStart + index;
    const right = bStart + index;
    sum0 += a[left]! * b[right]!;
    sum1 += a[left + 1]! * b[right + 1]!;
    sum2 += a[left + 2]! * b[right + 2]!;
    sum3 += a[left + 3]! * b[right + 3]!;
  }
  return sum0 + sum1 + (sum2 + sum3);
}

/** Makes rows orthogonal to those before them and of length 1. A row that depends on those before it becomes 0. */
export function orthonormalize(rows: Float64Array, first: number, count: number, columns: number): void {
  const end = first + count * columns;
  for (let start = first; start < end; start += columns) {
    const before = dot(rows, start, rows, start, columns);
    for (let other = first; other < start; other += columns) {
      const part = dot(rows, start, rows, other, columns);
      for (let column = 0; column < columns; column++) {
        rows[start + column] = rows[start + column]! - part * rows[other + column]!;
      }
    }
    const square = dot(rows, start, rows, start, columns);
    // What is left of a dependent row is rounding.
    const factor = square > before * 1e-24 ? 1 / Math.sqrt(square) : 0;
    for (let column = 0; column < columns; column++) rows[start + column] = rows[start + column]! * factor;
  }
}

const SWEEPS = 16;
/** Entries that are smaller, relative to their diagonal, are rounding. */
const SMALL = 1e-16;

/**
 * Diagonalizes a symmetric matrix by Jacobi rotations (Golub and Van Loan, "Matrix Computations", section 8.5).
 * @param matrix where the matrix begins, which becomes diagonal
 * @param vectors where its eigenvectors will be, one in each row
 */
export function diagonalize(values: Float64Array, matrix: number, vectors: number, size: number): void {
  values.fill(0, vectors, vectors + size * size);
  for (let index = 0; index < size; index++) values[vectors + index * (size + 1)] = 1;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) rotate(values, matrix, vectors, size, p, q);
    }
  }
}

/** Rotates rows and columns p and q so that their common entry becomes 0. */
function rotate(
  values: Float64Array,
  matrix: number,
  vectors: number,
  size: number,
  p: number,
  q: number,
): void {
  const entry = values[matrix + p * size + q]!;
  const first = values[matrix + p * (size + 1)]!;
  const second = values[matrix + q * (size + 1)]!;
  if (Math.abs(entry) <= SMALL * (Math.abs(first) + Math.abs(second))) return;
  const ratio = (second - first) / (2 * entry);
  const root = Math.sqrt(1 + ratio * ratio);
  const tangent = ratio >= 0 ? 1 / (ratio + root) : 1 / (ratio - root);
  const cosine = 1 / Math.sqrt(1 + tangent * tangent);
  const sine = tangent * cosine;
  for (let index = 0; index < size; index++) {
    turn(values, matrix + index * size + p, matrix + index * size + q, cosine, sine);
  }
  for (let index = 0; index < size; index++) {
    turn(values, matrix + p * size + index, matrix + q * size + index, cosine, sine);
  }
  for (let index = 0; index < size; index++) {
    turn(values, vectors + p * size + index, vectors + q * size + index, cosine, sine);
  }
}

function turn(values: Float64Array, first: number, second: number, cosine: number, sine: number): void {
  const [a, b] = [values[first]!, values[second]!];
  values[first] = cosine * a - sine * b;
  values[second] = sine * a + cosine * b;
}
