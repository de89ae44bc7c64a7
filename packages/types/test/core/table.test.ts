// Tables: fingerprints, plain frozen data, and looking up entries by name.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  argTypeIndex,
  injectType,
  instructionIndex,
  parseAstDescription,
  parseInjectDescription,
  parseStackDescription,
  specialRegisterIndex,
  stackIndex,
  TableError,
} from "../../src/index.js";

const descriptions = new URL("../../../../type_descriptions/", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, descriptions), "utf8");
const STACK = parseStackDescription(read("stack_descriptions.json"));
const INJECT = parseInjectDescription(read("inject_types.json"));
const AST = parseAstDescription(read("ast_instructions.json"));

const FILE = {
  abi_version: 1,
  stack_types: [{ name: "F32", literal_prefix: "f32", constant_type: "f32", encoder_type: "f32" }],
  arg_types: [
    { name: "F32", stack_type: "F32" },
    { name: "V2", stack_type: "F32", num_vec_elems: 2 },
  ],
  instructions: [
    { ptx: "add.f32", args: ["F32", "F32"], rets: ["F32"] },
    { ptx: "mul.f32", args: ["F32", "F32"], rets: ["F32"], requires: { target: "sm_90", ptx: "7.8" } },
  ],
  special_registers: [{ ptx: "tid", arg_type: "V2" }],
};
type File = typeof FILE;

function fingerprintWith(change: (copy: File) => void): string {
  const copy = structuredClone(FILE);
  change(copy);
  return parseStackDescription(copy).fingerprint;
}

describe("the fingerprint", () => {
  const { fingerprint } = parseStackDescription(FILE);

  it("is the SHA-256 of the kind and the rows as JSON", () => {
    const rows = [
      '[["F32","f32","f32"]]',
      '[["F32",0,0],["V2",0,2]]',
      '[["add.f32",0,[0,0],[0],false],["mul.f32",0,[0,0],[0],false]]',
      '[["tid",0,1]]',
    ];
    const digest = createHash("sha256").update(`["stack",${rows}]`).digest("hex");
    expect(fingerprint).toBe(digest);
    expect(digest).toBe("adf8a3de3695443f708ffe41d0640376783100933d100e1dcc24f3bd3b6fdde8");
  });

  it("does not depend on formatting, line ends or the order of keys", () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, inner]) => [key, reversed(inner)]),
      );
    };
    for (const text of [
      JSON.stringify(FILE),
      JSON.stringify(reversed(FILE), null, 2),
      `\ufeff${JSON.stringify(FILE, null, "\t").replaceAll("\n", "\r\n")}`,
    ]) {
      expect(parseStackDescription(text).fingerprint).toBe(fingerprint);
    }
  });

  it("is the same for a default that is written out and one that is left out", () => {
    const same = fingerprintWith((copy) => {
      Object.assign(copy.instructions[0]!, { aligned: false, name: "add.f32" });
      Object.assign(copy.arg_types[0]!, { num_vec_elems: 0 });
    });
    expect(same).toBe(fingerprint);
    const { special_registers: _, ...without } = FILE;
    expect(parseStackDescription(without).fingerprint).toBe(
      fingerprintWith((copy) => {
        copy.special_registers.length = 0;
      }),
    );
  });

  it.each<[string, (copy: File) => void]>([
    ["encoder_type", ({ stack_types: [type] }) => Object.assign(type!, { encoder_type: "u32" })],
    [
      "display next to a name",
      ({ instructions: [one] }) => Object.assign(one!, { name: "add.f32", display: "+" }),
    ],
    ["requires", ({ instructions }) => Object.assign(instructions[1]!, { requires: {} })],
  ])("does not depend on %s, which no program sees", (_, change) => {
    expect(fingerprintWith(change)).toBe(fingerprint);
  });

  it.each<[string, (copy: File) => void]>([
    [
      "stack",
      ({ stack_types: [type] }) => Object.assign(type!, { literal_prefix: "b32", constant_type: "u32" }),
    ],
    ["kind of constants", ({ stack_types: [type] }) => Reflect.deleteProperty(type!, "constant_type")],
    ["vector", ({ arg_types }) => Object.assign(arg_types[1]!, { num_vec_elems: 3 })],
    ["text", ({ instructions: [one] }) => Object.assign(one!, { ptx: "sub.f32" })],
    [
      "text under the old name",
      ({ instructions: [one] }) => Object.assign(one!, { ptx: "sub.f32", name: "add.f32" }),
    ],
    ["name", ({ instructions: [one] }) => Object.assign(one!, { name: "sum" })],
    ["name by display", ({ instructions: [one] }) => Object.assign(one!, { display: "sum" })],
    ["argument", ({ instructions: [one] }) => one!.args.push("F32")],
    ["result", ({ instructions: [one] }) => one!.rets.push("F32")],
    ["alignment", ({ instructions: [one] }) => Object.assign(one!, { aligned: true })],
    ["order", ({ instructions }) => instructions.reverse()],
    ["special register", ({ special_registers: [one] }) => Object.assign(one!, { ptx: "ctaid" })],
    ["entry", ({ special_registers }) => special_registers.push({ ptx: "ctaid", arg_type: "V2" })],
  ])("depends on %s", (_, change) => {
    expect(fingerprintWith(change)).not.toBe(fingerprint);
  });

  it("depends on every field of PTX Inject types and on the kind of table", () => {
    const type = {
      name: "A",
      register_type: "b32",
      mov_postfix: "b32",
      register_char: "r",
      register_cast_str: "",
    };
    const of = (change: object) =>
      parseInjectDescription({ abi_version: 1, data_type_infos: [{ ...type, ...change }] }).fingerprint;
    const changes = [
      {},
      { name: "B" },
      { register_type: "u32" },
      { mov_postfix: "u32" },
      { register_char: "f" },
      { register_cast_str: "(int)" },
    ];
    expect(new Set(changes.map(of)).size).toBe(changes.length);
    const empty = [
      parseAstDescription({ abi_version: 1, instructions: [] }),
      parseInjectDescription({ abi_version: 1, data_type_infos: [] }),
    ];
    expect(empty[0]!.fingerprint).not.toBe(empty[1]!.fingerprint);
  });

  it("is the same for a file and for what it extends, flattened", () => {
    const { instructions, ...base } = FILE;
    const table = parseStackDescription(
      { abi_version: 1, extends: "base", instructions: instructions.slice(1) },
      { resolve: (name) => ({ name, json: { ...base, instructions: instructions.slice(0, 1) } }) },
    );
    expect(table.fingerprint).toBe(fingerprint);
    expect(table.bases).toHaveLength(1);
  });
});

