// A growing list of 32-bit integers. V8 allocates separate pages for arrays with thousands of entries, which takes
// longer than writing the entries.

const FIRST_LENGTH = 64;

export class NumberList {
  length = 0;
  /** The entries, followed by spare capacity. */
  values = new Int32Array(FIRST_LENGTH);

  push(value: number): void {
    if (this.length === this.values.length) this.#grow();
    this.values[this.length++] = value;
  }

  #grow(): void {
    const longer = new Int32Array(4 * this.length);
    longer.set(this.values);
    this.values = longer;
  }
}
