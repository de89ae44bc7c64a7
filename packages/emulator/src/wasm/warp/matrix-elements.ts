// The elements of matrix fragments as numbers: words of four lanes become vectors of neighbouring elements, in f32 or, for integers, in
// i32, from which f64 are made.
import type { Code } from "../binary/code.js";

/** How the elements of a type are read from the words of four lanes. */
interface ElementReader {
  /** The elements in a word. */
  readonly count: number;
  readonly isInteger: boolean;
  /** Leaves element `index` of each word in the local as a vector on the stack. */
  push(code: Code, words: number, index: number): void;
}

const splat = (code: Code, word: bigint): Code => code.v128(Array<bigint>(4).fill(word), 32);

/** f16 or narrower floats with the same exponents: the bits of an f16 are on the stack. */
function pushHalf(code: Code): void {
  pushNarrow(code, { size: 0x7fffn, greatest: 0x7bffn, shift: 13, scale: 0x77800000n, signShift: 16 });
}

/** The layout of a narrow float, and its conversion to an f32. */
interface Narrow {
  /** The bits without the sign. */
  readonly size: bigint;
  /** The greatest finite number. */
  readonly greatest: bigint;
  /** The shifts that move the exponent, and then the sign, to their places in an f32. */
  readonly shift: number;
  readonly signShift: number;
  /** The power of two, as f32, that makes up for the other bias of the exponent. Subnormals become right by the product. */
  readonly scale: bigint;
}

function pushNarrow(code: Code, { size, greatest, shift, scale, signShift }: Narrow): void {
  code.scratch("v128", (bits) => {
    code.scratch("v128", (unsigned) => {
      splat(code.tee(bits), size).op("v128.and").tee(unsigned);
      code.i32(shift).op("i32x4.shl");
      splat(code, scale).op("f32x4.mul");
      // Infinities and NaNs.
      splat(code.get(unsigned), greatest).op("i32x4.gt_u");
      splat(code, 0x7f800000n).op("v128.and").op("v128.or");
      splat(code.get(bits), size + 1n)
        .op("v128.and")
        .i32(signShift)
        .op("i32x4.shl")
        .op("v128.or");
    });
  });
}

/** Pushes a byte of each word. */
const pushByte = (code: Code, words: number, index: number): Code =>
  splat(
    code
      .get(words)
      .i32(8 * index)
      .op("i32x4.shr_u"),
    0xffn,
  ).op("v128.and");

const READERS: Readonly<Record<string, ElementReader>> = {
  f32: { count: 1, isInteger: false, push: (code, words) => void code.get(words) },
  s32: { count: 1, isInteger: true, push: (code, words) => void code.get(words) },
  // The low bits of a tf32 are ignored.
  tf32: {
    count: 1,
    isInteger: false,
    push: (code, words) => void splat(code.get(words), 0xffffe000n).op("v128.and"),
  },
  f16: {
    count: 2,
    isInteger: false,
    push(code, words, index) {
      if (index === 0) splat(code.get(words), 0xffffn).op("v128.and");
      else code.get(words).i32(16).op("i32x4.shr_u");
      pushHalf(code);
    },
  },
  bf16: {
    count: 2,
    isInteger: false,
    push(code, words, index) {
      if (index === 0) code.get(words).i32(16).op("i32x4.shl");
      else splat(code.get(words), 0xffff0000n).op("v128.and");
    },
  },
  e5m2: {
    count: 4,
    isInteger: false,
    push(code, words, index) {
      pushByte(code, words, index).i32(8).op("i32x4.shl");
      pushHalf(code);
    },
  },
  e4m3: {
    count: 4,
    isInteger: false,
    push(code, words, index) {
      pushByte(code, words, index);
      pushNarrow(code, { size: 0x7fn, greatest: 0x7en, shift: 20, scale: 0x7b800000n, signShift: 24 });
    },
  },
  s8: {
    count: 4,
    isInteger: true,
    push: (code, words, index) =>
      void code
        .get(words)
        .i32(24 - 8 * index)
        .op("i32x4.shl")
        .i32(24)
        .op("i32x4.shr_s"),
  },
  u8: {
    count: 4,
    isInteger: true,
    push: (code, words, index) => void pushByte(code, words, index),
  },
};

/** The reader of a type's elements; undefined for types that vectors of f64 cannot hold without rounding. */
export const elementReader = (type: string): ElementReader | undefined => READERS[type];

/** Pushes four lanes of two vectors, by their numbers from 0 to 7. */
export function pushLanes(code: Code, first: number, second: number, lanes: readonly number[]): void {
  code.get(first).get(second);
  code.shuffle(lanes.flatMap((lane) => [4 * lane, 4 * lane + 1, 4 * lane + 2, 4 * lane + 3]));
}

/**
 * Calls `use` with a local for each two neighbouring elements, as f64, of the words of four lanes in a local: element 0 of the first
 * lane's word first. `use` must not keep the local.
 */
export function eachPair(
  code: Code,
  { count, isInteger, push }: ElementReader,
  words: number,
  use: (pair: number, index: number) => void,
): void {
  const taken: number[] = [];
  const vector = (write: () => void): number => {
    const local = code.take("v128");
    taken.push(local);
    write();
    code.set(local);
    return local;
  };
  const lanes = (first: number, second: number, of: readonly number[]) =>
    vector(() => pushLanes(code, first, second, of));
  const apart = Array.from({ length: count }, (_, index) => vector(() => push(code, words, index)));
  const zipped = (first: number, second: number) => [
    lanes(first, second, [0, 4, 1, 5]),
    lanes(first, second, [2, 6, 3, 7]),
  ];
  let inOrder = apart;
  if (count === 2) inOrder = zipped(apart[0]!, apart[1]!);
  if (count === 4) {
    const low = zipped(apart[0]!, apart[1]!);
    const high = zipped(apart[2]!, apart[3]!);
    inOrder = low.flatMap((first, half) => [
      lanes(first, high[half]!, [0, 1, 4, 5]),
      lanes(first, high[half]!, [2, 3, 6, 7]),
    ]);
  }
  code.scratch("v128", (pair) => {
    for (const [index, four] of inOrder.entries()) {
      for (const half of [0, 1]) {
        if (half === 0) code.get(four);
        else pushLanes(code, four, four, [2, 3, 2, 3]);
        code.op(isInteger ? "f64x2.convert_low_i32x4_s" : "f64x2.promote_low_f32x4").set(pair);
        use(pair, 2 * index + half);
      }
    }
  });
  for (const local of taken) code.release("v128", local);
}
