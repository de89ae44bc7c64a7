// The kind of a memory access, for its checks and for the fault of an invalid one.
import type { OperationSpace } from "../program/operation.js";

export interface Access {
  readonly kind: "load" | "store" | "atomic";
  readonly space: OperationSpace;
  readonly bytes: number;
}
