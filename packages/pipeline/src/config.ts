// The configuration of a run from the command line: the default export of a module.
import type { PtxCompilerOptions } from "@mm-ptx/cuda";
import type { EmulatedDeviceOptions } from "@mm-ptx/emulator";
import type { AnnotatedPtx } from "@mm-ptx/inject";
import type { AstTable, StackTable } from "@mm-ptx/types/core";
import type { Device } from "@mm-ptx/types/device";
import type { FilePath } from "./data/file-path.js";
import type { PipelinePrograms } from "./pipeline.js";
import type { KernelPipelineOptions } from "./pipeline-options.js";
import type { SiteRecord } from "./sites/site.js";

/**
 * What `mm-ptx-pipeline run` runs: the default export of its configuration module, or what a function that is the default export returns
 * or resolves to. Options that are not listed here are those of `KernelPipeline`. Paths are relative to the current folder; `file:` URLs
 * are accepted in their place.
 */
export interface PipelineConfig
  extends Omit<
    KernelPipelineOptions,
    | "kernel"
    | "sites"
    | "device"
    | "reopen"
    | "compiler"
    | "finalCompiler"
    | "modules"
    | "createWorker"
    | "store"
  > {
  /** The kernel with its sites: a file with PTX, annotated PTX (`AnnotatedPtx.toBytes`) or a kernel file, or what `parsePtx` returns. */
  readonly kernel: FilePath | AnnotatedPtx;
  /** How sites are filled. Sites for which a kernel file has programs need not be listed. */
  readonly sites?: SiteRecord;
  /**
   * A program file, a kernel file, a file with a program as JSON text on each line, or any iterable of programs; with `combine: "cross"`,
   * one of these for each site. By default, the programs of the kernel file.
   */
  readonly programs?: FilePath | PipelinePrograms<SiteRecord> | Readonly<Record<string, FilePath>>;
  /** The number of programs that an iterable has, for the progress. */
  readonly total?: number;
  /** Tables that files may refer to by their fingerprints, besides those of the sites. */
  readonly tables?: readonly (StackTable | AstTable)[];
  /**
   * `emulator` (the default) or its options, `cuda` for an isolated GPU whose launches may take a minute, an open device, which is
   * disposed when the command ends, or `none` to compile only.
   */
  readonly device?: "emulator" | "cuda" | "none" | EmulatedDeviceOptions | Device;
  /** Options of the compiler of packs. Required for `cuda` and `none`. */
  readonly compiler?: PtxCompilerOptions;
  /** Options of the compiler of finalists. */
  readonly finalCompiler?: PtxCompilerOptions;
  /** Whether results are written in the order of the programs. */
  readonly ordered?: boolean;
  /** A folder that keeps results across runs. */
  readonly store?: FilePath;
  /** The file for the results; standard output by default. */
  readonly out?: FilePath;
}
