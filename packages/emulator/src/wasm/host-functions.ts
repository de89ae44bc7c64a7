// The functions of ./host.ts, in a module of their own so that they can be loaded alone.
export { scalarOperation } from "../arithmetic/scalar.js";
export { warpEvaluator } from "../interpreter/warp-operations.js";
export { callBuiltIn } from "./built-ins.js";
