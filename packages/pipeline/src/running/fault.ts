// What a failed load or launch says about who is at fault.
import { CudaError, PtxCompileError } from "@mm-ptx/cuda";
import { EmulatorError } from "@mm-ptx/emulator";
import { MmPtxError } from "@mm-ptx/types/core";
import type { PackFault } from "./work.js";

/** A launch that the device refuses whatever the program is. */
export class RefusedLaunch extends Error {}

/** @param isLost whether the device can't be used any more */
export function faultOf(thrown: unknown, isLost: boolean): PackFault {
  const isCallers = thrown instanceof RefusedLaunch;
  const error = isCallers ? thrown.cause : thrown;
  const code =
    error instanceof MmPtxError ? error.code : error instanceof TypeError ? "INVALID_ARGUMENT" : "FAILED";
  const message = error instanceof Error ? error.message : String(error);
  return {
    ok: false,
    code,
    message,
    lines: linesOf(error).filter((line) => line !== undefined),
    block: error instanceof EmulatorError ? error.fault?.place?.block : undefined,
    kernels: error instanceof CudaError ? error.suspects : [],
    isCallers,
    isLost,
  };
}

function linesOf(error: unknown): readonly (number | undefined)[] {
  if (error instanceof EmulatorError) {
    const { problems, fault } = error;
    return [...problems.map(({ line }) => line), fault?.place?.line, fault?.loop?.first.line];
  }
  return error instanceof PtxCompileError ? error.diagnostics.map(({ line }) => line) : [];
}
