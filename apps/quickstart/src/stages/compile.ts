// Compiles the stubs of a batch, and launches the cubins where there is a GPU.

import type { JobResult, PtxCompiler } from "@mm-ptx/cuda";
import type { ElfChecker, Sample } from "../checks.js";
import type { Finisher } from "../finisher.js";
import type { Job } from "../job.js";
import type { Kernel } from "../kernel.js";
import type { Monitor } from "../monitor.js";
import type { LastStage } from "../pipeline.js";
import type { Totals } from "../totals.js";
import type { LaunchStage } from "./launch.js";

/** What looks at each cubin. */
export interface CubinChecks {
  readonly elf: ElfChecker;
  readonly sample: Sample;
  readonly totals: Totals;
}

export class CompileStage implements LastStage {
  readonly #compiler: PtxCompiler;
  readonly #kernel: Kernel;
  readonly #checks: CubinChecks;
  /** Absent without a GPU. */
  readonly #launch: LaunchStage | undefined;
  readonly #monitor: Monitor;
  readonly #signal: AbortSignal;

  constructor(
    compiler: PtxCompiler,
    kernel: Kernel,
    checks: CubinChecks,
    launch: LaunchStage | undefined,
    monitor: Monitor,
    signal: AbortSignal,
  ) {
    this.#compiler = compiler;
    this.#kernel = kernel;
    this.#checks = checks;
    this.#launch = launch;
    this.#monitor = monitor;
    this.#signal = signal;
  }

  /** Compiles every stub, in any order. Equal stubs are compiled once, unless the compiler has no cache. */
  async process(jobs: readonly Job[], finisher: Finisher): Promise<void> {
    const sources = jobs.map(({ stub }) => this.#kernel.fill(stub));
    const waiting: [Job, JobResult][] = [];
    let count = 0;
    const stop = this.#monitor.begin("compile");
    try {
      for await (const result of this.#compiler.stream(sources, { signal: this.#signal })) {
        if (this.#signal.aborted) return;
        const job = jobs[result.index]!;
        this.#check(job, result);
        if (this.#launch === undefined) await finisher.finish(job, result);
        else waiting.push([job, result]);
        count++;
      }
    } finally {
      stop(count);
    }
    if (this.#launch === undefined) return;
    const launched = await this.#launch.process(waiting);
    for (const [job, result] of waiting) await finisher.finish(job, result, launched.get(job));
  }

  #check({ index, stub }: Job, result: JobResult): void {
    if (!result.ok) return;
    const { elf, sample, totals } = this.#checks;
    totals.origins[result.info.from]++;
    elf.check(index, result.cubin);
    sample.offer(index, stub, result.cubin);
  }
}
