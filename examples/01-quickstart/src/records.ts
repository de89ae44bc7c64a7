// What is known about each program when it is through, as results.jsonl writes it.

import type { Agreement } from "./gpu.js";

/** What came of running a program, when it was run. */
export interface RunRecord {
  /** What ran it: `emulator`. */
  readonly ran?: string;
  /** Whether all results were those of the reference. */
  readonly agrees?: boolean;
  /** The first one that was not, or why it did not run to its end. */
  readonly difference?: string;
}

/** What came of launching a cubin, when there is a GPU. */
export interface LaunchRecord {
  /** Which GPU launched it. */
  readonly gpu?: string;
  /** How its results stand to the emulator's. */
  readonly gpuAgreement?: Agreement;
  /** The first one that is not the emulator's, or why the launch failed. */
  readonly gpuDifference?: string;
  /** Of the kernel. */
  readonly gpuMicroseconds?: number;
}

/** A program whose stub became a cubin. */
export interface CompiledRecord extends RunRecord, LaunchRecord {
  readonly index: number;
  /** The program's instructions as little-endian bytes, in hexadecimal. */
  readonly program: string;
  readonly stub: string;
  /** Registers a thread of the kernel. */
  readonly registers: number;
  /** Bytes of spill stores and loads of the kernel. */
  readonly spills: number;
  readonly cubinBytes: number;
  readonly cubinSha256: string;
  /** Time in the PTX compiler; 0 when the cubin was there already, from an earlier run or for an equal stub. */
  readonly milliseconds: number;
}

/** A program that has no cubin, and why. */
export interface FailedRecord extends RunRecord {
  readonly index: number;
  readonly program: string;
  /** Absent when the program itself did not compile to a stub. */
  readonly stub?: string;
  /** The error's code, from the package that raised it. */
  readonly code: string;
  readonly message: string;
}

/** A program on a machine where nothing compiles PTX: rendered, and that is all. */
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
