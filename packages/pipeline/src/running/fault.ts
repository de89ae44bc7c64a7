// What a failed load or launch says about who is at fault.
import type { CudaError, PtxCompileError } from "@mm-ptx/cuda";
import { EmulatorError } from "@mm-ptx/emulator";
import { MmPtxError } from "@mm-ptx/types/core";
import type { PackFault } from "./work.js";

/** A launch that the device refuses whatever the program is. */
export class RefusedLaunch extends Error {}

/** A launch that the device refuses because of one kernel's machine code. */
export class FailedKernel extends Error {
  readonly kernel: string;

  constructor(kernel: string, cause: unknown) {
    super("the kernel can't be launched", { cause });
    this.kernel = kernel;
  }
}

/** @param lost why the device can't be used any more; undefined if it can */
export function faultOf(thrown: unknown, lost: string | undefined): PackFault {
  const isCallers = thrown instanceof RefusedLaunch;
  const isKernels = thrown instanceof FailedKernel;
  const error = isCallers || isKernels ? thrown.cause : thrown;
  const message = error instanceof Error ? error.message : String(error);
  return {
    ok: false,
    code: isKernels ? "LAUNCH_OUT_OF_RESOURCES" : codeOf(error),
    message: lost === undefined ? message : `${message}; ${lost}`,
    lines: linesOf(error).filter((line) => line !== undefined),
    block: error instanceof EmulatorError ? error.fault?.place?.block : undefined,
    kernels: isKernels ? [thrown.kernel] : suspectsOf(error),
    members: [],
    isCallers,
    isLost: lost !== undefined,
  };
}

function codeOf(error: unknown): string {
  if (error instanceof MmPtxError) return error.code;
  return error instanceof TypeError ? "INVALID_ARGUMENT" : "FAILED";
}

/** Threads with emulated devices need not load the package of GPUs to recognize its errors. */
const suspectsOf = (error: unknown): readonly string[] =>
  error instanceof MmPtxError ? ((error as Partial<CudaError>).suspects ?? []) : [];

function linesOf(error: unknown): readonly (number | undefined)[] {
  if (error instanceof EmulatorError) {
    const { problems, fault } = error;
    return [...problems.map(({ line }) => line), fault?.place?.line, fault?.loop?.first.line];
  }
  const diagnostics =
    error instanceof MmPtxError ? (error as Partial<PtxCompileError>).diagnostics : undefined;
  return diagnostics?.map(({ line }) => line) ?? [];
}
