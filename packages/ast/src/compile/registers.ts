// The names of a stub's own registers, `%ast0, ` and up: the same for every compile of a thread, made when first needed.
import { Values } from "./values.js";

/** Names made at a time. */
const CHUNK = 256;

export class RegisterNames {
  readonly values = new Values(CHUNK);
  private count = 0;

  /** Makes those that are missing of the first `count`. */
  reserve(count: number): void {
    if (count <= this.count) return;
    const end = Math.ceil(count / CHUNK) * CHUNK;
    this.values.reserve(end);
    for (let number = this.count; number < end; number++) this.values.setText(number, `%ast${number}, `);
    this.count = end;
  }
}

/** One list for all compilers. */
export const REGISTER_NAMES = new RegisterNames();
