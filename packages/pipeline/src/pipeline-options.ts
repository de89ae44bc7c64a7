// The options of a pipeline, and their checks.
import type { AnnotatedPtx } from "@mm-ptx/inject";
import type { Device } from "@mm-ptx/types/device";
import type { Check, WorkerLike } from "@mm-ptx/types/internal";
import {
  isBoolean,
  isFunction,
  isObject,
  isOneOf,
  isPositive,
  isText,
  isWhole,
  unexpected,
} from "@mm-ptx/types/internal";
import type { StreamingCompiler } from "./compiling/lane.js";
import type { LaunchPlan } from "./launch/plan.js";
import { readOptions } from "./options.js";
import type { PackChoice } from "./packing/kinds.js";
import type { PredictOptions } from "./predicting/options.js";
import type { Reading } from "./reading/reading.js";
import type { PipelineResult } from "./results/result.js";
import type { SiteRecord } from "./sites/site.js";
import { isTiming, type TimingOptions } from "./timing/options.js";

/** Options of a `KernelPipeline`. */
export interface KernelPipelineOptions<Sites extends SiteRecord = SiteRecord> {
  /** The kernel with its sites: what `parsePtx` returns, or its text. */
  readonly kernel: AnnotatedPtx | string;
  /** The name of the kernel to launch, if the module has several with sites. */
  readonly entry?: string;
  /** How each site of the kernel is filled. */
  readonly sites: Sites;
  /**
   * Runs the programs; without a device they are only compiled. An emulated device with several workers has each pack run on a thread of
   * its own. Your own buffers in the launch plan keep everything on this one device.
   */
  readonly device?: Device;
  /**
   * Reopens a GPU of this process after a program made it unusable and the pipeline disposed it; an isolated `CudaDevice` needs no such
   * function. The pipeline disposes the devices that this function returns.
   */
  readonly reopen?: () => Device | Promise<Device>;
  /** Compiles the packs. Required for a GPU; with the emulator, it adds registers, spills and bytes of machine code to the results. */
  readonly compiler?: StreamingCompiler;
  /** Compiles finalists alone. */
  readonly finalCompiler?: StreamingCompiler;
  /**
   * Which programs `finalCompiler` compiles: those for which a function returns true, or those whose score is in the lowest share,
   * `quantile`, of the scores so far (at most the last 4,096).
   */
  readonly finalists?: ((result: PipelineResult) => boolean) | { readonly quantile: number };
  /** Measures the time of programs on a GPU; `true` uses the default options. On the emulator, no time is measured. */
  readonly timing?: true | TimingOptions;
  /** The launch of the kernel for one program, and its buffers; called for each size of packs. Required with a device. */
  readonly launch?: (request: { readonly alternatives: number }) => LaunchPlan;
  /** What is read back: by default a copy of all outputs of each program. */
  readonly read?: Reading;
  /**
   * How programs for several sites are combined: `pairwise`, as given for each run, or `cross`, in all combinations of a list for each
   * site.
   */
  readonly combine?: "pairwise" | "cross";
  /**
   * Predicts what programs cost before they are compiled, and screens those that are too expensive. Figures of a pack of alternatives are
   * those of the whole pack and can't be learned, except `siteBytes` and `microseconds`: use another packing. Not with `combine: "cross"`.
   */
  readonly predict?: PredictOptions;
  /** How many programs are packed: a number, `none`, an earlier choice, or `auto` (the default), which measures. */
  readonly pack?: "auto" | "none" | number | PackChoice;
  /** Whether results have the compiled module of their pack; false by default. */
  readonly modules?: boolean;
  /** Whether equal programs run only once; true by default. */
  readonly dedupe?: boolean;
  /** The most results that are remembered for equal programs; 1,000,000 by default. */
  readonly remember?: number;
  /** The most bytes of outputs among them; 512 MiB by default. */
  readonly rememberBytes?: number;
  /**
   * A folder that keeps results across runs. A program whose result is already there, for the same kernel, data and options, is not run
   * again.
   */
  readonly store?: string;
  /** Creates a thread whose module is `@mm-ptx/pipeline/worker`, for bundles that do not contain this package's own file. */
  readonly createWorker?: () => WorkerLike;
}

const MOST_ALTERNATIVES = 65_535;
const MOST_REMEMBERED = 2 ** 24 - 1;

const isChoice: Check = (value, name) => {
  if (value === "auto" || value === "none") return undefined;
  if (typeof value === "number") return isWhole(1, MOST_ALTERNATIVES)(value, name);
  if (typeof value === "object" && value !== null) {
    const { kind, size } = value as Partial<PackChoice>;
    return (
      isOneOf(["alternatives", "kernels", "single"])(kind, `${name}.kind`) ??
      (size === undefined ? undefined : isWhole(1, MOST_ALTERNATIVES)(size, `${name}.size`))
    );
  }
  return unexpected(name, "`auto`, `none`, a number or { kind, size }", value);
};

const isCompiler: Check = (value, name) =>
  typeof (value as Partial<StreamingCompiler> | null)?.stream === "function"
    ? undefined
    : unexpected(name, "a compiler with a method `stream`", value);

const isDevice: Check = (value, name) =>
  typeof (value as Partial<Device> | null)?.load === "function"
    ? undefined
    : unexpected(name, "a device", value);

const isFinalists: Check = (value, name) => {
  if (typeof value === "function") return undefined;
  const { quantile } = (value ?? {}) as { readonly quantile?: unknown };
  return typeof quantile === "number" && quantile > 0 && quantile <= 1
    ? undefined
    : unexpected(name, "a function or { quantile } from 0 to 1", value);
};

const isKernel: Check = (value, name) =>
  typeof value === "string" || typeof (value as Partial<AnnotatedPtx> | null)?.fill === "function"
    ? undefined
    : unexpected(name, "annotated PTX, or its text", value);

const CHECKS: Readonly<Record<keyof KernelPipelineOptions, Check>> = {
  kernel: isKernel,
  entry: isText,
  sites: isObject,
  device: isDevice,
  reopen: isFunction,
  compiler: isCompiler,
  finalCompiler: isCompiler,
  finalists: isFinalists,
  timing: isTiming,
  launch: isFunction,
  read: isObject,
  combine: isOneOf(["pairwise", "cross"]),
  predict: isObject,
  pack: isChoice,
  modules: isBoolean,
  dedupe: isBoolean,
  remember: isWhole(0, MOST_REMEMBERED),
  rememberBytes: isPositive,
  store: isText,
  createWorker: isFunction,
};

/** @throws PipelineError INVALID_ARGUMENT */
export const readPipelineOptions = (options: unknown): KernelPipelineOptions =>
  readOptions<KernelPipelineOptions>(options, CHECKS, { required: ["kernel", "sites"] });
