// Moves, packing and unpacking, and conversions of addresses between windows (PTX ISA, Data Movement and Conversion
// Instructions).
import type { Step } from "../../control/step.js";
import { TYPES } from "../../program/types.js";
import { ADDRESS_BASE, ADDRESS_UPPER } from "../../run/memory.js";
import { type Emitter, stackType } from "./emitter.js";
import { localBegin } from "./memory.js";
import type { Emit, Select } from "./select.js";

const move: Select = ({ source, operation }) => {
  const [result, from] = source.operands;
  if (TYPES[operation.types[0]!].bits > 64) return undefined;
  if (from!.kind === "vector") return pack;
  return result!.kind === "vector" ? unpack : copy;
};

/** Copies the bits in the type in which the result is kept. */
const copy: Emit = (emitter, step) => {
  const [result, from] = step.source.operands;
  if (result!.kind !== "register") return;
  const register = step.context.registerBase + result!.register;
  const as = emitter.facts.types[register]!;
  const type = emitter.typeOf(step, 1);
  if (TYPES[type].bits < 32) {
    emitter.assign(step, 0, stackType(type), () => emitter.push(step, 1));
    return;
  }
  emitter.assign(step, 0, as, () => emitter.pushBits(step, from!, as, emitter.facts.anyNaN[register] === 0));
};

/** `mov.b64 d, {a, b}`: the first item becomes the lowest bits. */
const pack: Emit = (emitter, step) => {
  const [, from] = step.source.operands;
  if (from!.kind !== "vector") return;
  const { code } = emitter;
  const bits = TYPES[emitter.typeOf(step, 1)].bits;
  const as = stackType(step.operation.types[0]!) === "i64" ? "i64" : "i32";
  emitter.assign(step, 0, as, () => {
    from!.items.forEach((item, i) => {
      emitter.pushBits(step, item, as, true);
      if (bits < 32 || as === "i64") {
        emitter.constant((1n << BigInt(bits)) - 1n, as);
        code.op(`${as}.and`);
      }
      if (i === 0) return;
      emitter.constant(BigInt(i * bits), as);
      code.op(`${as}.shl`).op(`${as}.or`);
    });
  });
};

const unpack: Emit = (emitter, step) => {
  const [to, from] = step.source.operands;
  if (to!.kind !== "vector") return;
  const { code } = emitter;
  const type = emitter.typeOf(step, 0);
  const { bits } = TYPES[type];
  const as = stackType(step.operation.types[0]!) === "i64" ? "i64" : "i32";
  code.scratch(as, (whole) => {
    emitter.pushBits(step, from!, as, true);
    code.set(whole);
    to!.items.forEach((item, i) => {
      emitter.assignOperand(step, item, type, as === "i64" && bits < 64 ? "i32" : as, () => {
        code.get(whole);
        if (i > 0) {
          emitter.constant(BigInt(i * bits), as);
          code.op(`${as}.shr_u`);
        }
        if (as === "i64" && bits < 64) code.op("i32.wrap_i64");
        if (bits < 32) code.i32(2 ** bits - 1).op("i32.and");
      });
    });
  });
};

/**
 * Generic addresses are those of linear memory, so only addresses in the windows of the block and of the thread change.
 */
const convertAddress: Select = (step) => {
  const away = step.operation.words.has("to");
  const { space } = step.operation;
  return (emitter, it) => {
    emitter.assign(it, 0, "i64", () => {
      emitter.push(it, 1);
      if (space === "global" || space === "const") return;
      pushBegin(emitter, it);
      emitter.code.op(away ? "i64.sub" : "i64.add");
    });
  };
};

/** `isspacep`: whether a generic address is in one of the launch's areas. */
const isInSpace: Select = (step) => {
  const { space } = step.operation;
  return (emitter, it) => {
    const { code } = emitter;
    const inside = (own: "shared" | "local" | "param") => {
      emitter.push(it, 1);
      code.i64(BigInt(ADDRESS_BASE)).op("i64.sub");
      emitter.global(own === "param" ? "params" : own);
      code.op("i64.extend_i32_u").op("i64.sub");
      if (own === "param") code.i32(emitter.facts.kernel.parameterBytes);
      else emitter.global(own === "local" ? "localBytes" : "sharedBytes");
      code.op("i64.extend_i32_u").op("i64.lt_u");
    };
    const constant = () => {
      const { program, addresses } = emitter.facts;
      code.i32(0);
      program.variables.forEach((variable, i) => {
        if (variable.space !== "const") return;
        emitter.push(it, 1);
        code.i64(BigInt(ADDRESS_BASE + addresses[i]!)).op("i64.sub");
        code.i64(BigInt(variable.bytes)).op("i64.lt_u").op("i32.or");
      });
    };
    emitter.assign(it, 0, "i32", () => {
      if (space === "shared" || space === "local" || space === "param") inside(space);
      else if (space === "const") constant();
      else {
        // Global memory is everything that belongs to no other space.
        constant();
        for (const own of ["shared", "local", "param"] as const) {
          inside(own);
          code.op("i32.or");
        }
        code.op("i32.eqz");
        emitter.push(it, 1);
        code.i64(32n).op("i64.shr_u").i64(BigInt(ADDRESS_UPPER)).op("i64.eq").op("i32.and");
      }
    });
  };
};

function pushBegin(emitter: Emitter, step: Step): void {
  const { code } = emitter;
  const { space } = step.operation;
  if (space === "local") localBegin(emitter);
  else emitter.global(space === "shared" ? "shared" : "params");
  code.op("i64.extend_i32_u").i64(BigInt(ADDRESS_BASE)).op("i64.add");
}

/** Moves by name. */
export const MOVE: Readonly<Record<string, Select>> = {
  mov: move,
  cvta: convertAddress,
  isspacep: isInSpace,
};
