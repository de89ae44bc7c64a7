// `submit`: compiles PTX files on a farm. If a file fails, its old cubin is left as it is, and the others are still compiled.

import { basename, extname, join } from "node:path";
import { type CodeOptions, type JobResult, PtxCompileError } from "@mm-ptx/cuda";
import { FarmCompiler } from "../compiler.js";
import { FarmError } from "../error.js";
import type { FarmFigures } from "../figures.js";
import {
  type Colors,
  type Delivery,
  FileError,
  findInputs,
  noMatch,
  type Outcome,
  printable,
  readBytes,
  refuseClashes,
  writeWhole,
} from "./framework.js";
import { type ServerFlags, serverOf } from "./server-flags.js";

export interface SubmitFlags extends ServerFlags {
  readonly arch: string;
  readonly out: string;
  readonly effort?: NonNullable<CodeOptions["effort"]>;
  readonly pool?: string;
  readonly local?: "help" | "never";
  readonly patienceMs?: number;
  readonly verify?: number;
  readonly cache: boolean;
  readonly quiet?: true;
}

interface Made extends Delivery {
  readonly state: "written" | "unchanged" | "failed";
  readonly problem?: {
    readonly code: string;
    readonly message: string;
    readonly help: string | undefined;
  };
}

/** @throws UsageError, FarmError, PtxCompileError */
export async function submit(words: readonly string[], flags: SubmitFlags): Promise<Outcome> {
  const { arch, effort, pool, local, patienceMs, verify, cache, out } = flags;
  const { paths, unmatched } = findInputs(words);
  const deliveries = paths.map((input) => ({
    input,
    output: join(out, `${basename(input, extname(input))}.cubin`),
  }));
  refuseClashes(deliveries);
  const compiler = new FarmCompiler({
    ...serverOf(flags),
    arch,
    cache,
    ...(effort === undefined ? {} : { effort }),
    ...(pool === undefined ? {} : { pool }),
    ...(local === undefined ? {} : { local }),
    ...(patienceMs === undefined ? {} : { patienceMs }),
    ...(verify === undefined ? {} : { verify }),
  });
  const endWarnings = plainWarnings();
  const made: Made[] = unmatched.map((pattern) => failed({ input: pattern, output: "" }, noMatch(pattern)));
  try {
    const read: Delivery[] = [];
    async function* jobs(): AsyncGenerator<Uint8Array> {
      for (const delivery of deliveries) {
        try {
          const ptx = await readBytes(delivery.input);
          read.push(delivery);
          yield ptx;
        } catch (error) {
          made.push(failed(delivery, error));
        }
      }
    }
    for await (const result of compiler.stream(jobs(), { ordered: true }))
      made.push(deliver(read[result.index]!, result));
    return outcome(made, compiler.farm, flags.quiet === true);
  } finally {
    await compiler.disposeAsync();
    endWarnings();
  }
}

/** Prints warnings as a line for whoever runs the command. @returns ends that */
function plainWarnings(): () => void {
  const usual = process.listeners("warning");
  const print = ({ message }: Error): void => {
    process.stderr.write(`warning: ${printable(message)}\n`);
  };
  process.removeAllListeners("warning").on("warning", print);
  return () => {
    process.removeListener("warning", print);
    for (const each of usual) process.on("warning", each);
  };
}

/** @throws the error itself, unless it is about the file or the compile */
function failed(delivery: Delivery, error: unknown): Made {
  if (!(error instanceof FileError || error instanceof PtxCompileError)) throw error;
  const { message, cause } = error;
  // Why the farm has not compiled it says more than that it has not.
  const { help } = cause instanceof FarmError ? cause : error;
  const code = error instanceof FileError ? "FILE" : cause instanceof FarmError ? cause.code : error.code;
  return { ...delivery, state: "failed", problem: { code, message, help } };
}

function deliver(delivery: Delivery, result: JobResult): Made {
  try {
    if (!result.ok) throw result.error;
    return { ...delivery, state: writeWhole(delivery.output, result.cubin) ? "written" : "unchanged" };
  } catch (error) {
    return failed(delivery, error);
  }
}

function outcome(made: readonly Made[], farm: FarmFigures | undefined, isQuiet: boolean): Outcome {
  const ok = made.every(({ state }) => state !== "failed");
  const complaint = ({ input, problem }: Made, { bold, red }: Colors): string =>
    problem === undefined
      ? ""
      : `${bold(printable(input))}: ${red("error")}: ${printable(problem.message)}\n`;
  return {
    ok,
    help: made.find(({ problem }) => problem !== undefined)?.problem?.help,
    json: () => ({ ok, cubins: made, farm }),
    complaints: (colors) => made.map((each) => complaint(each, colors)).join(""),
    text: () =>
      made
        .filter(({ state }) => state !== "failed" && !isQuiet)
        .map(({ state, output }) => `${state} ${printable(output)}\n`)
        .join(""),
  };
}
