// Converts a block of any type of numbers to f64. Types that are not numeric become zeros.
import { CodeType } from "../../types/src/code/layout.js";
import { high, low } from "./vectors.js";

export function toDoubles(type: u32, address: usize, target: usize, rows: usize): void {
  switch (type) {
    case CodeType.f32:
    case CodeType.tf32:
      for (let row: usize = 0; row < rows; row += 4) {
        const value = v128.load(address + (row << 2));
        v128.store(target + (row << 3), low(value));
        v128.store(target + (row << 3), high(value), 16);
      }
      return;
    case CodeType.f64:
      memory.copy(target, address, rows << 3);
      return;
    case CodeType.u64:
      for (let row: usize = 0; row < rows; row++) store<f64>(target + (row << 3), <f64>load<u64>(address + (row << 3)));
      return;
    case CodeType.s64:
      for (let row: usize = 0; row < rows; row++) store<f64>(target + (row << 3), <f64>load<i64>(address + (row << 3)));
      return;
    default:
      for (let row: usize = 0; row < rows; row++) store<f64>(target + (row << 3), numberIn(type, load<u32>(address + (row << 2))));
  }
}

/** The number in a word. */
function numberIn(type: u32, bits: u32): f64 {
  switch (type) {
    case CodeType.pred: return <f64>(bits & 1);
    case CodeType.u8: return <f64>(bits & 0xff);
    case CodeType.s8: return <f64>(<i32>(bits << 24) >> 24);
    case CodeType.u16: return <f64>(bits & 0xffff);
    case CodeType.s16: return <f64>(<i32>(bits << 16) >> 16);
    case CodeType.u32: return <f64>bits;
    case CodeType.s32: return <f64>(<i32>bits);
    case CodeType.bf16: return <f64>reinterpret<f32>(bits << 16);
    case CodeType.f16: return half(bits);
    default: return 0;
  }
}

/** The number in the bits of an f16: an f32 with the same fields has an exponent that is too small by 112. */
function half(bits: u32): f64 {
  const magnitude = bits & 0x7fff;
  const sign = (bits & 0x8000) << 16;
  if (magnitude >= 0x7c00) return <f64>reinterpret<f32>(sign | 0x7f800000 | ((magnitude & 0x3ff) << 13));
  return <f64>(reinterpret<f32>(sign | (magnitude << 13)) * reinterpret<f32>(0x77800000));
}
