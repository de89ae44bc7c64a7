// Everything that a run found out, as plain data. The table, the JSON object and the picture are three views of it.

import type { Origin } from "@mm-ptx/cuda";
import type { FoundCompiler } from "./compiler.js";
import type { Agreement, FoundGpu } from "./gpu.js";
import type { Kernel } from "./kernel.js";
import type { Settings } from "./options.js";
import type { FoundRunner } from "./runner.js";
import { type Range, rangeOf } from "./statistics.js";
import type { Totals } from "./totals.js";

/**
 * The stages whose time is measured, in order. Compilers render while they compile, so a run has only one of the two.
 */
export const STAGES = ["stub", "run", "render", "compile", "launch", "draft"] as const;
export type Stage = (typeof STAGES)[number];

export interface StageTime {
  /** Wall-clock time of all programs together. */
  readonly milliseconds: number;
  readonly microsecondsPerProgram: number;
  /** The share of all stages together, from 0 to 1. */
  readonly share: number;
}

/** How many programs gave the reference's results when they were run. */
export type RunCheck =
  | {
      /** What ran them. */
      readonly on: string;
      readonly ran: number;
      readonly agreed: number;
      readonly problems: readonly string[];
    }
  | { readonly skipped: string };

/** How the results of cubins that a GPU launched compare with the emulator's. */
export type GpuCheck =
  | ({ readonly on: string; readonly launched: number; readonly problems: readonly string[] } & Readonly<
      Record<Agreement, number>
    >)
  | { readonly skipped: string };

/** How many cubins are an ELF for the requested architecture with the kernel's entry. */
export interface ElfCheck {
  readonly passed: number;
  readonly total: number;
  /** What is wrong with the first few others. */
  readonly problems: readonly string[];
}

/** The comparison of a sample with what ptxas makes of the same PTX. */
export type PtxasCheck =
  | {
      readonly version: string;
      readonly equal: number;
      readonly compared: number;
      readonly problems: readonly string[];
    }
  | { readonly skipped: string };

export interface Report {
  /** The number of programs that were requested. */
  readonly programs: number;
  readonly seed: number;
  readonly arch: string;
  /** The output folder, as it was given. */
  readonly out: string;
  /** Whether a signal ended the run early. */
  readonly interrupted: boolean;
  /** The number of finished programs, with or without a cubin. */
  readonly done: number;
  /** Among the finished programs. */
  readonly distinctStubs: number;
  /** Programs that have a cubin. */
  readonly compiled: number;
  /** Where the cubins came from; the sum is `compiled`. */
  readonly origins: Readonly<Record<Origin, number>>;
  readonly failed: number;
  /** How many programs failed, by error code. */
  readonly failures: Readonly<Record<string, number>>;
  /** What made the annotated PTX. */
  readonly kernel: string;
  /** What compiled, for example `nvPTXCompiler 13.0.88 (in-process)`; absent if nothing did. */
  readonly compiler?: string;
  readonly workers: number;
  readonly stages: Readonly<Record<Stage, StageTime>>;
  /**
   * Compiles of this run per second of the compile stage; cached and duplicate cubins do not count. 0 if nothing was
   * compiled.
   */
  readonly compilesPerSecond: number;
  /** Programs per second of the draft stage, which compiles the same programs in packs and in the least time; 0 if nothing was drafted. */
  readonly draftsPerSecond: number;
  /** Finished programs per second of the stages that make cubins. */
  readonly programsPerSecond: number;
  /** Programs per second of the run stage; 0 if none was run. */
  readonly runsPerSecond: number;
  /**
   * GPU launches per second, all of a round with one call, and the time of a kernel; 0 and absent if there were none.
   */
  readonly launchesPerSecond: number;
  readonly kernelMicroseconds?: Range;
  /** Emitted instructions per stub of the finished programs, not counting the final copy. */
  readonly liveInstructions?: Range;
  readonly registers?: Range;
  readonly cubinBytes?: Range;
  /** The number of programs whose kernel spills, and the total bytes of their spill stores and loads. */
  readonly spills: { readonly programs: number; readonly bytes: number };
  readonly checks: {
    readonly run: RunCheck;
    readonly gpu: GpuCheck;
    readonly elf: ElfCheck;
    readonly ptxas: PtxasCheck;
  };
}

/** The values that the ranges summarize, for the picture's distributions. */
export interface Distributions {
  readonly registers: readonly number[];
  readonly cubinBytes: readonly number[];
  readonly liveInstructions: readonly number[];
}

/** What the passes of a run produced. */
export interface Outcome {
  readonly kernel: Kernel;
  readonly found: FoundCompiler;
  readonly runner: FoundRunner;
  readonly gpu: FoundGpu;
  readonly totals: Totals;
  readonly elf: ElfCheck;
  readonly ptxas: PtxasCheck;
  readonly interrupted: boolean;
}

export function makeReport(
  options: Settings,
  { kernel, found, runner, gpu, totals, elf, ptxas, interrupted }: Outcome,
): Report {
  const { programs, seed, arch, out, workers } = options;
  return {
    programs,
    seed,
    arch,
    out,
    interrupted,
    done: totals.done,
    distinctStubs: totals.distinctStubs,
    compiled: totals.compiled,
    origins: totals.origins,
    failed: totals.failed,
    failures: Object.fromEntries(totals.failures),
    kernel: kernel.origin,
    ...(found.compiler === undefined ? {} : { compiler: found.name }),
    workers,
    stages: totals.stages(),
    compilesPerSecond: totals.compilesPerSecond,
    draftsPerSecond: totals.draftsPerSecond,
    programsPerSecond: totals.programsPerSecond,
    runsPerSecond: totals.runsPerSecond,
    launchesPerSecond: totals.launchesPerSecond,
    ...range("kernelMicroseconds", totals.kernelMicroseconds),
    ...range("liveInstructions", totals.liveInstructions),
    ...range("registers", totals.registers),
    ...range("cubinBytes", totals.cubinBytes),
    spills: { programs: totals.spillingPrograms, bytes: totals.spillBytes },
    checks: { run: runCheck(runner, totals), gpu: gpuCheck(found, gpu, totals), elf, ptxas },
  };
}

function runCheck(runner: FoundRunner, { ran, agreed, differences }: Totals): RunCheck {
  if (runner.runner === undefined) return { skipped: runner.why };
  return { on: runner.name, ran, agreed, problems: differences };
}

function gpuCheck(found: FoundCompiler, gpu: FoundGpu, totals: Totals): GpuCheck {
  if (gpu.gpu === undefined) return { skipped: gpu.why };
  if (found.compiler === undefined) return { skipped: "no cubin to launch" };
  const { launched, agreements, launchDifferences: problems } = totals;
  return { on: gpu.gpu.name, launched, ...agreements, problems };
}

/** A range under its name, or nothing if there is no value. */
function range<Name extends string>(
  name: Name,
  values: readonly number[],
): { readonly [name in Name]?: Range } {
  const found = rangeOf(values);
  return found === undefined ? {} : ({ [name]: found } as { [name in Name]: Range });
}

/** Whether everything that was compiled is correct. */
export function succeeded(report: Report): boolean {
  const { run, gpu, elf, ptxas } = report.checks;
  return (
    report.failed === 0 &&
    ("skipped" in gpu || gpu.wrong === 0) &&
    ("skipped" in run || run.agreed === run.ran) &&
    elf.passed === elf.total &&
    ("skipped" in ptxas || ptxas.equal === ptxas.compared)
  );
}
