// The span of a few vectors, and what is left of others without it.

/** Columns that depend on earlier ones keep less than this part of their length, and are left out. */
const DEPENDENT = 1e-9;

/** Vectors of numbers modulo linear combinations of some of them. */
export class Span {
  /** What it was made from, and how many these are. */
  readonly vectors: readonly Float64Array[];
  readonly count: number;
  /** Orthogonal vectors of length 1, in the order of what it was made from; as many as are independent. */
  readonly basis: readonly Float64Array[];
  /** For each vector of the basis, its number among those given, and the coordinates of that one. */
  readonly #numbers: number[] = [];
  readonly #triangle: Float64Array[] = [];

  constructor(vectors: readonly Float64Array[]) {
    this.vectors = vectors;
    this.count = vectors.length;
    const basis: Float64Array[] = [];
    this.basis = basis;
    vectors.forEach((vector, number) => {
      const rest = vector.slice();
      const coordinates = new Float64Array(basis.length + 1);
      // Twice, because of rounding.
      for (let time = 0; time < 2; time++) {
        basis.forEach((unit, index) => {
          const part = dot(unit, rest);
          coordinates[index]! += part;
          subtract(rest, unit, part);
        });
      }
      const length = Math.sqrt(dot(rest, rest));
      if (!(length > DEPENDENT * Math.sqrt(dot(vector, vector)))) return;
      coordinates[basis.length] = length;
      for (let row = 0; row < rest.length; row++) rest[row]! /= length;
      basis.push(rest);
      this.#numbers.push(number);
      this.#triangle.push(coordinates);
    });
  }

  /** Subtracts from values the combination that is nearest to them. Returns the square of the length that is left. */
  remove(values: Float64Array): number {
    for (const unit of this.basis) subtract(values, unit, dot(unit, values));
    return dot(values, values);
  }

  /** Writes the factors of the combination that is nearest to values. */
  coordinates(values: Float64Array, out: Float64Array): void {
    out.fill(0);
    const { basis } = this;
    for (let index = basis.length - 1; index >= 0; index--) {
      let part = dot(basis[index]!, values);
      for (let later = index + 1; later < basis.length; later++)
        part -= this.#triangle[later]![index]! * out[this.#numbers[later]!]!;
      out[this.#numbers[index]!] = part / this.#triangle[index]![index]!;
    }
  }
}

export function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let row = 0; row < one.length; row++) sum += one[row]! * other[row]!;
  return sum;
}

function subtract(from: Float64Array, unit: Float64Array, part: number): void {
  for (let row = 0; row < from.length; row++) from[row]! -= part * unit[row]!;
}
