// Memory that grew for something large is kept while that may happen again, and freed when it does not.
import { Patience, PATIENT_USES as USES } from "@mm-ptx/types/internal";
import { expect, it } from "vitest";
import { workplace } from "../src/compile/workplace.js";
import { AstCompiler, AstInterpreter, AstProgram, input } from "../src/index.js";
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

it("of one interpreter does not end another's", () => {
  const [first, second] = [new AstInterpreter(SMALL_TABLE), new AstInterpreter(SMALL_TABLE)];
  const program = AstProgram.of(input(0), neg);
  for (let use = 0; use < 2 * USES; use++) {
    expect(first.evaluate(program, [use])).toBe(-use);
    expect(second.evaluate(program, [use + 1])).toBe(-use - 1);
  }
});
