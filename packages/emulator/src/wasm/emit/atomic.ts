// Atomic operations (PTX ISA, Parallel Synchronization and Communication Instructions: atom, red). The threads of a
// block run one after another, so a read followed by a write is atomic unless other blocks run at the same time.
import { Untranslatable } from "../../control/graph.js";
import type { Step } from "../../control/step.js";
import { TYPES, type ValueType } from "../../program/types.js";
import type { AtomicOpcode } from "../binary/code.js";
import type { Opcode } from "../binary/opcodes.js";
import { operationKey } from "../frame.js";
import { type Emitter, isSigned, stackType } from "./emitter.js";
import { flush } from "./float.js";
import { loadOpcode, type Place, storeOpcode, withAddress } from "./memory.js";
import type { Select } from "./select.js";

/** Pushes what an atomic operation stores, given the locals of the old value and of the operand. */
type Update = (emitter: Emitter, step: Step, old: number, operand: number, pushAddress: () => void) => void;

const binary =
  (name: string): Update =>
  ({ code }, step, old, operand) => {
    code
      .get(old)
      .get(operand)
      .op(`${stackType(step.operation.types[0]!)}.${name}` as Opcode);
  };

const extremum =
  (name: "lt" | "gt"): Update =>
  ({ code }, { operation }, old, operand) => {
    const type = operation.types[0]!;
    code.get(operand).get(old);
    code
      .get(operand)
      .get(old)
      .op(`${stackType(type)}.${name}_${isSigned(type) ? "s" : "u"}` as Opcode);
    code.op("select");
  };

/** Subnormals are flushed in global memory but preserved in shared memory (PTX ISA, atom). */
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
  const { space } = step.operation;
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
    const [type] = step.operation.types;
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
  // `inc` counts up to the operand and wraps to 0; `dec` counts down to 0 and wraps to the operand.
  inc: ({ code }, _step, old, operand) => {
    code.i32(0).get(old).i32(1).op("i32.add").get(old).get(operand).op("i32.ge_u").op("select");
  },
  dec: ({ code }, _step, old, operand) => {
    code.get(operand).get(old).i32(1).op("i32.sub");
    code.get(old).op("i32.eqz").get(old).get(operand).op("i32.gt_u").op("i32.or").op("select");
  },
  cas: (emitter, step, old, operand) => {
    const { code } = emitter;
    emitter.push(step, step.operation.results + 2);
    code
      .get(old)
      .get(old)
      .get(operand)
      .op(`${stackType(step.operation.types[0]!)}.eq` as Opcode)
      .op("select");
  },
};

/** Whether a step adds 16-bit floats in memory, which JavaScript computes. */
export function addsHalves({ operation: { traits, types, words } }: Step): boolean {
  if (!traits.atomic || !words.has("add")) return false;
  const { class: kind, bits, lanes } = TYPES[types[0]!];
  return kind === "float" && bits / lanes === 16;
}

/** The parts of an atomic operation. */
interface AtomicAccess {
  readonly word: string;
  readonly update: Update;
  readonly bytes: number;
  readonly as: ValueType;
  /** The locals of the operand and of the old value. */
  readonly operand: number;
  readonly old: number;
  readonly place: Place;
}

/** Emits an operation that nothing else can interrupt. */
function alone(emitter: Emitter, step: Step, { update, as, operand, old, place }: AtomicAccess): void {
  const { code } = emitter;
  const type = step.operation.types[0]!;
  place.push();
  code.memory(loadOpcode(type, as), place.offset).set(old);
  place.push();
  update(emitter, step, old, operand, place.push);
  code.memory(storeOpcode(type, as), place.offset);
}

/** Operations for which WebAssembly has an atomic instruction on whole words. */
const NATIVE_OPERATIONS: Readonly<Record<string, string>> = {
  ...{ add: "add", and: "and", or: "or", xor: "xor", exch: "xchg" },
};

/** Emits an operation during which other blocks may access the memory. */
function concurrently(emitter: Emitter, step: Step, access: AtomicAccess): void {
  const { code } = emitter;
  const { word, bytes, as, operand, old, place } = access;
  const atOnce = NATIVE_OPERATIONS[word];
  if (word === "cas") {
    place.push();
    code.get(operand);
    emitter.push(step, step.operation.results + 2);
    code.atomic(exchangeOpcode(bytes), bytes, place.offset).set(old);
  } else if (atOnce !== undefined && as === wordType(bytes) && !addsHalves(step)) {
    place.push();
    code
      .get(operand)
      .atomic(`${as}.atomic.rmw.${atOnce}` as AtomicOpcode, bytes, place.offset)
      .set(old);
  } else retryUntilUnchanged(emitter, step, access);
}

const wordType = (bytes: number) => (bytes === 8 ? "i64" : "i32");
const exchangeOpcode = (bytes: number): AtomicOpcode =>
  bytes === 2 ? "i32.atomic.rmw16.cmpxchg_u" : `${wordType(bytes)}.atomic.rmw.cmpxchg`;

/**
 * Emits a compare-and-exchange loop, which recomputes the stored value until the old value has not changed in between.
 */
function retryUntilUnchanged(
  emitter: Emitter,
  step: Step,
  { update, bytes, as, operand, old, place }: AtomicAccess,
): void {
  const { code } = emitter;
  const word = wordType(bytes);
  const reinterpret = (to: ValueType, from: ValueType) => {
    if (to !== from) code.op(`${to}.reinterpret_${from}` as Opcode);
  };
  code.scratch(word, (found) => {
    code.scratch(word, (expected) => {
      place.push();
      code
        .atomic(bytes === 2 ? "i32.atomic.load16_u" : `${word}.atomic.load`, bytes, place.offset)
        .set(found);
      const again = code.loop();
      code.get(found).tee(expected);
      reinterpret(as, word);
      code.set(old);
      place.push();
      code.get(expected);
      update(emitter, step, old, operand, place.push);
      reinterpret(word, as);
      code.atomic(exchangeOpcode(bytes), bytes, place.offset).tee(found);
      code.get(expected).op(`${word}.ne`).brIf(again).end();
    });
  });
}

/** Atomic operations. Only the block itself accesses its shared memory. */
export const atomic: Select = ({ operation: { opcode, types, words } }) => {
  const type = types[0]!;
  const { bits } = TYPES[type];
  const word = Object.keys(UPDATES).find((each) => words.has(each)) ?? "";
  const update = UPDATES[word];
  if (update === undefined || bits > 64) {
    return () => {
      throw new Untranslatable(`it has \`${opcode}\``);
    };
  }
  const as = stackType(type);
  return (emitter, step) => {
    const { code } = emitter;
    const first = step.operation.results;
    const access = { kind: "atomic", space: step.operation.space, bytes: bits / 8 } as const;
    const perform = emitter.facts.concurrent && access.space !== "shared" ? concurrently : alone;
    withAddress(emitter, step, step.source.operands[first]!, access, (place) => {
      code.scratch(as, (old) => {
        code.scratch(as, (operand) => {
          if (bits === 16) emitter.pushPlain(step, first + 1, "i32");
          else emitter.pushBits(step, step.source.operands[first + 1]!, as, true);
          code.set(operand);
          perform(emitter, step, { word, update, bytes: access.bytes, as, operand, old, place });
          if (first > 0) emitter.assign(step, 0, as, () => code.get(old));
        });
      });
    });
  };
};
