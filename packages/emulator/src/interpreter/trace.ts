// Traces one thread: after each instruction, the hook receives the values of its registers.
import { TYPES } from "../program/types.js";
import type { TraceHook } from "../run/launch.js";
import type { Machine } from "./machine.js";
import type { Frame } from "./thread.js";
import { readBits } from "./values.js";

/** An instruction that has not been reported yet because it waits; it is reported when the thread continues. */
interface Pending {
  readonly frame: Frame;
  readonly at: number;
}

export interface Tracer {
  before(): void;
  after(): void;
}

/** Follows the traced thread through a block. */
export function tracer(machine: Machine, hook: TraceHook): Tracer {
  let pending: Pending | undefined;
  const isTraced = () =>
    machine.block.every((value, axis) => value === hook.block[axis]) &&
    machine.thread.id.every((value, axis) => value === hook.thread[axis]);
  const report = ({ frame, at }: Pending) => {
    const { function: fn, index, slots } = frame.code;
    const read = (register: number): bigint => {
      const { bits } = TYPES[fn.registers[register]!.type];
      return readBits(machine, frame.base + slots[register]!, bits);
    };
    // The implicit return after the last instruction is not reported.
    if (at < fn.instructions.length) hook.step({ function: index, instruction: at, read });
  };
  let frame: Frame | undefined;
  return {
    before() {
      frame = isTraced() ? machine.frame : undefined;
      if (frame === undefined || pending === undefined) return;
      report(pending);
      pending = undefined;
    },
    after() {
      if (frame === undefined) return;
      const step = { frame, at: machine.at };
      if (machine.thread.wait === undefined) report(step);
      else pending = step;
    },
  };
}
