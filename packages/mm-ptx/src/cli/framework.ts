// The parts of the framework of all command lines that this one uses. The framework is not published: the build bundles it
// into this module.
export {
  type Failure,
  FileError,
  failureOf,
  makeFolder,
  type Outcome,
  pathWord,
  printable,
  reasonOf,
  runCommandLine,
  statsOf,
  UsageError,
} from "@mm-ptx/cli";
