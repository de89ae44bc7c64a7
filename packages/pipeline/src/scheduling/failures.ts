// What failed, and who is at fault.
import type { PtxCompileError } from "@mm-ptx/cuda";
import { MmPtxError } from "@mm-ptx/types/core";
import { describeValue } from "@mm-ptx/types/internal";
import type { PackPlace, PackText } from "../packing/writer.js";
import type { ProgramFailure, ProgramOutcome } from "../results/result.js";

/** What failed in a pack, before it is known who is at fault. */
export interface PackFailure {
  readonly code: string;
  readonly message: string;
  /** Lines of the module's text, counted from 1. */
  readonly lines: readonly number[];
  /** The block of the thread that failed. */
  readonly block?: readonly [number, number, number] | undefined;
  /** Kernels that may have failed. */
  readonly kernels?: readonly string[];
  /** Programs that also failed when they were launched by themselves. */
  readonly members?: readonly number[];
}

export const failedOutcome = (error: ProgramFailure): ProgramOutcome => ({ status: error.code, error });

/** The failure of a program that has no stub. */
export function failureOf(error: unknown, site: string | undefined): ProgramFailure {
  const code = error instanceof MmPtxError ? error.code : "FAILED";
  const { instruction } = error as { readonly instruction?: unknown };
  const place = site !== undefined && {
    place: { site, ...(typeof instruction === "number" ? { instruction } : {}) },
  };
  return { code, message: error instanceof Error ? error.message : describeValue(error), ...place };
}

export function compileFailure({
  code,
  message,
  diagnostics = [],
}: Partial<PtxCompileError> & Error): PackFailure {
  const lines = diagnostics.filter(({ severity }) => severity !== "warning").map(({ line }) => line);
  return { code: code ?? "FAILED", message, lines: lines.filter((line) => line !== undefined) };
}

/** The failure of a program that was alone. */
export function ownFailure(
  { code, message, lines }: PackFailure,
  text: PackText | undefined,
): ProgramFailure {
  const place = placesOf(lines, text)[0];
  return {
    code,
    message,
    ...(place === undefined ? {} : { place: { site: place.site, stubLine: place.stubLine } }),
  };
}

/** Whether the text says that the stubs of programs are at fault, and not the kernel around them. */
export const blamesStubs = (lines: readonly number[], text: PackText): boolean =>
  placesOf(lines, text).length > 0;

/** The members of a pack that are known to be at fault; none if it may be any of them. */
export function culpritsOf(failure: PackFailure, text: PackText | undefined): ReadonlySet<number> {
  const culprits = new Set<number>();
  if (text === undefined) return culprits;
  for (const { members } of placesOf(failure.lines, text))
    if (members.length === 1) culprits.add(members[0]!);
  if (culprits.size > 0) return culprits;
  const { block, kernels = [], members = [] } = failure;
  if (members.length > 0) return new Set(members);
  if (block !== undefined && text.packing.kind === "alternatives")
    culprits.add(block[text.packing.axis === "z" ? 2 : 1]);
  else if (kernels.length === 1 && text.entries.length > 1) {
    const member = text.entries.indexOf(kernels[0]!);
    if (member !== -1) culprits.add(member);
  }
  return culprits;
}

const placesOf = (lines: readonly number[], text: PackText | undefined): readonly PackPlace[] =>
  text === undefined ? [] : lines.map((line) => text.place(line)).filter((place) => place !== undefined);
