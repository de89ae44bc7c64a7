// What serialized state becomes: tables, limits, registers, requests and programs that compile as in mm-ptx for C.

import { parseStackDescription } from "@mm-ptx/types";
import type { StackTable } from "@mm-ptx/types/core";
import { describe, expect, it } from "vitest";
import {
  DEFAULT_LIMITS,
  fromSerialized,
  namesOf,
  readSerialized,
  type SerializedNames,
  type SerializedParts,
  StackCompiler,
  type StackProgram,
  StackPtxError,
  writeProgramFile,
} from "../../src/index.js";
import { LEGACY_TABLES, LEGACY_VECTORS } from "../support/legacy-vectors.js";
import { blobOf, SERIALIZED_VECTORS, serializedTable } from "../support/serialized.js";
import { complaint, SMALL_TABLE, thrownBy } from "../support/small-table.js";
import { VECTOR_TABLE, VECTORS } from "../support/vectors.js";

const LIMIT_NAMES = [
  "max_ast_size",
  "max_ast_to_visit_stack_depth",
  "stack_size",
  "max_frame_depth",
  "store_size",
] as const;
const limitsOf = (values: readonly number[]) =>
  Object.fromEntries(LIMIT_NAMES.map((name, index) => [name, values[index]!])) as Record<
    (typeof LIMIT_NAMES)[number],
    number
  >;

/** The words of a 1.1 vector as a blob has them. */
function hexWords(words: readonly number[]): string[] {
  const bytes = new Uint8Array(Uint32Array.from(words).buffer);
  return Array.from({ length: words.length / 2 }, (_, at) =>
    Buffer.from(bytes.subarray(8 * at, 8 * at + 8)).toString("hex"),
  );
}

/** Compiles the first program, with the others as routines. */
function compiled(parts: SerializedParts): string {
  const { table, limits, registers, requests, executionLimit, programs } = fromSerialized(parts);
  const [main, ...routines] = programs as [StackProgram, ...StackProgram[]];
  const compiler = new StackCompiler(table!, { routines, limits: limits!, requestCopies: "sequential" });
  return compiler.compile(main, {
    registers: registers!,
    requests: requests![0]!,
    executionLimit: executionLimit!,
  });
}

/** The text, or the code of the error. */
function outcomeOf(parts: SerializedParts): string {
  try {
    return compiled(parts);
  } catch (error) {
    if (error instanceof StackPtxError) return error.code;
    throw error;
  }
}

const extra = (limit: number) => ({
  device_capability_major: 9,
  device_capability_minor: 0,
  execution_limit: limit,
});

