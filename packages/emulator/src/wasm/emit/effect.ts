// Instructions with effects on memory and on the launch: loads, stores, atomic operations, traps, calls of built-in
// functions.

import type { MemoryOpcode } from "../binary/code.js";
import { atomic } from "./atomic.js";
import { callFunction } from "./call.js";
import { load, type Place, store, withAddress } from "./memory.js";
import type { Emit, Select } from "./select.js";
import { fence } from "./strong.js";

const nothing: Select = () => () => {};

const trap: Select = () => (emitter, step) => {
  const { code } = emitter;
  code.i32(emitter.site({ step }));
  emitter.threadNumber();
  code.call(emitter.facts.module.imports.trap).op("unreachable");
};

const builtIn: Select = ({ source }) => {
  const { callee } = source.call!;
  if (callee.kind !== "builtin") return callFunction;
  return (emitter, step) => {
    emitter.code.i32(emitter.site({ step }));
    emitter.threadNumber();
    emitter.frame();
    emitter.code.call(emitter.facts.module.imports.call);
  };
};

/** `cp.async` copies immediately. Bytes beyond the size of the source are 0. */
const copyAsynchronously: Select = (step) => {
  const has = step.operation.words;
  if (has.has("commit_group") || has.has("wait_group") || has.has("wait_all")) return () => {};
  return (emitter, it) => {
    const { code } = emitter;
    const [to, from, size, count] = it.source.operands;
    const bytes = size?.kind === "immediate" ? Number(size.bits) : 16;
    withAddress(emitter, it, to!, { kind: "store", space: "shared", bytes }, (target) => {
      const load = { kind: "load", space: "global", bytes } as const;
      if (count === undefined || count.kind === "sink" || it.operation.operandTypes[3] === "b64") {
        withAddress(emitter, it, from!, load, (source) => {
          target.push();
          source.push();
          code.memory(COPIES[bytes]![0], source.offset).memory(COPIES[bytes]![1], target.offset);
        });
        return;
      }
      code.scratch("i32", (wanted) => {
        if (it.operation.operandTypes[3] === "pred") {
          // Whether to ignore the source.
          code.i32(0).i32(bytes);
          emitter.push(it, 3);
        } else {
          emitter.push(it, 3);
          code.i32(bytes);
          emitter.push(it, 3);
          code.i32(bytes).op("i32.lt_u");
        }
        code.op("select").tee(wanted).if();
        const copy = (source: Place) => {
          target.push();
          code.i32(target.offset).op("i32.add");
          source.push();
          code.i32(source.offset).op("i32.add").get(wanted).copy();
        };
        withAddress(emitter, it, from!, load, copy, { local: wanted });
        code.end();
        target.push();
        code.i32(target.offset).op("i32.add").get(wanted).op("i32.add");
        code.i32(0).i32(bytes).get(wanted).op("i32.sub").fill();
      });
    });
  };
};

/** The load and store opcodes for each number of bytes. */
const COPIES: Readonly<Record<number, readonly [MemoryOpcode, MemoryOpcode]>> = {
  4: ["i32.load", "i32.store"],
  8: ["i64.load", "i64.store"],
  16: ["v128.load", "v128.store"],
};

/** The number of iterations in spinning loops after which a thread lets others run. */
const PATIENCE = 2 ** 10;

/** Whether a thread has looped often enough. */
const patience: Emit = (emitter, step) => {
  const { code, thread } = emitter;
  const rounds = thread.rounds!;
  emitter.assign(step, 0, "i32", () =>
    code.get(rounds).i32(1).op("i32.add").tee(rounds).i32(PATIENCE).op("i32.eq"),
  );
};

/** Reports a register that was not written. */
const expectWritten: Emit = (emitter, step) => {
  const { code } = emitter;
  const [, operand] = step.source.operands;
  const register = operand?.kind === "register" ? operand.register : undefined;
  emitter.push(step, 0);
  code.op("i32.eqz").if();
  if (emitter.giveUp !== undefined) code.br(emitter.giveUp);
  else {
    code.i32(emitter.site({ step, register }));
    emitter.threadNumber();
    code.i32(0).call(emitter.facts.module.imports.unwritten);
  }
  code.end();
};

/** Whether any of some registers was written. */
const anyWritten: Emit = (emitter, step) => {
  emitter.assign(step, 0, "i32", () => {
    emitter.push(step, 1);
    for (let i = 2; i < step.source.operands.length; i++) {
      emitter.push(step, i);
      emitter.code.op("i32.or");
    }
  });
};

/** Whether the register was written that a `selp` selects. */
const selectWritten: Emit = (emitter, step) => {
  emitter.assign(step, 0, "i32", () => {
    for (const i of [1, 2, 3]) emitter.push(step, i);
    emitter.code.op("select");
  });
};

const always =
  (emit: Emit): Select =>
  () =>
    emit;

/** Instructions with effects, by name. */
export const EFFECT: Readonly<Record<string, Select>> = {
  ld: always(load),
  ldu: always(load),
  st: always(store),
  atom: atomic,
  red: atomic,
  trap,
  brkpt: trap,
  call: builtIn,
  patience: always(patience),
  "expect-written": always(expectWritten),
  "any-written": always(anyWritten),
  "select-written": always(selectWritten),
  cp: copyAsynchronously,
  membar: always(fence),
  fence: always(fence),
  nanosleep: nothing,
  prefetch: nothing,
  prefetchu: nothing,
  applypriority: nothing,
  discard: nothing,
  pmevent: nothing,
  setmaxnreg: nothing,
  griddepcontrol: nothing,
};
