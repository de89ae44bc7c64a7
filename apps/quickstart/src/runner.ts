// Runs programs on the emulator, in packs and on several threads, and compares their results with the reference.

import { EmulatedDevice, EmulatorError } from "@mm-ptx/emulator";
import type { PipelineResult } from "@mm-ptx/pipeline";
import type { KernelParameter, StackTable } from "@mm-ptx/types/core";
import { messageOf } from "./error.js";
import type { Job } from "./job.js";
import type { Kernel } from "./kernel.js";
import { columnsOf, launchOf } from "./launch.js";
import type { Pack, Settings } from "./options.js";
import type { RunRecord } from "./records.js";
import { type Column, numberOf, ReferenceMachine } from "./reference.js";
import { type SitePipeline, sitePipeline } from "./site-pipeline.js";

/** Far more than a launch takes. */
const TIMEOUT_MS = 60_000;
/** Fewer programs for each thread are not worth its start. */
const LEAST_SHARE = 64;

/** What runs programs, or a few words that say why nothing does. */
export type FoundRunner =
  | { readonly runner: Runner; readonly name: string }
  | { readonly runner: undefined; readonly why: string };

/** The settings that a runner is created with. */
type Needs = Pick<Settings, "run" | "programs" | "workers" | "pack">;

/**
 * The emulator, unless `run` is `none`; a GPU's results are compared with it.
 *
 * @throws EmulatorError if the emulator is asked for and cannot run the kernel
 */
export function findRunner(
  { run, programs, workers, pack }: Needs,
  kernel: Kernel,
  table: StackTable,
): FoundRunner {
  if (run === "none") return { runner: undefined, why: "not requested" };
  const threads = Math.min(workers, Math.ceil(programs / LEAST_SHARE));
  const device = openEmulator(threads);
  try {
    const { parameters } = device.load(kernel.annotated.text).kernel(kernel.entries[0]!);
    if (takesArrays(parameters, kernel))
      return { runner: new Runner(device, kernel, table, pack), name: "emulator" };
  } catch (error) {
    device.dispose();
    if (run === "emulator" || !(error instanceof EmulatorError)) throw error;
    return { runner: undefined, why: messageOf(error).split("\n")[0]! };
  }
  device.dispose();
  const why = "the kernel's parameters are not an array for each operand and a count";
  return { runner: undefined, why };
}

/** So few elements are interpreted in less time than it takes to translate a program. */
export const openEmulator = (workers: number): EmulatedDevice =>
  EmulatedDevice.open({ workers, engine: "interpreter", limits: { timeoutMs: TIMEOUT_MS } });

/** Whether the parameters are an array for each operand, with the result's last, and a count. */
function takesArrays(parameters: readonly KernelParameter[], { site }: Kernel): boolean {
  const results = site.operands.filter(({ direction }) => direction === "out").length;
  const reads = site.operands.filter(({ direction }) => direction === "in").length;
  const types = parameters.map(({ type }) => type).join(" ");
  return (
    results === 1 && reads + results === site.operands.length && types === `${"u64 ".repeat(reads + 1)}u32`
  );
}

export class Runner implements Disposable {
  readonly #device: EmulatedDevice;
  readonly #kernel: Kernel;
  readonly #pipeline: SitePipeline;
  readonly #reference: ReferenceMachine;
  /** For each operand of the site, the bits of a value for each element. */
  readonly #columns: readonly Column[];

  /** @param device is disposed together with the runner */
  constructor(device: EmulatedDevice, kernel: Kernel, table: StackTable, pack: Pack) {
    this.#device = device;
    this.#kernel = kernel;
    this.#pipeline = sitePipeline(kernel, { device, launch: launchOf(kernel), pack });
    this.#reference = new ReferenceMachine(table);
    this.#columns = columnsOf(kernel);
  }

  /** Runs the kernel with the stub of each job, and writes what came of it into the job. */
  async run(jobs: readonly Job[], signal: AbortSignal): Promise<void> {
    const stubs = jobs.map(({ stub }) => stub);
    for await (const result of this.#pipeline.run(stubs, { signal }))
      this.#check(jobs[result.index]!, result);
  }

  dispose(): void {
    this.#pipeline.dispose();
    this.#device.dispose();
  }

  /** Same as `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  #check(job: Job, result: PipelineResult): void {
    const { difference, results } = this.#compared(job, result);
    job.ran = { ran: "emulator", agrees: difference === undefined, ...(difference && { difference }) };
    if (results !== undefined) job.results = results;
  }

  #compared(
    { source }: Job,
    { error, outputs }: PipelineResult,
  ): Pick<RunRecord, "difference"> & Pick<Job, "results"> {
    if (error !== undefined) {
      const { message, place } = error;
      const where = place && ` (injection \`${place.site}\`, stub line ${place.stubLine})`;
      return { difference: `${message}${where ?? ""}` };
    }
    try {
      const expected = this.#reference.evaluate(source, this.#columns);
      // If a program leaves nothing on the stack, the result is whatever the register contains.
      if (expected === undefined) return {};
      const results = outputs![0] as Uint32Array;
      const difference = this.#differenceOf(expected, results);
      return { results, ...(difference && { difference }) };
    } catch (thrown) {
      return { difference: messageOf(thrown) };
    }
  }

  #differenceOf(expected: Column, results: Uint32Array): string | undefined {
    const wrong = expected.findIndex((bits, i) => bits !== results[i]);
    if (wrong === -1) return undefined;
    const { operands } = this.#kernel.site;
    const inputs = this.#columns.filter((_, operand) => operands[operand]!.direction === "in");
    const words = inputs.map((column) => shown(column[wrong]!)).join(", ");
    return `expected ${shown(expected[wrong]!)} for (${words}), found ${shown(results[wrong]!)}`;
  }
}

/** `2.5 (0x40200000)` */
export const shown = (bits: number): string => `${numberOf(bits)} (0x${bits.toString(16).padStart(8, "0")})`;
