// The instruction table: every row can be read, its instances match it, and the check accepts them.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checkProgram } from "../../src/index.js";
import { matchOpcode, nearestForms } from "../../src/isa/match.js";
import { readForm } from "../../src/isa/notation.js";
import { SPECIAL_REGISTERS } from "../../src/isa/special.js";
import { formsOf, instructionRows } from "../../src/isa/table.js";
import { unsupported, unsupportedFeatures } from "../../src/isa/unsupported.js";
import { TYPES } from "../../src/program/types.js";

const FORMS = [...instructionRows().keys()].flatMap(formsOf);

it("every row has operands of known types, results first", () => {
  for (const { text, elements, operands } of FORMS) {
    const types = new Set([
      ...elements.filter(({ isType }) => isType).map(({ name }) => name),
      ...Object.keys(TYPES),
    ]);
    const slots = new Set(elements.map(({ name }) => name));
    for (const { kind, of, vector, result } of operands) {
      if (kind === "value") expect(types, text).toContain(of);
      if (kind === "address" && of !== undefined) expect([...slots, "global", "shared"], text).toContain(of);
      if (typeof vector === "string") expect(slots, text).toContain(vector);
      if (result) expect(kind, text).toBe("value");
    }
    const results = operands.map(({ result }) => result);
    expect(results, text).toEqual([...results].sort((a, b) => Number(b) - Number(a)));
  }
});

it("no row occurs twice", () => {
  const rows = [...instructionRows().values()].flat();
  expect(rows.filter((row, index) => rows.indexOf(row) !== index)).toEqual([]);
});

it("an opcode with the first words of a row is of that row, or of one with the same operands", () => {
  for (const form of FORMS) {
    const words = form.elements
      .filter(({ optional }) => !optional)
      .map((element) => [...element.words.keys()][0]);
    const matches = matchOpcode([form.mnemonic, ...words].join("."));
    expect(matches.length, form.text).toBeGreaterThan(0);
  }
});

it("the documentation lists every row and every unsupported feature", () => {
  const listed = new Set(
    readFileSync(new URL("../../../../docs/emulator-coverage.md", import.meta.url), "utf8").split("\n"),
  );
  expect(FORMS.map(({ text }) => text).filter((text) => !listed.has(text))).toEqual([]);
  const refused = unsupportedFeatures().map(
    ({ what, words }) => `| ${what} | ${words.map((word) => `\`${word}\``).join(", ")} |`,
  );
  expect(refused.filter((row) => !listed.has(row))).toEqual([]);
});

describe("the notation", () => {
  it("describes the expected words of each place", () => {
    const form = readForm(
      "op{.ftz}.mode.type d*2:f32?|p, [a:shared], {!}c:pred{, b:u32<16} ; reads givesCarry:ftz waits:lanes ; mode = x y=x ; type = u16 u32 ; sm_80 7.0",
    );
    expect(form).toMatchObject({
      text: "op{.ftz}.mode.type d|p, [a], {!}c{, b}",
      mnemonic: "op",
      traits: [
        { name: "reads", value: undefined },
        { name: "givesCarry", value: "ftz" },
        { name: "waits", value: "lanes" },
      ],
      target: 80,
      version: 7,
    });
    expect(
      form.elements.map(({ name, optional, isType, words }) => [name, optional, isType, [...words]]),
    ).toEqual([
      ["ftz", true, false, [["ftz", "ftz"]]],
      [
        "mode",
        false,
        false,
        [
          ["x", "x"],
          ["y", "x"],
        ],
      ],
      [
        "type",
        false,
        true,
        [
          ["u16", "u16"],
          ["u32", "u32"],
        ],
      ],
    ]);
    expect(form.operands).toMatchObject([
      { name: "d", of: "f32", vector: 2, result: true, sink: true, paired: false },
      { name: "p", of: "pred", result: true, paired: true, optional: false },
      { name: "a", kind: "address", of: "shared", result: false },
      { name: "c", of: "pred", negatable: true },
      { name: "b", of: "u32", optional: true, limit: 16n },
    ]);
  });

  it("accepts modifiers in any order, but types only in theirs", () => {
    expect(matchOpcode("add.ftz.f32.rn")[0]?.operation.modifiers).toEqual({ rnd: "rn", ftz: "ftz" });
    expect(matchOpcode("cvt.f64.f32")[0]?.operation.types).toEqual(["f64", "f32"]);
    expect(matchOpcode("cvt.f32.f64")).toEqual([]);
    expect(matchOpcode("add.ftz.ftz.f32")).toEqual([]);
  });

  it("accepts cache hints only for cached memory, and vectors of 128 bits", () => {
    expect(matchOpcode("ld.global.L1::no_allocate.f32")).toHaveLength(1);
    expect(matchOpcode("ld.shared.L1::no_allocate.f32")).toEqual([]);
    expect(matchOpcode("ld.shared.v4.f32")).toHaveLength(1);
    expect(matchOpcode("ld.shared.v4.f64")).toEqual([]);
    expect(matchOpcode("ld.global.v4.f64")[0]?.form.target).toBe(100);
  });
});

it("names the rows that resemble a wrong opcode", () => {
  expect(nearestForms("add.sat.u64")[0]?.text).toBe("add.type d, a, b");
  expect(nearestForms("cvt.f16.s32")[0]?.text).toBe("cvt.rnd{.sat}.type.atype d, a");
});

it("unsupported features are not in any row", () => {
  for (const opcode of [
    "wgmma.fence.sync.aligned",
    "tcgen05.alloc",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32",
    "cvt.rn.satfinite.e2m3x2.f32",
  ]) {
    expect(unsupported(opcode), opcode).toBeDefined();
    expect(matchOpcode(opcode)).toEqual([]);
  }
  expect(unsupported("cp.async.ca.shared.global")).toBeUndefined();
});

const SPECIAL = [...SPECIAL_REGISTERS.keys()].filter((name) => !name.startsWith("reserved_"));

it.each(SPECIAL)("the special register %s can be read", (name) => {
  const { type, vector } = SPECIAL_REGISTERS.get(name)!;
  const text = `.version 9.0\n.target sm_100\n.address_size 64\n.entry k() { .reg .${type} %x; mov.${type} %x, %${name}${vector ? ".z" : ""}; ret; }`;
  expect(checkProgram(text).functions[0]!.instructions[0]!.operands[1]).toEqual({
    kind: "special",
    name,
    component: vector ? 2 : 0,
  });
});

it("reserved shared memory is a variable whose place special registers give", () => {
  const names = ["begin", "0", "1", "end", "cap"].map((name) => `reserved_smem_offset_${name}`);
  const moves = names.map((name, i) => `mov.u32 %r${i}, %${name};`).join(" ");
  const text = `.version 9.0\n.target sm_90\n.address_size 64\n.entry k() { .shared .b8 mine[40]; .reg .b32 %r<6>; ${moves} mov.u32 %r5, mine; ret; }`;
  const { functions, variables } = checkProgram(text);
  const [kernel] = functions;
  const found = kernel!.instructions.slice(0, 5).map(({ operands }) => operands[1]!);
  const offsets = found.map((operand) => (operand.kind === "variable" ? operand.offset : operand));
  expect(offsets).toEqual([0, 0, 512, 1024, { kind: "immediate", bits: 1024n }]);
  expect(kernel!.shared.map(({ variable, offset }) => [variables[variable]!.bytes, offset])).toEqual([
    [40, 0],
    [1024, 48],
  ]);
});
