// `mma` and `wmma.mma` in f64, in which products of narrow elements are exact. Sums begin with the accumulator,
// continue in order of k, and are rounded once, as ../../arithmetic/matrix.js defines. The factors are unpacked once
// for an instruction; each sum is one lane of a vector.
import type { Step } from "../../control/step.js";
import type { Operand } from "../../program/operand.js";
import type { ModuleFrame } from "../frame.js";
import { eachPair, elementReader, pushLanes } from "./matrix-elements.js";
import { GROUPS, type SavedPlaces, type WarpCode, type WarpValue, warpValue } from "./values.js";

/** The columns of a tile. An `mma` has one tile, and `wmma` has several. Rows come in groups of the same size. */
const COLUMNS = 8;
const PAIRS = COLUMNS / 2;
const VECTOR_BYTES = 16;
const DOUBLE_BYTES = 8;
/** The lanes that hold a row, or a column, together. */
const ALONG = 4;

/** Room for the factors of one instruction: up to 32 by 16, or 16 by 32, and a tile of as many rows. */
const FACTOR_BYTES = 4096;
const TILE_BYTES = 2048;
export const MATRIX_BYTES: number = FACTOR_BYTES + TILE_BYTES;

/** Whether an instruction multiplies matrices. */
export const multipliesMatrices = ({ operation: { shape, traits } }: Step): boolean =>
  shape !== undefined && !traits.reads && !traits.writes;

const itemsOf = (operand: Operand): readonly Operand[] =>
  operand.kind === "vector" ? operand.items : [operand];

/** Whether a register that a tile's results are written to is one that a later tile reads. */
function overwritesSources(
  results: readonly WarpValue[],
  sources: readonly (readonly WarpValue[])[],
  tiles: number,
): boolean {
  const slot = (value: WarpValue) => (value === undefined || "constant" in value ? undefined : value.slot);
  const tileOf = (values: readonly WarpValue[], index: number) => Math.floor((index * tiles) / values.length);
  return results.some((result, index) => {
    const written = slot(result);
    const tile = tileOf(results, index);
    return sources.some((source) =>
      source.some(
        (value, at) => written !== undefined && slot(value) === written && tileOf(source, at) > tile,
      ),
    );
  });
}

