// The operations of straight-line code on columns, in JavaScript and in WebAssembly, against the emulator: edge values of each
// type in all pairs, and random bits. Every instruction of the default descriptions is compared, unless it computes with more
// than single values.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { javaScriptKernel } from "../packages/columns/src/machine/javascript.js";
import type { PtxType } from "../packages/emulator/src/program/types.js";
import { Random } from "../packages/stack/dist/random/index.js";
import { encodeOperation, operationText } from "../packages/types/dist/code/index.js";
import { parseAstDescription, parseStackDescription } from "../packages/types/dist/index.js";
import { differencesOf } from "./support/columns/comparison.js";
import { columnKey, instancesOf, THREADS } from "./support/columns/operation-kernels.js";
import { operandColumn, PAIRED_ROWS } from "./support/columns/operation-values.js";
import { operationsOf, tableOpcodes } from "./support/columns/operations.js";
import { cases, SOAK } from "./support/counts.js";

const SEED = 18;
const FOLDER = new URL("../type_descriptions/", import.meta.url);
const stack = parseStackDescription(readFileSync(new URL("stack_descriptions.json", FOLDER), "utf8"));
const ast = parseAstDescription(readFileSync(new URL("ast_instructions.json", FOLDER), "utf8"));

const isVector = (type: number): boolean => stack.argTypes[type]!.vectorElements > 0;
const DESCRIBED = [
  ...stack.instructions.map(({ ptx, args, results }) => ({
    ...{ ptx, count: args.length, isSingle: ![...args, ...results].some(isVector) },
  })),
  ...ast.instructions.map(({ ptx, args }) => ({ ptx, count: args, isSingle: true })),
];
/** Instructions without vectors that depend on more than the values of one thread. */
const BEYOND = ["activemask.b32"];

const OPERATIONS = [
  ...new Set([...DESCRIBED.map(({ ptx }) => ptx), ...tableOpcodes(SOAK ? "all together" : "each word once")]),
].flatMap(operationsOf);
const INSTANCES = OPERATIONS.flatMap(instancesOf);
const ROWS = PAIRED_ROWS + THREADS * Math.ceil(cases(640) / THREADS);
/** How many instances a kernel has. */
const TOGETHER = 128;

/** Every single bit; in a soak, also every pair of bits. */
const BITS = Array.from({ length: 32 }, (_, bit) => 2 ** bit);
const DAMAGES = SOAK ? BITS.flatMap((one) => BITS.map((other) => one | other)) : BITS;

describe("the instructions of the default descriptions", () => {
  it("have operations, unless they have vectors or depend on other threads", () => {
    const without = DESCRIBED.filter(
      ({ ptx, count, isSingle }) => isSingle && encodeOperation(ptx, count) === 0,
    );
    expect(without.map(({ ptx }) => ptx)).toEqual(BEYOND);
    const ofWarps = DESCRIBED.filter(({ ptx }) => ptx.startsWith("mma."));
    expect(ofWarps.filter(({ ptx, count }) => encodeOperation(ptx, count) !== 0)).toEqual([]);
  });

  it("are all compared with the emulator", () => {
    const compared = new Set(OPERATIONS.map(({ word }) => word));
    const missing = DESCRIBED.filter(
      ({ ptx, count, isSingle }) => isSingle && !compared.has(encodeOperation(ptx, count)),
    );
    expect(missing.map(({ ptx }) => ptx)).toEqual(BEYOND);
  });
});

it("every operation has a kernel with as many operands", () => {
  const wrong = OPERATIONS.filter(
    ({ word, sources }) => javaScriptKernel(word)?.args.length !== sources.length,
  );
  expect(wrong.map(({ opcode }) => opcode)).toEqual([]);
});

it("words that damage makes of operations have a kernel only if they are instructions, too", () => {
  const wrong = OPERATIONS.flatMap(({ word }) =>
    DAMAGES.map((damage) => (word ^ damage) >>> 0).filter(
      (damaged) =>
        javaScriptKernel(damaged) !== undefined &&
        !operationsOf(operationText(damaged)).some((other) => other.word === damaged),
    ),
  );
  expect(wrong.map(operationText)).toEqual([]);
});

describe("on columns, operations give the emulator's bits", () => {
  const random = new Random(SEED);
  const made = new Map<string, BigUint64Array>();
  const columns = (type: PtxType, position: number): BigUint64Array => {
    const key = columnKey(type, position);
    const values = made.get(key) ?? operandColumn(type, position, ROWS, random);
    made.set(key, values);
    return values;
  };
  const groups = Array.from({ length: Math.ceil(INSTANCES.length / TOGETHER) }, (_, index) => {
    const instances = INSTANCES.slice(index * TOGETHER, (index + 1) * TOGETHER);
    return { instances, from: instances[0]!.opcode, to: instances.at(-1)!.opcode };
  });

  it.each(groups)("$from to $to", async ({ instances }) => {
    expect(await differencesOf(instances, columns, ROWS)).toEqual([]);
  });
});
