// What an instruction needs at least, in words.
import type { Requirement } from "./core/table.js";

/** `sm_90, PTX 7.8`; empty when it needs nothing. */
export function requirementText(requires: Requirement | undefined): string {
  const parts = [requires?.target, requires?.ptx === undefined ? undefined : `PTX ${requires.ptx}`];
  return parts.filter((part) => part !== undefined).join(", ");
}
