// Stops translated code in the middle of a kernel: thrown by the functions that it calls back.
import type { Fault } from "../run/fault.js";

/** A fault on its way out of WebAssembly. */
export class Stop extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.kind);
    this.fault = fault;
  }
}
