// Memory that grew for something large is kept while that may happen again, and freed when it does not.
import { expect, it } from "vitest";
import { workplace } from "../src/compile/workplace.js";
import { AstCompiler, AstInterpreter, AstProgram, input } from "../src/index.js";
import { javaScriptKernels } from "../src/interpreter/javascript.js";
import { planOf } from "../src/interpreter/plan.js";
import { webAssemblyKernels } from "../src/interpreter/webassembly.js";
import { Workspace } from "../src/interpreter/workspace.js";
import { Patience, USES } from "../src/patience.js";
import { JOB, neg, SMALL_TABLE } from "./support/small-table.js";

const MEBIBYTE = 2 ** 20;

it("runs out after many small uses in a row", () => {
  const patience = new Patience();
  const small = () => patience.keeps(33 * MEBIBYTE, MEBIBYTE);
  for (let use = 1; use < USES; use++) expect(small()).toBe(true);
  expect(patience.keeps(33 * MEBIBYTE, 3 * MEBIBYTE)).toBe(true);
  for (let use = 1; use < USES; use++) expect(small()).toBe(true);
  expect(small()).toBe(false);
  for (let use = 0; use < 2 * USES; use++) expect(patience.keeps(32 * MEBIBYTE, 0)).toBe(true);
});

it.each([true, false])("of the compiler ends after small programs, WebAssembly: %s", (webAssembly) => {
  const compiler = new AstCompiler(SMALL_TABLE, { webAssembly });
  const [small, large] = [1, 500_000].map((count) =>
    AstProgram.fromWords(
      Uint32Array.from({ length: 2 * count + 2 }, (_, index) =>
        index === 0 ? 1 : index % 2 === 0 ? neg.head : 0,
      ),
    ),
  );
  const size = () => workplace(webAssembly, large!.words.byteLength).arena.size;
  const text = compiler.compile(small!, JOB);
  // Earlier tests in this process may have left more memory than the large program needs.
  for (let use = 0; use < USES; use++) compiler.compile(small!, JOB);
  compiler.compile(large!, JOB);
  const grown = size();
  expect(grown).toBeGreaterThan(32 * MEBIBYTE);
  for (let use = 1; use < USES; use++) expect(compiler.compile(small!, JOB)).toBe(text);
  expect(workplace(webAssembly, large!.words.byteLength).arena.size).toBe(grown);
  for (let use = 0; use < USES; use++) expect(compiler.compile(small!, JOB)).toBe(text);
  expect(size()).toBeLessThan(MEBIBYTE);
});

it.each([
  ["webassembly", () => webAssemblyKernels()!],
  ["javascript", javaScriptKernels],
] as const)("of the interpreter ends after small programs, %s", (backend, makeKernels) => {
  const workspace = new Workspace(makeKernels);
  const small = planOf("{\nmov.f32 %result, %0;\n}", () => {
    throw new Error("expected no instruction");
  });
  const evaluate = () => {
    const [from, to] = [Float32Array.of(1.5), new Float32Array(1)];
    workspace.load(small);
    workspace.fill(0, from, 0, 1);
    workspace.run(1);
    workspace.read(to, 0, 1);
    return to[0];
  };
  workspace.load({ ...small, temporaries: 3_000_000 });
  expect(workspace.kernels.buffer.byteLength).toBeGreaterThan(32 * MEBIBYTE);
  for (let use = 1; use < USES; use++) expect(evaluate()).toBe(1.5);
  expect(workspace.kernels.buffer.byteLength).toBeGreaterThan(32 * MEBIBYTE);
  for (let use = 0; use < USES; use++) expect(evaluate()).toBe(1.5);
  expect(workspace.kernels.buffer.byteLength).toBeLessThan(MEBIBYTE);
  expect(workspace.kernels.backend).toBe(backend);
});

it("of one interpreter does not end another's", () => {
  const [first, second] = [new AstInterpreter(SMALL_TABLE), new AstInterpreter(SMALL_TABLE)];
  const program = AstProgram.of(input(0), neg);
  for (let use = 0; use < 2 * USES; use++) {
    expect(first.evaluate(program, [use])).toBe(-use);
    expect(second.evaluate(program, [use + 1])).toBe(-use - 1);
  }
});
