// The parts of the framework of all command lines that this one uses. The framework is not published: the build bundles it
// into this module.
export {
  type Colors,
  colorsOf,
  counted,
  type Failure,
  FileError,
  namedFile,
  type Outcome,
  oneOf,
  pathWord,
  placeOf,
  printable,
  readBytes,
  reasonOf,
  runCommandLine,
  STANDARD,
  shownName,
  statsOf,
  UsageError,
  wholeNumber,
  writeWhole,
} from "@mm-ptx/cli";
