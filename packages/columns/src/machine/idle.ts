// The idle machines of this thread.
import { Patience } from "@mm-ptx/types/internal";
import type { Machine } from "./machine.js";

/** A machine, and how long it has had more memory than it needs. */
export interface Held {
  machine: Machine;
  readonly patience: Patience;
}

/** The machines with WebAssembly or its JavaScript fallback, and those for which JavaScript was requested. */
const idle: Readonly<Record<"true" | "false", Held[]>> = { true: [], false: [] };

export const idleMachines = (webAssembly: boolean): Held[] => idle[`${webAssembly}`];

export const hold = (machine: Machine): Held => ({ machine, patience: new Patience() });

/** Replaces a machine by one that needs less memory, when much of it has not been needed for a while. */
export function renew(held: Held, make: () => Machine): Held {
  const { heldBytes, neededBytes } = held.machine;
  if (!held.patience.keeps(heldBytes, neededBytes)) held.machine = make();
  return held;
}
