// Errors of the emulator as errors of the CUDA runtime (CUDA Runtime API, cudaError_t).
import { EmulatorError, type EmulatorErrorCode } from "../error.js";

export const INVALID_VALUE = 1;
export const OUT_OF_MEMORY = 2;
const INVALID_CONFIGURATION = 9;
export const INVALID_SYMBOL = 13;
export const INVALID_FUNCTION = 98;
const INVALID_PTX = 218;
export const NO_KERNEL_IMAGE = 209;
const ILLEGAL_ADDRESS = 700;
const LAUNCH_TIMEOUT = 702;
const ASSERT = 710;
const MISALIGNED_ADDRESS = 716;
const LAUNCH_FAILURE = 719;
const NOT_SUPPORTED = 801;
const UNKNOWN = 999;

const NUMBERS: Partial<Record<EmulatorErrorCode, number>> = {
  INVALID_ARGUMENT: INVALID_CONFIGURATION,
  NOT_FOUND: INVALID_FUNCTION,
  OUT_OF_BOUNDS: ILLEGAL_ADDRESS,
  USE_AFTER_FREE: ILLEGAL_ADDRESS,
  MISALIGNED: MISALIGNED_ADDRESS,
  OUT_OF_MEMORY,
  DEADLOCK: LAUNCH_TIMEOUT,
  TIMEOUT: LAUNCH_TIMEOUT,
  BUDGET: LAUNCH_TIMEOUT,
  ABORTED: LAUNCH_TIMEOUT,
  TRAP: LAUNCH_FAILURE,
  UNSUPPORTED: NOT_SUPPORTED,
  WORKER_LOST: UNKNOWN,
};

/** The number of an error, as `cudaGetLastError` returns it. */
export function cudaErrorOf(error: unknown): number {
  if (error instanceof CudaError) return error.number;
  if (!(error instanceof EmulatorError)) return UNKNOWN;
  if (error.code === "TRAP" && error.fault?.detail?.includes("assert") === true) return ASSERT;
  if (error.problems.length > 0 && error.code !== "UNSUPPORTED") return INVALID_PTX;
  return NUMBERS[error.code] ?? LAUNCH_FAILURE;
}

/** An error that the CUDA runtime has a number for, with the sentence that the user reads, if any. */
export class CudaError extends Error {
  constructor(
    readonly number: number,
    message = "",
  ) {
    super(message);
  }
}
