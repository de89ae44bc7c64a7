// Describes the minimum that an instruction requires.
import type { Requirement } from "./core/table.js";

/** For example `sm_90, PTX 7.8`; empty when it requires nothing. */
export function requirementText(requires: Requirement | undefined): string {
  const parts = [requires?.target, requires?.ptx === undefined ? undefined : `PTX ${requires.ptx}`];
  return parts.filter((part) => part !== undefined).join(", ");
}
