// What is known about each finished program, as results.jsonl contains it.

import type { Agreement } from "./gpu.js";

/** The outcome of running a program, if it was run. */
export interface RunRecord {
  /** What ran it: `emulator`. */
  readonly ran?: string;
  /** Whether all results equal those of the reference. */
  readonly agrees?: boolean;
  /** The first result that differs, or the reason why the program did not run to its end. */
  readonly difference?: string;
}

/** The outcome of launching a cubin, if there is a GPU. */
export interface LaunchRecord {
  /** The GPU that launched it. */
  readonly gpu?: string;
  /** How its results compare with the emulator's. */
  readonly gpuAgreement?: Agreement;
  /** The first result that differs from the emulator's, or the reason why the launch failed. */
  readonly gpuDifference?: string;
  /** The kernel's time. */
  readonly gpuMicroseconds?: number;
}

/** A program whose stub became a cubin. */
export interface CompiledRecord extends RunRecord, LaunchRecord {
  readonly index: number;
  /** The program's instructions as little-endian bytes, in hexadecimal. */
  readonly program: string;
  readonly stub: string;
  /** Registers per thread of the kernel. */
  readonly registers: number;
  /** Bytes of spill stores and loads of the kernel. */
  readonly spills: number;
  readonly cubinBytes: number;
  readonly cubinSha256: string;
  /** The time in the PTX compiler; 0 if the cubin already existed, from an earlier run or for an equal stub. */
  readonly milliseconds: number;
}

/** A program that has no cubin, and why. */
export interface FailedRecord extends RunRecord {
  readonly index: number;
  readonly program: string;
  /** Absent if the program itself did not compile to a stub. */
  readonly stub?: string;
  /** The error's code, from the package that threw it. */
  readonly code: string;
  readonly message: string;
}

/** A program on a machine where nothing compiles PTX: it was only rendered. */
export interface RenderedRecord extends RunRecord {
  readonly index: number;
  readonly program: string;
  readonly stub: string;
}

export type ProgramRecord = CompiledRecord | FailedRecord | RenderedRecord;

export function isCompiled(record: ProgramRecord): record is CompiledRecord {
  return "cubinSha256" in record;
}

export function isFailed(record: ProgramRecord): record is FailedRecord {
  return "code" in record;
}
