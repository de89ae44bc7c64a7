// The elements of outputs, and how a kernel loads one.
import type { TypedArray, TypedArrayClass } from "@mm-ptx/types/device";

/** Floating-point types whose bits are kept in a Uint16Array. */
export type FloatFormat = "f16" | "bf16";

export const FORMATS: readonly FloatFormat[] = ["f16", "bf16"];

/** How an element becomes an f64 in a kernel. */
interface Element {
  /** The type of the register that it is loaded into. */
  readonly register: "b16" | "b32" | "b64";
  /** The type of the load. */
  readonly load: string;
  /** The instructions that convert `%raw` to `%value`. `%bits` and `%float` are registers of 32 bits that they may use. */
  readonly convert: readonly string[];
}

const convertsFrom = (type: string): readonly string[] => [`cvt.rn.f64.${type} %value, %raw;`];

/** By the name of an array's class, or by format. Conversions of 32-bit integers and of narrower floats to f64 are exact. */
const ELEMENTS: Readonly<Record<string, Element>> = {
  Uint8Array: { register: "b32", load: "u8", convert: convertsFrom("u32") },
  Int8Array: { register: "b32", load: "s8", convert: convertsFrom("s32") },
  Uint16Array: { register: "b32", load: "u16", convert: convertsFrom("u32") },
  Int16Array: { register: "b32", load: "s16", convert: convertsFrom("s32") },
  Uint32Array: { register: "b32", load: "u32", convert: convertsFrom("u32") },
  Int32Array: { register: "b32", load: "u32", convert: convertsFrom("s32") },
  BigUint64Array: { register: "b64", load: "u64", convert: convertsFrom("u64") },
  BigInt64Array: { register: "b64", load: "u64", convert: convertsFrom("s64") },
  Float32Array: { register: "b32", load: "f32", convert: ["cvt.f64.f32 %value, %raw;"] },
  Float64Array: { register: "b64", load: "f64", convert: ["mov.b64 %value, %raw;"] },
  f16: { register: "b16", load: "b16", convert: ["cvt.f64.f16 %value, %raw;"] },
  bf16: {
    register: "b32",
    load: "u16",
    // The bits of a bf16 are the upper half of those of an f32.
    convert: ["shl.b32 %bits, %raw, 16;", "mov.b32 %float, %bits;", "cvt.f64.f32 %value, %float;"],
  },
};

/** How a kernel loads and converts an element, or undefined if it cannot. */
export function elementOf(
  elements: TypedArrayClass<TypedArray>,
  format: FloatFormat | undefined,
): Element | undefined {
  if (format !== undefined && elements.name !== "Uint16Array") return undefined;
  const name = format ?? elements.name;
  return Object.hasOwn(ELEMENTS, name) ? ELEMENTS[name] : undefined;
}
