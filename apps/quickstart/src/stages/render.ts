// The last stage where nothing compiles PTX: stubs are only rendered into the kernel.

import type { Finisher } from "../finisher.js";
import type { Job } from "../job.js";
import type { Kernel } from "../kernel.js";
import type { Monitor } from "../monitor.js";
import type { LastStage } from "../pipeline.js";

export class RenderStage implements LastStage {
  readonly #kernel: Kernel;
  readonly #monitor: Monitor;

  constructor(kernel: Kernel, monitor: Monitor) {
    this.#kernel = kernel;
    this.#monitor = monitor;
  }

  async process(jobs: readonly Job[], finisher: Finisher): Promise<void> {
    const stop = this.#monitor.begin("render");
    for (const { stub } of jobs) this.#kernel.render(stub);
    stop(jobs.length);
    for (const job of jobs) await finisher.finish(job);
  }
}
