// Sums in a fixed order: row r belongs to lane r mod 4, and each lane has a compensation (Knuth's two-sum). assembly/losses.ts computes
// the same bits.

const LANES = 4;

export class LaneSums {
  readonly #sums = new Float64Array(LANES);
  readonly #rests = new Float64Array(LANES);

  clear(): void {
    this.#sums.fill(0);
    this.#rests.fill(0);
  }

  add(row: number, term: number): void {
    const lane = row % LANES;
    const sum = this.#sums[lane]!;
    const total = sum + term;
    const part = total - sum;
    this.#sums[lane] = total;
    this.#rests[lane] = this.#rests[lane]! + (sum - (total - part) + (term - part));
  }

  /** Keeps the term if it is the greatest one of its lane, or NaN. */
  keepGreatest(row: number, term: number): void {
    const lane = row % LANES;
    this.#sums[lane] = Math.max(this.#sums[lane]!, term);
  }

  get total(): number {
    return joined(this.#sums) + joined(this.#rests);
  }

  get greatest(): number {
    return Math.max(...this.#sums);
  }
}

const joined = ([a, b, c, d]: Float64Array): number => a! + b! + (c! + d!);

/** The sum of a term for each row. */
export function sumOf(rows: number, term: (row: number) => number): number {
  const sums = new LaneSums();
  for (let row = 0; row < rows; row++) sums.add(row, term(row));
  return sums.total;
}
