// What is wrong with a cubin, or with showing one.

import { MmPtxError } from "@mm-ptx/types/core";

/**
 * What went wrong with a cubin.
 *
 * - `INVALID_CUBIN`: the bytes are no cubin, or a damaged one; `offset` is where.
 * - `INVALID_OPTION`: an option that does not exist or has no such value.
 * - `KERNEL_NOT_FOUND`: the cubin has no function of that name.
 * - `TOOL_MISSING`: no disassembler on this machine; the message has every place that was looked at.
 * - `TOOL_FAILED`: the disassembler did not take the cubin, or was stopped.
 */
export type CubinErrorCode =
  | "INVALID_CUBIN"
  | "INVALID_OPTION"
  | "KERNEL_NOT_FOUND"
  | "TOOL_MISSING"
  | "TOOL_FAILED";

/** Thrown for bytes that are no cubin, and where one cannot be shown. */
export class CubinError extends MmPtxError<CubinErrorCode> {
  /** Of the byte that is wrong, where one is to blame. */
  readonly offset: number | undefined;

  constructor(code: CubinErrorCode, message: string, offset?: number, options?: ErrorOptions) {
    super(code, offset === undefined ? message : `${message} (at byte ${offset})`, options);
    this.offset = offset;
  }
}
