// Constants as bits of a type (PTX ISA, Constants).
import type { PtxValue } from "@mm-ptx/ptx";
import { bitsOf } from "./types.js";

const view = new DataView(new ArrayBuffer(8));

/** The bits of a constant in a type; undefined when operands of that type are no such constants. */
export function constantBits(
  type: string,
  constant: PtxValue & { kind: "float" | "integer" },
): bigint | undefined {
  const bits = bitsOf(type);
  if (constant.kind === "integer") {
    if (type === "pred") return constant.value === 0n ? 0n : 1n;
    return /^[bus]\d+$/.test(type) ? BigInt.asUintN(bits, constant.value) : undefined;
  }
  if (type === "f32") return constant.width === 32 ? constant.bits : narrowed(constant.bits);
  if (type === "f64") return constant.width === 64 ? constant.bits : widened(constant.bits);
  return type === `b${constant.width}` ? constant.bits : undefined;
}

function narrowed(bits: bigint): bigint {
  view.setBigUint64(0, bits);
  view.setFloat32(0, view.getFloat64(0));
  return BigInt(view.getUint32(0));
}

function widened(bits: bigint): bigint {
  view.setUint32(0, Number(bits));
  view.setFloat64(0, view.getFloat32(0));
  return view.getBigUint64(0);
}
