// Features of AST PTX programs.
import { CODE_FEATURES } from "@mm-ptx/types/code";
import { expect, it } from "vitest";
import { table } from "../../src/generated/f32.js";
import { AstCompiler, AstPtxError, parseExpression, toProgram } from "../../src/index.js";

const compiler = new AstCompiler(table);
const job = { inputs: ["x", "y"], output: "z" };

it("counts the instructions of the stub", () => {
  const { program } = toProgram(parseExpression("sin(x) * y + 2 * x"), table);
  const features = new Float32Array(CODE_FEATURES.length);
  compiler.describeInto(program, job, features);
  const named = Object.fromEntries(CODE_FEATURES.map((name, index) => [name, features[index]!]));
  const lines = compiler
    .compile(program, job)
    .split("\n")
    .filter((line) => line.includes("%ast") && !/\.reg|mov\.f32 %z/.test(line));
  expect(named.instructions).toBe(lines.length);
  expect(named).toMatchObject({ transcendental: 1, outputs: 1, constants: 1 });
});

it("refuses features without room", () => {
  const { program } = toProgram(parseExpression("x"), table);
  expect(() => compiler.describeInto(program, job, new Float32Array(1))).toThrow(AstPtxError);
  expect(() => compiler.describeInto(program, job, new Float32Array(1))).toThrow(
    `expected a Float32Array of at least ${CODE_FEATURES.length} numbers to write to`,
  );
});
