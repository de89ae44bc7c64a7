// The machines of this thread. Whoever runs single codes uses one at once; a batch, which waits now and then, has one of its own.
import { Patience } from "@mm-ptx/types/internal";
import { JavaScriptMachine } from "./javascript-machine.js";
import type { Machine } from "./machine.js";
import { webAssemblyMachine } from "./webassembly.js";

interface Held {
  machine: Machine;
  readonly patience: Patience;
}

/** A machine that belongs to its borrower until it is given back. */
export interface Loan {
  readonly machine: Machine;
  giveBack(): void;
}

/** Machines that nobody uses; others are forgotten. */
const MOST_IDLE = 2;

/** Those with WebAssembly, and those without. */
const idle: Readonly<Record<"true" | "false", Held[]>> = { true: [], false: [] };

const makeMachine = (webAssembly: boolean): Machine =>
  (webAssembly ? webAssemblyMachine() : undefined) ?? new JavaScriptMachine();

/** One that needs less memory, when much of it has not been needed for a while. */
function renewed(held: Held, webAssembly: boolean): Held {
  const { heldBytes, neededBytes } = held.machine;
  if (!held.patience.keeps(heldBytes, neededBytes)) held.machine = makeMachine(webAssembly);
  return held;
}

const makeHeld = (webAssembly: boolean): Held => ({
  machine: makeMachine(webAssembly),
  patience: new Patience(),
});

/** A machine in WebAssembly, or in JavaScript where that is missing or not wanted, to use before anything else runs. */
export function machineOf(webAssembly: boolean): Machine {
  const machines = idle[`${webAssembly}`];
  const [held] = machines;
  if (held !== undefined) return renewed(held, webAssembly).machine;
  const made = makeHeld(webAssembly);
  machines.push(made);
  return made.machine;
}

/** A machine to use for longer. */
export function borrowMachine(webAssembly: boolean): Loan {
  const machines = idle[`${webAssembly}`];
  const found = machines.shift();
  const held = found === undefined ? makeHeld(webAssembly) : renewed(found, webAssembly);
  return {
    machine: held.machine,
    giveBack: () => {
      if (machines.length < MOST_IDLE) machines.push(held);
    },
  };
}
