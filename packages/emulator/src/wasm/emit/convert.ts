// Conversions between integers, f32 and f64 (PTX ISA, Data Movement and Conversion Instructions: cvt). Narrower floats
// and unusual rounding modes are computed by JavaScript.
import { type PtxType, TYPES } from "../../program/types.js";
import type { Opcode } from "../binary/opcodes.js";
import { type Emitter, isSigned, stackType } from "./emitter.js";
import { flush, saturate } from "./float.js";
import type { Emit, Select } from "./select.js";

const isInteger = (type: PtxType): boolean => {
  const { class: kind, lanes } = TYPES[type];
  return (kind === "signed" || kind === "unsigned") && lanes === 1;
};

const isFloat = (type: PtxType): type is "f32" | "f64" => type === "f32" || type === "f64";

/** The WebAssembly names of the rounding modes to integers. */
const INTEGRAL: Readonly<Record<string, string>> = {
  rni: "nearest",
  rzi: "trunc",
  rmi: "floor",
  rpi: "ceil",
};

export const integralOf = (has: ReadonlySet<string>): string | undefined =>
  INTEGRAL[Object.keys(INTEGRAL).find((word) => has.has(word)) ?? ""];

const convert: Select = (step) => {
  const [to, from] = step.operation.types;
  const has = step.operation.words;
  if (to === undefined || from === undefined || step.operation.types.length > 2) return undefined;
  if (has.has("sat") && !(to === "f32" && isFloat(from))) return undefined;
  if (isInteger(to)) {
    if (isInteger(from)) return integerToInteger(to, from);
    return isFloat(from) && TYPES[to].bits >= 32 ? floatToInteger(to, from, has) : undefined;
  }
  if (!isFloat(to) || ["rz", "rm", "rp"].some((word) => has.has(word))) return undefined;
  if (isInteger(from)) return integerToFloat(to, from);
  return isFloat(from) ? floatToFloat(to, from, has) : undefined;
};

function integerToInteger(to: PtxType, from: PtxType): Emit {
  const [wide, narrow] = [stackType(to), stackType(from)];
  const { bits } = TYPES[to];
  return (emitter, it) => {
    emitter.assign(it, 0, wide, () => {
      emitter.push(it, 1);
      emitter.convert(narrow, wide, isSigned(from));
      if (bits < 32 && (TYPES[from].bits > bits || isSigned(from) !== isSigned(to))) narrowTo(emitter, to);
    });
  };
}

function narrowTo({ code }: Emitter, type: PtxType): void {
  const { bits } = TYPES[type];
  if (isSigned(type)) code.op(bits === 8 ? "i32.extend8_s" : "i32.extend16_s");
  else code.i32(2 ** bits - 1).op("i32.and");
}

function integerToFloat(to: "f32" | "f64", from: PtxType): Emit {
  const op = `${to}.convert_${stackType(from)}_${isSigned(from) ? "s" : "u"}` as Opcode;
  return (emitter, it) => {
    emitter.assign(it, 0, to, () => {
      emitter.push(it, 1);
      emitter.code.op(op);
    });
  };
}

/**
 * Values out of range become the nearest integer. A NaN becomes 0, or only the highest bit set if f64 or 64 bits are
 * involved.
 */
function floatToInteger(to: PtxType, from: "f32" | "f64", has: ReadonlySet<string>): Emit {
  const type = stackType(to);
  const op = `${type}.trunc_sat_${from}_${isSigned(to) ? "s" : "u"}` as Opcode;
  const integral = integralOf(has) ?? "trunc";
  const special = from === "f64" || type === "i64";
  return (emitter, it) => {
    const { code } = emitter;
    emitter.assign(it, 0, type, () => {
      code.scratch(from, (value) => {
        emitter.push(it, 1);
        if (has.has("ftz") && from === "f32") flush(emitter);
        if (integral !== "trunc") code.op(`${from}.${integral}` as Opcode);
        if (!special) {
          code.op(op);
          return;
        }
        code.tee(value).op(op);
        emitter.constant(1n << BigInt(TYPES[to].bits - 1), type);
        code.get(value).get(value).op(`${from}.eq`).op("select");
      });
    });
  };
}

function floatToFloat(to: "f32" | "f64", from: "f32" | "f64", has: ReadonlySet<string>): Emit {
  const integral = integralOf(has);
  return (emitter, it) => {
    const { code } = emitter;
    const push = () => {
      emitter.push(it, 1);
      if (has.has("ftz") && from === "f32") flush(emitter);
      if (integral !== undefined) code.op(`${from}.${integral}` as Opcode);
      if (to !== from) code.op(to === "f32" ? "f32.demote_f64" : "f64.promote_f32");
      if (has.has("ftz") && to === "f32") flush(emitter);
      if (has.has("sat")) saturate(emitter);
    };
    if (to === "f32") emitter.assignFloat(it, 0, push);
    else emitter.assignDouble(it, 0, push);
  };
}

/** Conversions by name. */
export const CONVERT: Readonly<Record<string, Select>> = { cvt: convert };
