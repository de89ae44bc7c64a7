// The kernels in WebAssembly against those in JavaScript, on edge values and random bits.
import { codeType, encodeOperation, inputOperation, operationText } from "@mm-ptx/types/code";
import { CodeWord } from "@mm-ptx/types/internal";
import { beforeAll, describe, expect, it } from "vitest";
import { cases, sample } from "../../../../tests/support/counts.js";
import { commonEntry } from "../../src/machine/common-operations.js";
import { entryOf } from "../../src/machine/definitions.js";
import { javaScriptKernel } from "../../src/machine/javascript.js";
import { javaScriptLanes, type LaneClass } from "../../src/machine/lanes.js";
import type { InputColumn, Machine } from "../../src/machine/machine.js";
import { RECIPE_BYTES, SCRATCH_BYTES } from "../../src/machine/recipe-memory.js";
import { webAssemblyMachine } from "../../src/machine/webassembly.js";
import { ALL_OPERATIONS, type Operation } from "../support/instructions.js";
import { doubleColumn, PAIRED_ROWS, predicateColumn, randomWords, wordColumn } from "../support/operands.js";

const SEED = 18;
const ROWS = cases(PAIRED_ROWS);
const ANY_TYPE = 0x3fffffe;
const TYPES: Readonly<Record<LaneClass, number>> = {
  "32": codeType("b32"),
  "64": codeType("b64"),
  pred: codeType("pred"),
};

const NO_KERNELS = {
  ...{ words: 0, comparisons: 0, conversions: 0, composed: 0, directed: 0, doubles: 0, halves: 0 },
  ...{ longs: 0, longTests: 0, rareWords: 0, scalars: 0, widenings: 0, float: () => 0 },
};
/** The size of recipes, by operation. */
const recipeBytes = new Map<number, number>();
const hasKernel = ({ word }: Operation): boolean => {
  const write = (words: readonly number[]) => {
    recipeBytes.set(word, 4 + 4 * words.length);
    return 0;
  };
  return (commonEntry(word, NO_KERNELS) ?? entryOf(word, NO_KERNELS, write)) !== undefined;
};
const WITH_KERNEL = ALL_OPERATIONS.filter(hasKernel);

const columns = new Map<string, Uint32Array | BigUint64Array>();
function columnOf(lanes: LaneClass, position: number): Uint32Array | BigUint64Array {
  const key = `${lanes} ${position}`;
  let column = columns.get(key);
  if (column === undefined) {
    const make = { "32": wordColumn, "64": doubleColumn, pred: predicateColumn }[lanes];
    column = make(position, ROWS, randomWords(SEED + columns.size));
    columns.set(key, column);
  }
  return column;
}

const bytesOf = (column: Uint32Array | BigUint64Array): Uint8Array =>
  new Uint8Array(column.buffer, column.byteOffset, column.byteLength);

/** What the kernel in JavaScript computes from the columns. */
function inJavaScript(word: number, operands: readonly Uint8Array[]): Uint8Array {
  const kernel = javaScriptKernel(word)!;
  const memory = new ArrayBuffer(5 * 8 * ROWS);
  const places = [0, 1, 2, 3].map((index) => 8 * ROWS * index) as [number, number, number, number];
  operands.forEach((bytes, index) => {
    new Uint8Array(memory).set(bytes, places[index]!);
  });
  const target = 4 * 8 * ROWS;
  kernel.run(javaScriptLanes(memory), target, ...places, ROWS);
  return new Uint8Array(memory, target, ROWS * (kernel.result === "64" ? 8 : 4));
}

const NEG = encodeOperation("neg.f32", 1);
const NEG_64 = encodeOperation("not.b64", 1);

/** A code that applies an operation to its inputs, or to the results of other instructions on them. */
function codeOf(word: number, args: readonly LaneClass[], result: LaneClass, changed: boolean): Uint32Array {
  const items = args.map((lanes, index) => [inputOperation(TYPES[lanes]), index]);
  const operands = args.map((lanes, index) => {
    if (!changed || lanes === "pred") return index;
    items.push([lanes === "64" ? NEG_64 : NEG, index]);
    return items.length - 1;
  });
  items.push([word, ...operands]);
  return Uint32Array.of(
    CodeWord.magic,
    items.length,
    args.length | (1 << CodeWord.outputShift),
    ...items.flat(),
    (items.length - 1) | (TYPES[result] << CodeWord.typeShift),
  );
}

