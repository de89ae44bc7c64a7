// What the description files of mm-ptx 1.1 have although it is not as it should be: warnings, or problems if strict.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../../tests/support/workspace.js";
import {
  DescriptionError,
  type DescriptionProblem,
  type ParseDescriptionOptions,
  parseStackDescription,
} from "../src/index.js";
import { loadDescription } from "../src/node.js";

const LENIENT = join(ROOT, "packages/types/test/corpus/stack/good-as-mm-ptx-1.1.json");
const text = readFileSync(LENIENT, "utf8");
const MOV = "(pred, b16, b32, b64, u16, u32, u64, s16, s32, s64, f32, f64, b128)";

const WARNINGS = [
  "stack_types[0].constant_type: expected one of f32, s32, u32, found ` F32 `",
  `stack_types[2].literal_prefix: expected a type that \`mov\` takes ${MOV}, found \`f16\`: a request on this stack is an error`,
  `stack_types[3].literal_prefix: expected a type that \`mov\` takes ${MOV}, found \`u8\`: a request on this stack is an error`,
  "instructions[0].aligned: expected true or false, found `No`",
  "instructions[1].aligned: expected true or false, found `true`",
  "instructions[2].aligned: expected true or false, found ` T`",
];

const messageOf = ({ path, message }: DescriptionProblem) => `${path}: ${message}`;

function warningsOf(json: unknown, options: ParseDescriptionOptions = {}) {
  const warnings: DescriptionProblem[] = [];
  const table = parseStackDescription(json, { ...options, onWarning: (warning) => warnings.push(warning) });
  return { table, warnings };
}

function problemsOf(parse: () => unknown): string[] {
  try {
    parse();
  } catch (error) {
    expect(error).toBeInstanceOf(DescriptionError);
    return (error as DescriptionError).problems.map(messageOf);
  }
  return expect.unreachable("expected an error");
}

describe("a description of mm-ptx 1.1", () => {
  it("is read with warnings that have their places", () => {
    const { warnings } = warningsOf(text, { name: "stack.json" });
    expect(warnings.map(messageOf)).toEqual(WARNINGS);
    expect(warnings[2]).toMatchObject({ file: "stack.json", line: 7, column: 39, found: "`u8`" });
    expect(warnings[2]!.frame).toContain('"literal_prefix": "u8"');
  });

  it("has the table of its proper form", () => {
    const proper = JSON.parse(text);
    proper.stack_types[0].constant_type = "f32";
    [false, true, true].forEach((aligned, index) => {
      proper.instructions[index].aligned = aligned;
    });
    const { table } = warningsOf(text);
    expect(table).toEqual(parseStackDescription(proper));
    expect(table.stackTypes.map(({ literalPrefix }) => literalPrefix)).toEqual(["f32", "s32", "f16", "u8"]);
    expect(table.stackTypes[0]!.constantType).toBe("f32");
    expect(table.instructions.map(({ aligned }) => aligned)).toEqual([false, true, true]);
  });

  it("is refused for all of it if strict", () => {
    expect(problemsOf(() => parseStackDescription(text, { strict: true }))).toEqual(WARNINGS);
    expect(problemsOf(() => loadDescription(LENIENT, "stack", { strict: true }))).toEqual(WARNINGS);
  });

  it.each([
    ["TRUE", true],
    ["t", true],
    ["1", true],
    ["yEs", true],
    ["y", true],
    ["False", false],
    ["f", false],
    ["0", false],
    ["no", false],
    ["N", false],
  ])("takes %j as `aligned`", (aligned, value) => {
    const json = JSON.parse(text);
    json.instructions[0].aligned = aligned;
    expect(parseStackDescription(json).instructions[0]!.aligned).toBe(value);
  });

  it.each([
    ["F32", "`F32`"],
    ["truee", "`truee`"],
    [2, "2"],
    [null, "null"],
    [[], "an array"],
  ])("refuses %j as `aligned`", (aligned, found) => {
    const json = JSON.parse(text);
    json.instructions[0].aligned = aligned;
    const problem = `instructions[0].aligned: expected true or false, found ${found}`;
    expect(problemsOf(() => parseStackDescription(json))).toContain(problem);
  });

  it("may be a base, and its entries may be repeated in their proper form", () => {
    const resolve = () => ({ name: "base.json", json: text });
    const { ptx, args, rets } = JSON.parse(text).instructions[1];
    const own = {
      abi_version: 1,
      extends: "./base.json",
      instructions: [{ ptx, args, rets, aligned: true }],
    };
    const { table, warnings } = warningsOf(own, { resolve, name: "own.json" });
    expect(warnings.map(({ file }) => file)).toEqual(WARNINGS.map(() => "base.json"));
    expect(table.instructions).toHaveLength(3);
  });

  it("is warned about a special register that no `mov` can read", () => {
    const json = JSON.parse(text);
    json.special_registers = [{ ptx: "clock", arg_type: "U8" }];
    expect(warningsOf(json).warnings.map(messageOf)).toContain(
      "special_registers[0].arg_type: expected a stack whose registers `mov` takes, found `U8`: no assembler takes `mov.u8`",
    );
  });
});

const REFERENCE = join(ROOT, "../shared/reference-descriptions");

describe.skipIf(!existsSync(REFERENCE))("the description files of mm-ptx 1.1.1", () => {
  const files = existsSync(REFERENCE) ? readdirSync(REFERENCE).filter((name) => name.endsWith(".json")) : [];

  it.each(files)("%s loads with one warning, and not if strict", (name) => {
    const path = join(REFERENCE, name);
    const warnings: string[] = [];
    loadDescription(path, "stack", { onWarning: ({ found }) => warnings.push(found ?? "") });
    expect(warnings).toEqual(["`u8`"]);
    expect(() => loadDescription(path, "stack", { strict: true })).toThrow("`u8`");
  });
});
