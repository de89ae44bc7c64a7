export { type AnnotatedPtx, type Injection, parsePtx, type Site, type Stubs } from "./annotated-ptx.js";
export { PtxInjectError, type PtxInjectErrorCode } from "./error.js";
export type { Direction, Operand } from "./marked/marker.js";
