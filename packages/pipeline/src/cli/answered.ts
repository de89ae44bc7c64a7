// Which programs have a result in the file that is continued.

/** A set of indices that are mostly without gaps, a bit for each. */
export class Answered {
  #bits = new Uint8Array(1024);
  #end = 0;
  #size = 0;

  /** The number of programs. */
  get size(): number {
    return this.#size;
  }

  /** The first index of which, and of all after it, none is in the set. */
  get end(): number {
    return this.#end;
  }

  has(index: number): boolean {
    return ((this.#bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
  }

  add(index: number): void {
    if (this.has(index)) return;
    const at = Math.floor(index / 8);
    if (at >= this.#bits.length) {
      const bits = new Uint8Array(Math.max(at + 1, 2 * this.#bits.length));
      bits.set(this.#bits);
      this.#bits = bits;
    }
    this.#bits[at]! |= 1 << (index & 7);
    this.#size++;
    this.#end = Math.max(this.#end, index + 1);
  }

  /** The indices below `end` that are not in the set. */
  gaps(): readonly number[] {
    const gaps: number[] = [];
    for (let index = 0; index < this.#end; index++) if (!this.has(index)) gaps.push(index);
    return gaps;
  }
}

/** The programs without a result, and how their positions are those among all programs. */
export class Remaining {
  readonly #answered: Answered;
  readonly #gaps: readonly number[];

  constructor(answered: Answered) {
    this.#answered = answered;
    this.#gaps = answered.gaps();
  }

  /** The index among all programs of the one with an index among the remaining ones. */
  indexOf(position: number): number {
    return this.#gaps[position] ?? this.#answered.end + position - this.#gaps.length;
  }

  *of(programs: Iterable<unknown>): Generator<unknown, void, undefined> {
    let index = 0;
    for (const program of programs) if (!this.#answered.has(index++)) yield program;
  }

  async *ofAsync(programs: AsyncIterable<unknown>): AsyncGenerator<unknown, void, undefined> {
    let index = 0;
    for await (const program of programs) if (!this.#answered.has(index++)) yield program;
  }
}
