// Converts columns of any type of numbers to f64, as assembly/to-doubles.ts does. Types that are not numeric become zeros.
import { CodeType } from "@mm-ptx/types/internal";
import type { JavaScriptLanes } from "./lanes.js";

const word = new Uint32Array(1);
const float = new Float32Array(word.buffer);

const floatOf = (bits: number): number => {
  word[0] = bits;
  return float[0]!;
};

/** The exponent of an f32 with the fields of an f16 is too small by this factor. */
const HALF_SCALE = 2 ** 112;

function halfOf(bits: number): number {
  const magnitude = bits & 0x7fff;
  const sign = (bits & 0x8000) << 16;
  if (magnitude >= 0x7c00) return floatOf(sign | 0x7f800000 | ((magnitude & 0x3ff) << 13));
  return floatOf(sign | (magnitude << 13)) * HALF_SCALE;
}

/** The number in a word of a type. */
function numberIn(type: CodeType, bits: number): number {
  switch (type) {
    case CodeType.pred:
      return bits & 1;
    case CodeType.u8:
      return bits & 0xff;
    case CodeType.s8:
      return (bits << 24) >> 24;
    case CodeType.u16:
      return bits & 0xffff;
    case CodeType.s16:
      return (bits << 16) >> 16;
    case CodeType.u32:
      return bits;
    case CodeType.s32:
      return bits | 0;
    case CodeType.bf16:
      return floatOf(bits << 16);
    case CodeType.f16:
      return halfOf(bits);
    default:
      return 0;
  }
}

/** Converts the rows at an address. */
export function toDoubles(
  type: CodeType,
  { words, floats, longs, doubles }: JavaScriptLanes,
  address: number,
  rows: number,
  target: Float64Array,
): void {
  const [narrow, wide] = [address / 4, address / 8];
  for (let row = 0; row < rows; row++) {
    if (type === CodeType.f32 || type === CodeType.tf32) target[row] = floats[narrow + row]!;
    else if (type === CodeType.f64) target[row] = doubles[wide + row]!;
    else if (type === CodeType.u64) target[row] = Number(longs[wide + row]!);
    else if (type === CodeType.s64) target[row] = Number(BigInt.asIntN(64, longs[wide + row]!));
    else target[row] = numberIn(type, words[narrow + row]!);
  }
}
