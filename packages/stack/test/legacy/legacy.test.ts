// Programs of Stack PTX 1.0: the dialect `1.0-clear`, tables at the limits, hints and wrong arguments.
import { describe, expect, it } from "vitest";
import {
  detectDialect,
  type FromLegacyOptions,
  register,
  StackCompiler,
  StackProgram,
} from "../../src/index.js";
import { ADD, complaint, F32, SMALL_TABLE, thrownBy, U32 } from "../support/small-table.js";

const table = SMALL_TABLE;
const legacy = (words: readonly number[], options: Partial<FromLegacyOptions> = {}) =>
  StackProgram.fromLegacy(Uint32Array.from(words), { dialect: "1.0", table, ...options });
const word = (type: number, stack = 0, index = 0) => type | (stack << 4) | (index << 16);

/** The argument types of `neg` and `add` of the small table, and the number that ends a list. */
const END = 3;
const argTypes = (...fields: number[]) =>
  fields.reduce((payload, field, at) => payload | (field << (5 * at)), 0) >>> 0;
const NEG_TYPES = argTypes(0, END, END, END, 0, END);

const metaWords = (numbers: readonly number[]) => numbers.flatMap((index) => [word(5, U32, index), 0]);
const operations = (program: StackProgram) =>
  Array.from(program, (_, index) => program.decode(index)).map((decoded) =>
    decoded.type === "meta" ? decoded.operation : decoded.type,
  );

describe("fromLegacy", () => {
  it("numbers meta operations as the dialect does", () => {
    const names = ["dup", "yankDup", "swap", "swapWith", "replace", "drop"];
    const numbers = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0xffff];
    expect(operations(legacy(metaWords(numbers)))).toEqual([
      "metaConstant",
      ...names,
      "rotate",
      "reverse",
      "invalid",
      "invalid",
      "invalid",
    ]);
    expect(operations(legacy(metaWords(numbers), { dialect: "1.0-clear" }))).toEqual([
      "metaConstant",
      ...names,
      "clear",
      "rotate",
      "reverse",
      "invalid",
      "invalid",
    ]);
  });

  it("ignores what 1.0 ignores: the result number, and what follows the end of a list", () => {
    const types = argTypes(0, END, 1, 2, 0, END);
    expect(legacy([word(1) | (77 << 9), types, word(9) | (5 << 9), 7]).words).toEqual(
      Uint32Array.of(1, 0, 10, 0),
    );
    const aligned = (NEG_TYPES | (1 << 30)) >>> 0;
    expect(legacy([word(1), aligned]).words).toEqual(Uint32Array.of(1, 0));
  });

  it.each<[string, readonly number[], string, string]>([
    [
      "an instruction that the table does not have",
      [word(1, 0, 2), NEG_TYPES],
      "instruction index",
      "ptx instruction 2 is out of range: expected 0 to 1 (instruction 1)",
    ],
    [
      "other arguments",
      [word(1, 0, ADD), NEG_TYPES],
      "instruction arguments",
      "expected `add` as F32, F32 -> F32, as in the table, found F32 -> F32 (instruction 1)",
    ],
    [
      "other results",
      [word(1), argTypes(0, END, END, END, END, END)],
      "instruction arguments",
      "expected `neg` as F32 -> F32, as in the table, found F32 -> nothing (instruction 1)",
    ],
    [
      "an argument type that does not exist",
      [word(1), argTypes(30, END, END, END, 0, END)],
      "instruction arguments",
      "expected `neg` as F32 -> F32, as in the table, found argument type 30 -> F32 (instruction 1)",
    ],
    [
      "a special register that the table does not have",
      [word(4, 0, 2), 1],
      "special index",
      "special register 2 is out of range: expected 0 to 1 (instruction 1)",
    ],
    [
      "a special register of another argument type",
      [word(4, 0, 1), 0xffff_ffe1],
      "special argument",
      "expected `tid` as V3_U32, as in the table, found U32 (instruction 1)",
    ],
  ])("refuses %s", (_, words, reason, message) => {
    const error = thrownBy(() => legacy([word(9), 0, ...words]));
    expect(error.message).toBe(message);
    expect(error).toMatchObject({ code: "LEGACY_PROGRAM", reason, instruction: 1 });
  });

  it("reads full lists for a table with 32 argument types, whose end mark no field can hold", () => {
    const [type] = SMALL_TABLE.argTypes;
    const many = Array.from({ length: 32 }, (_, index) => ({ ...type!, name: `A${index}` }));
    const instructions = [{ ptx: "x", name: "x", args: [31, 0, 0, 0], results: [0, 0], aligned: false }];
    const full = { ...SMALL_TABLE, argTypes: many, instructions };
    expect(legacy([word(1), 31], { table: full }).words).toEqual(Uint32Array.of(1, 0));
    const one = { ...full, instructions: [{ ...instructions[0]!, args: [31] }] };
    expect(thrownBy(() => legacy([word(1), 31], { table: one })).reason).toBe("instruction arguments");
    const more = { ...full, argTypes: [...many, type!] };
    expect(complaint(() => legacy([], { table: more }))).toBe(
      "INVALID_ARGUMENT: expected a table of Stack PTX 1.0, with at most 32 argTypes, found 33",
    );
  });

  it("takes words and bytes, and the empty program", () => {
    const words = Uint32Array.of(word(2, U32), 5, word(9), 0);
    const bytes = new Uint8Array(words.buffer);
    const expected = Uint32Array.of(0x10002, 5, 10, 0);
    expect(StackProgram.fromLegacy(words, { dialect: "1.0", table }).words).toEqual(expected);
    expect(StackProgram.fromLegacy(bytes, { dialect: "1.0", table }).words).toEqual(expected);
    expect(legacy([]).length).toBe(0);
  });

  it.each<[string, unknown, unknown]>([
    ["no options", Uint32Array.of(), undefined],
    ["no dialect", Uint32Array.of(), { table }],
    ["another dialect", Uint32Array.of(), { table, dialect: "1.1" }],
    ["no table", Uint32Array.of(), { dialect: "1.0" }],
    ["an unknown option", Uint32Array.of(), { table, dialect: "1.0", complete: true }],
    ["a list", [9, 0], { table, dialect: "1.0" }],
    ["half an instruction", Uint32Array.of(9), { table, dialect: "1.0" }],
    ["bytes that end within an instruction", new Uint8Array(12), { table, dialect: "1.0" }],
  ])("refuses %s", (_, words, options) => {
    expect(
      thrownBy(() => StackProgram.fromLegacy(words as Uint32Array, options as FromLegacyOptions)).code,
    ).toBe("INVALID_ARGUMENT");
  });
});

