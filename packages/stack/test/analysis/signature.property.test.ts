// Signatures against stubs: equal if and only if the texts are. Programs that differ little, or only where it
// does not matter, come from mutations, from renamed registers and permuted tables, and from programs so
// short that they repeat.
import type { StackTable } from "@mm-ptx/types/core";
import { expect, it } from "vitest";
import { rare, smoke } from "../../../../tests/support/counts.js";
import { type StackCompileJob, StackCompiler, StackProgram, StackPtxError } from "../../src/index.js";
import { Random, runSeed } from "../support/random.js";
import { type Job, randomJob, randomSetup, type Setup } from "../support/random-case.js";
import { randomWords, TAME } from "../support/random-program.js";

/** Signatures by stub and stubs by signature, of all programs so far. */
class Seen {
  readonly #signatures = new Map<string, string>();
  readonly #stubs = new Map<string, string>();
  /** Programs whose stub had occurred before. */
  repeated = 0;

  add(stub: string, signature: string, where: string): void {
    const known = this.#signatures.get(stub);
    const text = this.#stubs.get(signature);
    if (known !== undefined) this.repeated++;
    if ((known ?? signature) !== signature) {
      throw new Error(`${where}: the signatures ${known} and ${signature} for\n${stub}`);
    }
    if ((text ?? stub) !== stub)
      throw new Error(`${where}: signature ${signature} for\n${text}\nand\n${stub}`);
    this.#signatures.set(stub, signature);
    this.#stubs.set(signature, stub);
  }

  get size(): number {
    return this.#stubs.size;
  }
}

const programOf = (words: readonly number[]) => StackProgram.fromWords(Uint32Array.from(words));

function compilersOf(setup: Setup): StackCompiler[] {
  const { table, limits } = setup;
  const routines = setup.routines.map(programOf);
  return [true, false].flatMap((webAssembly) =>
    (["parallel", "sequential"] as const).map(
      (requestCopies) =>
        new StackCompiler(table, { routines, requestCopies, webAssembly, ...(limits && { limits }) }),
    ),
  );
}

function jobOf({ registers, requests, executionLimit }: Job): StackCompileJob {
  return { registers, requests, ...(executionLimit !== undefined && { executionLimit }) };
}

function outcome(run: () => string): { readonly text: string } | { readonly code: string } {
  try {
    return { text: run() };
  } catch (error) {
    if (error instanceof StackPtxError) return { code: error.code };
    throw error;
  }
}

/** Compares one program's signature with its stub; returns whether there is a stub. */
function check(
  seen: Seen,
  compiler: StackCompiler,
  words: readonly number[],
  job: Job,
  where: string,
): boolean {
  const program = programOf(words);
  const stub = outcome(() => compiler.compile(program, jobOf(job)));
  const signature = outcome(() => compiler.signature(program, jobOf(job)));
  if ("text" in stub && "text" in signature) {
    expect(signature.text, where).toMatch(/^[0-9a-f]{32}$/);
    seen.add(stub.text, signature.text, where);
    return true;
  }
  // Only printing needs a visit stack.
  const walks = "code" in stub && stub.code === "INSUFFICIENT_AST_VISIT_SIZE";
  if (!walks) expect(signature, where).toEqual(stub);
  return false;
}

it("are equal exactly if stubs are, with random tables, limits, programs and mutations", {
  timeout: 900_000,
}, () => {
  const seed = runSeed();
  const random = new Random(seed);
  const seen = new Seen();
  let stubs = 0;
  const count = smoke(60_000);
  for (let index = 0; index < count; ) {
    const setup = randomSetup(random);
    const compilers = compilersOf(setup);
    let previous: Job | undefined;
    for (let jobs = random.between(1, 12); jobs > 0; jobs--) {
      const job = randomJob(random, setup, previous);
      previous = job;
      let words = [...job.program];
      for (let mutations = random.between(0, 6); mutations >= 0; mutations--, index++) {
        const where = `seed ${seed}, case ${index}`;
        for (const compiler of compilers) if (check(seen, compiler, words, job, where)) stubs++;
        words = mutated(random, words);
      }
    }
  }
  expect(stubs).toBeGreaterThan(count);
  expect(seen.repeated).toBeGreaterThan(count);
  expect(seen.size).toBeGreaterThan(count / 4);
});

/** Words with one instruction removed, moved, repeated or changed. */
function mutated(random: Random, words: readonly number[]): number[] {
  const result = [...words];
  const count = words.length / 2;
  if (count === 0) return result;
  const [from, to] = [2 * random.below(count), 2 * random.below(count)];
  switch (random.below(4)) {
    case 0:
      result.splice(from, 2);
      break;
    case 1:
      result.splice(to, 0, ...result.splice(from, 2));
      break;
    case 2:
      result.splice(to, 0, words[from]!, words[from + 1]!);
      break;
    default:
      result[from + 1] = (result[from + 1]! ^ (1 << random.below(32))) >>> 0;
  }
  return result;
}

it("are equal exactly if stubs are, among all short programs", { timeout: 900_000 }, () => {
  const seed = runSeed();
  const random = new Random(seed);
  const seen = new Seen();
  const registers = [
    { name: "a", stackIndex: 0 },
    { name: "b", stackIndex: 0 },
    { name: "tid.x", stackIndex: 1 },
    { name: "a", stackIndex: 1 },
  ];
  const compilers = compilersOf({ table: MOVING, routines: [], limits: undefined });
  const around = { table: MOVING, registers, routineCount: 0, storeSize: 2 };
  const count = rare(400_000);
  for (let index = 0; index < count; index++) {
    const program = randomWords(random, random.below(6), around, TAME).map((word, at, words) =>
      at % 2 === 1 && words[at - 1]! % 65536 === 2 ? word % 3 : word,
    );
    const requests = random.list(random.below(4), () => random.below(4));
    const job = { program, registers, requests, executionLimit: undefined };
    check(seen, random.pick(compilers), program, job, `seed ${seed}, case ${index}`);
  }
  expect(seen.repeated).toBeGreaterThan(count / 4);
});

