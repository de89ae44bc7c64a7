// The machines of this thread. All callers share them, because a code finishes before another one starts.
import { Patience } from "@mm-ptx/types/internal";
import { JavaScriptMachine } from "./javascript-machine.js";
import type { Machine } from "./machine.js";
import { webAssemblyMachine } from "./webassembly.js";

interface Held {
  machine: Machine;
  readonly patience: Patience;
}

const machines = new Map<boolean, Held>();

const makeMachine = (webAssembly: boolean): Machine =>
  (webAssembly ? webAssemblyMachine() : undefined) ?? new JavaScriptMachine();

/**
 * A machine in WebAssembly, or in JavaScript where that is missing or not wanted. It is another one, with less memory, when much of it
 * has not been needed for a while.
 */
export function machineOf(webAssembly: boolean): Machine {
  const held = machines.get(webAssembly);
  if (held === undefined) {
    const machine = makeMachine(webAssembly);
    machines.set(webAssembly, { machine, patience: new Patience() });
    return machine;
  }
  const { heldBytes, neededBytes } = held.machine;
  if (!held.patience.keeps(heldBytes, neededBytes)) held.machine = makeMachine(webAssembly);
  return held.machine;
}
