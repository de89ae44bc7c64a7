// Atomic operations (PTX ISA, Parallel Synchronization and Communication Instructions: atom, red). Threads run one after
// another, so that reading and then writing is all there is to it.
import { type Step, Untranslatable } from "../../control/graph.js";
import { TYPES } from "../../program/types.js";
import type { Opcode } from "../binary/opcodes.js";
import { operationKey } from "../frame.js";
import { type Emitter, isSigned, stackType } from "./emitter.js";
import { flush } from "./float.js";
import { loadOpcode, spaceOf, storeOpcode, withAddress } from "./memory.js";
import type { Select } from "./table.js";

/** What an atomic operation stores, from the value that is there; that and the operand are in locals. */
type Update = (emitter: Emitter, step: Step, old: number, operand: number, pushAddress: () => void) => void;

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

/** Subnormals are zeros in global memory, and themselves in shared memory (PTX ISA, atom). */
const addFloat: Update = (emitter, step, old, operand, pushAddress) => {
  const { code } = emitter;
  const plain = () => {
    code.get(old).get(operand).op("f32.add");
    emitter.canonical();
  };
  const flushed = () => {
    code.get(old);
    flush(emitter);
    code.get(operand);
    flush(emitter);
    code.op("f32.add");
    flush(emitter);
    emitter.canonical();
  };
  const space = spaceOf(step);
  if (space === "shared") plain();
  else if (space === "global") flushed();
  else {
    pushAddress();
    emitter.global("shared");
    code.op("i32.sub");
    emitter.global("sharedBytes");
    code.op("i32.lt_u").if("f32");
    plain();
    code.else();
    flushed();
    code.end();
  }
};

const addDouble = (emitter: Emitter, old: number, operand: number): void => {
  const { code, facts } = emitter;
  code.scratch("f64", (sum) => {
    code.get(old).get(operand).op("f64.add").tee(sum).get(sum).op("f64.ne").if();
    code.get(old).get(operand).f64(0n).call(facts.module.nan64).set(sum);
    code.end().get(sum);
  });
};

const UPDATES: Readonly<Record<string, Update>> = {
  add: (emitter, step, old, operand, pushAddress) => {
    const [type] = step.source.types;
    if (type === "f32") addFloat(emitter, step, old, operand, pushAddress);
    else if (type === "f64") addDouble(emitter, old, operand);
    else if (addsHalves(step)) {
      const { operations } = emitter.facts.module;
      emitter.code
        .get(old)
        .get(operand)
        .call(operations.get(operationKey(step))!.import);
    } else binary("add")(emitter, step, old, operand, pushAddress);
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

/** Whether a step adds floats of 16 bits in memory, which JavaScript does. */
export function addsHalves({ source, words }: Step): boolean {
  const { name, types } = source;
  return (name === "atom" || name === "red") && words.has("add") && /^b?f16/.test(types[0]!);
}

/** Atomic operations: nothing else runs in between. */
export const atomic: Select = ({ source, words }) => {
  const type = source.types[0]!;
  const { bits } = TYPES[type];
  const update = UPDATES[Object.keys(UPDATES).find((word) => words.has(word)) ?? ""];
  if (update === undefined || bits > 64) {
    return () => {
      throw new Untranslatable(`it has \`${source.opcode}\``);
    };
  }
  const as = stackType(type);
  return (emitter, step) => {
    const { code } = emitter;
    const first = step.source.results;
    const access = { kind: "atomic", space: spaceOf(step), bytes: bits / 8 } as const;
    withAddress(emitter, step, step.source.operands[first]!, access, ({ push, offset }) => {
      code.scratch(as, (old) => {
        code.scratch(as, (operand) => {
          if (bits === 16) emitter.pushPlain(step, first + 1, "i32");
          else emitter.pushBits(step, step.source.operands[first + 1]!, as, true);
          code.set(operand);
          push();
          code.memory(loadOpcode(type, as), offset).set(old);
          push();
          update(emitter, step, old, operand, push);
          code.memory(storeOpcode(type, as), offset);
          if (first > 0) emitter.assign(step, 0, as, () => code.get(old));
        });
      });
    });
  };
};
