// What instructions do to memory and to the launch: loads, stores, atomic operations, traps, calls of built-in functions.
import { type Step, Untranslatable } from "../../control/graph.js";
import { TYPES } from "../../program/types.js";
import type { Opcode } from "../binary/opcodes.js";
import { type Emitter, isSigned, stackType } from "./emitter.js";
import { words } from "./integer.js";
import { load, loadOpcode, store, storeOpcode, withAddress } from "./memory.js";
import type { Emit, Select } from "./table.js";

const nothing: Select = () => () => {};

/** What an atomic operation stores, from the value that is there; that and the operand are in locals. */
type Update = (emitter: Emitter, step: Step, old: number, operand: number) => void;

const binary =
  (name: string): Update =>
  ({ code }, step, old, operand) => {
    code
      .get(old)
      .get(operand)
      .op(`${stackType(step.source.types[0]!)}.${name}` as Opcode);
  };

const extremum =
  (name: "lt" | "gt"): Update =>
  ({ code }, { source }, old, operand) => {
    const type = source.types[0]!;
    code.get(operand).get(old);
    code
      .get(operand)
      .get(old)
      .op(`${stackType(type)}.${name}_${isSigned(type) ? "s" : "u"}` as Opcode);
    code.op("select");
  };

const UPDATES: Readonly<Record<string, Update>> = {
  add: (emitter, step, old, operand) => {
    binary("add")(emitter, step, old, operand);
    if (step.source.types[0] === "f32") emitter.canonical();
  },
  and: binary("and"),
  or: binary("or"),
  xor: binary("xor"),
  exch: ({ code }, _step, _old, operand) => void code.get(operand),
  min: extremum("lt"),
  max: extremum("gt"),
  // Up to the operand, then 0 again; down to 0, then the operand again.
  inc: ({ code }, _step, old, operand) => {
    code.i32(0).get(old).i32(1).op("i32.add").get(old).get(operand).op("i32.ge_u").op("select");
  },
  dec: ({ code }, _step, old, operand) => {
    code.get(operand).get(old).i32(1).op("i32.sub");
    code.get(old).op("i32.eqz").get(old).get(operand).op("i32.gt_u").op("i32.or").op("select");
  },
  cas: (emitter, step, old, operand) => {
    const { code } = emitter;
    emitter.push(step, step.source.results + 2);
    code
      .get(old)
      .get(old)
      .get(operand)
      .op(`${stackType(step.source.types[0]!)}.eq` as Opcode)
      .op("select");
  },
};

/** Atomic operations: nothing else runs in between. */
const atomic: Select = ({ source }) => {
  const has = new Set(Object.values(source.modifiers));
  const type = source.types[0]!;
  const { bits, lanes } = TYPES[type];
  const update = UPDATES[Object.keys(UPDATES).find((word) => has.has(word)) ?? ""];
  if (update === undefined || bits > 64 || bits < 32 || lanes > 1 || type === "f64") {
    return () => {
      throw new Untranslatable(`it has \`${source.opcode}\``);
    };
  }
  const as = stackType(type);
  return (emitter, step) => {
    const { code } = emitter;
    const first = step.source.results;
    withAddress(emitter, step, step.source.operands[first]!, bits / 8, "atomic", ({ push, offset }) => {
      code.scratch(as, (old) => {
        code.scratch(as, (operand) => {
          emitter.pushBits(step, step.source.operands[first + 1]!, as, true);
          code.set(operand);
          push();
          code.memory(loadOpcode(type, as), offset).set(old);
          push();
          update(emitter, step, old, operand);
          code.memory(storeOpcode(type, as), offset);
          if (first > 0) emitter.assign(step, 0, as, () => code.get(old));
        });
      });
    });
  };
};

const trap: Select = () => (emitter, step) => {
  const { code } = emitter;
  code.i32(emitter.site({ step }));
  emitter.threadNumber();
  code.call(emitter.facts.module.imports.trap).op("unreachable");
};

const builtIn: Select = ({ source }) => {
  const { callee } = source.call!;
  if (callee.kind !== "builtin") return undefined;
  return (emitter, step) => {
    emitter.code.i32(emitter.site({ step }));
    emitter.threadNumber();
    emitter.code.call(emitter.facts.module.imports.call);
  };
};

const copyAsynchronously: Select = (step) => {
  const has = words(step);
  if (has.has("commit_group") || has.has("wait_group") || has.has("wait_all")) return () => {};
  return ({}, { source }) => {
    throw new Untranslatable(`it has \`${source.opcode}\``);
  };
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
  call: builtIn,
  cp: copyAsynchronously,
  membar: nothing,
  fence: nothing,
  nanosleep: nothing,
  prefetch: nothing,
  prefetchu: nothing,
  pmevent: nothing,
  griddepcontrol: nothing,
};
