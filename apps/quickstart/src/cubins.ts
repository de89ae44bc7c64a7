// Cubins of stubs: each program alone at full effort, launched where there is a GPU, and packed and drafted for comparison.

import type { PtxCompiler } from "@mm-ptx/cuda";
import type { PipelineResult } from "@mm-ptx/pipeline";
import type { Gpu } from "./gpu.js";
import type { Job } from "./job.js";
import type { Kernel } from "./kernel.js";
import { launchOf } from "./launch.js";
import type { Pack } from "./options.js";
import { type SitePipeline, sitePipeline } from "./site-pipeline.js";

/** A job with what came of it. */
export type Compiled = readonly [Job, PipelineResult];

export class Cubins implements Disposable {
  readonly #alone: SitePipeline;
  readonly #packed: SitePipeline | undefined;

  /** @param gpu launches each cubin; absent without one */
  constructor(kernel: Kernel, compiler: PtxCompiler, drafter: PtxCompiler, pack: Pack, gpu: Gpu | undefined) {
    const device = gpu && { ...gpu.deviceOptions, launch: launchOf(kernel) };
    this.#alone = sitePipeline(kernel, { compiler, ...device, pack: "none", modules: true });
    this.#packed = pack === "none" ? undefined : sitePipeline(kernel, { compiler: drafter, pack });
  }

  /** Whether stubs are packed. */
  get packs(): boolean {
    return this.#packed !== undefined;
  }

  /** Compiles each stub by itself, and launches it where there is a GPU. Results come in any order. */
  async *compile(jobs: readonly Job[], signal: AbortSignal): AsyncGenerator<Compiled, void, undefined> {
    const stubs = jobs.map(({ stub }) => stub);
    for await (const result of this.#alone.run(stubs, { signal })) yield [jobs[result.index]!, result];
  }

  /** Drafts the stubs in packs, as a search does that looks at many programs. Yields what came of each, in any order. */
  draft(jobs: readonly Job[], signal: AbortSignal): AsyncIterable<PipelineResult> {
    const stubs = jobs.map(({ stub }) => stub);
    return this.#packed!.run(stubs, { signal });
  }

  dispose(): void {
    this.#alone.dispose();
    this.#packed?.dispose();
  }

  /** Same as `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}