/** @returns false for types that have no code, and if results of a tile replace what a later one reads */
export function writeProduct(
  warp: WarpCode,
  step: Step,
  { module, places, room }: { module: ModuleFrame; places: SavedPlaces; room: number },
): boolean {
  const { code } = warp;
  const { operation, source } = step;
  const { types, shape, words } = operation;
  // `wmma` only names the types of factors that are not f16.
  const [typeD, typeA, typeB, typeC] = types.length === 2 ? [types[0]!, "f16", "f16", types[1]!] : types;
  const [readA, readB, readC] = [typeA!, typeB!, typeC!].map(elementReader);
  if (shape === undefined || readA === undefined || readB === undefined || readC === undefined) return false;
  const [d, a, b, c] = source.operands.map((operand) =>
    itemsOf(operand).map((item) => warpValue(step, item, places)),
  ) as [WarpValue[], WarpValue[], WarpValue[], WarpValue[]];
  const { m, k } = shape;
  const tiles = shape.n / COLUMNS;
  const registersB = (k * COLUMNS) / (32 * readB.count);
  // `wmma` has more registers for f16 than its elements need.
  if (overwritesSources(d, [b.slice(0, tiles * registersB), c], tiles)) return false;
  const halves = m / COLUMNS;
  const rowBytes = k * DOUBLE_BYTES;
  const [at, factor, group] = [code.local("i32"), code.local("i32"), code.local("i32")];
  code.getGlobal(module.globals.frame).i32(room).op("i32.add").set(factor);

  const push = (value: WarpValue): void => {
    if (value === undefined || "constant" in value) warp.push(value, 0);
    else code.get(at).memory("v128.load", value.slot);
  };
  /** Runs code for each group of four lanes, which hold the same row or column. */
  const eachGroup = (write: () => void): void => {
    code.i32(0).set(group).get(warp.base).set(at);
    const loop = code.loop();
    write();
    code.get(at).i32(VECTOR_BYTES).op("i32.add").set(at);
    code.get(group).i32(1).op("i32.add").tee(group).i32(GROUPS).op("i32.lt_u").brIf(loop);
    code.end();
  };
  const withWords = (value: WarpValue, use: (words: number) => void): void =>
    code.scratch("v128", (vector) => {
      push(value);
      code.set(vector);
      use(vector);
    });

  // The rows of A, one after the other.
  const registersA = (m * k) / (32 * readA.count);
  eachGroup(() => {
    code.scratch("i32", (row) => {
      code.get(group).i32(rowBytes).op("i32.mul").get(factor).op("i32.add").set(row);
      for (let register = 0; register < registersA; register++) {
        const begin = COLUMNS * (register % halves) * rowBytes;
        const first = Math.floor(register / halves) * ALONG * readA.count;
        withWords(a[register]!, (vector) =>
          eachPair(code, readA, vector, (pair, index) =>
            code
              .get(row)
              .get(pair)
              .memory("v128.store", begin + (first + 2 * index) * DOUBLE_BYTES),
          ),
        );
      }
    });
  });

  const registersC = (m * COLUMNS) / (32 * readC.count);
  const registersD = (m * COLUMNS) / (32 * (typeD === "f16" ? 2 : 1));
  const sums = Array.from({ length: halves }, () => Array.from({ length: PAIRS }, () => code.local("v128")));
  const factors = Array.from({ length: PAIRS }, () => code.local("v128"));
  for (let tile = 0; tile < tiles; tile++) {
    // The rows of B. A group of lanes holds a column.
    eachGroup(() => {
      code.scratch("i32", (column) => {
        code.get(group).i32(3).op("i32.shl").get(factor).op("i32.add").set(column);
        for (let register = 0; register < registersB; register++) {
          const first = register * ALONG * readB.count;
          withWords(b[tile * registersB + register]!, (vector) =>
            eachPair(code, readB, vector, (pair, index) => {
              for (const lane of [0, 1]) {
                code.get(column).get(pair).lane("f64x2.extract_lane", lane);
                const row = first + 2 * index + lane;
                code.memory("f64.store", FACTOR_BYTES + row * COLUMNS * DOUBLE_BYTES);
              }
            }),
          );
        }
      });
    });
    eachGroup(() => {
      code.scratch("i32", (row) => {
        code.get(group).i32(rowBytes).op("i32.mul").get(factor).op("i32.add").set(row);
        for (const [half, own] of sums.entries()) readSums(half, own, tile);
        for (let index = 0; index < k; index++) {
          for (const [pair, local] of factors.entries()) {
            const place = FACTOR_BYTES + index * COLUMNS * DOUBLE_BYTES + VECTOR_BYTES * pair;
            code.get(factor).memory("v128.load", place).set(local);
          }
          for (const [half, own] of sums.entries()) {
            code.scratch("v128", (element) => {
              const place = COLUMNS * half * rowBytes + index * DOUBLE_BYTES;
              code.get(row).memory("v128.load64_splat", place).set(element);
              for (const [pair, sum] of own.entries())
                code.get(sum).get(element).get(factors[pair]!).op("f64x2.mul").op("f64x2.add").set(sum);
            });
          }
        }
        for (const [half, own] of sums.entries()) writeSums(half, own, tile);
      });
    });
  }
  return true;

  /** Reads the accumulators of a row: pairs of columns. */
  function readSums(half: number, own: readonly number[], tile: number): void {
    const first = tile * registersC;
    const keep = (pair: number, index: number) => code.get(pair).set(own[index]!);
    if (readC!.count === 2) {
      withWords(c[first + half]!, (vector) => eachPair(code, readC!, vector, keep));
      return;
    }
    // The even columns are in one register, and the odd ones in the next.
    withWords(c[first + 2 * half]!, (even) => {
      withWords(c[first + 2 * half + 1]!, (odd) => {
        code.scratch("v128", (four) => {
          for (const [index, lanes] of [
            [0, 4, 1, 5],
            [2, 6, 3, 7],
          ].entries()) {
            pushLanes(code, even, odd, lanes);
            code.set(four);
            eachPair(code, readC!, four, (pair, at) => keep(pair, 2 * index + at));
          }
        });
      });
    });
  }

  /** Rounds the sums of a row, and stores them in the registers of the result. */
  function writeSums(half: number, own: readonly number[], tile: number): void {
    const first = tile * registersD;
    const store = (value: WarpValue, write: () => void): void => {
      if (value === undefined || "constant" in value) return;
      code.get(at);
      write();
      code.memory("v128.store", value.slot);
    };
    if (typeD === "f16") {
      store(d[first + half], () => {
        code.v128([0n, 0n, 0n, 0n], 32);
        for (const [lane, sum] of own.entries()) {
          for (const element of [0, 1])
            code.get(sum).lane("f64x2.extract_lane", element).call(module.doubleToHalf());
          code.i32(16).op("i32.shl").op("i32.or").lane("i32x4.replace_lane", lane);
        }
      });
      return;
    }
    code.scratch("v128", (low) => {
      code.scratch("v128", (high) => {
        for (const [pair, four] of [low, high].entries()) {
          const [one, two] = [own[2 * pair]!, own[2 * pair + 1]!];
          if (typeD === "s32") pushIntegers(one, two);
          else pushFloats(one, two);
          code.set(four);
        }
        store(d[first + 2 * half], () => pushLanes(code, low, high, [0, 2, 4, 6]));
        store(d[first + 2 * half + 1], () => pushLanes(code, low, high, [1, 3, 5, 7]));
      });
    });
  }

  function pushFloats(one: number, two: number): void {
    code.scratch("v128", (four) => {
      code.get(one).op("f32x4.demote_f64x2_zero").get(two).op("f32x4.demote_f64x2_zero");
      code.shuffle([0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23]).set(four);
      code.get(four).v128(Array<bigint>(4).fill(0x7fffffffn), 32);
      code.get(four).get(four).op("f32x4.eq").op("v128.bitselect");
    });
  }

  /** The low words of sums plus 1.5 x 2^52, whose last bit is 1, are the integers modulo 2^32. */
  function pushIntegers(one: number, two: number): void {
    for (const sum of [one, two]) {
      code.get(sum);
      if (words.has("satfinite")) {
        code.v128(Array<bigint>(2).fill(0xc1e0000000000000n), 64).op("f64x2.max");
        code.v128(Array<bigint>(2).fill(0x41dfffffffc00000n), 64).op("f64x2.min");
      }
      code.v128(Array<bigint>(2).fill(0x4338000000000000n), 64).op("f64x2.add");
    }
    code.shuffle([0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27]);
  }
}
