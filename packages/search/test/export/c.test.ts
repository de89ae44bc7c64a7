// Exported C has the same results as the columns, bit for bit.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Column, evaluateBatch } from "@mm-ptx/columns";
import { table as stackTable } from "@mm-ptx/stack/default";
import {
  CodeBuffer,
  codeType,
  encodeOperation,
  inputOperation,
  operationParts,
  operationSignature,
} from "@mm-ptx/types/code";
import type { AstTable } from "@mm-ptx/types/core";
import { CodeWord } from "@mm-ptx/types/internal";
import { describe, expect, test } from "vitest";
import { cases, SOAK } from "../../../../tests/support/counts.js";
import { exportC } from "../../src/export/c.js";
import { classOf, ctype, isApproximate } from "../../src/export/c-operations.js";
import type { ExportedProgram } from "../../src/export/program.js";
import { programOf } from "../../src/export/program.js";
import { astSpace, Draws, type ProgramSpace, SearchError, stackSpace } from "../../src/index.js";

const COMPILER = (() => {
  try {
    execFileSync("gcc", ["--version"], { stdio: "ignore" });
    return "gcc";
  } catch {
    return undefined;
  }
})();

const ROWS = 64;
/** Bits of numbers at which instructions have special cases; the rest are mixed. */
const SPECIAL = [
  0, 0x80000000, 1, 0x80000001, 0x007fffff, 0x00800000, 0x3f800000, 0xbf800000, 0x3f000000, 0x40200000,
  0x7f800000, 0xff800000, 0x7fffffff, 0x7fc00001, 0x7f7fffff, 0xff7fffff, 0xffffffff, 31, 32, 33, 0x4f000000,
  0xcf000000, 0x5f800000, 0x41200000, 0x00010003,
];

function wordsOf(column: number): Uint32Array {
  return Uint32Array.from({ length: 2 * ROWS }, (_, index) => {
    // Neighbouring rows combine different special values of each column.
    const mixed = Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(column + 1, 0x85ebca6b);
    const random = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 0;
    return random % 3 === 0 ? random : SPECIAL[random % SPECIAL.length]!;
  });
}

/** A column of a type. */
function columnOf(type: string, column: number): Column {
  const { buffer } = wordsOf(column);
  switch (type) {
    case "f32":
      return new Float32Array(buffer, 0, ROWS);
    case "f64":
      return doublesOf(column);
    case "s32":
      return new Int32Array(buffer, 0, ROWS);
    case "s64":
      return new BigInt64Array(buffer, 0, ROWS);
    case "u64":
    case "b64":
      return new BigUint64Array(buffer, 0, ROWS);
    case "pred":
      return Uint8Array.from(wordsOf(column).subarray(0, ROWS), (word) => word & 1);
    default:
      return new Uint32Array(buffer, 0, ROWS);
  }
}

/** Numbers of all sizes, the exact values of f32 among them. */
function doublesOf(column: number): Float64Array {
  const words = wordsOf(column);
  const floats = new Float32Array(words.buffer);
  const doubles = new Float64Array(words.buffer);
  return Float64Array.from({ length: ROWS }, (_, row) => {
    const value = row % 2 === 0 ? floats[row]! : doubles[row]!;
    return Number.isNaN(value) ? Number.NaN : value;
  });
}

interface Case {
  readonly name: string;
  readonly program: ExportedProgram;
  readonly columns: readonly Column[];
}

const FUNCTION = "f";

