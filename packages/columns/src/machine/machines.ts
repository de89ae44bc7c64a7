// The machines of this thread. All callers share them, because a code finishes before another one starts.
import { JavaScriptMachine } from "./javascript-machine.js";
import type { Machine } from "./machine.js";
import { webAssemblyMachine } from "./webassembly.js";

const machines = new Map<boolean, Machine>();

/** A machine in WebAssembly, or in JavaScript where that is missing or not wanted. */
export function machineOf(webAssembly: boolean): Machine {
  let machine = machines.get(webAssembly);
  if (machine === undefined) {
    machine = (webAssembly ? webAssemblyMachine() : undefined) ?? new JavaScriptMachine();
    machines.set(webAssembly, machine);
  }
  return machine;
}
