// The results of warp operations as functions of the lanes' operands, in bits (PTX ISA, Parallel Synchronization and
// Communication Instructions). Values are in the order of the participating lanes.

import { evaluatorOf, type Mnemonic, mnemonicOf } from "@mm-ptx/columns/arithmetic";
import { type MatrixMnemonic, matrixOperation, tiledMatrixOperation } from "../arithmetic/matrix.js";

/**
 * @param lanes the numbers of the participating lanes, ascending
 * @param operands the bits of each lane's source operands, with vectors expanded
 * @returns the results of each lane, with vectors expanded
 */
export type WarpEvaluator = (
  lanes: readonly number[],
  operands: readonly (readonly bigint[])[],
) => readonly (readonly bigint[])[];

const maskOf = (lanes: readonly number[]): bigint =>
  lanes.reduce((mask, lane) => mask | (1n << BigInt(lane)), 0n);
const bit = (holds: boolean): bigint => (holds ? 1n : 0n);

/** Maps a lane, operand b, the segment and its last lane to the lane to read from and whether it is in range. */
type Choose = (
  lane: number,
  b: number,
  segment: number,
  last: number,
) => readonly [from: number, inRange: boolean];

const MODES: Readonly<Record<string, Choose>> = {
  up: (lane, b, _, last) => [lane - b, lane - b >= last],
  down: (lane, b, _, last) => [lane + b, lane + b <= last],
  bfly: (lane, b, _, last) => [lane ^ b, (lane ^ b) <= last],
  idx: (lane, b, segment, last) => {
    const from = (lane & segment) | (b & ~segment);
    return [from, from <= last];
  },
};

/**
 * `shfl.sync`. PTX leaves the value of a lane that does not participate undefined. Here it is 0, because published code
 * relies on that: the last step of a sum over a partial warp adds the values of lanes that do not participate.
 */
function shuffle(pick: Choose): WarpEvaluator {
  return (lanes, operands) =>
    lanes.map((lane, index) => {
      const [, b = 0n, c = 0n] = operands[index]!;
      const segment = Number((c >> 8n) & 31n);
      const last = (lane & segment) | (Number(c & 31n) & ~segment);
      const [from, inRange] = pick(lane, Number(b & 31n), segment, last);
      const source = inRange ? lanes.indexOf(from) : index;
      return [source < 0 ? 0n : operands[source]![0]!, bit(inRange)];
    });
}

const VOTES: Readonly<Record<string, (holds: readonly boolean[], lanes: readonly number[]) => bigint>> = {
  all: (holds) => bit(holds.every((each) => each)),
  any: (holds) => bit(holds.some((each) => each)),
  uni: (holds) => bit(holds.every((each) => each === holds[0])),
  ballot: (holds, lanes) => maskOf(lanes.filter((_, index) => holds[index])),
};

function vote(count: (typeof VOTES)[string]): WarpEvaluator {
  return (lanes, operands) => {
    const result = count(
      operands.map(([predicate]) => predicate === 1n),
      lanes,
    );
    return lanes.map(() => [result]);
  };
}

/** `match.any`: the lanes with the same value. */
const matchAny: WarpEvaluator = (lanes, operands) =>
  operands.map(([value]) => [maskOf(lanes.filter((_, index) => operands[index]![0] === value))]);

/** `match.all`: the mask of all lanes if their values are equal, and whether they are. */
const matchAll: WarpEvaluator = (lanes, operands) => {
  const same = operands.every(([value]) => value === operands[0]![0]);
  return lanes.map(() => [same ? maskOf(lanes) : 0n, bit(same)]);
};

/** What `redux.sync` computes, and the sign of an f32. */
const REDUCTIONS = ["add", "min", "max", "and", "or", "xor"];
const SIGN = 0x80000000n;

/** `redux.sync`: combines the values of all lanes. */
function reduce({ words, types }: Mnemonic): WarpEvaluator | undefined {
  const name = REDUCTIONS.find((each) => words.has(each))!;
  const modifiers = words.has("NaN") ? ["NaN"] : [];
  const evaluate = evaluatorOf(mnemonicOf(name, modifiers, ...types), 2, 1);
  if (evaluate === undefined) return undefined;
  const bits = words.has("abs") ? ~SIGN : ~0n;
  return (lanes, operands) => {
    const values = operands.map(([value]) => value! & bits);
    // A float is combined at least with itself, so that a NaN becomes the canonical one.
    if (types[0] === "f32") values.push(values[0]!);
    const result = values.reduce((a, b) => evaluate([a, b])[0]!);
    return lanes.map(() => [result]);
  };
}

/** `elect.sync`: the first lane. */
const elect: WarpEvaluator = (lanes) => lanes.map((lane) => [BigInt(lanes[0]!), bit(lane === lanes[0])]);

/** `movmatrix`: transposes 8 by 8 elements of 16 bits, two per lane. */
const transpose: WarpEvaluator = (lanes, operands) => {
  const element = (row: number, column: number): bigint => {
    const [word = 0n] = operands[4 * row + (column >> 1)]!;
    return (word >> BigInt(16 * (column & 1))) & 0xffffn;
  };
  return lanes.map((lane) => {
    const row = lane >> 2;
    const column = 2 * (lane & 3);
    return [element(column, row) | (element(column + 1, row) << 16n)];
  });
};

const nothing: WarpEvaluator = (lanes) => lanes.map(() => []);

/**
 * The function of a warp operation; undefined for other instructions and for those that access memory: `ldmatrix`,
 * `stmatrix`, `wmma.load` and `wmma.store`. The last operand, the mask of participating lanes, is ignored. `mma` and
 * `movmatrix` need all 32 lanes.
 */
export function warpEvaluator(operation: MatrixMnemonic): WarpEvaluator | undefined {
  const { name, words } = operation;
  const mode = [...words].find((word) => MODES[word] !== undefined || VOTES[word] !== undefined) ?? "";
  switch (name) {
    case "shfl":
      return shuffle(MODES[mode]!);
    case "vote":
      return vote(VOTES[mode]!);
    case "match":
      return mode === "any" ? matchAny : matchAll;
    case "redux":
      return reduce(operation);
    case "elect":
      return elect;
    case "movmatrix":
      return transpose;
    case "mma":
    case "wmma": {
      const multiply = name === "mma" ? matrixOperation(operation) : tiledMatrixOperation(operation);
      return multiply && ((_, operands) => multiply(operands));
    }
    case "bar":
      return words.has("warp") ? nothing : undefined;
    default:
      return undefined;
  }
}
