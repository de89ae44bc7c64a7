// The parts of the framework of all command lines that this one uses. The framework is not published: the build bundles it
// into this module.
export {
  type Colors,
  colorsOf,
  columns,
  FileError,
  FileProblem,
  failureOf,
  Interrupted,
  Interruption,
  interruptible,
  loadDefault,
  type Outcome,
  ofFile,
  pathWord,
  printable,
  reasonOf,
  runCommandLine,
  UsageError,
  usageFailure,
  wholeNumber,
  writeWhole,
} from "@mm-ptx/cli";
