// Follows one thread: after each instruction its hook is told what its registers hold.
import type { Operand } from "../program/operand.js";
import { TYPES } from "../program/types.js";
import type { TraceHook } from "../run/launch.js";
import type { Machine } from "./machine.js";
import type { Frame, Thread } from "./thread.js";
import { readBits } from "./values.js";

/** What an instruction that waits, or calls, has yet to tell: it is told when the thread goes on. */
interface Pending {
  readonly thread: Thread;
  readonly frame: Frame;
  readonly at: number;
}

export interface Tracer {
  before(): void;
  after(): void;
}

const pending = new WeakMap<TraceHook, Pending>();

/** The tracer of a launch. */
export function tracer(machine: Machine, hook: TraceHook): Tracer {
  const isTraced = () =>
    machine.block.every((value, axis) => value === hook.block[axis]) &&
    machine.thread.id.every((value, axis) => value === hook.thread[axis]);
  const tell = ({ frame, at }: Pending) => {
    const { code } = frame;
    const { instructions, registers } = code.function;
    const instruction = instructions[at];
    if (instruction === undefined) return;
    const value = (operand: Operand): bigint | undefined =>
      operand.kind === "register"
        ? readBits(
            machine,
            frame.base + slotOf(registers, operand.register),
            TYPES[registers[operand.register]!.type].bits,
          )
        : undefined;
    hook.step({ function: code.index, instruction: at, values: instruction.operands.map(value) });
  };
  const flush = () => {
    const waiting = pending.get(hook);
    if (waiting === undefined || waiting.thread !== machine.thread) return;
    pending.delete(hook);
    tell(waiting);
  };
  let frame: Frame | undefined;
  return {
    before() {
      frame = isTraced() ? machine.frame : undefined;
      if (frame !== undefined) flush();
    },
    after() {
      if (frame === undefined) return;
      const step = { thread: machine.thread, frame, at: machine.at };
      if (machine.thread.wait === undefined) tell(step);
      else pending.set(hook, step);
    },
  };
}

/** The slot of a register: ones of 128 bits take two. */
function slotOf(registers: readonly { readonly type: keyof typeof TYPES }[], index: number): number {
  return registers.slice(0, index).reduce((slot, { type }) => slot + (TYPES[type].bits > 64 ? 2 : 1), 0);
}
