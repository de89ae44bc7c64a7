// Copies to requested registers: whatever registers they read and write, each register ends with the value
// that was requested for it.
import type { StackTable } from "@mm-ptx/types/core";
import { describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import {
  constantBits,
  input,
  ptxInstruction,
  register,
  StackCompiler,
  StackProgram,
} from "../../src/index.js";
import { isHazardous, type Move, movesOf, runAtOnce, runInOrder } from "../support/copies.js";
import { Random, runSeed } from "../support/random.js";

const table: StackTable = {
  kind: "stack",
  fingerprint: "",
  bases: [],
  stackTypes: [
    { name: "U32", literalPrefix: "u32" },
    { name: "S32", literalPrefix: "s32" },
  ],
  argTypes: [{ name: "U32", stackIndex: 0, vectorElements: 0 }],
  instructions: [{ ptx: "not.b32", name: "not", args: [0], results: [0], aligned: false }],
  specialRegisters: [],
};
const parallel = new StackCompiler(table);
const sequential = new StackCompiler(table, { requestCopies: "sequential" });

/**
 * The stub for moves from one register to another, or from `"~a"` for a computed value and `"#1"` for a
 * constant.
 */
function stub(compiler: StackCompiler, moves: readonly Move[], stackOf = (_name: string) => 0): string {
  const names = [...new Set(moves.flatMap(({ target, source }) => [target, source.replace(/^[~#].*/, "")]))];
  const registers = names.filter((name) => name !== "").map((name) => register(name, stackOf(name)));
  const indexOf = (name: string) => registers.findIndex((each) => each.name === name);
  // The first request gets the top of the stack.
  const instructions = [...moves].reverse().flatMap(({ target, source }) => {
    if (source.startsWith("~")) return [constantBits(0, Number(source.slice(1))), ptxInstruction(0)];
    if (source.startsWith("#")) return [constantBits(stackOf(target), Number(source.slice(1)))];
    return [input(indexOf(source))];
  });
  const requests = moves.map(({ target }) => indexOf(target));
  return compiler.compile(StackProgram.of(...instructions), { registers, requests });
}

/** The moves of a text such as `"a<b b<a"`. */
function moves(text: string): Move[] {
  return text.split(" ").map((move) => {
    const [target, source] = move.split("<") as [string, string];
    return { target, source };
  });
}

describe("copies of known shape", () => {
  it("saves the register of a swap once", () => {
    expect(stub(parallel, moves("a<b b<a"))).toBe(
      "\t{\n\t.reg .u32 %_s0_<1>;\n\tmov.u32 %_s0_0, %a;\n\tmov.u32 %a, %b;\n\tmov.u32 %b, %_s0_0;\n\t}",
    );
    expect(stub(sequential, moves("a<b b<a"))).toBe("\t{\n\tmov.u32 %a, %b;\n\tmov.u32 %b, %a;\n\t}");
  });

  it("saves a register that two later copies read once", () => {
    expect(stub(parallel, moves("a<#1 b<a c<a"))).toBe(
      "\t{\n\t.reg .u32 %_s0_<1>;\n\tmov.u32 %_s0_0, %a;\n\tmov.u32 %a, 0x00000001U;\n\tmov.u32 %b, %_s0_0;\n\tmov.u32 %c, %_s0_0;\n\t}",
    );
  });

  it("numbers the fresh register after those of the instructions", () => {
    expect(stub(parallel, moves("a<~7 b<a"))).toBe(
      "\t{\n\t.reg .u32 %_s0_<2>;\n\tnot.b32 %_s0_0, 0x00000007U;\n\tmov.u32 %_s0_1, %a;\n\tmov.u32 %a, %_s0_0;\n\tmov.u32 %b, %_s0_1;\n\t}",
    );
  });

  it.each([
    ["two registers", "a<b c<d"],
    ["a chain that reads before it writes", "a<b b<c c<d"],
    ["self-copies", "a<a b<a a<a"],
    ["a self-copy of a register that was overwritten", "a<b a<a"],
    ["one register twice", "a<b a<c"],
  ])("leaves %s as in the reference", (_, text) => {
    expect(isHazardous(moves(text))).toBe(false);
    expect(stub(parallel, moves(text))).toBe(stub(sequential, moves(text)));
  });

  it.each([
    ["a cycle of three", "a<b b<c c<a"],
    ["a chain that writes before it reads", "b<a c<b d<c"],
    ["two swaps", "a<b b<a c<d d<c"],
    ["a swap of a register that is requested twice", "a<b b<a a<c d<b"],
  ])("keeps the values of %s", (_, text) => {
    expect(isHazardous(moves(text))).toBe(true);
    const found = runInOrder(movesOf(stub(parallel, moves(text))));
    for (const [name, value] of runAtOnce(moves(text)))
      expect([name, found.get(name)]).toEqual([name, value]);
  });

  it("saves a name that is on two stacks once for each", () => {
    const registers = [
      register("x", 0),
      register("x", 1),
      register("a", 0),
      register("b", 0),
      register("c", 1),
    ];
    const program = StackProgram.of(input(0), input(2), input(1));
    expect(parallel.compile(program, { registers, requests: [0, 3, 4] })).toBe(
      [
        "\t{",
        "\t.reg .u32 %_s0_<1>;",
        "\t.reg .s32 %_s1_<1>;",
        "\tmov.u32 %_s0_0, %x;",
        "\tmov.s32 %_s1_0, %x;",
        "\tmov.u32 %x, %a;",
        "\tmov.u32 %b, %_s0_0;",
        "\tmov.s32 %c, %_s1_0;",
        "\t}",
      ].join("\n"),
    );
  });
});

describe("copies of any shape", () => {
  it("keep their meaning, and the reference's text if nothing is hazardous", () => {
    const seed = runSeed();
    const random = new Random(seed);
    let hazards = 0;
    const count = smoke(50_000);
    for (let index = 0; index < count; index++) {
      const names = ["a", "b", "c", "d", "a_register_with_a_long_name", "e"].slice(0, random.between(2, 6));
      const stacks = new Map(names.map((name) => [name, random.once(5) ? 1 : 0]));
      const wanted = random.list(random.between(1, 8), (): Move => {
        const target = random.pick(names);
        const stack = stacks.get(target)!;
        if (random.once(8)) return { target, source: `#${random.below(9)}` };
        if (stack === 0 && random.once(8)) return { target, source: `~${random.below(9)}` };
        return { target, source: random.pick(names.filter((name) => stacks.get(name) === stack)) };
      });
      const where = `seed ${seed}, case ${index}: ${wanted.map(({ target, source }) => `${target}<${source}`).join(" ")}`;
      const text = stub(parallel, wanted, (name) => stacks.get(name)!);
      const plain = stub(sequential, wanted, (name) => stacks.get(name)!);
      if (!isHazardous(wanted)) {
        expect(text, where).toBe(plain);
        continue;
      }
      hazards++;
      expect(text, where).not.toBe(plain);
      // The sequential text has one line for each request, so it shows the operand of each.
      const intended = runAtOnce(movesOf(plain));
      const found = runInOrder(movesOf(text));
      for (const [name, value] of intended) expect(found.get(name), `${where}: ${name}`).toBe(value);
      // Only the requested and fresh registers are written.
      for (const name of found.keys()) {
        expect(intended.has(name) || /^_s\d+_\d+$/.test(name) || found.get(name) === name, where).toBe(true);
      }
    }
    expect(hazards).toBeGreaterThan(count / 10);
  });
});
