// Files that survive killed processes, full disks and other processes, for Node.
export { AppendFile, type LinePlace, type Write } from "./append-file.js";
export {
  CHECK_BYTES,
  finishLine,
  hasBytes,
  isWholeLine,
  LONGEST_LINE,
  textOf,
} from "./checked-line.js";
export { LockedError, takeLock } from "./lock.js";
export { openRegular } from "./regular-file.js";
export { type LineVisitor, scanLines } from "./scan-lines.js";
