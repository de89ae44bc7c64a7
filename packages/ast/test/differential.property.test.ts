// The compiler against the plain reference on random tables, limits, routines and programs: equal text, or
// the same error at the same instruction, through both loops and both ways to compile.
import fc from "fast-check";
import { expect, it } from "vitest";
import { smoke } from "../../../tests/support/counts.js";
import { AstCompiler, AstProgram, AstPtxError } from "../src/index.js";
import { type Outcome, referenceCompile } from "./support/plain-compiler.js";
import { caseOf, type RandomCase } from "./support/random-case.js";

const MARK = 0xa5;
const buffer = new Uint8Array(1 << 20);
const decoder = new TextDecoder();

/** A compiler with the program and the job of its case. */
interface Subject {
  readonly compiler: AstCompiler;
  readonly program: AstProgram;
  readonly job: { readonly inputs: readonly string[]; readonly output: string };
}

function subjectOf(each: RandomCase, webAssembly: boolean): Subject {
  const instructions = each.instructions.map(({ ptx, args }, index) => ({ ptx, args, name: `${index}` }));
  const table = { kind: "ast", fingerprint: "", bases: [], instructions } as const;
  const programOf = (words: readonly number[]) => AstProgram.fromWords(Uint32Array.from(words));
  const compiler = new AstCompiler(table, {
    routines: each.routines.map(programOf),
    webAssembly,
    ...(each.given === undefined ? {} : { limits: each.given }),
  });
  return { compiler, program: programOf(each.program), job: { inputs: each.inputs, output: each.output } };
}

function asText({ compiler, program, job }: Subject): string {
  return compiler.compile(program, job);
}

function asBytes({ compiler, program, job }: Subject): string {
  const length = compiler.compileInto(program, job, buffer.fill(MARK, 0, 4096));
  expect(buffer[length] === MARK || length >= 4096).toBe(true);
  return decoder.decode(buffer.subarray(0, length));
}

function attempt(compile: () => string): Outcome {
  try {
    return { text: compile() };
  } catch (error) {
    if (!(error instanceof AstPtxError) || error.place === undefined) throw error;
    return { code: error.code, routine: error.place.routine ?? -1, instruction: error.place.instruction };
  }
}

it("agrees with the plain reference", { timeout: 900_000 }, () => {
  const numbers = fc.array(fc.nat({ max: 0xffffffff }), { maxLength: 300, size: "max" });
  const seen = new Map<string, number>();
  // The compilers of the previous case compile again in between, because all compilers share their memory.
  let previous: readonly Subject[] = [];
  let expectedBefore: Outcome | undefined;
  fc.assert(
    fc.property(numbers, (list) => {
      const each = caseOf(list);
      const expected = referenceCompile(each);
      const kind = "text" in expected ? "text" : expected.code;
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
      const subjects = [true, false].map((webAssembly) => subjectOf(each, webAssembly));
      subjects.forEach((subject, index) => {
        expect(attempt(() => asText(subject))).toEqual(expected);
        const before = previous[index];
        if (before !== undefined) expect(attempt(() => asBytes(before))).toEqual(expectedBefore);
        expect(attempt(() => asBytes(subject))).toEqual(expected);
      });
      previous = subjects;
      expectedBefore = expected;
    }),
    { numRuns: smoke(200_000) },
  );
  // The cases mean something only if there are enough of each kind.
  expect(seen.get("text")).toBeGreaterThan(smoke(200_000) / 4);
  expect(seen.size).toBe(12);
});
