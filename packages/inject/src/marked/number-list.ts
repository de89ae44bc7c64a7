// A growing list of whole numbers of 32 bits. Of arrays with thousands of entries V8 makes pages of their own, which takes
// longer than writing the entries.

const FIRST_LENGTH = 64;

export class NumberList {
  length = 0;
  /** The entries, and room for more behind them. */
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
