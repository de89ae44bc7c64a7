// Launches the cubins of a batch on a GPU.

import type { JobResult } from "@mm-ptx/cuda";
import type { Candidate, Gpu, Launched } from "../gpu.js";
import type { Job } from "../job.js";
import type { Kernel } from "../kernel.js";
import type { Monitor } from "../monitor.js";
import type { LaunchRecord } from "../records.js";
import type { Totals } from "../totals.js";

export class LaunchStage {
  readonly #gpu: Gpu;
  readonly #kernel: Kernel;
  readonly #totals: Totals;
  readonly #monitor: Monitor;

  constructor(gpu: Gpu, kernel: Kernel, totals: Totals, monitor: Monitor) {
    this.#gpu = gpu;
    this.#kernel = kernel;
    this.#totals = totals;
    this.#monitor = monitor;
  }

  /** Launches every cubin; jobs that did not compile have no record. */
  async process(compiled: readonly (readonly [Job, JobResult])[]): Promise<ReadonlyMap<Job, LaunchRecord>> {
    const jobs: Job[] = [];
    const candidates: Candidate[] = [];
    for (const [job, result] of compiled) {
      if (!result.ok) continue;
      jobs.push(job);
      candidates.push({ stub: job.stub, cubin: result.cubin, expected: job.results });
    }
    const stop = this.#monitor.begin("launch");
    const { launched, ...burst } = await this.#gpu.launchAll(this.#kernel, candidates);
    stop(jobs.length);
    this.#totals.addLaunches(burst);
    return new Map(jobs.map((job, i) => [job, recordOf(this.#gpu.name, launched[i]!)]));
  }
}

function recordOf(gpu: string, { agreement, difference, microseconds }: Launched): LaunchRecord {
  return {
    gpu,
    ...(agreement === undefined ? {} : { gpuAgreement: agreement }),
    ...(difference === undefined ? {} : { gpuDifference: difference }),
    ...(microseconds === undefined ? {} : { gpuMicroseconds: microseconds }),
  };
}
