// The names of signals by their numbers on this system.

import { constants } from "node:os";

/** For example, `SIGSEGV` for 11. */
export function signalName(number: number): string {
  const found = Object.entries(constants.signals).find(([, value]) => value === number);
  return found?.[0] ?? `signal ${number}`;
}
