// Every instruction of the default descriptions with edge values, on every engine. The values are in test/instructions:
// lines of mnemonics, with alternatives in braces as in shells, and cases `operands = results`.

import { readdirSync, readFileSync } from "node:fs";
import {
  BF16,
  E4M3,
  E5M2,
  encode,
  evaluatorOf,
  F16,
  F32,
  type FloatFormat,
  roundTo,
  scalarOperation,
} from "@mm-ptx/columns/arithmetic";
import { describe, expect, it } from "vitest";
import { Interpreter } from "../../src/interpreter/index.js";
import type { Engine } from "../../src/run/launch.js";
import { Translator } from "../../src/wasm/index.js";
import { type DescribedInstruction, describedInstructions, instructionKernel } from "../support/described.js";
import { kernelsText, LoadedText } from "../support/launching.js";
import { operationOf } from "../support/operations.js";

const ENGINES: Readonly<Record<string, () => Engine>> = {
  interpreter: () => new Interpreter(),
  webassembly: () => new Translator(),
};

const FOLDER = new URL("../instructions/", import.meta.url);
/** Warp operations between lanes have separate tests. */
const DESCRIBED = describedInstructions().filter(({ ptx }) => !ptx.startsWith("mma."));

/** A line of a file: the results of its mnemonics for some operands. */
interface Row {
  readonly mnemonics: readonly string[];
  readonly cases: readonly { readonly operands: readonly string[]; readonly results: readonly string[] }[];
  readonly place: string;
}

const ROWS = readdirSync(FOLDER).flatMap((file) => rowsOf(file));

function rowsOf(file: string): readonly Row[] {
  return readFileSync(new URL(file, FOLDER), "utf8")
    .split("\n")
    .flatMap((line, index) => {
      if (line === "" || line.startsWith("#")) return [];
      const colon = line.indexOf(":");
      const cases = line
        .slice(colon + 1)
        .split(";")
        .map((text) => {
          const [operands, results] = text
            .split("=")
            .map((side) => side.split(",").map((word) => word.trim()));
          return { operands: operands!.filter((word) => word !== ""), results: results! };
        });
      return [{ mnemonics: expand(line.slice(0, colon)), cases, place: `${file}:${index + 1}` }];
    });
}

/** Expands alternatives in braces. */
function expand(pattern: string): readonly string[] {
  const [whole, before = "", alternatives = "", behind = ""] = /^(.*?)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
  if (whole === undefined) return [pattern];
  return alternatives.split(",").flatMap((alternative) => expand(before + alternative + behind));
}

const FORMATS: Readonly<Record<string, FloatFormat>> = {
  ...{ F32, TF32: F32, F16, BF16, F16X2: F16, BF16X2: BF16, F32X2: F32, E4M3X2: E4M3, E5M2X2: E5M2 },
};
const PAIRS: Readonly<Record<string, number>> = { F16X2: 16, BF16X2: 16, F32X2: 32 };
const WIDTHS: Readonly<Record<string, number>> = {
  F64: 64,
  U64: 64,
  S64: 64,
  B64: 64,
  F16: 16,
  BF16: 16,
  PRED: 1,
};

/** The bits of a word of the files, as a type of the descriptions. */
function bitsOf(word: string, type: string): bigint {
  const pair = PAIRS[type];
  if (pair !== undefined && word.includes("/")) {
    const [low = "", high = ""] = word.split("/");
    return singleBits(low, type) | (singleBits(high, type) << BigInt(pair));
  }
  return singleBits(word, type);
}

function singleBits(word: string, type: string): bigint {
  if (word.startsWith("0x")) return BigInt(word);
  if (type === "F64") return doubleBits(word);
  const format = FORMATS[type];
  if (format === undefined) return BigInt.asUintN(WIDTHS[type] ?? 32, BigInt(word));
  const [, sign = "", name = "", step = ""] = /^(-?)(.*?)([\^_]?)$/.exec(word)!;
  const least = 2 ** (format.leastExponent - format.fraction);
  const values: Readonly<Record<string, number>> = {
    ...{ inf: Infinity, nan: NaN, max: format.greatest, min: 2 ** format.leastExponent, sub: least },
  };
  const size = values[name] ?? Number(name);
  const bits = encode(format, roundTo(format, sign === "-" ? -size : size, 0, "rn"));
  return BigInt(neighbour(BigInt(bits), step, sign === "-"));
}

function doubleBits(word: string): bigint {
  const [, sign = "", name = "", step = ""] = /^(-?)(.*?)([\^_]?)$/.exec(word)!;
  if (name === "invalid") return 0xfff8000000000000n;
  if (name === "nan") return 0x7ff8000000000001n;
  const values: Readonly<Record<string, number>> = {
    ...{ inf: Infinity, max: Number.MAX_VALUE, min: 2 ** -1022, sub: Number.MIN_VALUE },
  };
  const size = values[name] ?? Number(name);
  const bits = new BigUint64Array(Float64Array.of(sign === "-" ? -size : size).buffer)[0]!;
  return neighbour(bits, step, sign === "-");
}

/** The next value above (`^`) or below (`_`). */
function neighbour(bits: bigint, step: string, negative: boolean): bigint {
  if (step === "") return bits;
  return (step === "^") === negative ? bits - 1n : bits + 1n;
}

