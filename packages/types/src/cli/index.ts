// What the command lines of other packages share with ours.
export { makeFolder, placeOf } from "./files.js";
export { type CommandLine, type Failure, runCommandLine } from "./run.js";
export { type Colors, columns, counted, type Outcome, printable } from "./terminal.js";
export { UsageError } from "./usage.js";
