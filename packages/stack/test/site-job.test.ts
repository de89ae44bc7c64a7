// From a site's operands to a job: which stack each operand is on, what is requested, and every argument that is refused.
import type { StackTable } from "@mm-ptx/types/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../tests/support/counts.js";
import { stacks, table } from "../src/generated/default/index.js";
import {
  input,
  ptxInstruction,
  type SiteJobOptions,
  type SiteOperand,
  StackCompiler,
  StackProgram,
  siteJob,
} from "../src/index.js";
import { ADD, complaint, raised, SMALL_TABLE } from "./support/small-table.js";

const operand = (
  name: string,
  direction: SiteOperand["direction"],
  type = "F32",
  registerType = "f32",
): SiteOperand => ({ name, direction, register: `_${name}`, registerType, type });

/** A table with the stacks of `name:register type` texts. */
const tableOf = (...names: string[]): StackTable => ({
  ...SMALL_TABLE,
  stackTypes: names.map((each) => {
    const [name, literalPrefix] = each.split(":");
    return { name: name!, literalPrefix: literalPrefix! };
  }),
});

const stackOf = (of: StackTable, type: string, registerType: string, options?: SiteJobOptions): number =>
  siteJob(of, [operand("x", "in", type, registerType)], options).registers[0]!.stackIndex;

describe("siteJob", () => {
  it("has a register for each operand in order, and requests for mod, then for out", () => {
    const operands = [
      operand("z", "out"),
      operand("n", "in", "U32", "u32"),
      operand("w", "out"),
      operand("x", "mod"),
    ];
    expect(siteJob(table, operands)).toEqual({
      registers: [
        { name: "_z", stackIndex: stacks.F32 },
        { name: "_n", stackIndex: stacks.U32 },
        { name: "_w", stackIndex: stacks.F32 },
        { name: "_x", stackIndex: stacks.F32 },
      ],
      requests: [3, 0, 2],
    });
    expect(siteJob(table, [])).toEqual({ registers: [], requests: [] });
  });

  it("returns a job that compiles, as plain frozen data", () => {
    const job = siteJob(SMALL_TABLE, [operand("z", "out"), operand("x", "in"), operand("y", "in")]);
    expect([job, job.registers, job.requests].every(Object.isFrozen)).toBe(true);
    const program = StackProgram.of(input(1), input(2), ptxInstruction(ADD));
    const text = new StackCompiler(SMALL_TABLE).compile(program, structuredClone(job));
    expect(text).toContain("\tadd.f32 %_s0_0, %_y, %_x;\n\tmov.f32 %_z, %_s0_0;");
  });

  it.each<[string, string[], string, string, SiteJobOptions | undefined, number]>([
    ["by its name", ["A:u32", "DOG:f32"], "DOG", "u32", undefined, 1],
    ["by its name rather than another case", ["dog:f32", "DOG:f32"], "DOG", "f32", undefined, 1],
    ["by its name in another case", ["A:f32", "Dog:u32"], "dOG", "f32", undefined, 1],
    ["by the register type", ["A:u32", "B:f32"], "DOG", "f32", undefined, 1],
    ["by `types`", ["A:f32", "B:f32"], "DOG", "f32", { types: { DOG: "B" } }, 1],
    ["by `types` rather than its name", ["DOG:f32", "B:f32"], "DOG", "f32", { types: { DOG: "B" } }, 1],
    ["where `types` has other tokens", ["A:f32", "B:u32"], "DOG", "f32", { types: { CAT: "B" } }, 0],
    ["whatever objects inherit", ["A:f32", "B:u32"], "constructor", "f32", { types: {} }, 0],
  ])("finds a stack %s", (_how, names, type, registerType, options, index) => {
    expect(stackOf(tableOf(...names), type, registerType, options)).toBe(index);
  });

  it("finds the stacks of our own inject types", () => {
    expect(stackOf(table, "PHILOX", "u32")).toBe(stacks.PHILOX);
    expect(stackOf(table, "f16X2", "b32")).toBe(stacks.F16X2);
    expect(stackOf(table, "float", "f32")).toBe(stacks.F32);
  });

  const dog = [operand("x", "in", "DOG", "b16")];
  it.each<[string, () => unknown]>([
    [
      "expected one stack for operand `x` of type `DOG` (register type `b16`), found several `F16`, `BF16`, `E4M3X2`, `E5M2X2`: choose one with `types`",
      () => siteJob(table, dog),
    ],
    [
      "expected one stack for operand `x` of type `DOG` (register type `b16`), found none among `F32`, `U32`: choose one with `types`",
      () => siteJob(SMALL_TABLE, dog),
    ],
    [
      "expected one stack for operand `x` of type `DOG` (register type `b16`), found several `dog`, `Dog`: choose one with `types`",
      () => siteJob(tableOf("dog:b16", "Dog:f32"), dog),
    ],
    [
      "expected the name of a stack of the table for type `DOG`, found `F23`, did you mean `F32`?",
      () => siteJob(SMALL_TABLE, [], { types: { DOG: "F23" } }),
    ],
    [
      "expected the name of a stack of the table for type `DOG`, found 0",
      () => siteJob(SMALL_TABLE, [], { types: { DOG: 0 as never } }),
    ],
    [
      "expected `types` as an object from type tokens to stacks, found an array",
      () => siteJob(SMALL_TABLE, [], { types: [] as never }),
    ],
    [
      "expected the operands of a site as an array, found an object",
      () => siteJob(SMALL_TABLE, { length: 0 } as never),
    ],
    ["expected a site operand at `operands[0]`, found undefined", () => siteJob(SMALL_TABLE, new Array(1))],
    [
      "expected a site operand at `operands[1]` with registerType as text, found undefined",
      () =>
        siteJob(SMALL_TABLE, [
          operand("x", "in"),
          { ...operand("y", "in"), registerType: undefined as never },
        ]),
    ],
    [
      "expected `in`, `mod` or `out` as the direction of operand `x`, found `inout`",
      () => siteJob(SMALL_TABLE, [operand("x", "inout" as never)]),
    ],
  ])("refuses with: %s", (message, call) => {
    expect(complaint(call)).toBe(`INVALID_ARGUMENT: ${message}`);
  });

  it("refuses unknown options, and registers that no stub can name", () => {
    expect(raised(() => siteJob(SMALL_TABLE, [], { type: {} } as never)).message).toBe(
      "unknown option `type`, did you mean `types`?",
    );
    expect(raised(() => siteJob(SMALL_TABLE, [{ ...operand("x", "in"), register: "%x" }])).message).toBe(
      "expected a register name without `%`, found `%x`",
    );
  });

  it("refuses anything that is not a list of operands", () => {
    fc.assert(
      fc.property(fc.anything(), (anything) => {
        fc.pre(!(Array.isArray(anything) && anything.length === 0));
        expect(raised(() => siteJob(SMALL_TABLE, anything as never)).code).toBe("INVALID_ARGUMENT");
      }),
      { numRuns: cases(2000) },
    );
  });
});