describe.each([STACK, INJECT, AST])("the $kind table of this repository", (table) => {
  it("is plain data", () => {
    expect(structuredClone(table)).toEqual(table);
    expect(JSON.parse(JSON.stringify(table))).toEqual(table);
  });

  it("is deeply frozen", () => {
    const frozen = (value: unknown): boolean =>
      typeof value !== "object" ||
      value === null ||
      (Object.isFrozen(value) && Object.values(value).every(frozen));
    expect(frozen(table)).toBe(true);
  });
});

it("can be created where code generation from strings is disabled", () => {
  const script = `
    import { parseStackDescription } from ${JSON.stringify(new URL("../../dist/index.js", import.meta.url).href)};
    console.log(parseStackDescription(${JSON.stringify(JSON.stringify(FILE))}).fingerprint);
  `;
  const args = ["--disallow-code-generation-from-strings", "--input-type=module", "-e", script];
  const printed = execFileSync(process.execPath, args, { encoding: "utf8" });
  expect(printed.trim()).toBe(parseStackDescription(FILE).fingerprint);
});

describe("look-ups by name", () => {
  it.each<[string, (name: string) => number, readonly { readonly name: string }[]]>([
    ["stacks", (name) => stackIndex(STACK, name), STACK.stackTypes],
    ["argument types", (name) => argTypeIndex(STACK, name), STACK.argTypes],
    ["instructions", (name) => instructionIndex(STACK, name), STACK.instructions],
    ["special registers", (name) => specialRegisterIndex(STACK, name), STACK.specialRegisters],
    ["instructions of AST PTX", (name) => instructionIndex(AST, name), AST.instructions],
    ["types of PTX Inject", (name) => INJECT.types.indexOf(injectType(INJECT, name)), INJECT.types],
  ])("find all %s", (_, find, entries) => {
    entries.forEach(({ name }, index) => {
      expect(find(name)).toBe(index);
    });
    for (const name of ["__proto__", "constructor", "toString", ""]) {
      expect(() => find(name)).toThrow(expect.objectContaining({ code: "NOT_FOUND" }));
    }
  });

  it("suggest the nearest name", () => {
    expect(() => instructionIndex(STACK, "add.fzt.f32")).toThrow(
      new TableError(
        "NOT_FOUND",
        "expected an instruction of the table, found `add.fzt.f32`, did you mean `add.ftz.f32`?",
      ),
    );
    expect(() => injectType(INJECT, "F23")).toThrow("expected a type of the table, found `F23`");
    expect(() => stackIndex(STACK, undefined as never)).toThrow(
      "expected a stack of the table, found undefined",
    );
  });

  it("work on clones, even if those change", () => {
    const clone = structuredClone(STACK) as { instructions: { name: string }[] } & typeof STACK;
    expect(instructionIndex(clone, "add.ftz.f32")).toBe(instructionIndex(STACK, "add.ftz.f32"));
    clone.instructions.reverse();
    expect(clone.instructions[instructionIndex(clone, "add.ftz.f32")]!.name).toBe("add.ftz.f32");
    clone.instructions.push({ name: "new" });
    expect(instructionIndex(clone, "new")).toBe(clone.instructions.length - 1);
  });

  it("refuse values that are not tables", () => {
    const nameless = [{ stackTypes: [null] }, { stackTypes: [{ name: 7 }] }];
    for (const table of [undefined, null, 7, {}, AST, ...nameless]) {
      expect(() => stackIndex(table as never, "F32")).toThrow(
        expect.objectContaining({ code: "INVALID_ARGUMENT" }),
      );
    }
  });
});
