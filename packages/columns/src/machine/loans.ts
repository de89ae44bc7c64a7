// Machines for batches. Batches wait from time to time, so each has a machine of its own. The machine in JavaScript is
// loaded when it is needed.
import { hold, idleMachines, renew } from "./idle.js";
import type { Machine } from "./machine.js";
import { webAssemblyMachine } from "./webassembly.js";

/** A machine that belongs to its borrower until it is returned. */
export interface Loan {
  readonly machine: Machine;
  giveBack(): void;
}

/** Machines that are kept while nobody uses them; others are forgotten. */
const MOST_IDLE = 2;

let makeInJavaScript: (() => Machine) | undefined;

/** A machine to use for longer; `undefined` if it is one in JavaScript that is not loaded yet. */
export function borrowLoadedMachine(webAssembly: boolean): Loan | undefined {
  const machines = idleMachines(webAssembly);
  const make = (): Machine | undefined =>
    (webAssembly ? webAssemblyMachine() : undefined) ?? makeInJavaScript?.();
  const found = machines.shift();
  const machine = found === undefined ? make() : renew(found, () => make() ?? found.machine).machine;
  if (machine === undefined) return undefined;
  const held = found ?? hold(machine);
  return {
    machine,
    giveBack: () => {
      if (machines.length < MOST_IDLE) machines.push(held);
    },
  };
}

/** A machine to use for longer, in JavaScript where WebAssembly is missing or not wanted. */
export async function borrowMachine(webAssembly: boolean): Promise<Loan> {
  const loan = borrowLoadedMachine(webAssembly);
  if (loan !== undefined) return loan;
  const { JavaScriptMachine } = await import("./javascript-machine.js");
  makeInJavaScript = () => new JavaScriptMachine();
  return borrowLoadedMachine(webAssembly)!;
}