interface Case {
  readonly operands: readonly bigint[];
  readonly results: readonly bigint[];
  readonly place: string;
  readonly text: string;
}

/** The rows of each mnemonic. */
const ROWS_OF = new Map<string, Row[]>();
for (const row of ROWS) {
  for (const mnemonic of new Set(row.mnemonics))
    ROWS_OF.set(mnemonic, [...(ROWS_OF.get(mnemonic) ?? []), row]);
}

/** The cases of all instructions, which several tests use. */
const CASES = new Map(DESCRIBED.map((instruction) => [instruction, findCases(instruction)]));
const casesOf = (instruction: DescribedInstruction): readonly Case[] => CASES.get(instruction)!;

/** The cases of an instruction: those of rows with its mnemonic and its numbers of operands and results. */
function findCases({ ptx, sources, results }: DescribedInstruction): readonly Case[] {
  return (ROWS_OF.get(ptx) ?? []).flatMap(({ cases, place }) =>
    cases
      .filter((given) => given.operands.length === sources.length && given.results.length === results.length)
      .map((given) => ({
        operands: given.operands.map((word, index) => bitsOf(word, sources[index]!)),
        results: given.results.map((word, index) => bitsOf(word, results[index]!)),
        place,
        text: `${given.operands.join(", ")} = ${given.results.join(", ")}`,
      })),
  );
}

it("every instruction has test cases", () => {
  const without = DESCRIBED.filter((instruction) => casesOf(instruction).length === 0);
  expect(without.map(({ ptx, sources, results }) => `${ptx} ${sources} -> ${results}`)).toEqual([]);
});

it("every row applies to instructions of the descriptions", () => {
  const known = new Set(DESCRIBED.map(({ ptx }) => ptx));
  const wrong = ROWS.flatMap(({ mnemonics, place }) =>
    mnemonics.filter((mnemonic) => !known.has(mnemonic)).map((mnemonic) => `${place}: ${mnemonic}`),
  );
  expect(wrong).toEqual([]);
});

/** A function has no lanes and no copies of bits. */
const WITHOUT_FUNCTION = new Set(["mov", "activemask"]);

it("the bit functions return the results of the cases", () => {
  const wrong = DESCRIBED.filter(({ ptx }) => !WITHOUT_FUNCTION.has(ptx.split(".")[0]!)).flatMap(
    (instruction) => {
      const { ptx, sources, results } = instruction;
      const evaluate = evaluatorOf(operationOf(ptx), sources.length, results.length);
      if (evaluate === undefined) return [ptx];
      return casesOf(instruction).flatMap(({ operands, results: expected, place, text }) => {
        const found = evaluate(operands);
        // Conversions to narrow integers are extended to the width of the register, which a function does not know.
        const same = found.every((bits, at) => bits === BigInt.asUintN(operationBits(ptx), expected[at]!));
        return same ? [] : [`${place} ${ptx} ${text}, found ${found.map((bits) => bits.toString(16))}`];
      });
    },
  );
  expect(wrong).toEqual([]);
});

const operationBits = (ptx: string): number => scalarOperation(operationOf(ptx))!.bits;

const FAMILIES = [...new Set(DESCRIBED.map(({ ptx }) => ptx.split(".")[0]!))];

/** The instructions of a family, each as a kernel. */
const FAMILY_TEXTS = new Map(
  FAMILIES.map((family) => {
    const instructions = DESCRIBED.filter(({ ptx }) => ptx.split(".")[0] === family);
    const bodies = instructions.map((instruction, index) => [`k${index}`, instructionKernel(instruction)]);
    const text = new LoadedText(kernelsText(Object.fromEntries(bodies), { target: "sm_100a" }));
    return [family, { instructions, text }] as const;
  }),
);

describe.each(Object.keys(ENGINES))("on the engine %s", (name) => {
  it.each(FAMILIES)("%s", async (family) => {
    const engine = ENGINES[name]!();
    const wrong: string[] = [];
    const { instructions, text } = FAMILY_TEXTS.get(family)!;
    for (const [kernel, instruction] of instructions.entries()) {
      const cases = casesOf(instruction);
      const width = 8 * (instruction.sources.length + instruction.results.length);
      const slots = new BigUint64Array((32 * Math.ceil(cases.length / 32) * width) / 8);
      cases.forEach(({ operands }, index) => {
        slots.set(operands, (index * width) / 8);
      });
      const { buffers, fault } = await text.launch(engine, {
        kernel: `k${kernel}`,
        grid: [slots.length / (4 * width), 1, 1],
        block: [32, 1, 1],
        args: [{ buffer: slots }],
      });
      expect(fault).toBeUndefined();
      const after = new BigUint64Array(buffers[0]!.buffer);
      cases.forEach(({ operands, results, place, text }, index) => {
        const start = (index * width) / 8 + operands.length;
        const found = [...after.slice(start, start + results.length)];
        if (found.some((bits, at) => bits !== results[at])) {
          const hex = found.map((bits) => `0x${bits.toString(16)}`).join(", ");
          wrong.push(`${place} ${instruction.ptx} ${text}, found ${hex}`);
        }
      });
    }
    expect(wrong).toEqual([]);
  });
});
