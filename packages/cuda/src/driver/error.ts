// The errors of devices: results of the driver by name and number, and what this package itself refuses or finds out.

import { MmPtxError } from "@mm-ptx/types/core";
import { hintOf } from "./hints.js";
import { CUDA_RESULTS, type CudaResultCode, MISSING } from "./results.js";

/**
 * What this package says itself; all else are names of CUresult.
 *
 * - `INVALID_INPUT`: an argument or option that no device takes: a wrong size, a detached array, an unknown option, what is
 *   another device's.
 * - `WRONG_ARGUMENT`: an argument of a launch that does not fit the kernel's parameter.
 * - `UNKNOWN_NAME`: a module has no such kernel or variable.
 * - `DISPOSED`: what was given back, or whose device was.
 * - `DRIVER_MISSING`: no driver could be opened, or this package's addon not be loaded.
 * - `FUNCTION_MISSING`: the driver is older than a function that is needed.
 * - `DEVICE_LOST`: an earlier failure left the device unusable; `cause` is that failure.
 * - `CRASHED`: the process of an isolated device died.
 * - `INTERNAL`: the addon refused what this package sent.
 */
export type CudaOwnCode =
  | "INVALID_INPUT"
  | "WRONG_ARGUMENT"
  | "UNKNOWN_NAME"
  | "DISPOSED"
  | "DRIVER_MISSING"
  | "FUNCTION_MISSING"
  | "DEVICE_LOST"
  | "CRASHED"
  | "INTERNAL";

/** Every code of a device's errors; `TIMEOUT` is also that of an isolated device's `timeoutMs`. */
export type CudaErrorCode = CudaOwnCode | CudaResultCode;

/** What an error knows besides its message. */
export interface CudaErrorDetails {
  readonly number?: number | undefined;
  readonly resultName?: string | undefined;
  readonly text?: string | undefined;
  readonly operation?: string | undefined;
  readonly hint?: string | undefined;
  readonly suspects?: readonly string[];
  readonly log?: string | undefined;
  readonly cause?: unknown;
}

/** Every failure of a device. */
export class CudaError extends MmPtxError<CudaErrorCode> {
  /** The driver's result; undefined for what the driver did not say. */
  readonly number: number | undefined;
  /** `CUDA_ERROR_ILLEGAL_ADDRESS`, as the driver names it. */
  readonly resultName: string | undefined;
  /** What the driver says of it. */
  readonly text: string | undefined;
  /** The function of the driver that returned it, such as `cuMemAlloc`. */
  readonly operation: string | undefined;
  /** What helps, for causes that are known; the last line of the message says it too. */
  readonly hint: string | undefined;
  /** Kernels whose launches may have done it, the oldest first; one where it is known. */
  readonly suspects: readonly string[];
  /** What the driver's compiler said of PTX that was loaded with `jit`. */
  readonly log: string | undefined;

  constructor(code: CudaErrorCode, message: string, details: CudaErrorDetails = {}) {
    const { number, resultName, text, operation, hint, suspects = [], log, cause } = details;
    super(code, message, cause === undefined ? undefined : { cause });
    this.number = number;
    this.resultName = resultName;
    this.text = text;
    this.operation = operation;
    this.hint = hint;
    this.suspects = suspects;
    this.log = log;
  }
}

/** What a call knows of itself, for the error of its failure. */
export interface FailureContext {
  /** What was asked for, in words: `4096 bytes`. */
  readonly asked?: string | undefined;
  readonly suspects?: readonly string[];
  /** That whose launch failed itself, and which nobody needs to suspect. */
  readonly kernel?: string;
  readonly log?: string | undefined;
}

/** Statuses of replies that are no results of the driver; the numbers are those of `native/driver`. */
const OWN_STATUS = new Map<number, (operation: string, text: string) => CudaError>([
  [MISSING, (_operation, text) => functionMissing(text)],
  [-2, (_operation, text) => driverMissing(text)],
  [-3, () => disposedDevice()],
  [
    -4,
    (operation, text) =>
      new CudaError("INTERNAL", `the addon refused \`${operation}\`: ${text}`, { operation }),
  ],
  [
    -5,
    (operation, text) =>
      new CudaError("CRASHED", `the device's process died during \`${operation}\`: ${text}`, { operation }),
  ],
  [
    -6,
    (operation) =>
      new CudaError("TIMEOUT", `the device's process was killed: \`${operation}\` took too long`, {
        operation,
      }),
  ],
]);

/** What an operation of ours is mostly about, where nobody says which function of the driver it was that failed. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  open: "cuDevicePrimaryCtxRetain",
  load: "cuModuleLoadDataEx",
  launch: "cuLaunchKernel",
  copyIn: "cuMemcpyHtoDAsync",
  copyOut: "cuMemcpyDtoHAsync",
  notify: "cuStreamQuery",
  cuGraphInstantiate: "cuGraphInstantiateWithFlags",
};

/**
 * The error of a reply.
 *
 * @param name of the operation
 * @param text what the driver says: `NAME`, a sentence, and the function, with NULs between them; or what the addon says
 */
export function failureOf(
  name: string,
  status: number,
  text: string,
  context: FailureContext = {},
): CudaError {
  const own = OWN_STATUS.get(status);
  if (own !== undefined) return own(FUNCTIONS[name] ?? name, text);
  const known = CUDA_RESULTS.get(status);
  const [told, sentence = "", operation = FUNCTIONS[name] ?? name] = text.split("\0");
  const resultName = told || (known === undefined ? undefined : `CUDA_ERROR_${known.code}`);
  const { asked, suspects = [], kernel, log } = context;
  const hint = known && hintOf(known.code);
  const lines = [
    `\`${operation}\`${asked === undefined ? "" : ` for ${asked}`} returned ${resultName ?? "a result without a name"} (${status}): ${known?.text ?? sentence}${suspected(suspects)}`,
    log,
    hint && `hint: ${hint}`,
  ];
  return new CudaError(known?.code ?? "UNKNOWN", lines.filter(Boolean).join("\n"), {
    number: status,
    resultName,
    text: sentence || known?.text,
    operation,
    hint,
    suspects: kernel === undefined ? suspects : [kernel],
    log,
  });
}

/** Which launches may have done it. */
export function suspected(kernels: readonly string[]): string {
  if (kernels.length === 0) return "";
  const names = [...new Set(kernels)].map((name) => `\`${name}\``);
  return `; suspected: ${kernels.length === 1 ? "the launch" : `${kernels.length} launches`} of ${names.join(", ")}`;
}

/** @param tried a line for each place */
export function driverMissing(tried: string): CudaError {
  const places = tried.split("\n").map((place) => `\n  - ${place}`);
  return new CudaError("DRIVER_MISSING", `expected a driver for NVIDIA GPUs, found none:${places.join("")}`);
}

export function disposedDevice(): CudaError {
  return new CudaError("DISPOSED", "expected a device that is in use, found one that was disposed");
}

/** @param text the function's name, a NUL, and the version of CUDA that has it */
function functionMissing(text: string): CudaError {
  const [operation = "", version = ""] = text.split("\0");
  const hint = hintOf("CALL_REQUIRES_NEWER_DRIVER");
  return new CudaError(
    "FUNCTION_MISSING",
    `expected a driver that has \`${operation}\` (CUDA ${version} or later), found one that lacks it\nhint: ${hint}`,
    { operation, hint },
  );
}
