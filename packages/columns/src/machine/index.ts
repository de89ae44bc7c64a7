// The machines, for packages that run single codes synchronously. This entry is published because other packages of
// mm-ptx import it, but nothing here is part of the public interface: any release may change or remove it.
import type { CodeMachine } from "./machine.js";
import { machineOf as machineOfThread } from "./machines.js";

export { ColumnsError } from "../error.js";
export type { CodeMachine, ComputeData, InputColumn } from "./machine.js";

/** The machine of this thread in WebAssembly, or in JavaScript where that is missing or not wanted. */
export const machineOf: (webAssembly: boolean) => CodeMachine = machineOfThread;