describe("detectDialect", () => {
  it("cannot tell programs that both versions could have made", () => {
    const inputs = Uint32Array.of(3, 0, 0x10003, 0);
    expect(detectDialect(inputs)).toBe("unknown");
    expect(detectDialect(inputs, { complete: true })).toBe("neither");
    expect(detectDialect(new Uint8Array(0))).toBe("unknown");
    expect(detectDialect(new Uint8Array(0), { complete: true })).toBe("neither");
    // A return of 1.1 is a store of 1.0.
    expect(detectDialect(Uint32Array.of(3, 0, 10, 0))).toBe("unknown");
    expect(detectDialect(Uint32Array.of(3, 0, 10, 0), { complete: true })).toBe("1.1");
  });

  it("does not take a result number for a part of the type", () => {
    expect(detectDialect(Uint32Array.of(0x202, 0))).toBe("neither");
    expect(detectDialect(Uint32Array.of(0x209, 0), { complete: true })).toBe("1.0");
  });

  it("refuses what is no program", () => {
    expect(thrownBy(() => detectDialect(new Uint8Array(4))).code).toBe("INVALID_ARGUMENT");
    expect(thrownBy(() => detectDialect(Uint32Array.of(), { complete: 1 as never })).code).toBe(
      "INVALID_ARGUMENT",
    );
    expect(thrownBy(() => detectDialect([] as never)).code).toBe("INVALID_ARGUMENT");
  });
});

describe("a program of 1.0 given as one of 1.1", () => {
  const words = Uint32Array.of(word(2, U32), 5, word(9), 0);
  const job = { registers: [register("x", F32)], requests: [] };

  it("fails to compile with a message that names the conversion", () => {
    const program = StackProgram.fromWords(words);
    expect(complaint(() => new StackCompiler(table).compile(program, job))).toBe(
      "BAD_INSTRUCTION_MAYBE_FORGOT_RETURN: expected a known instruction type, found 18: this looks like a program of Stack PTX 1.0, `StackProgram.fromLegacy` converts it (instruction 0)",
    );
    const routines = [program];
    const caller = StackProgram.fromWords(Uint32Array.of(7, 0));
    expect(complaint(() => new StackCompiler(table, { routines }).compile(caller, job))).toMatch(
      /found 18: this looks like .* \(routine 0, instruction 0\)$/,
    );
  });

  it("is refused where it is known to be complete", () => {
    const bytes = new Uint8Array(words.buffer);
    expect(StackProgram.fromBytes(bytes).length).toBe(2);
    expect(StackProgram.fromBytes(bytes, { complete: false }).length).toBe(2);
    const error = thrownBy(() => StackProgram.fromBytes(bytes, { complete: true }));
    expect(error.message).toBe(
      "expected a program of Stack PTX 1.1, found one of 1.0: `StackProgram.fromLegacy` converts it",
    );
    expect(complaint(() => StackProgram.fromBytes(bytes, { complet: true } as never))).toContain("complet");
  });
});