/** Instructions that print like moves of special registers, and like those that save a register. */
const MOVING: StackTable = {
  kind: "stack",
  fingerprint: "",
  bases: [],
  stackTypes: [
    { name: "F32", literalPrefix: "f32" },
    { name: "U32", literalPrefix: "u32" },
    { name: "SAME", literalPrefix: "u32" },
  ],
  argTypes: [
    { name: "F32", stackIndex: 0, vectorElements: 0 },
    { name: "U32", stackIndex: 1, vectorElements: 0 },
    { name: "V1", stackIndex: 1, vectorElements: 1 },
    { name: "SAME", stackIndex: 2, vectorElements: 0 },
  ],
  instructions: [
    { ptx: "mov.f32", name: "mov", args: [0], results: [0], aligned: false },
    { ptx: "mov.u32", name: "move", args: [1], results: [1], aligned: false },
    { ptx: "mov.u32", name: "vector", args: [2], results: [1], aligned: false },
    { ptx: "mov.u32", name: "other", args: [3], results: [3], aligned: false },
    { ptx: "add.f32", name: "add", args: [0, 0], results: [0], aligned: false },
    { ptx: "add.f32", name: "again", args: [0, 0], results: [0], aligned: false },
    { ptx: "two", name: "two", args: [0], results: [0, 0], aligned: false },
  ],
  specialRegisters: [
    { ptx: "tid.x", name: "scalar", argType: 1 },
    { ptx: "tid", name: "vector", argType: 2 },
  ],
};

it("depend on names and texts, not indices", () => {
  const seed = runSeed();
  const random = new Random(seed);
  for (let index = 0; index < rare(3_000); index++) {
    const setup = { ...randomSetup(random), routines: [] };
    const job = randomJob(random, setup, undefined);
    const where = `seed ${seed}, case ${index}`;
    const compilers = compilersOf(setup);
    const signatures = (
      of: readonly StackCompiler[],
      words: readonly number[],
      { registers, requests }: Job,
    ) =>
      of.map((compiler) =>
        outcome(() => compiler.signature(programOf(words), jobOf({ ...job, registers, requests }))),
      );
    const before = signatures(compilers, job.program, job);
    const instructions = shuffled(random, setup.table.instructions);
    const registers = shuffled(random, job.registers);
    const moved = new Map(job.registers.map((register, at) => [at, registers.indexOf(register)]));
    const words = job.program.map((word, at) => {
      const type = job.program[at - 1]! % 65536;
      if (at % 2 === 0) return word;
      if (type === 1 && word < instructions.length)
        return instructions.indexOf(setup.table.instructions[word]!);
      return type === 3 ? (moved.get(word) ?? word) : word;
    });
    const requests = job.requests.map((request) => moved.get(request) ?? request);
    const permuted = compilersOf({ ...setup, table: { ...setup.table, instructions } });
    expect(signatures(permuted, words, { ...job, registers, requests }), where).toEqual(before);
    if (job.registers.length === 0) continue;

    const renamed = job.registers.map(({ name, stackIndex }) => ({ name: `${name}_`, stackIndex }));
    const after = signatures(compilers, job.program, { ...job, registers: renamed });
    const printsNames = outcome(() => compilers[0]!.compile(programOf(job.program), jobOf(job)));
    if ("text" in printsNames && job.registers.some(({ name }) => printsNames.text.includes(`%${name}`))) {
      expect(after[0], where).not.toEqual(before[0]);
    }
  }
});

it("never collide for stubs that differ by construction, and use all their bits", {
  timeout: 900_000,
}, () => {
  const compiler = new StackCompiler(MOVING);
  const job = { registers: [{ name: "a", stackIndex: 0 }], requests: [0] };
  const count = rare(1_000_000);
  const signatures = new Set<string>();
  const ones = new Uint32Array(128);
  const hash = new Uint32Array(4);
  // Encodes a number as the bits of a constant, and as the shape of a computation.
  const [neg, push, dup, add] = [
    [1, 0],
    [3, 0],
    [5, 0],
    [1, 4],
  ] as const;
  for (let number = 0; number < count / 2; number++) {
    const digits = [...number.toString(2)].map((digit) => (digit === "1" ? neg : [...dup, ...add]));
    for (const words of [
      [2, number, ...neg],
      [...push, ...digits.flat()],
    ]) {
      const program = programOf(words);
      signatures.add(compiler.signature(program, job));
      compiler.signatureInto(program, job, hash);
      for (let bit = 0; bit < 128; bit++) ones[bit]! += (hash[bit >> 5]! >>> (bit & 31)) & 1;
    }
  }
  expect(signatures.size).toBe(2 * Math.ceil(count / 2));
  // Six standard deviations of that many coin flips.
  const far = 3 * Math.sqrt(count);
  expect([...ones].filter((times) => Math.abs(times - count / 2) > far)).toEqual([]);
});

function shuffled<T>(random: Random, list: readonly T[]): T[] {
  const rest = [...list];
  return list.map(() => rest.splice(random.below(rest.length), 1)[0]!);
}
