// Follows one thread: after each instruction its hook is told what its registers hold.
import { TYPES } from "../program/types.js";
import type { TraceHook } from "../run/launch.js";
import type { Machine } from "./machine.js";
import type { Frame } from "./thread.js";
import { readBits } from "./values.js";

/** What an instruction that waits has yet to tell: it is told when the thread goes on. */
interface Pending {
  readonly frame: Frame;
  readonly at: number;
}

export interface Tracer {
  before(): void;
  after(): void;
}

/** Follows the thread of a trace through a block. */
export function tracer(machine: Machine, hook: TraceHook): Tracer {
  let pending: Pending | undefined;
  const isTraced = () =>
    machine.block.every((value, axis) => value === hook.block[axis]) &&
    machine.thread.id.every((value, axis) => value === hook.thread[axis]);
  const tell = ({ frame, at }: Pending) => {
    const { function: fn, index, slots } = frame.code;
    const read = (register: number): bigint => {
      const { bits } = TYPES[fn.registers[register]!.type];
      return readBits(machine, frame.base + slots[register]!, bits);
    };
    // Behind the last instruction stands a return that nobody wrote.
    if (at < fn.instructions.length) hook.step({ function: index, instruction: at, read });
  };
  let frame: Frame | undefined;
  return {
    before() {
      frame = isTraced() ? machine.frame : undefined;
      if (frame === undefined || pending === undefined) return;
      tell(pending);
      pending = undefined;
    },
    after() {
      if (frame === undefined) return;
      const step = { frame, at: machine.at };
      if (machine.thread.wait === undefined) tell(step);
      else pending = step;
    },
  };
}
