// Products of matrices and the scaling of rows in WebAssembly, which several models import.
import { instantiate } from "./backend.js";
import type * as dense from "./dense.js";
import { DENSE } from "./modules.js";

type DenseFunctions = typeof dense & {
  /** Scales consecutive rows in place, given where the mean and the deviation of each column are. */
  scale(rows: number, count: number, columns: number, statistics: number): void;
};

/** The functions of assembly/dense.ts, on the memory of a model. */
export const denseFunctions = (memory: object): DenseFunctions =>
  instantiate(DENSE, memory) as DenseFunctions;
