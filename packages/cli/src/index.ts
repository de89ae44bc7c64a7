// The framework of the command lines. Each package lists what it uses in `src/cli/framework.ts`.

export type { CommandFailure as Failure } from "@mm-ptx/types/internal";
export { fullName } from "./command-words.js";
export { type CommandCode, commandHelp, helpOf } from "./help.js";
export { findInputs, type Inputs, isBelow, isPattern, noMatch, patternFolder, readInput } from "./inputs.js";
export { Interrupted, interruptible } from "./interrupt.js";
export { loadDefault } from "./modules.js";
export {
  type Completion,
  completedBy,
  completionOf,
  isListParser,
  listCompletedBy,
  oneOf,
  pathWord,
  requiredOption,
  wholeNumber,
  wholeNumberFrom,
} from "./option-words.js";
export { type Delivery, folderNeeded, isFolder, refuseClashes } from "./outputs.js";
export { makeFolder, placeOf } from "./places.js";
export {
  FileProblem,
  failureOf,
  Interruption,
  OptionProblem,
  ofFile,
  optionProblemOf,
  problemOf,
  shown,
} from "./problems.js";
export { type CommandLine, prepare, runCommandLine, usageFailure } from "./run.js";
export { shellWord } from "./shell-words.js";
export { type Colors, colorsOf, columns, counted, type Outcome, printable } from "./terminal.js";
export { UsageError } from "./usage-error.js";
export {
  FileError,
  type FileStats,
  isTemporary,
  namedFile,
  readBytes,
  reasonOf,
  STANDARD,
  shownName,
  statsOf,
  writeWhole,
} from "./whole-files.js";
