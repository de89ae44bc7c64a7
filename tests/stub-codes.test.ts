// The stubs of random programs, read back as straight-line code, compute what the compilers' own codes do.

import { expect, it } from "vitest";
import { ptx as astPtx, table as astTable } from "../packages/ast/dist/generated/f32.js";
import { AstCompiler, AstProgram, constantBits, input } from "../packages/ast/dist/index.js";
import { parseStub } from "../packages/columns/dist/stub/index.js";
import { table } from "../packages/stack/dist/generated/default/index.js";
import { register, StackCompiler } from "../packages/stack/dist/index.js";
import { ProgramSampler, Random as SamplerRandom } from "../packages/stack/dist/random/index.js";
import { codeValues, Values } from "../packages/stack/test/support/code-values.js";
import { Random, runSeed } from "../packages/stack/test/support/random.js";
import { CodeBuffer, codeType, encodeOperation } from "../packages/types/dist/code/index.js";
import type { SiteOperand } from "../packages/types/dist/core/index.js";
import { smoke } from "./support/counts.js";

const operand = (name: string, direction: SiteOperand["direction"], registerType: string): SiteOperand => ({
  ...{ name, direction, register: name, registerType, type: registerType },
});

/** What two codes compute must be equal; returns the number of items of the first. */
function compare(ours: CodeBuffer, read: CodeBuffer, names: readonly string[], where: string): number {
  const values = new Values();
  const { outputs } = codeValues(values, ours.words, names);
  expect(codeValues(values, read.words, names).outputs, where).toEqual(outputs);
  return ours.words[1]!;
}

it("of Stack PTX programs on a few stacks of the default table", () => {
  const seed = runSeed();
  const random = new Random(seed);
  const draws = new SamplerRandom(seed);
  const compiler = new StackCompiler(table);
  const ours = new CodeBuffer();
  const read = new CodeBuffer();
  const count = smoke(20_000);
  let items = 0;
  for (let index = 0; index < count; ) {
    const names = ["F32", "U32", "S32", "PRED"];
    for (let more = random.below(4); more > 0; more--) names.push(random.pick(table.stackTypes).name);
    const stacks = [...new Set(names)];
    const registers = stacks.flatMap((stack) =>
      ["a", "b"].map((name) =>
        register(
          `${name}_${stack}`,
          table.stackTypes.findIndex((type) => type.name === stack),
        ),
      ),
    );
    const operands = registers.map(({ name, stackIndex }) =>
      operand(name, "mod", table.stackTypes[stackIndex]!.literalPrefix),
    );
    const requests = registers.map((_, request) => request);
    const sampler = new ProgramSampler(table, {
      registers,
      stacks: Object.fromEntries(stacks.map((stack) => [stack, 1])),
      instructions: ({ args, ptx, results }) => {
        const isScalar = [...args, ...results].every((type) => table.argTypes[type]!.vectorElements === 0);
        return Number(
          isScalar && encodeOperation(ptx, args.length) !== 0 && !(results.length > 1 && ptx.endsWith("x2")),
        );
      },
      length: { min: 4, max: 120 },
      // Conversions of bytes have constants of eight bits in the text.
      constants: { s32: () => random.below(128), u32: () => random.below(128) },
    });
    for (let programs = 20; programs > 0; programs--, index++) {
      const program = sampler.program(draws);
      ours.clear();
      read.clear();
      const stub = compiler.compile(program, { registers, requests });
      compiler.compileToCode(program, { registers, requests }, ours);
      parseStub(stub, operands, read);
      const where = `seed ${seed}, case ${index}:\n${stub}`;
      items += compare(
        ours,
        read,
        registers.map(({ name }) => name),
        where,
      );
    }
  }
  // The test means something only if programs compute something.
  expect(items / count).toBeGreaterThan(10);
});

it("of AST PTX programs", () => {
  const seed = runSeed();
  const random = new Random(seed);
  const inputs = ["x", "y", "z"];
  const operands = [...inputs.map((name) => operand(name, "in", "f32")), operand("d", "out", "f32")];
  const compiler = new AstCompiler(astTable);
  const ours = new CodeBuffer();
  const read = new CodeBuffer();
  const instructions = Object.values(astPtx);
  for (let index = 0; index < smoke(20_000); index++) {
    const program: ReturnType<typeof input>[] = [];
    for (let depth = 0, left = random.below(40); left > 0 || depth !== 1; left--) {
      const fitting = instructions.filter(({ head }) => head >>> 16 <= depth);
      const isLeaf = depth === 0 || (left > 0 && random.once(2));
      const next = isLeaf
        ? random.once(3)
          ? constantBits(random.word())
          : input(random.below(inputs.length))
        : random.pick(left > 0 ? fitting : fitting.filter(({ head }) => head >>> 16 > 1));
      program.push(next);
      depth += isLeaf ? 1 : 1 - (next.head >>> 16);
    }
    ours.clear();
    read.clear();
    const stub = compiler.compile(AstProgram.of(...program), { inputs, output: "d" });
    compiler.compileToCode(AstProgram.of(...program), { inputs, output: "d" }, ours);
    parseStub(stub, operands, read);
    compare(ours, read, inputs, `seed ${seed}, case ${index}:\n${stub}`);
    expect(ours.words.at(-1)! >>> 24).toBe(codeType("f32"));
  }
});
