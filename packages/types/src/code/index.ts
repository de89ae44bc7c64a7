// Straight-line code, which the compilers produce and @mm-ptx/columns runs.
export { type CodeBatch, CodeBuffer } from "./batch.js";
export { CODE_FEATURES, describeCode } from "./features.js";
export {
  CODE_CHOICES,
  CODE_NAMES,
  CODE_ROUNDINGS,
  CODE_SATURATIONS,
  CODE_TYPES,
  codeType,
  codeTypeBits,
  constantOperation,
  encodeOperation,
  inputOperation,
  type OperationParts,
  operandsOf,
  operationParts,
  operationText,
} from "./operation.js";
export { type OperationSignature, operationSignature } from "./signature.js";
export {
  type OperationLayout,
  StraightLineCode,
  type StraightLineCodeLayout,
} from "./straight-line-code.js";
