// Opens regular files only: reading a named pipe might never end.
import { closeSync, constants, fstatSync, openSync } from "node:fs";

/** Opens a file with flags of `constants`. @throws Error for anything but a regular file */
export function openRegular(path: string, flags: number): number {
  // Windows has neither this flag nor named pipes among files.
  const file = openSync(path, flags | (constants.O_NONBLOCK ?? 0), 0o666);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new Error(`expected a regular file, found another kind: \`${path}\``);
}
