// Which constants need a register, because an instruction has only one immediate.

/** Collects the constants of instructions, and counts those that need registers. Its memory is reused after `clear`. */
export class ConstantRegisters {
  #forced = new Uint8Array(64);
  #degrees = new Int32Array(64);
  #first = new Int32Array(64);
  #second = new Int32Array(64);
  #pairs = 0;

  /** Forgets everything; constants are then numbers below `constants`. */
  clear(constants: number): void {
    if (this.#forced.length < constants) {
      this.#forced = new Uint8Array(2 * constants);
      this.#degrees = new Int32Array(2 * constants);
    }
    this.#forced.fill(0, 0, constants);
    this.#pairs = 0;
  }

  /** A constant at a place that takes only registers. */
  force(constant: number): void {
    this.#forced[constant] = 1;
  }

  /** Two constants of one instruction, of which one can be an immediate. */
  pair(first: number, second: number): void {
    if (first === second) {
      this.force(first);
      return;
    }
    if (this.#pairs === this.#first.length) this.#grow();
    this.#first[this.#pairs] = first;
    this.#second[this.#pairs++] = second;
  }

  /** The number of registers: the constant that is in most of the pairs without a register gets the next one. */
  count(constants: number): number {
    for (let pair = 0; pair < this.#pairs; ) {
      if (this.#forced[this.#first[pair]!] || this.#forced[this.#second[pair]!]) pair++;
      else this.force(this.#mostUsed());
    }
    let count = 0;
    for (let constant = 0; constant < constants; constant++) count += this.#forced[constant]!;
    return count;
  }

  #mostUsed(): number {
    this.#degrees.fill(0);
    let most = -1;
    for (let pair = 0; pair < this.#pairs; pair++) {
      const first = this.#first[pair]!;
      const second = this.#second[pair]!;
      if (this.#forced[first] || this.#forced[second]) continue;
      this.#degrees[first]!++;
      this.#degrees[second]!++;
      if (most < 0 || this.#degrees[first]! > this.#degrees[most]!) most = first;
      if (this.#degrees[second]! > this.#degrees[most]!) most = second;
    }
    return most;
  }

  #grow(): void {
    const larger = (from: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> => {
      const to = new Int32Array(2 * from.length);
      to.set(from);
      return to;
    };
    this.#first = larger(this.#first);
    this.#second = larger(this.#second);
  }
}
