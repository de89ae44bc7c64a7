// What warp operations compute from the values of their lanes, as functions of bits (PTX ISA, Parallel Synchronization and
// Communication Instructions). Values stand in the order of the lanes that take part.

import { evaluatorOf } from "../arithmetic/evaluator.js";
import { matrixOperation, tiledMatrixOperation } from "../arithmetic/matrix.js";
import type { Instruction } from "../program/program.js";

/**
 * @param lanes numbers of the lanes that take part, rising
 * @param operands of each of them the source operands as bits, vectors item by item
 * @returns of each of them the results, vectors item by item
 */
export type WarpEvaluator = (
  lanes: readonly number[],
  operands: readonly (readonly bigint[])[],
) => readonly (readonly bigint[])[];

const maskOf = (lanes: readonly number[]): bigint =>
  lanes.reduce((mask, lane) => mask | (1n << BigInt(lane)), 0n);
const bit = (holds: boolean): bigint => (holds ? 1n : 0n);

/** From a lane, b, the segment and its last lane, to the lane that is read, and whether it is in range. */
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

/** `shfl.sync`: from a lane that does not take part, a lane gets its own value, where PTX leaves it open. */
function shuffle(pick: Choose): WarpEvaluator {
  return (lanes, operands) =>
    lanes.map((lane, index) => {
      const [value = 0n, b = 0n, c = 0n] = operands[index]!;
      const segment = Number((c >> 8n) & 31n);
      const last = (lane & segment) | (Number(c & 31n) & ~segment);
      const [from, inRange] = pick(lane, Number(b & 31n), segment, last);
      const source = inRange ? lanes.indexOf(from) : index;
      return [source < 0 ? value : operands[source]![0]!, bit(inRange)];
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

/** `match.all`: all lanes when they have one value, and whether they do. */
const matchAll: WarpEvaluator = (lanes, operands) => {
  const same = operands.every(([value]) => value === operands[0]![0]);
  return lanes.map(() => [same ? maskOf(lanes) : 0n, bit(same)]);
};

/** `redux.sync`: one operation over all lanes. */
function reduce(opcode: string): WarpEvaluator | undefined {
  const evaluate = evaluatorOf(opcode.replace("redux.sync.", ""), 2, 1);
  if (evaluate === undefined) return undefined;
  return (lanes, operands) => {
    const result = operands.map(([value]) => value!).reduce((a, b) => evaluate([a, b])[0]!);
    return lanes.map(() => [result]);
  };
}

/** `elect.sync`: the first lane. */
const elect: WarpEvaluator = (lanes) => lanes.map((lane) => [BigInt(lanes[0]!), bit(lane === lanes[0])]);

/** `movmatrix`: the transpose of 8 by 8 elements of 16 bits, two a lane. */
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
 * What a warp operation computes; undefined for instructions that are none, and those that touch memory: `ldmatrix`,
 * `stmatrix`, `wmma.load` and `wmma.store`. The operand with the lanes that take part, which is the last one, does not count. `mma` and `movmatrix` need all 32.
 */
export function warpEvaluator({
  name,
  opcode,
}: Pick<Instruction, "name" | "opcode">): WarpEvaluator | undefined {
  const words = opcode.split(".");
  const mode = words.find((word) => MODES[word] !== undefined || VOTES[word] !== undefined) ?? "";
  switch (name) {
    case "shfl":
      return shuffle(MODES[mode]!);
    case "vote":
      return vote(VOTES[mode]!);
    case "match":
      return mode === "any" ? matchAny : matchAll;
    case "redux":
      return reduce(opcode);
    case "elect":
      return elect;
    case "movmatrix":
      return transpose;
    case "mma":
    case "wmma": {
      const multiply = name === "mma" ? matrixOperation(opcode) : tiledMatrixOperation(opcode);
      return multiply && ((_, operands) => multiply(operands));
    }
    case "bar":
      return words[1] === "warp" ? nothing : undefined;
    default:
      return undefined;
  }
}
