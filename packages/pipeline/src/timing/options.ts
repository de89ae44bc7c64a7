// How programs are timed.

import { type Check, isBoolean, isOneOf, isOptions, isWhole } from "@mm-ptx/types/internal";
import { refuse } from "../check.js";

/** How programs are timed on a GPU. */
export interface TimingOptions {
  /** The number of launches before the first one that counts: 10 by default, 2 for programs of packs. */
  readonly warmup?: number;
  /** The number of launches that count: 100 by default, 20 for programs of packs. */
  readonly repeat?: number;
  /** Whether the L2 cache is overwritten before each launch of a finalist; true by default. */
  readonly flushL2?: boolean;
  /** The number of sets of buffers that the launches of a finalist cycle through; 1 by default. */
  readonly rotateBuffers?: number;
  /**
   * Which programs: the finalists, in the machine code of `finalCompiler`, or all, in that of their packs; finalists are then timed in
   * that of `finalCompiler` as well. By default the finalists if there is a `finalCompiler`, otherwise all.
   */
  readonly programs?: "finalists" | "all";
}

/** Of a benchmark. */
const MOST = 1_000_000;

const CHECKS: Readonly<Record<keyof TimingOptions, Check>> = {
  warmup: isWhole(0, MOST),
  repeat: isWhole(1, MOST),
  flushL2: isBoolean,
  rotateBuffers: isWhole(1, MOST),
  programs: isOneOf(["finalists", "all"]),
};

/** The check of the option `timing`. */
export const isTiming: Check = (value, name) => (value === true ? undefined : isOptions(CHECKS)(value, name));

/**
 * How the programs of a pipeline are timed; undefined if they are not, as on the emulator.
 *
 * @throws PipelineError INVALID_ARGUMENT without a device, and for finalists without a compiler of theirs
 */
export function timingOf({
  timing,
  device,
  finalCompiler,
}: {
  readonly timing?: true | TimingOptions;
  readonly device?: { readonly kind: string };
  readonly finalCompiler?: unknown;
}): TimingOptions | undefined {
  if (timing === undefined) return undefined;
  const options = timing === true ? {} : timing;
  const { programs = finalCompiler === undefined ? "all" : "finalists" } = options;
  if (device === undefined) throw refuse("expected a device with the option `timing`, found none");
  if (programs === "finalists" && finalCompiler === undefined)
    throw refuse("expected `finalCompiler`, whose machine code of finalists is timed, found none");
  return device.kind === "cuda" ? { ...options, programs } : undefined;
}
