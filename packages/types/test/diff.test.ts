// Differences between tables, and whether programs made for one run with another.

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smoke } from "../../../tests/support/counts.js";
import {
  diffTables,
  parseAstDescription,
  parseInjectDescription,
  parseStackDescription,
} from "../src/index.js";
import { astTable, injectTypes, stackTable } from "./support/tables.js";

const stacks = ["F32", "U32"].map((name) => ({ name, literal_prefix: name.toLowerCase() }));
const types = ["F32", "U32"].map((name) => ({ name, stack_type: name }));
const add = { ptx: "add.f32", args: ["F32", "F32"], rets: ["F32"] };
const not = { ptx: "not.b32", args: ["U32"], rets: ["U32"] };

const table = (parts: object) =>
  parseStackDescription({
    abi_version: 1,
    stack_types: stacks,
    arg_types: types,
    instructions: [add, not],
    ...parts,
  });
const before = table({});

describe("diffTables", () => {
  it.each([stackTable, astTable, injectTypes])("finds no difference between a table and itself", (one) => {
    const { same, runs, broken, lists } = diffTables(one, structuredClone(one) as typeof one);
    expect({ same, runs, broken }).toEqual({ same: true, runs: true, broken: [] });
    expect(lists.flatMap(({ added, removed, changed }) => [...added, ...removed, ...changed])).toEqual([]);
  });

  it("finds what was appended, and that programs run", () => {
    const { same, runs, lists } = diffTables(
      before,
      table({ instructions: [add, not, { ...add, ptx: "sub.f32" }] }),
    );
    expect({ same, runs }).toEqual({ same: false, runs: true });
    expect(lists.find(({ list }) => list === "instructions")).toEqual({
      list: "instructions",
      added: [{ name: "sub.f32", index: 2 }],
      removed: [],
      changed: [],
    });
  });

  it("finds what was removed or moved, and that programs do not run", () => {
    const { runs, broken, lists } = diffTables(before, table({ instructions: [not] }));
    expect(runs).toBe(false);
    expect(broken).toEqual([
      { list: "instructions", name: "add.f32", index: 0, now: "not.b32" },
      { list: "instructions", name: "not.b32", index: 1 },
    ]);
    expect(lists.find(({ list }) => list === "instructions")).toMatchObject({
      removed: [{ name: "add.f32", index: 0 }],
      changed: [{ name: "not.b32", from: 1, to: 0, changes: {} }],
    });
  });

  it("finds entries whose content changed", () => {
    const after = table({
      arg_types: [...types, { name: "V2", stack_type: "U32", num_vec_elems: 2 }],
      instructions: [add, { ...not, args: ["V2"], requires: { target: "sm_90" } }],
    });
    const { runs, lists } = diffTables(before, after);
    expect(runs).toBe(false);
    expect(lists.find(({ list }) => list === "instructions")!.changed).toEqual([
      { name: "not.b32", from: 1, to: 1, changes: { args: ["U32", "V2"], requires: ["nothing", "sm_90"] } },
    ]);
  });

  it("finds special registers of another argument type, whatever they are called", () => {
    const clock = { ptx: "clock", arg_type: "U32" };
    const old = table({ special_registers: [clock] });
    expect(diffTables(old, table({ special_registers: [{ ...clock, name: "time" }] })).runs).toBe(true);
    expect(diffTables(old, table({ special_registers: [{ ...clock, arg_type: "F32" }] })).broken).toEqual([
      { list: "special_registers", name: "clock", index: 0, now: "clock" },
    ]);
  });

  it.each([
    ["another name", { instructions: [{ ...add, name: "plus" }, not] }],
    ["another requirement", { instructions: [{ ...add, requires: { ptx: "8.0" } }, not] }],
    ["constants", { stack_types: [{ ...stacks[0], constant_type: "f32" }, stacks[1]] }],
    [
      "an argument type of another name",
      {
        arg_types: [...types, { name: "FLOAT", stack_type: "F32" }],
        instructions: [{ ...add, args: ["FLOAT", "F32"] }, not],
      },
    ],
  ])("says that programs run with %s", (_, parts) => {
    const { runs } = diffTables(before, table(parts));
    expect(runs).toBe(true);
  });

  it.each([
    ["a register type", { stack_types: [{ name: "F32", literal_prefix: "b32" }, stacks[1]] }],
    ["the order of stacks", { stack_types: [...stacks].reverse() }],
    ["a mnemonic", { instructions: [{ ...add, ptx: "add.ftz.f32", name: "add.f32" }, not] }],
  ])("says that programs do not run with a change of %s", (_, parts) => {
    expect(diffTables(before, table(parts)).runs).toBe(false);
  });

  it("compares inject types by name", () => {
    const [first, second] = [injectTypes.types[0]!, injectTypes.types[1]!];
    const swapped = { ...injectTypes, types: [second, first, ...injectTypes.types.slice(2)] };
    expect(diffTables(injectTypes, swapped).runs).toBe(true);
    const other = {
      ...injectTypes,
      types: [{ ...first, registerCast: "(x)" }, ...injectTypes.types.slice(1)],
    };
    expect(diffTables(injectTypes, other).broken).toEqual([
      { list: "data_type_infos", name: first.name, index: 0, now: first.name },
    ]);
    expect(diffTables(other, { ...other, types: other.types.slice(1) }).runs).toBe(false);
  });

  it("compares AST instructions by mnemonic and number of arguments", () => {
    const ast = (...instructions: object[]) => parseAstDescription({ abi_version: 1, instructions });
    const one = ast({ ptx: "a", args: 1 });
    expect(diffTables(one, ast({ ptx: "a", args: 1, name: "b" }, { ptx: "c", args: 0 })).runs).toBe(true);
    expect(diffTables(one, ast({ ptx: "a", args: 2 })).runs).toBe(false);
    expect(diffTables(one, ast()).runs).toBe(false);
  });

  it("refuses tables of different kinds", () => {
    expect(() => diffTables(astTable, injectTypes)).toThrow(
      expect.objectContaining({
        code: "INVALID_ARGUMENT",
        message: expect.stringContaining("`ast` and `inject`"),
      }),
    );
  });

  it("says that programs run wherever a table names their table as a base", () => {
    const instruction = fc.record({
      ptx: fc.constantFrom("add.f32", "sub.f32", "mul.f32", "neg.f32", "abs.f32"),
      args: fc.array(fc.constantFrom("F32", "U32"), { maxLength: 3 }),
      rets: fc.array(fc.constantFrom("F32", "U32"), { minLength: 1, maxLength: 2 }),
    });
    const lists = fc.uniqueArray(instruction, { selector: ({ ptx }) => ptx, maxLength: 4 });
    let bases = 0;
    fc.assert(
      fc.property(lists, lists, (first, second) => {
        const base = { abi_version: 1, stack_types: stacks, arg_types: types, instructions: first };
        const own = second.filter(({ ptx }) => !first.some((one) => one.ptx === ptx));
        const extending = parseStackDescription(
          { abi_version: 1, extends: "base", instructions: own },
          { resolve: (name) => ({ name, json: base }) },
        );
        const other = table({ instructions: second });
        for (const after of [extending, other]) {
          const { fingerprint } = table({ instructions: first });
          const isBase = after.bases.includes(fingerprint) || after.fingerprint === fingerprint;
          if (isBase) bases++;
          if (isBase) expect(diffTables(table({ instructions: first }), after).runs).toBe(true);
        }
      }),
      { numRuns: smoke(2_000) },
    );
    expect(bases).toBeGreaterThanOrEqual(smoke(2_000));
  });

  it("reads frozen and cloned tables alike", () => {
    const types = parseInjectDescription({ abi_version: 1, data_type_infos: [] });
    expect(diffTables(types, JSON.parse(JSON.stringify(types))).same).toBe(true);
  });
});
