export { Interpreter } from "./interpreter.js";
export { type WarpEvaluator, warpEvaluator } from "./warp-operations.js";