describe("every mix of operands", () => {
  const names = fc.constantFrom("F32", "f32", "F16", "f16", "BF16", "U32", "u32", "DOG", "Dog");
  const prefixes = fc.constantFrom("f32", "u32", "b16");
  const tables = fc
    .uniqueArray(fc.tuple(names, prefixes), { minLength: 1, maxLength: 6, selector: ([name]) => name })
    .map((entries) => tableOf(...entries.map(([name, prefix]) => `${name}:${prefix}`)));
  const operands = fc
    .array(fc.tuple(fc.constantFrom("in", "mod", "out"), names, prefixes), { maxLength: 6 })
    .map((entries) =>
      entries.map(([direction, type, prefix], index) =>
        operand(`v${index}`, direction as never, type, prefix),
      ),
    );

  /** The candidate stacks of an operand, by the first rule that finds any. */
  function candidates(
    { stackTypes }: StackTable,
    { type, registerType }: SiteOperand,
    chosen?: string,
  ): string[] {
    const rules = [
      (name: string) => name === chosen,
      (name: string) => name === type,
      (name: string) => name.toLowerCase() === type.toLowerCase(),
      (_name: string, prefix: string) => prefix === registerType,
    ];
    for (const rule of rules) {
      const found = stackTypes.filter(({ name, literalPrefix }) => rule(name, literalPrefix));
      if (found.length > 0) return found.map(({ name }) => name);
    }
    return [];
  }

  it("becomes a job of all its registers, or an error that names the first operand without a single stack", () => {
    fc.assert(
      fc.property(tables, operands, names, fc.nat(), (of, site, token, pick) => {
        const choice = of.stackTypes[pick % of.stackTypes.length]!.name;
        for (const types of [undefined, { [token]: choice }]) {
          const found = site.map((each) => candidates(of, each, types?.[each.type]));
          const wrong = found.findIndex((list) => list.length !== 1);
          const call = () => siteJob(of, site, types === undefined ? {} : { types });
          if (wrong !== -1) {
            const { code, message } = raised(call);
            expect(code).toBe("INVALID_ARGUMENT");
            expect(message).toContain(`operand \`${site[wrong]!.name}\` of type \`${site[wrong]!.type}\``);
            for (const name of found[wrong]!) expect(message).toContain(`\`${name}\``);
            continue;
          }
          const { registers, requests } = call();
          expect(registers).toEqual(
            site.map(({ register }, index) => ({
              name: register,
              stackIndex: of.stackTypes.findIndex(({ name }) => name === found[index]![0]),
            })),
          );
          const requested = Array.from(requests, (index) => site[index]!);
          expect(requested).toEqual([
            ...site.filter(({ direction }) => direction === "mod"),
            ...site.filter(({ direction }) => direction === "out"),
          ]);
        }
      }),
      { numRuns: cases(5000) },
    );
  });
});
