// Codes against stubs: a code computes what the stub leaves in the requested registers, whatever the table, the limits, the
// routines, the names of registers and the order of copies are.
import { CODE_TYPES, CodeBuffer, encodeOperation } from "@mm-ptx/types/code";
import type { StackTable } from "@mm-ptx/types/core";
import { expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { StackCompiler, StackProgram, StackPtxError } from "../../src/index.js";
import { PAIRS, SCALAR, withOperations } from "../support/code-table.js";
import { codeValues, stubValues, Values } from "../support/code-values.js";
import { Random, runSeed } from "../support/random.js";
import { type Job, randomJob, randomSetup, type Setup } from "../support/random-case.js";

/** The words with constants that fit their registers, because stubs write all 32 bits. */
function withNarrowConstants({ stackTypes }: StackTable, words: readonly number[]): number[] {
  return words.map((word, at) => {
    const head = words[at - 1]!;
    if (at % 2 === 0 || head % 65536 !== 2) return word;
    const type = stackTypes[head >>> 16]?.literalPrefix ?? "";
    return type === "pred" ? word & 1 : type.endsWith("16") ? word & 0xffff : word;
  });
}

const programOf = (words: readonly number[]) => StackProgram.fromWords(Uint32Array.from(words));

function compilersOf({ limits, routines, table }: Setup): StackCompiler[] {
  const programs = routines.map((words) => programOf(withNarrowConstants(table, words)));
  return [true, false].flatMap((webAssembly) =>
    (["parallel", "sequential"] as const).map(
      (requestCopies) =>
        new StackCompiler(table, {
          routines: programs,
          requestCopies,
          webAssembly,
          ...(limits && { limits }),
        }),
    ),
  );
}

function outcome<T>(run: () => T): { readonly result: T } | { readonly error: StackPtxError } {
  try {
    return { result: run() };
  } catch (error) {
    if (error instanceof StackPtxError) return { error };
    throw error;
  }
}

const described = ({ code, message, place }: StackPtxError) => ({ code, message, place });

/** The code of each stub of a job. */
type Codes = Map<string, string>;

/** Compares the code of a job with its stub, and with that of equal stubs; returns whether there is one. */
function check(compiler: StackCompiler, setup: Setup, job: Job, out: CodeBuffer, codes: Codes): boolean {
  const { registers, requests, executionLimit } = job;
  const { table } = setup;
  const program = programOf(withNarrowConstants(table, job.program));
  const input = { registers, requests, ...(executionLimit !== undefined && { executionLimit }) };
  const stub = outcome(() => compiler.compile(program, input));
  const { count, end } = out;
  const code = outcome(() => compiler.compileToCode(program, input, out));
  if ("error" in code) {
    expect([out.count, out.end]).toEqual([count, end]);
    if ("error" in stub) {
      expect(described(code.error)).toEqual(described(stub.error));
      return false;
    }
    expect(code.error.code).toBe("UNSUPPORTED_INSTRUCTION");
    checkPlace(code.error, setup, program, stub.result);
    return false;
  }
  if ("error" in stub) throw stub.error;
  expect(out.count).toBe(count + 1);
  const text = out.words.subarray(end).join();
  // A register that is listed twice has several numbers.
  if (new Set(registers.map(({ name }) => name)).size === registers.length) {
    expect(codes.get(stub.result) ?? text).toBe(text);
    codes.set(stub.result, text);
  }
  const names = registers.map(({ name }) => name);
  const values = new Values();
  const after = stubValues(values, stub.result);
  const contents = codeValues(values, out.words.subarray(end), names);
  const typeOf = (register: number) => table.stackTypes[registers[register]!.stackIndex]!.literalPrefix;
  expect(
    contents.outputs.map(({ value, type }) => ({ value, type: CODE_TYPES[type] })),
    stub.result,
  ).toEqual(requests.map((request) => ({ value: after(names[request]!), type: typeOf(request) })));
  expect(new Set(contents.inputs.map(({ index }) => index)).size).toBe(contents.inputs.length);
  for (const { index, type } of contents.inputs) expect(CODE_TYPES[type]).toBe(typeOf(index));
  expect(contents.inputCount).toBe(Math.max(0, ...contents.inputs.map(({ index }) => index + 1)));
  return true;
}

/** An unsupported instruction is in the stub, and the place is one that has it. */
function checkPlace(
  { message, place }: StackPtxError,
  setup: Setup,
  program: StackProgram,
  stub: string,
): void {
  const name = /found `(.*)`/.exec(message)![1]!;
  expect(stub).toContain(name);
  const words = place?.routine === undefined ? program.words : setup.routines[place.routine]!;
  const at = 2 * place!.instruction;
  const { instructions, specialRegisters } = setup.table;
  const isSpecial = words[at]! % 65536 === 4;
  expect(isSpecial ? `%${specialRegisters[words[at + 1]!]!.ptx}` : instructions[words[at + 1]!]!.ptx).toBe(
    name,
  );
}

it("compute what stubs do", { timeout: 900_000 }, () => {
  const seed = runSeed();
  const random = new Random(seed);
  const out = new CodeBuffer();
  const count = smoke(20_000);
  let codes = 0;
  for (let index = 0; index < count; ) {
    const drawn = randomSetup(random);
    const setup = { ...drawn, table: withOperations(random, drawn.table) };
    const { table } = setup;
    const compilers = compilersOf(setup);
    let previous: Job | undefined;
    for (let jobs = random.between(1, 12); jobs > 0; jobs--, index++) {
      const job = randomJob(random, setup, previous);
      previous = job;
      if (random.once(8)) out.clear();
      // A value at the bottom of a stack rarely changes the stub.
      const raised = {
        ...job,
        program: [2 + 65536 * random.below(table.stackTypes.length), 0, ...job.program],
      };
      const known: Codes = new Map();
      for (const compiler of compilers) {
        try {
          if (check(compiler, setup, job, out, known)) codes++;
          check(compiler, setup, raised, out, known);
        } catch (error) {
          throw new Error(`seed ${seed}, case ${index}`, { cause: error });
        }
      }
    }
  }
  expect(codes).toBeGreaterThan(count);
});

it("have the instructions of the test", () => {
  const missing = SCALAR.flatMap((names, index) =>
    names.filter((name) => encodeOperation(name, index + 1) === 0),
  );
  expect([...missing, ...PAIRS.filter((name) => encodeOperation(name, 2) === 0)]).toEqual([]);
});
