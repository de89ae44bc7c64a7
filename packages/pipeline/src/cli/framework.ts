// The parts of the framework of all command lines that this one uses. The framework is not published: the build bundles it
// into this module.
export {
  type Colors,
  colorsOf,
  type Failure,
  FileError,
  makeFolder,
  type Outcome,
  pathWord,
  placeOf,
  printable,
  readInput,
  reasonOf,
  refuseClashes,
  runCommandLine,
  STANDARD,
  UsageError,
  usageFailure,
  writeWhole,
} from "@mm-ptx/cli";
