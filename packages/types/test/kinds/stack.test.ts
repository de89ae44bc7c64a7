// What a Stack PTX description becomes, and which problems are reported for wrong ones.

import { describe, expect, it } from "vitest";
import { DescriptionError, parseStackDescription } from "../../src/index.js";

const description = {
  abi_version: 1,
  stack_types: [
    { name: "F32", literal_prefix: "f32", constant_type: "f32" },
    { name: "PRED", literal_prefix: "pred" },
  ],
  arg_types: [
    { name: "F32", stack_type: "F32" },
    { name: "V2", stack_type: "F32", num_vec_elems: 2 },
    { name: "PRED", stack_type: "PRED" },
  ],
  instructions: [
    { ptx: "add.f32", args: ["F32", "F32"], rets: ["F32"] },
    { ptx: "setp.lt.f32", args: ["F32", "F32"], rets: ["PRED", "PRED"], display: "setp2" },
  ],
  special_registers: [{ ptx: "tid", arg_type: "V2" }],
};

/** A copy of the description with something changed. */
function changed(change: (copy: typeof description) => void): typeof description {
  const copy = structuredClone(description);
  change(copy);
  return copy;
}

function problemsOf(json: unknown): [string, string[]] {
  try {
    parseStackDescription(json);
  } catch (error) {
    expect(error).toBeInstanceOf(DescriptionError);
    const { code, problems } = error as DescriptionError;
    return [code, problems.map(({ path, message }) => `${path}: ${message}`)];
  }
  return expect.unreachable("expected an error");
}

describe("parseStackDescription", () => {
  it("resolves names to indices, from text or an object", () => {
    const table = parseStackDescription(JSON.stringify(description));
    expect(table).toEqual(parseStackDescription(description));
    expect(table.instructions[1]).toEqual({
      ptx: "setp.lt.f32",
      name: "setp2",
      display: "setp2",
      args: [0, 0],
      results: [2, 2],
      aligned: false,
    });
    expect(table.argTypes[1]).toEqual({ name: "V2", stackIndex: 0, vectorElements: 2 });
    expect(structuredClone(table)).toEqual(table);
  });

  it("returns a table that cannot be changed", () => {
    const table = parseStackDescription(description);
    expect(() => (table.instructions as unknown[]).push({})).toThrow(TypeError);
    expect(() => Object.assign(table.stackTypes[0]!, { name: "X" })).toThrow(TypeError);
  });

  it("refuses text that is not JSON", () => {
    expect(problemsOf("{")[0]).toBe("SYNTAX");
  });

  it.each([
    ["no object", 7, "SCHEMA", ""],
    ["another version", changed((copy) => Object.assign(copy, { abi_version: 2 })), "SCHEMA", "abi_version"],
    ["an unknown key", changed((copy) => Object.assign(copy, { foo: 1 })), "SCHEMA", "foo"],
    [
      "five arguments",
      changed((copy) => copy.instructions[0]!.args.push("F32", "F32", "F32")),
      "SCHEMA",
      "instructions[0].args",
    ],
    [
      "a type that no register has",
      changed((copy) => Object.assign(copy.stack_types[0]!, { literal_prefix: "bf16" })),
      "SCHEMA",
      "stack_types[0].literal_prefix",
    ],
    [
      "a constant of another type",
      changed((copy) => Object.assign(copy.stack_types[1]!, { constant_type: "f32" })),
      "REFERENCE",
      "stack_types[1].constant_type",
    ],
    [
      "a name twice",
      changed((copy) => copy.instructions.push(copy.instructions[0]!)),
      "REFERENCE",
      "instructions[2]",
    ],
    [
      "a special register of five elements",
      changed((copy) => Object.assign(copy.arg_types[1]!, { num_vec_elems: 5 })),
      "REFERENCE",
      "special_registers[0].arg_type",
    ],
  ])("refuses %s", (_, json, code, path) => {
    const [found, problems] = problemsOf(json);
    expect(found).toBe(code);
    expect(problems[0]!.split(":")[0]).toBe(path);
  });

  it("suggests the nearest name and reports all problems at once", () => {
    const broken = changed((copy) => {
      copy.instructions[0]!.args[1] = "F23";
      copy.special_registers[0]!.arg_type = "nothing";
    });
    expect(problemsOf(broken)).toEqual([
      "REFERENCE",
      [
        "instructions[0].args[1]: expected an argument type, found `F23`, did you mean `F32`?",
        "special_registers[0].arg_type: expected an argument type, found `nothing`",
      ],
    ]);
  });
});
