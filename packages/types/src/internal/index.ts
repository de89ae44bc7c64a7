// Helpers that the packages of mm-ptx share. This entry is published because they import it, but nothing here is part
// of the public interface: any release may change or remove it.
export { CodeName, CodeType, CodeWord, OperationField } from "../code/layout.js";
export {
  fillOrdered,
  isFilledKernel,
  isLocatedPtx,
  locatedPtx,
  orderStubs,
  parseFilledKernel,
} from "../core/filled-kernel.js";
export { documentAddress, errorHelp } from "../core/help.js";
export { MOV_TYPES } from "../core/register-type.js";
export { readSiteOperands } from "../core/site-operand.js";
export { RenderedLines } from "../core/source-line.js";
export { codeFrameAt, lineOffset, TextLines } from "../core/span.js";
export {
  checkTemplate,
  countLineFeeds,
  joinSegments,
  type Refuse,
  renderedLength,
  type Segments,
} from "../core/template.js";
export { type ArgumentRules, packArguments, parameterBlockBytes } from "../device/argument.js";
export {
  type AskedShape,
  checkDimensions,
  checkShape,
  type LaunchShape,
  type ShapeLimits,
} from "../device/launch-shape.js";
export { kernelFileProblem } from "../kernel-file/format.js";
export {
  BLOCK_HEAD_WORDS,
  type BlockFormat,
  BlockReader,
  BlockWriter,
  feeder,
  joinedWords,
  LONGEST_BODY,
  type Steps,
  type WordList,
} from "./blocks.js";
export type { CommandColors, CommandFailure, CommandOutcome } from "./command.js";
export { describeError, describeValue, quoted, unicodeEscape } from "./describe.js";
export { fingerprintOfTable } from "./fingerprint.js";
export { hex, hex128, murmur128, murmur128Into, rotated } from "./hash.js";
export { camelCase } from "./identifier.js";
export { disposedText, foreignText, type InputChecks, inputChecks, OVERLAP_TEXT } from "./input-checks.js";
export { defineLazy } from "./lazy.js";
export { NPY_MAGIC, type NpyHeader, npyNumbers, readNpyHeader } from "./npy.js";
export {
  type Check,
  type Checks,
  completeLimits,
  isAnything,
  isBoolean,
  isFunction,
  isLimits,
  isList,
  isListOf,
  isNumber,
  isObject,
  isOneOf,
  isOptions,
  isPositive,
  isRecord,
  isSignal,
  isText,
  isWhole,
  nameProblem,
  nearestOf,
  type OptionRules,
  type OptionWords,
  optionProblem,
  takeOptions,
  unexpected,
  unknownName,
} from "./option-checks.js";
export { Patience, USES as PATIENT_USES } from "./patience.js";
export { withoutFinalNul } from "./ptx-end.js";
export { type PtxLimit, ptxSizeProblem, STRING_LIMIT } from "./ptx-size.js";
export { didYouMean, nearest } from "./suggest.js";
export { escapeXml, SVG_FONT, svgNumber } from "./svg.js";
export { referredTable } from "./table-form.js";
export { nodeThreads, type WorkerLike } from "./threads.js";
export { TURN, turn } from "./turn.js";
export { bytesOfHex, compilesWebAssembly } from "./webassembly.js";
export { bytesOf, LITTLE_ENDIAN, wordsOf } from "./words.js";
