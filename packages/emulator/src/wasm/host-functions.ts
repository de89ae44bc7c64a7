// The functions that ./host.ts loads, in a separate module so that they can be loaded on their own.
export { scalarOperation } from "@mm-ptx/columns/arithmetic";
export { warpEvaluator } from "../interpreter/warp-operations.js";
export { procedureOf } from "../procedures/index.js";
export { callBuiltIn } from "./built-in-call.js";
