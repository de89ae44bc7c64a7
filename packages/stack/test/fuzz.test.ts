// Arbitrary words, on any table and within any limits, give a text or a typed error, the same with and
// without WebAssembly, and never take more memory than the words can fill.
import { expect, it } from "vitest";
import { smoke } from "../../../tests/support/counts.js";
import { register, StackCompiler, StackProgram, StackPtxError } from "../src/index.js";
import { Random, runSeed } from "./support/random.js";
import { randomWords, TAME } from "./support/random-program.js";
import { randomTable } from "./support/random-table.js";

const PROGRAMS_A_COMPILER = 20;
/** The only limit that ends routines which run each other. */
const MOST_FETCHED = 4000;
const MOST_BYTES = 2 ** 28;

const EDGES = [0, 1, 2, 3, 5, 16, 128, 1024, 2 ** 16, 2 ** 24, 2 ** 28] as const;
const TYPES = [0, 1, 1, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0xffff] as const;
const REQUESTS = [-1, 0.5, Number.NaN, 2 ** 31, 2 ** 32, Number.POSITIVE_INFINITY] as const;

/** Words of any kind: in range, nearly in range, of a known type with an arbitrary rest, and arbitrary. */
function anyWords(random: Random, around: Parameters<typeof randomWords>[2], most: number): number[] {
  const count = random.below(most);
  const wildness = random.once(2)
    ? TAME
    : { beyond: random.between(2, 40), senseless: random.between(2, 80) };
  const words = randomWords(random, count, around, wildness);
  const spoilt = random.once(3) ? random.between(1, 4) : Number.POSITIVE_INFINITY;
  for (let at = 0; at < words.length; at += 2) {
    if (!random.once(spoilt)) continue;
    words[at] = random.once(4) ? random.word() : random.pick(TYPES) + 65536 * random.pick([0, 1, 2, 0xffff]);
    if (random.once(2)) words[at + 1] = random.once(2) ? random.word() : random.pick(EDGES) - random.below(2);
  }
  return words.map((word) => word >>> 0);
}

/** Two equal compilers, with WebAssembly and without. */
function anyCompilers(random: Random) {
  const table = randomTable(random);
  const limit = (usual: number): number => (random.once(2) ? usual : random.pick(EDGES));
  const limits = {
    maxAstSize: limit(2 ** 24),
    maxVisitDepth: limit(2 ** 24),
    stackSize: limit(128),
    maxFrameDepth: limit(4),
    storeSize: limit(16),
  };
  const registers = random.list(random.below(6), (index) =>
    register(
      random.once(9) ? "n".repeat(random.between(8, 40)) : `r${index}`,
      random.below(table.stackTypes.length + 1),
    ),
  );
  const routineCount = random.below(4);
  const around = { table, registers, routineCount, storeSize: limits.storeSize };
  const routines = random.list(routineCount, () =>
    StackProgram.fromWords(Uint32Array.from(anyWords(random, around, 12))),
  );
  const make = (webAssembly: boolean) => new StackCompiler(table, { limits, routines, webAssembly });
  return { around, compilers: [make(true), make(false)] as const };
}

function outcome(compile: () => string): string {
  try {
    return compile();
  } catch (error) {
    if (error instanceof StackPtxError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

it("compiles any words or says what is wrong with them", { timeout: 900_000 }, () => {
  const seed = runSeed();
  const random = new Random(seed);
  const count = smoke(200_000);
  const codes = new Map<string, number>();
  let texts = 0;
  let setup = anyCompilers(random);
  for (let index = 0; index < count; index++) {
    if (index % PROGRAMS_A_COMPILER === 0) setup = anyCompilers(random);
    const { around, compilers } = setup;
    const words = anyWords(random, around, random.once(50) ? 2000 : 60);
    const program = StackProgram.fromWords(Uint32Array.from(words));
    const requests = random.list(random.below(5), () =>
      random.once(40)
        ? random.pick(REQUESTS)
        : random.below(around.registers.length + (random.once(20) ? 2 : 0)),
    );
    const executionLimit = random.once(4) ? random.below(80) + 0.5 * random.below(2) : MOST_FETCHED;
    const job = { registers: around.registers, requests, executionLimit };
    const [first, second] = compilers.map((compiler) => {
      try {
        return outcome(() => compiler.compile(program, job));
      } catch (error) {
        throw new Error(`seed ${seed}, case ${index} (repeat with MM_PTX_SEED=${seed}): ${String(error)}`);
      }
    });
    if (first !== second) {
      expect(first, `seed ${seed}, case ${index} (repeat with MM_PTX_SEED=${seed})`).toBe(second);
    }
    const code = /^[A-Z_]+(?=: )/.exec(first!)?.[0];
    if (code === undefined) texts++;
    else codes.set(code, (codes.get(code) ?? 0) + 1);
  }
  // The cases mean something only if there are enough of either kind.
  expect(texts).toBeGreaterThan(count / 10);
  expect(codes.size).toBeGreaterThan(10);
});

it("takes no memory for limits that are not used", () => {
  const random = new Random(1);
  const table = randomTable(random);
  const most = 2 ** 28;
  const limits = {
    maxAstSize: most,
    maxVisitDepth: most,
    stackSize: most,
    maxFrameDepth: most,
    storeSize: most,
  };
  // A routine that runs itself twice, and never returns by itself.
  const routines = [StackProgram.fromWords(Uint32Array.of(2, 1, 7, 0, 7, 0))];
  const far = Array.from({ length: 50 }, (_, index) => [
    2,
    index,
    11,
    most - 1 - 1000 * index,
    12,
    most - 1 - 1000 * index,
  ]);
  const program = StackProgram.fromWords(Uint32Array.from([...far.flat(), 7, 0]));
  const job = { registers: [register("x", 0)], requests: [0], executionLimit: 100_000 };
  const bytes = (): number => process.memoryUsage().arrayBuffers + process.memoryUsage().external;
  for (const webAssembly of [true, false]) {
    const before = bytes();
    const compiler = new StackCompiler(table, { limits, routines, webAssembly });
    expect(compiler.compile(program, job)).toContain("mov.");
    expect(bytes() - before).toBeLessThan(MOST_BYTES);
  }
});
