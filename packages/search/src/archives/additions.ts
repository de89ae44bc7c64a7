// What became of the candidates of a batch, in memory that the next batch uses again.
import type { Additions } from "./archive.js";

/** `Additions` that archives write. */
export class AdditionBuffer implements Additions {
  status = new Uint8Array(0);
  value = new Float64Array(0);
  cell = new Int32Array(0);
  added = 0;
  improved = 0;

  /** Makes room for this many candidates. */
  start(count: number): void {
    this.added = 0;
    this.improved = 0;
    if (count <= this.status.length) return;
    const length = Math.max(count, 2 * this.status.length);
    this.status = new Uint8Array(length);
    this.value = new Float64Array(length);
    this.cell = new Int32Array(length);
  }
}
