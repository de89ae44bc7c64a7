// The demo: a minute of evolution, then the errors and the machine code of the best programs.
import { availableParallelism } from "node:os";
import { isNumber, isSignal, isText, isWhole, unexpected } from "@mm-ptx/types/internal";
import { SearchError } from "../../../error.js";
import { invalid, readOptions } from "../../../options.js";
import { findMachineCode } from "../machine-code.js";
import { activationSearch, bestElites, MOST_INSTRUCTIONS, MOST_SPECIAL } from "./evolution.js";
import { type JudgedProgram, ProgramJudge } from "./judged.js";
import { ACTIVATION_TARGETS, type ActivationTarget } from "./targets.js";

/** Options of `activationDemo`. */
export interface ActivationDemoOptions {
  /** `gelu` (the default), `erf`, `silu`, `softplus` or `tanh`. */
  readonly target?: string;
  /** How long evolution takes; 60 by default. */
  readonly seconds?: number;
  /** The default is 1. */
  readonly seed?: number;
  /** The number of threads; by default 2, or 1 on machines with one core. */
  readonly workers?: number;
  /** How many arguments the errors are computed for; 2,000,001 by default. */
  readonly points?: number;
  /** Called about once a second. */
  readonly progress?: (progress: ActivationProgress) => void;
  /** Ends evolution; what it found until then is judged. */
  readonly signal?: AbortSignal;
}

/** How far evolution is. */
export interface ActivationProgress {
  readonly seconds: number;
  /** How many programs were evaluated, and how many cells of the archive have one. */
  readonly programs: number;
  readonly elites: number;
  readonly cells: number;
}

/** A known program with what it costs. */
export interface JudgedKnown extends JudgedProgram {
  readonly label: string;
}

/** What `activationDemo` found. */
export interface ActivationResult {
  readonly target: ActivationTarget;
  readonly seed: number;
  readonly seconds: number;
  /** How many programs were evaluated. */
  readonly programs: number;
  /** What counted the instructions, or why the cost model did. */
  readonly counted: { readonly tools: string } | { readonly missing: string };
  /** The best program of each number of instructions and special functions, by these numbers. */
  readonly cells: readonly JudgedProgram[];
  /** Those of `cells` that no other one equals or betters in instructions and error. */
  readonly front: readonly JudgedProgram[];
  readonly known: readonly JudgedKnown[];
  /** The program to take: the one of the front with the fewest instructions that is more exact than the first known one. */
  readonly chosen: JudgedProgram | undefined;
}

const SECONDS = 60;
const POINTS = 2_000_001;
/** How many elites of each number of instructions and special functions are judged. */
const JUDGED = 3;
/** Errors may differ by this factor without meaning anything, and those below do not show in f32. */
const SAME = 1.001;
const LEAST_ERROR = 2 ** -21;
const PROGRESS_SECONDS = 1;

/**
 * Lets evolution write a part of an activation function for a minute, and judges what it found.
 * @throws SearchError INVALID_ARGUMENT
 */
export async function activationDemo(options: ActivationDemoOptions = {}): Promise<ActivationResult> {
  const read = readOptions<ActivationDemoOptions>(
    options,
    {
      target: isText,
      seconds: isNumber(0.1, 1e6),
      seed: isWhole(0, 2 ** 32 - 1),
      workers: isWhole(1, 64),
      points: isWhole(2, 2 ** 24),
      progress: (value, name) =>
        typeof value === "function" ? undefined : unexpected(name, "a function", value),
      signal: isSignal,
    },
    { of: "activationDemo" },
  );
  const { target: name = "gelu", seconds = SECONDS, seed = 1, points = POINTS, progress, signal } = read;
  const { workers = Math.min(2, availableParallelism()) } = read;
  const target = ACTIVATION_TARGETS.find((each) => each.name === name);
  if (target === undefined) {
    throw invalid(`one of ${ACTIVATION_TARGETS.map((each) => each.name).join(", ")} as \`target\``, name);
  }
  const found = await findMachineCode();
  const machine = "count" in found ? found : undefined;
  const parts = activationSearch(target, seed, workers);
  const { search, space, archive } = parts;
  const began = performance.now();
  let next = PROGRESS_SECONDS;
  for await (const event of search.run({ seconds, ...(signal && { signal }) })) {
    if (event.type === "end" || event.seconds < next) continue;
    next = event.seconds + PROGRESS_SECONDS;
    progress?.({
      seconds: event.seconds,
      programs: event.evaluations,
      elites: event.elites,
      cells: archive.cells,
    });
  }
  const taken = (performance.now() - began) / 1000;
  const judge = new ProgramJudge(target, space, machine, points);
  const most = { instructions: MOST_INSTRUCTIONS, special: MOST_SPECIAL };
  const cells = await judge.best(bestElites(parts, JUDGED), most);
  const front = frontOf(cells);
  const known = await judge.all(target.known.map(({ formula }) => space.parse(formula)));
  return {
    ...{ target, seed, seconds: taken, programs: search.evaluations, cells, front },
    known: known.map((program, index) => ({ ...program, label: target.known[index]!.label })),
    counted: machine === undefined ? { missing: missingOf(found) } : { tools: machine.tools },
    chosen: front.find(({ error }) => isAsExact(error, known[0]!.error)) ?? front.at(-1),
  };
}

const missingOf = (found: object): string => {
  if ("missing" in found) return String(found.missing);
  throw new SearchError("MISSING_PACKAGE", "expected machine code, found none");
};

const isAsExact = (error: number, other: number): boolean => error <= Math.max(other, LEAST_ERROR) * SAME;

function frontOf(cells: readonly JudgedProgram[]): JudgedProgram[] {
  const front: JudgedProgram[] = [];
  const order = cells.toSorted(
    (a, b) =>
      a.instructions - b.instructions ||
      Math.max(a.error, LEAST_ERROR) - Math.max(b.error, LEAST_ERROR) ||
      a.special - b.special,
  );
  for (const program of order) {
    const last = front.at(-1);
    if (last === undefined || !isAsExact(last.error, program.error)) front.push(program);
  }
  return front;
}

/** The first known program that is at least as good as the chosen one in everything. */
export const knownBetter = ({ known, chosen }: ActivationResult): JudgedKnown | undefined =>
  known.find(
    ({ instructions, special, error }) =>
      chosen !== undefined &&
      instructions <= chosen.instructions &&
      special <= chosen.special &&
      isAsExact(error, chosen.error),
  );
