// What the command lines of other packages share with ours.
export { makeFolder, placeOf } from "./files.js";
export { oneOf, pathWord, wholeNumber } from "./option-words.js";
export { type CommandLine, type Failure, runCommandLine, usageFailure } from "./run.js";
export { type Colors, colorsOf, columns, counted, type Outcome, printable } from "./terminal.js";
export { UsageError } from "./usage.js";
export {
  FileError,
  type FileStats,
  isTemporary,
  namedFile,
  readBytes,
  reasonOf,
  STANDARD,
  statsOf,
  writeWhole,
} from "./whole-files.js";
