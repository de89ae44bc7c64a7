// Random compiles: compilers of random tables, limits and routines, and jobs for them.

import type { Random } from "./random.js";
import { chainWords, randomWords, TAME, type Wildness } from "./random-program.js";
import { randomTable } from "./random-table.js";
import { type Limits, REFERENCE_LIMITS, type ReferenceCase, type Register } from "./reference.js";

/** The arguments of a compiler. `limits` as the caller passes them: complete, `"reference"`, or none. */
export interface Setup extends Pick<ReferenceCase, "table" | "routines"> {
  readonly limits: Limits | "reference" | undefined;
}

/** The arguments of one compile. `executionLimit` may be left to the default. */
export interface Job extends Pick<ReferenceCase, "program" | "registers" | "requests"> {
  readonly executionLimit: number | undefined;
}

/** Routines may run each other very often; with a higher limit the plain reference takes too long. */
const MOST_FETCHED = 4000;
const LONG_NAMES = ["sixteen_chars_xy", "a_register_of_the_kernel", `${"name".repeat(11)}_end`] as const;

export const DEFAULT_LIMITS: Limits = { ...REFERENCE_LIMITS, maxAstSize: 2 ** 24, maxVisitDepth: 2 ** 24 };

export function effectiveLimits({ limits }: Setup): Limits {
  return limits === "reference" ? REFERENCE_LIMITS : (limits ?? DEFAULT_LIMITS);
}

export function randomSetup(random: Random): Setup {
  const table = randomTable(random);
  const limits = randomLimits(random);
  const routineCount = random.once(2) ? 0 : random.between(1, 4);
  const around = {
    table,
    // The registers of jobs are not known here, but most jobs have one.
    registers: [{ name: "_x0", stackIndex: 0 }],
    routineCount,
    storeSize: effectiveLimits({ table, limits, routines: [] }).storeSize,
  };
  const wildness = random.once(4) ? { beyond: 60, senseless: 200 } : TAME;
  const routines = random.list(routineCount, () => randomWords(random, random.below(20), around, wildness));
  return { table, limits, routines };
}

function randomLimits(random: Random): Setup["limits"] {
  if (random.once(3)) return undefined;
  if (random.once(3)) return "reference";
  const small = (most: number, usual: number) => (random.once(2) ? usual : random.below(most));
  return {
    maxAstSize: small(300, 65536),
    maxVisitDepth: small(60, 1024),
    stackSize: random.once(6) ? random.between(129, 3000) : small(24, 128),
    maxFrameDepth: random.once(40) ? 0 : random.between(1, 6),
    storeSize: small(5, 16),
  };
}

function randomRegisters(random: Random, stackCount: number): Register[] {
  const used: string[] = [];
  const count = random.once(60) ? 0 : random.once(30) ? random.between(10, 80) : random.between(1, 9);
  return random.list(count, (index) => {
    const name =
      used.length > 0 && random.once(5)
        ? random.pick(used)
        : random.once(8)
          ? `${random.pick(LONG_NAMES)}${random.below(3)}`
          : `_x${index}`;
    used.push(name);
    return { name, stackIndex: random.once(300) ? stackCount : random.below(stackCount) };
  });
}

export function randomJob(random: Random, setup: Setup, previous: Job | undefined): Job {
  const limits = effectiveLimits(setup);
  // Searches compile many programs in sequence for the same registers.
  const registers =
    previous !== undefined && random.once(2)
      ? previous.registers
      : randomRegisters(random, setup.table.stackTypes.length);
  const around = {
    table: setup.table,
    registers,
    routineCount: setup.routines.length,
    storeSize: limits.storeSize,
  };
  const wildness: Wildness = random.once(4)
    ? { beyond: random.pick([20, 100, 400]), senseless: random.pick([40, 400, 2000]) }
    : TAME;
  const program = random.once(100)
    ? chainWords(random, random.between(100, 2500), around)
    : randomWords(random, randomLength(random), around, wildness);
  const bounded = setup.routines.length > 0 || random.once(5);
  const executionLimit = bounded
    ? random.once(6)
      ? random.below(program.length / 2 + 4)
      : random.between(0, MOST_FETCHED)
    : undefined;
  const beyond = random.once(60) ? 1 : 0;
  const count = registers.length + beyond;
  const requests =
    count === 0
      ? []
      : random.list(random.once(8) ? random.below(150) : random.between(random.below(2), 9), () =>
          random.below(count),
        );
  return { program, registers, requests, executionLimit };
}

function randomLength(random: Random): number {
  if (random.once(400)) return random.between(1000, 6000);
  if (random.once(20)) return random.between(100, 400);
  return random.below(random.once(5) ? 20 : 150);
}