describe("fromSerialized", () => {
  it("makes what compiles to the text of 1.1.1, of state of 1.1", () => {
    const stack_info = serializedTable(VECTOR_TABLE, "1.1");
    for (const vector of VECTORS) {
      const [executionLimit, ...limits] = vector.limits;
      const parts = {
        stack_info,
        compiler_info: limitsOf(limits),
        extra: extra(executionLimit),
        registers: vector.registers.map(([name, stack]) => ({ name, stack })),
        requests: [vector.requests],
        instructions: [vector.program, ...vector.routines].map((words) => hexWords([...words, 10, 0])),
      };
      const expected = vector.ptx ?? vector.error!.replace("STACK_PTX_ERROR_", "");
      expect(outcomeOf(parts)).toBe(expected);
    }
  });

  it("makes what compiles to the text of 1.1.1, of state of 1.0, whose operands are in its programs", () => {
    const tables = LEGACY_TABLES.map((table) => serializedTable(table, "1.0"));
    for (const vector of LEGACY_VECTORS) {
      if (vector.refused !== undefined) continue;
      const parts = {
        stack_info: tables[vector.table]!,
        compiler_info: vector.limits,
        extra: extra(vector.execution_limit),
        registers: vector.registers,
        requests: [vector.requests],
        instructions: [vector.words, ...(vector.routines ?? [])],
      };
      const expected = vector.text_1_1 ?? vector.error_1_1!.replace("STACK_PTX_ERROR_", "");
      expect(outcomeOf(parts), `case ${vector.id}`).toBe(expected);
    }
  });

  it("takes the value of every blob that can be read", () => {
    for (const vector of SERIALIZED_VECTORS) {
      if (vector.error === true) continue;
      const { value } = readSerialized(blobOf(vector), vector.kind);
      if (vector.kind === "instructions" && vector.version === "1.0") {
        const { code, reason } = thrownBy(() => fromSerialized(value));
        expect([code, reason]).toEqual(["LEGACY_PROGRAM", "dialect"]);
        continue;
      }
      const { table, limits, registers, requests, ptx, arch } = fromSerialized(value);
      const state = vector.kind === "compiler_state";
      if (state || vector.kind === "ptx") expect(ptx).toEqual(expect.any(String));
      if (state || vector.kind === "extra") expect(arch).toMatch(/^sm_\d+$/);
      if (state || vector.kind === "registers") expect(registers).toEqual(expect.any(Array));
      if (state || vector.kind === "requests") expect(requests).toEqual(expect.any(Array));
      if (state || vector.kind === "stack_info")
        expect([...writeProgramFile(table!, {}, [])]).toHaveLength(2);
      if (state || vector.kind === "compiler_info")
        new StackCompiler(table ?? SMALL_TABLE, { limits: limits! });
    }
  });

  const names = ({ stackTypes, argTypes, instructions, specialRegisters }: StackTable) =>
    [stackTypes, argTypes, instructions, specialRegisters].map((list) => list.map(({ name }) => name));

  const stack_info = {
    instructions: [{ ptx: "mov.b32" }, { ptx: "add.f32" }, { ptx: "mov.b32" }],
    special_registers: [{ ptx: "tid" }, { ptx: "tid" }],
    literal_prefixes: ["f32", "b32", "f32", "u32"],
    arg_types: [
      { stack: 0, num_vec_elems: 0 },
      { stack: 2, num_vec_elems: 4 },
    ],
  };

  it("names what has no names, or takes names", () => {
    const { table } = fromSerialized(stack_info);
    expect(names(table!)).toEqual([
      ["F32", "B32", "F32.2", "U32"],
      ["F32", "V4_F32.2"],
      ["mov.b32", "add.f32", "mov.b32.2"],
      ["tid", "tid.2"],
    ]);
    expect(table!.stackTypes.map(({ constantType }) => constantType)).toEqual([
      "f32",
      undefined,
      "f32",
      "u32",
    ]);
    expect(Object.keys(namesOf(table!).ptx)).toEqual(["movB32", "addF32", "movB322"]);
    const given = {
      stacks: ["X", "Y"],
      argTypes: ["x"],
      instructions: ["to.b", "add"],
      specialRegisters: ["t"],
    };
    expect(names(fromSerialized(stack_info, given).table!)).toEqual([
      ["X", "Y", "F32", "U32"],
      ["x", "V4_F32"],
      ["to.b", "add", "mov.b32"],
      ["t", "tid"],
    ]);
  });

  it("gives the table the fingerprint of the description that has the same meaning", () => {
    const described = parseStackDescription({
      abi_version: 1,
      stack_types: [
        { name: "F32", literal_prefix: "f32", constant_type: "f32" },
        { name: "PRED", literal_prefix: "pred" },
      ],
      arg_types: [
        { name: "F32", stack_type: "F32" },
        { name: "V2_F32", stack_type: "F32", num_vec_elems: 2 },
        { name: "PRED", stack_type: "PRED" },
      ],
      instructions: [
        { ptx: "add.f32", args: ["F32", "F32"], rets: ["F32"] },
        { ptx: "setp.lt.f32", args: ["F32", "F32"], rets: ["PRED", "PRED"], aligned: true },
        { ptx: "mov.b64", args: ["V2_F32"], rets: [] },
      ],
      special_registers: [{ ptx: "clock", arg_type: "F32" }],
    });
    expect(fromSerialized(serializedTable(described, "1.1")).table).toEqual(described);
  });

  it("makes an entry for each list of operands that programs of 1.0 use with one text", () => {
    const word = (index: number, ...types: number[]) => {
      const payload = types.reduce((bits, type, field) => bits | (type << (5 * field)), 0) >>> 0;
      return Buffer.from(Uint32Array.of(1 | (index << 16), payload).buffer).toString("hex");
    };
    const end = "0900000000000000";
    const instructions = [
      [word(0, 0, 2, 2, 2, 0, 2), word(0, 1, 2, 2, 2, 0, 2), word(0, 0, 2, 2, 2, 0, 2), end],
    ];
    const { table, programs } = fromSerialized({ stack_info, instructions });
    expect(table!.instructions.map(({ ptx, args, results }) => [ptx, args, results])).toEqual([
      ["mov.b32", [0], [0]],
      ["add.f32", [], []],
      ["mov.b32", [], []],
      ["mov.b32", [1], [0]],
    ]);
    expect([...programs![0]!.words]).toEqual([1, 0, 1, 3, 1, 0, 10, 0]);
    const beyond = { stack_info, instructions: [[word(3, 0, 2, 2, 2, 0, 2), end]] };
    expect(thrownBy(() => fromSerialized(beyond))).toMatchObject({
      code: "LEGACY_PROGRAM",
      reason: "instruction index",
      instruction: 0,
    });
    const unknown = { stack_info, instructions: [[end, word(1, 7, 2, 2, 2, 0, 2), end]] };
    expect(thrownBy(() => fromSerialized(unknown))).toMatchObject({
      reason: "instruction arguments",
      instruction: 1,
    });
  });

  it("converts programs of 1.0 with a table of 1.1, of the dialect that is given", () => {
    const table = serializedTable(SMALL_TABLE, "1.1");
    const instructions = [["0500070000000000", "0900000000000000"]];
    const operations = (given: SerializedNames) =>
      fromSerialized({ stack_info: table, instructions }, given).programs![0]!.decode(0);
    expect(operations({})).toEqual({ type: "meta", stack: 0, operation: "rotate" });
    expect(operations({ dialect: "1.0-clear" })).toEqual({ type: "meta", stack: 0, operation: "clear" });
  });

  it("lowers limits that no compiler can have", () => {
    const huge = limitsOf([1, 2, 3, 4, 5].map(() => Number.MAX_SAFE_INTEGER));
    const { limits } = fromSerialized({ ...huge, stack_size: 2n ** 64n - 1n });
    expect(Object.keys(limits!).sort()).toEqual(Object.keys(DEFAULT_LIMITS).sort());
    expect(new Set(Object.values(limits!))).toEqual(new Set([2 ** 28]));
    expect(fromSerialized(limitsOf([7, 6, 5, 4, 3])).limits).toEqual({
      maxAstSize: 7,
      maxVisitDepth: 6,
      stackSize: 5,
      maxFrameDepth: 4,
      storeSize: 3,
    });
  });

  it.each<[string, unknown, SerializedNames, string]>([
    ["no value", undefined, {}, "expected the value of serialized state, found undefined"],
    ["an unknown part", { tables: 1 }, {}, "unknown part `tables`"],
    ["a part of another shape", { registers: [{ name: 1, stack: 0 }] }, {}, "expected a string, found 1"],
    ["a word of another length", [["00"]], {}, "expected an instruction as 16 hex digits, found `00`"],
    [
      "a stack that does not exist",
      { ...stack_info, literal_prefixes: [] },
      {},
      "expected a stack below 0, found 0",
    ],
    [
      "an argument type that does not exist",
      { ...stack_info, special_registers: [{ ptx: "tid", arg_type: 2 }] },
      {},
      "expected an argument type below 2, found 2",
    ],
    [
      "too many elements",
      { ...stack_info, arg_types: [{ stack: 0, num_vec_elems: 65536n }] },
      {},
      "expected at most 65535 elements in argument type 0, found a bigint",
    ],
    ["a name twice", stack_info, { stacks: ["A", "A"] }, "expected unique names of stacks, found `A`"],
    [
      "too many names",
      stack_info,
      { instructions: ["a", "b", "c", "d"] },
      "expected at most 3 names of instructions, found 4",
    ],
    ["an unknown list of names", stack_info, { stack: [] } as SerializedNames, "unknown option `stack`"],
  ])("refuses %s", (_, value, given, message) => {
    const text = complaint(() => fromSerialized(value as SerializedParts, given));
    expect(text).toContain("INVALID_ARGUMENT: ");
    expect(text).toContain(message);
  });
});
