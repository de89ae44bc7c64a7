// `mm-ptx-search shrink`: the shortest stub that computes the same as a given one.
import { endWorkers } from "@mm-ptx/columns";
import { parseStub } from "@mm-ptx/columns/stub";
import { counted, grouped } from "../pictures/drawing/words.js";
import type { Equality } from "../simplify/equality.js";
import { graphOf } from "../simplify/graph.js";
import { type ShrinkResult, shrink as shrinkCode } from "../simplify/shrink.js";
import {
  colorsOf,
  Interrupted,
  Interruption,
  interruptible,
  type Outcome,
  ofFile,
  printable,
  writeWhole,
} from "./framework.js";
import { stubOfGraph } from "./graph-stub.js";
import { readSite, readText } from "./kernel-site.js";
import { workersOf } from "./run.js";
import { Screen } from "./screen.js";

export interface ShrinkFlags {
  readonly stub: string;
  readonly site?: string;
  readonly out?: string;
  readonly instructions?: readonly string[];
  readonly constants?: readonly number[];
  readonly seconds?: number;
  readonly rows?: number;
  readonly exhaustive?: boolean;
  readonly seed?: number;
  readonly workers?: number;
  readonly quiet?: true;
}

/** @throws FileError, FileProblem, Interruption, SearchError */
export async function shrink(kernel: string, flags: ShrinkFlags): Promise<Outcome> {
  const { operands } = (await readSite(kernel, flags.site)).site;
  const stub = readText(flags.stub);
  const code = await ofFile(flags.stub, () => parseStub(stub, operands));
  const found = await searched(flags, (signal, progress) =>
    ofFile(flags.stub, () => shrinkCode(code, { ...optionsOf(flags), signal, progress })),
  );
  const { length, before, equality, excluded, steps } = found;
  const shorter = length < before ? stubOfGraph(graphOf(found.code.words), operands) : stub.trimEnd();
  if (flags.out !== undefined) writeWhole(flags.out, Buffer.from(`${shorter}\n`));
  return {
    ok: true,
    json: () => ({
      ok: true,
      length,
      before,
      equality,
      excluded,
      steps,
      stub: shorter,
      ...(flags.out && { out: flags.out }),
    }),
    complaints: ({ dim }) =>
      flags.quiet
        ? ""
        : sentences(found)
            .map((line) => `${dim(line)}\n`)
            .join(""),
    text: () => (flags.out === undefined ? `${printable(shorter)}\n` : ""),
  };
}

function optionsOf({ instructions, constants, seconds, rows, exhaustive, seed, workers }: ShrinkFlags) {
  return {
    ...(instructions && { instructions }),
    ...(constants && { constants }),
    ...(seconds !== undefined && { seconds }),
    ...(rows !== undefined && { rows }),
    ...(exhaustive === false && { exhaustive }),
    ...(seed !== undefined && { seed }),
    workers: workersOf(workers === undefined ? {} : { workers }),
  };
}

async function searched(
  { quiet }: ShrinkFlags,
  run: (signal: AbortSignal, progress: (length: number) => void) => Promise<ShrinkResult>,
): Promise<ShrinkResult> {
  const { stderr, env } = process;
  const screen = stderr.isTTY && !quiet ? new Screen(stderr) : undefined;
  const { dim } = colorsOf(stderr, env);
  try {
    return await interruptible(async (signal) => {
      try {
        return await run(signal, (length) => screen?.draw([counted(length, "instruction")], dim));
      } catch (error) {
        if (signal.reason instanceof Interrupted)
          throw new Interruption(signal.reason.exitCode, "interrupted");
        throw error;
      }
    });
  } finally {
    screen?.clear();
    endWorkers();
  }
}

const EQUAL = {
  rows: (rows: number) => `equal on ${grouped(rows)} rows, which is not a proof`,
  "all-2^32": () => "equal on all 2^32 inputs",
  "zero-one-principle": (rows: number) => `equal on all inputs by the 0-1 principle (${grouped(rows)} rows)`,
};

const equalText = (equality: Equality): string =>
  EQUAL[equality.kind]("rows" in equality ? equality.rows : 0);

function sentences({ length, before, equality, excluded }: ShrinkResult): string[] {
  const least = excluded > 0 ? [`no program of up to ${excluded} of these instructions is equal`] : [];
  if (length >= before) return [`found nothing shorter than ${counted(before, "instruction")}`, ...least];
  return [
    `${counted(length, "instruction")} instead of ${grouped(before)}, ${equalText(equality)}`,
    ...least,
  ];
}
