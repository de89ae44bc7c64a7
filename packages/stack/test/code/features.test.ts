// Features of programs against their stubs.
import { CODE_FEATURES } from "@mm-ptx/types/code";
import { expect, it } from "vitest";
import { ptx, table } from "../../src/generated/default/index.js";
import { input, register, StackCompiler, StackProgram, type StackPtxError } from "../../src/index.js";
import { ProgramSampler, Random } from "../../src/random/index.js";

const registers = [register("x", 0), register("y", 0), register("z", 0)];
const job = { registers, requests: [2] };
const compiler = new StackCompiler(table);

function featuresOf(program: StackProgram): Record<string, number> {
  const features = new Float32Array(CODE_FEATURES.length);
  compiler.describeInto(program, job, features);
  return Object.fromEntries(CODE_FEATURES.map((name, index) => [name, features[index]!]));
}

it("counts the instructions of the stub, and registers that it needs", () => {
  const sampler = new ProgramSampler(table, {
    ...{ registers, inputs: [0, 1], stacks: { F32: 1 }, length: { min: 2, max: 60 } },
  });
  const random = new Random(5);
  for (let count = 0; count < 300; count++) {
    const program = sampler.program(random);
    const lines = compiler.compile(program, job).split("\n").slice(1, -1);
    const computing = lines.filter((line) => !line.includes(".reg") && !/^\tmov\.f32 %z,/.test(line));
    const { instructions, registers: needed, outputs } = featuresOf(program);
    expect(instructions).toBe(computing.length);
    expect(needed).toBeLessThanOrEqual(computing.length + 3);
    expect(outputs).toBe(1);
  }
});

it("does not count what the stub does not contain", () => {
  const program = StackProgram.of(input(0), ptx.sinApproxF32, input(1), ptx.negF32);
  expect(featuresOf(program)).toMatchObject({ instructions: 1, sign: 1, transcendental: 0, inputs: 1 });
});

it("refuses features without room, and writes nothing for a program that has no code", () => {
  const program = StackProgram.of(input(0));
  const code = (run: () => void) => {
    try {
      run();
    } catch (error) {
      return (error as StackPtxError).code;
    }
    return undefined;
  };
  const short = new Float32Array(CODE_FEATURES.length - 1);
  expect(code(() => compiler.describeInto(program, job, short))).toBe("INVALID_ARGUMENT");
  expect(code(() => compiler.describeInto(program, job, [] as never))).toBe("INVALID_ARGUMENT");
  const features = new Float32Array(CODE_FEATURES.length).fill(9);
  expect(code(() => compiler.describeInto(program, { ...job, requests: [7] }, features))).toBeDefined();
  expect(features.every((value) => value === 9)).toBe(true);
});
