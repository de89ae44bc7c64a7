// The errors of reading and disassembling cubins.

import { MmPtxError } from "@mm-ptx/types/core";
import type { Unavailable } from "../tool-error.js";

/**
 * The failures of reading and disassembling a cubin.
 *
 * - `INVALID_CUBIN`: the bytes are not a cubin, or are a corrupt one, for example with sections that overlap; `offset` is
 * the position.
 * - `INVALID_ARGUMENT`: the cubin is not a `Uint8Array`, or an option does not exist or has an invalid value.
 * - `NOT_FOUND`: the cubin has no kernel of that name.
 * - `UNAVAILABLE`: there is no disassembler on this machine; the message lists every place that was searched, and
 * `what` is `tool`.
 * - `TOOL_FAILED`: the disassembler rejected the cubin, or was stopped.
 */
export type CubinErrorCode =
  | "INVALID_CUBIN"
  | "INVALID_ARGUMENT"
  | "NOT_FOUND"
  | "UNAVAILABLE"
  | "TOOL_FAILED";

/** The details of an error besides its message. */
export interface CubinErrorDetails {
  readonly offset?: number | undefined;
  readonly what?: Unavailable;
  readonly cause?: unknown;
}

/** Thrown for bytes that are not a cubin, and if one can't be disassembled. */
export class CubinError extends MmPtxError<CubinErrorCode> {
  override readonly name: string = "CubinError";
  /** The offset of the invalid byte, if a single one is invalid. */
  readonly offset: number | undefined;
  /** What this machine lacks; only with code `UNAVAILABLE`. */
  readonly what: Unavailable | undefined;

  constructor(code: CubinErrorCode, message: string, { offset, what, cause }: CubinErrorDetails = {}) {
    const text = offset === undefined ? message : `${message} (at byte ${offset})`;
    super(code, text, cause === undefined ? undefined : { cause });
    this.offset = offset;
    this.what = what;
  }
}
