// The parts of the framework of all command lines that this one uses. The framework is not published: the build bundles it
// into this module.
export {
  type Completion,
  commandHelp,
  completedBy,
  completionOf,
  type Failure,
  FileError,
  failureOf,
  fullName,
  makeFolder,
  type Outcome,
  oneOf,
  pathWord,
  prepare,
  printable,
  reasonOf,
  runCommandLine,
  shellWord,
  statsOf,
  UsageError,
  writeWhole,
} from "@mm-ptx/cli";
