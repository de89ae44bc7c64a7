// The machines, for packages that run single codes at once. This entry is published because other packages of mm-ptx import it, but
// nothing here is part of the public interface: any release may change or remove it.
export { ColumnsError } from "../error.js";
export type { ComputeData, InputColumn, LossData, Machine, Results, Task } from "./machine.js";
export { machineOf } from "./machines.js";