/** Compiles the programs and returns the bits of their results, as one line a row. */
function runC(list: readonly Case[]): string[][] {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-c-"));
  try {
    const data = new Map<string, string>();
    const files = list.map(({ program, columns }, index) => {
      const args = columns.map((column, number) => {
        const { type } = program.inputs[number]!;
        const words = new Uint8Array(column.buffer as ArrayBuffer, column.byteOffset, column.byteLength);
        const union = `union { unsigned char bytes[${words.length}]; ${ctype(type)} values[${ROWS}]; }`;
        const name = `column_${type}_${number}`;
        data.set(name, `static const ${union} ${name} = {{${words.join(",")}}};`);
        return `${name}.values[row]`;
      });
      const type = ctype(program.outputs[0]!.type);
      const call = `${type} value = ${FUNCTION}(${args.join(", ")}); fwrite(&value, sizeof value, 1, stdout);`;
      const source = exportC(program, FUNCTION, "test");
      return `${source}static void run${index}(void) { for (int row = 0; row < ${ROWS}; row++) { ${call} } }`;
    });
    // One file, in which each program has names of its own.
    const text = files
      .map((file, index) => file.replaceAll(/\b(f|ptx_\w+)\b/g, (name) => `${name}_${index}`))
      .join("\n");
    const calls = list.map((_, index) => `  run${index}();`).join("\n");
    const includes = [...new Set(text.match(/#include .*/g)), "#include <stdio.h>", ...data.values()].join(
      "\n",
    );
    const main = `int main(void) {\n${calls}\n  return 0;\n}`;
    writeFileSync(join(folder, "test.c"), `${includes}\n${text}\n${main}\n`);
    const program = join(folder, "test");
    const options = ["-std=c99", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", SOAK ? "-O2" : "-O0"];
    execFileSync(COMPILER!, [...options, "-o", program, join(folder, "test.c"), "-lm"]);
    const bytes = execFileSync(program, { maxBuffer: 1 << 28 });
    let at = 0;
    return list.map(({ program: { outputs } }) => {
      const { type } = outputs[0]!;
      const size = type === "pred" ? 1 : type.endsWith("64") ? 8 : 4;
      return Array.from({ length: ROWS }, () => {
        const value = bytes.subarray(at, at + size);
        at += size;
        return bitsOf(value, type);
      });
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The bits of a value in hex, with one text for all NaN. */
function bitsOf(value: Uint8Array, type: string): string {
  const copy = Buffer.from(value);
  if (type === "f32" && Number.isNaN(copy.readFloatLE())) return "nan";
  if (type === "f64" && Number.isNaN(copy.readDoubleLE())) return "nan";
  return copy.reverse().toString("hex");
}

async function runColumns(codes: CodeBuffer, index: number, { columns, program }: Case): Promise<string[]> {
  const one = new CodeBuffer();
  const { words, offsets } = codes;
  const code = words.subarray(offsets[index]!, offsets[index + 1]!);
  one.reserve(code.length).set(code);
  one.append(code.length);
  const { outputs } = await evaluateBatch(one, columns, { outputs: true, rows: ROWS });
  const column = outputs!.column(0);
  const { type } = program.outputs[0]!;
  const size = column.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(column.buffer as ArrayBuffer, column.byteOffset, column.byteLength);
  return Array.from({ length: ROWS }, (_, row) => {
    const value = bytes.subarray(row * size, (row + 1) * size);
    return bitsOf(type === "pred" ? value.subarray(0, 1) : value, type);
  });
}

/** Each exact instruction of the default table that C can express, as a program of its own. */
function instructionCases(codes: CodeBuffer): Case[] {
  return stackTable.instructions.flatMap(({ ptx, args, results }): Case[] => {
    const operation = encodeOperation(ptx, args.length);
    if (operation === 0 || results.length !== 1) return [];
    const parts = operationParts(operation);
    const { result, operands } = operationSignature(parts, args.length);
    if (isApproximate(parts) || classOf(result) === undefined) return [];
    const types = operands.map((type) => (/^[us](8|16)$/.test(type) ? "u32" : type));
    if (types.some((type) => classOf(type) === undefined)) return [];
    const inputs = types.map((type, index) => ({ name: `x${index}`, type }));
    const values: ExportedProgram["values"] = [
      ...inputs.map(({ type }, input) => ({ kind: "input", type, input }) as const),
      {
        kind: "operation",
        type: result,
        text: ptx,
        parts,
        operands: inputs.map((_, index) => index),
        operandTypes: operands,
      },
    ];
    const program = { inputs, outputs: [{ name: "out", type: result }], values, results: [inputs.length] };
    try {
      exportC(program, FUNCTION, ptx);
    } catch (error) {
      if (error instanceof SearchError && error.code === "UNSUPPORTED") return [];
      throw error;
    }
    const words = [CodeWord.magic, inputs.length + 1, inputs.length | (1 << CodeWord.outputShift)];
    inputs.forEach(({ type }, index) => {
      words.push(inputOperation(codeType(type)), index);
    });
    words.push(operation, ...inputs.map((_, index) => index));
    words.push(inputs.length | (codeType(result) << CodeWord.typeShift));
    codes.reserve(words.length).set(words, codes.end);
    codes.append(codes.end + words.length);
    return [{ name: ptx, program, columns: types.map(columnOf) }];
  });
}

/** Random programs of a space. */
function programCases(space: ProgramSpace, codes: CodeBuffer, count: number): Case[] {
  const draws = new Draws();
  return Array.from({ length: count }, (_, index) => {
    const out = new CodeBuffer();
    draws.start(5, 0, index);
    space.sample(draws, out);
    const genome = { words: out.words, start: 0, end: out.end };
    space.compile(genome, codes);
    const columns = space.inputRegisters.map(({ type }, column) => columnOf(type, column));
    return { name: space.text(genome), program: programOf(space, genome), columns };
  });
}

const EXACT: readonly (readonly [ptx: string, args: number])[] = [
  ["add.f32", 2],
  ["sub.f32", 2],
  ["mul.f32", 2],
  ["fma.rn.f32", 3],
  ["div.rn.f32", 2],
  ["sqrt.rn.f32", 1],
  ["rcp.rn.f32", 1],
  ["min.f32", 2],
  ["max.f32", 2],
  ["neg.f32", 1],
  ["abs.f32", 1],
  ["add.ftz.f32", 2],
  ["mul.ftz.f32", 2],
  ["copysign.f32", 2],
];
const exactTable: AstTable = {
  kind: "ast",
  fingerprint: "exact",
  bases: [],
  instructions: EXACT.map(([ptx, args]) => ({ ptx, name: ptx, args })),
};

const SPACES: readonly ProgramSpace[] = [
  astSpace(exactTable, { inputs: ["ptx_ftz", "FLT_MIN", "double"], functions: { mean: "(a + b) * 0.5" } }),
  stackSpace(stackTable, {
    operands: [
      { name: "x", direction: "in", register: "x", registerType: "f32", type: "F32" },
      { name: "n", direction: "in", register: "n", registerType: "u32", type: "U32" },
      { name: "h", direction: "out", register: "h", registerType: "u32", type: "U32" },
    ],
    instructions: [
      "add.u32",
      "mul.lo.u32",
      "xor.b32",
      "shr.u32",
      "setp.lt.f32",
      "selp.u32",
      "add.f32",
      "mul.ftz.f32",
      "cvt.rzi.u32.f32",
      "cvt.rn.f32.u32",
      "popc.b32",
    ],
  }),
];

describe.skipIf(COMPILER === undefined)("without a compiler, nothing is tested: gcc", () => {
  test("instructions", async () => {
    const codes = new CodeBuffer();
    const list = instructionCases(codes);
    expect(list.length).toBeGreaterThan(200);
    await compare(list, codes);
  });

  test.each(SPACES.map((space) => [space.kind, space] as const))(
    "random programs of %s spaces",
    async (_, space) => {
      const codes = new CodeBuffer();
      await compare(programCases(space, codes, cases(500)), codes);
    },
  );
});

async function compare(list: readonly Case[], codes: CodeBuffer): Promise<void> {
  const found = runC(list);
  for (const [index, one] of list.entries()) {
    expect(found[index], one.name).toEqual(await runColumns(codes, index, one));
  }
}
