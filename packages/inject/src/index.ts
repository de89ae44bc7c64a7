export { type AnnotatedPtx, type ParseOptions, parsePtx, type Stubs } from "./annotated-ptx.js";
export { PtxInjectError, type PtxInjectErrorCode } from "./error.js";
export type { Injection } from "./injection.js";
export type { Direction, Operand } from "./marked/marker.js";
export type { Site } from "./site.js";
