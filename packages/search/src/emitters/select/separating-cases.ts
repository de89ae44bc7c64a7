// Which cases tell some classes apart.
import type { CaseMatrix } from "./case-matrix.js";

/** Cases in which errors differ by more than epsilon. All others remove nothing from a set, nor from any part of it. */
export class SeparatingCases {
  /** For each case: 1 if it tells some of the classes apart. */
  marks = new Uint8Array(0);
  #least = new Float64Array(0);
  #most = new Float64Array(0);

  /** Marks the cases that tell the first `count` classes apart. Returns whether there are any. */
  mark(matrix: CaseMatrix, classes: Int32Array, count: number): boolean {
    const { rows, epsilons, cases } = matrix;
    if (this.marks.length < cases) {
      this.marks = new Uint8Array(cases);
      this.#least = new Float64Array(cases);
      this.#most = new Float64Array(cases);
    }
    const marks = this.marks;
    const least = this.#least;
    const most = this.#most;
    const first = classes[0]! * cases;
    for (let number = 0; number < cases; number++) least[number] = most[number] = rows[first + number]!;
    for (let index = 1; index < count; index++) {
      const row = classes[index]! * cases;
      for (let number = 0; number < cases; number++) {
        const error = rows[row + number]!;
        least[number] = Math.min(least[number]!, error);
        most[number] = Math.max(most[number]!, error);
      }
    }
    let found = 0;
    for (let number = 0; number < cases; number++) {
      // As a selection compares them, with its rounding.
      const mark = Number(most[number]! > least[number]! + epsilons[number]!);
      marks[number] = mark;
      found += mark;
    }
    return found > 0;
  }
}
