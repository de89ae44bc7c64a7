// The parts of the framework of all command lines that this one uses. The framework is not published: the build bundles it
// into this module.
export {
  type Colors,
  columns,
  completedBy,
  counted,
  type Failure,
  makeFolder,
  type Outcome,
  placeOf,
  printable,
  runCommandLine,
  UsageError,
  usageFailure,
} from "@mm-ptx/cli";