/** Columns with other signs, which all operations share. */
const negated = new Map<string, Uint8Array>();

function negatedColumn(lanes: LaneClass, position: number): Uint8Array {
  const key = `${lanes} ${position}`;
  const column = bytesOf(columnOf(lanes, position));
  const bytes = negated.get(key) ?? inJavaScript(lanes === "64" ? NEG_64 : NEG, [column]);
  negated.set(key, bytes);
  return bytes;
}

/** The first difference between the kernels of an operation. */
function differenceOf(machine: Machine, { opcode, word }: Operation, changed: boolean): readonly string[] {
  const { args, result } = javaScriptKernel(word)!;
  const inputs = args.map((lanes, position) => columnOf(lanes, position));
  const data = inputs.map(
    (column): InputColumn => ({
      bytes: bytesOf(column),
      isDouble: column instanceof BigUint64Array,
      types: ANY_TYPE,
    }),
  );
  const found = new Uint8Array(ROWS * (result === "64" ? 8 : 4));
  machine.compute(codeOf(word, args, result, changed), { rows: ROWS, columns: data }, found);
  const operands = args.map((lanes, index) =>
    !changed || lanes === "pred" ? data[index]!.bytes : negatedColumn(lanes, index),
  );
  const wanted = inJavaScript(word, operands);
  if (Buffer.compare(found, wanted) === 0) return [];
  const lanes = (bytes: Uint8Array, index: number) => {
    const copy = bytes.slice().buffer;
    return index === 8 ? new BigUint64Array(copy) : new Uint32Array(copy);
  };
  const width = (lane: LaneClass) => (lane === "64" ? 8 : 4);
  const [got, expected] = [found, wanted].map((bytes) => lanes(bytes, width(result)));
  const row = [...got!.keys()].find((at) => got![at] !== expected![at])!;
  const hex = (value: number | bigint) => `0x${value.toString(16)}`;
  const values = operands.map((bytes, index) => hex(lanes(bytes, width(args[index]!))[row]!));
  return [`${opcode} ${values.join(", ")}: expected ${hex(expected![row]!)}, found ${hex(got![row]!)}`];
}

describe("kernels in WebAssembly give the bits of those in JavaScript", () => {
  const machine = webAssemblyMachine()!;
  beforeAll(() => machine.load());
  const names = [...new Set(WITH_KERNEL.map(({ opcode }) => opcode.split(".")[0]!))];

  it.each(names)("%s", (name) => {
    const operations = WITH_KERNEL.filter(({ opcode }) => opcode.split(".")[0] === name);
    expect(operations.flatMap((operation) => differenceOf(machine, operation, false))).toEqual([]);
    expect(operations.flatMap((operation) => differenceOf(machine, operation, true))).toEqual([]);
  });
});

/** Operations without a kernel in WebAssembly. */
const OTHERS = [
  /^(add|sub|mul|fma)\..*f32x2$/,
  /^(add|min|max)\.(relu\.)?[us]16x2$/,
  /^(div|rcp|sqrt)\.r[zmp]\.f64$/,
  /^set\..*f16x2$/,
  /^ex2\.approx\.f16/,
  /^(ex2|tanh)\..*x2$/,
  /^cvt\..*e[45]m[23]x2/,
  /^cvt\.pack/,
];

it("all operations have kernels but for pairs, and roundings of f64", () => {
  const isOther = (opcode: string) => OTHERS.some((pattern) => pattern.test(opcode));
  const wrong = ALL_OPERATIONS.filter((operation) => hasKernel(operation) === isOther(operation.opcode));
  expect(wrong.map(({ opcode }) => opcode)).toEqual([]);
  expect(WITH_KERNEL.length).toBeGreaterThan(4900);
});

it("the recipes of all operations fit into the memory of a machine", () => {
  const bytes = [...recipeBytes.values()].reduce((sum, each) => sum + each, 0);
  expect(bytes).toBeLessThan(RECIPE_BYTES - SCRATCH_BYTES);
});

it("words that damage makes of operations have a kernel only if they are instructions", () => {
  const wrong = sample(ALL_OPERATIONS).flatMap(({ word }) =>
    Array.from({ length: 32 }, (_, bit) => ({ opcode: "", word: (word ^ (2 ** bit)) >>> 0 })).filter(
      (damaged) => hasKernel(damaged) && javaScriptKernel(damaged.word) === undefined,
    ),
  );
  expect(wrong.map(({ word }) => operationText(word))).toEqual([]);
});
