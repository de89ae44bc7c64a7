// Pipelines of the kernel, whose programs are stubs.

import { KernelPipeline, type KernelPipelineOptions, type Site, textSite } from "@mm-ptx/pipeline";
import type { Kernel } from "./kernel.js";

export type SitePipeline = KernelPipeline<Readonly<Record<string, Site<string>>>>;

/** A pipeline that fills the kernel's site with stubs. Equal stubs are run again, so that each program has figures of its own. */
export const sitePipeline = (
  { annotated, site, entries }: Kernel,
  options: Omit<KernelPipelineOptions, "kernel" | "entry" | "sites" | "dedupe">,
): SitePipeline =>
  new KernelPipeline({
    ...options,
    kernel: annotated,
    entry: entries[0]!,
    sites: { [site.name]: textSite() },
    dedupe: false,
  });
