// A demo as a command: runs it, prints what it found, and writes it into a folder.
import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { isFunction, isNumber, isSignal, isText, isWhole } from "@mm-ptx/types/internal";
import { SearchError } from "../../error.js";
import { readOptions } from "../../options.js";
import { activationDemo } from "./activation/demo.js";
import { activationPictures } from "./activation/pictures.js";
import { ACTIVATION_TARGETS } from "./activation/targets.js";
import { activationLines } from "./activation/text.js";
import { hashDemo } from "./hash/demo.js";
import { medianDemo } from "./median/demo.js";
import { planetsDemo } from "./planets/demo.js";

/** Options of `runDemo`. */
export interface DemoOptions {
  /** How long evolution takes; 60 by default. */
  readonly seconds?: number;
  /** The default is 1. */
  readonly seed?: number;
  /** The number of threads; by default 2, or 1 on machines with one core. */
  readonly workers?: number;
  /** How many arguments the errors of functions are computed for; 2,000,001 by default. */
  readonly points?: number;
  /** The folder for pictures and results; by default, nothing is written. */
  readonly out?: string;
  /** Receives lines of the result. */
  readonly print?: (line: string) => void;
  /** Receives a line about once a second while the demo runs. */
  readonly progress?: (line: string) => void;
  /** Ends evolution; what it found until then is shown. */
  readonly signal?: AbortSignal;
}

/** The options of a demo with their defaults. */
interface ReadOptions extends Omit<DemoOptions, "out" | "print" | "progress"> {
  readonly seconds: number;
  readonly seed: number;
  readonly workers: number;
  readonly progress: (line: string) => void;
}

/** What a demo prints and writes. */
interface DemoResult {
  readonly lines: readonly string[];
  readonly files: Readonly<Record<string, string | Uint8Array>>;
}

type Demo = (options: ReadOptions) => Promise<DemoResult>;

const SECONDS = 60;

/** Reports the programs and elites of a search of `seconds`. */
const programsTo =
  ({ seconds, progress }: ReadOptions) =>
  (taken: number, programs: number, elites: number): void => {
    const left = Math.max(0, Math.round(seconds - taken));
    progress(
      `${Math.round(taken)} s: ${programs.toLocaleString("en")} programs, ${elites} elites, ${left} s left`,
    );
  };

const activation =
  (target: string): Demo =>
  async (options) => {
    const report = programsTo(options);
    const result = await activationDemo({
      ...options,
      target,
      progress: ({ seconds, programs, elites }) => report(seconds, programs, elites),
    });
    const stub = result.chosen?.stub;
    return {
      lines: activationLines(result),
      files: {
        ...(await activationPictures(result)),
        ...(stub !== undefined && { "stub.ptx": `${stub}\n` }),
      },
    };
  };

const TABLE: ReadonlyMap<string, Demo> = new Map<string, Demo>([
  ...ACTIVATION_TARGETS.map(({ name }) => [name, activation(name)] as const),
  ["median", ({ points: _, ...options }) => medianDemo({ ...options, progress: programsTo(options) })],
  ["planets", ({ points: _, ...options }) => planetsDemo({ ...options, progress: programsTo(options) })],
  ["hash", ({ points: _, ...options }) => hashDemo(options)],
]);

/** The names of the demos. */
export const DEMOS: readonly string[] = [...TABLE.keys()];

/**
 * Runs a demo: `gelu`, `erf`, `silu`, `softplus` and `tanh` approximate functions, `median` filters a noisy
 * picture, `planets` finds an equation of a table, `hash` mixes the bits of integers.
 * @throws SearchError NOT_FOUND: there is no such demo; INVALID_ARGUMENT: an option is wrong; RECORD: the folder can't be written
 */
export async function runDemo(name: string, options: DemoOptions = {}): Promise<void> {
  const demo = TABLE.get(name);
  if (demo === undefined) {
    throw new SearchError(
      "NOT_FOUND",
      `expected one of the demos ${DEMOS.join(", ")}, found ${String(name)}`,
    );
  }
  const {
    out,
    print = () => {},
    progress = () => {},
    ...others
  } = readOptions<DemoOptions>(
    options,
    {
      seconds: isNumber(0.1, 1e6),
      seed: isWhole(0, 2 ** 32 - 1),
      workers: isWhole(1, 64),
      points: isWhole(2, 2 ** 24),
      out: isText,
      print: isFunction,
      progress: isFunction,
      signal: isSignal,
    },
    { of: "runDemo" },
  );
  const { seconds = SECONDS, seed = 1, workers = Math.min(2, availableParallelism()) } = others;
  const { lines, files } = await demo({ ...others, seconds, seed, workers, progress });
  for (const line of lines) print(line);
  if (out === undefined) return;
  const all = { ...files, "result.txt": `${lines.join("\n")}\n` };
  try {
    await mkdir(out, { recursive: true });
    for (const [file, content] of Object.entries(all)) await writeFile(join(out, file), content);
  } catch (error) {
    throw new SearchError("RECORD", `the results can't be written: ${(error as Error).message}`, {
      cause: error,
    });
  }
  print("");
  print(`written to ${out}: ${Object.keys(all).join(", ")}`);
}
