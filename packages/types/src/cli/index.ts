// What the command lines of other packages share with ours.
export { makeFolder, placeOf } from "./files.js";
export { type CommandLine, type Failure, runCommandLine, usageFailure } from "./run.js";
export { type Colors, colorsOf, columns, counted, type Outcome, printable } from "./terminal.js";
export { UsageError } from "./usage.js";
