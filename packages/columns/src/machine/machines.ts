// Machines for callers that run one code at a time without waiting, so the machine in JavaScript cannot be loaded on
// demand.
import { hold, idleMachines, renew } from "./idle.js";
import { JavaScriptMachine } from "./javascript-machine.js";
import type { Machine } from "./machine.js";
import { webAssemblyMachine } from "./webassembly.js";

const makeMachine = (webAssembly: boolean): Machine =>
  (webAssembly ? webAssemblyMachine() : undefined) ?? new JavaScriptMachine();

/** A machine in WebAssembly, or in JavaScript where that is missing or not wanted, to use before anything else runs. */
export function machineOf(webAssembly: boolean): Machine {
  const machines = idleMachines(webAssembly);
  const [held] = machines;
  if (held !== undefined) return renew(held, () => makeMachine(webAssembly)).machine;
  const made = hold(makeMachine(webAssembly));
  machines.push(made);
  return made.machine;
}
