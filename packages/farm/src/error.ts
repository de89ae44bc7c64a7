// The errors of this package. A compile that fails is a `PtxCompileError` of @mm-ptx/cuda, as everywhere.

import { MmPtxError } from "@mm-ptx/types/core";

/**
 * The failures of a farm.
 *
 * - `INVALID_ARGUMENT`: an option does not exist or has an invalid value.
 * - `UNREACHABLE`: no server answers at the addresses.
 * - `DENIED`: the server rejects the key, the certificate or a subject.
 * - `NOT_A_FARM`: a server answers, but `mm-ptx-farm serve` does not.
 * - `NO_WORKERS`: no worker of the pool answers; the message lists the pools that have workers.
 * - `QUEUE`: the server takes no jobs into its queue, for example because its disk is full.
 * - `NO_PROGRAM`: there is no nats-server on this machine, or only one that is too old.
 * - `SERVER`: nats-server ended or could not start; the message names the port if it is in use, and otherwise quotes the server's last lines.
 * - `NO_COMPILER`: a worker has no compiler, or no compiler that can be confined.
 * - `FRAME`: a message is corrupt, has another format, or exceeds a limit.
 */
export type FarmErrorCode =
  | "INVALID_ARGUMENT"
  | "UNREACHABLE"
  | "DENIED"
  | "NOT_A_FARM"
  | "NO_WORKERS"
  | "QUEUE"
  | "NO_PROGRAM"
  | "SERVER"
  | "NO_COMPILER"
  | "FRAME";

/** A failure of a farm. */
export class FarmError extends MmPtxError<FarmErrorCode> {
  override readonly name: string = "FarmError";
}
