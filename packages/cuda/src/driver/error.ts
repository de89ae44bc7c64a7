// The errors of devices: the driver's results by name and number, and the failures that this package detects itself.

import { MmPtxError } from "@mm-ptx/types/core";
import type { Unavailable } from "../tool-error.js";
import { hintOf } from "./hints.js";
import { CUDA_RESULTS, type CudaResultCode, MISSING } from "./results.js";

/**
 * This package's own codes. All others are names of CUresult, some of which this package uses as well: `NOT_FOUND` for
 * a kernel or variable that a module lacks, `OUT_OF_MEMORY`, `TIMEOUT`.
 *
 * - `INVALID_ARGUMENT`: an argument or option is invalid for every device: a wrong size, a detached array, an unknown
 * option, an object of another device, arguments of a launch that do not fit the kernel's parameters.
 * - `DISPOSED`: the object or its device has been disposed.
 * - `UNAVAILABLE`: no driver could be opened, or this package's addon could not be loaded; `what` is `driver`.
 * - `FUNCTION_MISSING`: the driver is too old and lacks a required function.
 * - `DEVICE_LOST`: an earlier failure left the device unusable; `cause` is that failure.
 * - `CRASHED`: the process of an isolated device died.
 * - `INTERNAL`: the addon rejected a request of this package.
 */
export type CudaOwnCode =
  | "INVALID_ARGUMENT"
  | "DISPOSED"
  | "UNAVAILABLE"
  | "FUNCTION_MISSING"
  | "DEVICE_LOST"
  | "CRASHED"
  | "INTERNAL";

/** Every code of a device's errors; `TIMEOUT` is also used for an isolated device's `timeoutMs`. */
export type CudaErrorCode = CudaOwnCode | CudaResultCode;

/** The details of an error besides its message. */
export interface CudaErrorDetails {
  readonly number?: number | undefined;
  readonly resultName?: string | undefined;
  readonly text?: string | undefined;
  readonly operation?: string | undefined;
  readonly hint?: string | undefined;
  readonly suspects?: readonly string[];
  readonly log?: string | undefined;
  readonly what?: Unavailable;
  readonly cause?: unknown;
}

/** A failure of a device. */
export class CudaError extends MmPtxError<CudaErrorCode> {
  override readonly name: string = "CudaError";
  /** The number of the driver's result; undefined for failures that the driver did not report. */
  readonly number: number | undefined;
  /** The driver's name for the result, such as `CUDA_ERROR_ILLEGAL_ADDRESS`. */
  readonly resultName: string | undefined;
  /** The driver's description of the result. */
  readonly text: string | undefined;
  /** The driver function that returned it, such as `cuMemAlloc`. */
  readonly operation: string | undefined;
  /** A remedy, for known causes; it is also the last line of the message. */
  readonly hint: string | undefined;
  /** Kernels whose launches may be at fault, the oldest first; a single one if the culprit is known. */
  readonly suspects: readonly string[];
  /** The log of the driver's compiler, for PTX that was loaded with `jit`. */
  readonly log: string | undefined;
  /** What this machine lacks; only with code `UNAVAILABLE`. */
  readonly what: Unavailable | undefined;

  constructor(code: CudaErrorCode, message: string, details: CudaErrorDetails = {}) {
    const { number, resultName, text, operation, hint, suspects = [], log, what, cause } = details;
    super(code, message, cause === undefined ? undefined : { cause });
    this.number = number;
    this.resultName = resultName;
    this.text = text;
    this.operation = operation;
    this.hint = hint;
    this.suspects = suspects;
    this.log = log;
    this.what = what;
  }
}

/** The context that a call contributes to the error if it fails. */
export interface FailureContext {
  /** The request in words, such as `4096 bytes`. */
  readonly asked?: string | undefined;
  readonly suspects?: readonly string[];
  /** The kernel that is known to have failed, so that no others are suspected. */
  readonly kernel?: string;
  readonly log?: string | undefined;
  /** The time limit of the call in milliseconds. */
  readonly limitMs?: number;
}

/** Reply statuses that are not results of the driver; the numbers match `native/driver`. */
const OWN_STATUS = new Map<number, (operation: string, text: string, context: FailureContext) => CudaError>([
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
  [-6, (operation, _text, context) => tookTooLong(operation, context)],
]);

/** The main driver function of each operation, for failures that do not name the function. */
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
 * The error for the reply of a failure.
 *
 * @param name the operation
 * @param text the driver's `NAME`, description and function, separated by NULs; or the addon's message
 */
export function failureOf(
  name: string,
  status: number,
  text: string,
  context: FailureContext = {},
): CudaError {
  const own = OWN_STATUS.get(status);
  if (own !== undefined) return own(FUNCTIONS[name] ?? name, text, context);
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

/** The error for a call that exceeded the limit of an isolated device; launches that it waited for are to blame. */
function tookTooLong(operation: string, { limitMs, suspects = [] }: FailureContext): CudaError {
  const within = limitMs === undefined ? "in time" : `within ${limitMs} ms`;
  const message =
    suspects.length === 0
      ? `expected an answer to \`${operation}\` ${within}, found none`
      : `expected launches to finish ${within}, found one that did not${suspected(suspects)}`;
  return new CudaError("TIMEOUT", message, { operation, suspects });
}

/** Names the launches that may be at fault. */
export function suspected(kernels: readonly string[]): string {
  if (kernels.length === 0) return "";
  const names = [...new Set(kernels)].map((name) => `\`${name}\``);
  return `; suspected: ${kernels.length === 1 ? "the launch" : `${kernels.length} launches`} of ${names.join(", ")}`;
}

/** @param tried one line for each place that was searched */
export function driverMissing(tried: string): CudaError {
  const places = tried.split("\n").map((place) => `\n  - ${place}`);
  return new CudaError("UNAVAILABLE", `expected a driver for NVIDIA GPUs, found none:${places.join("")}`, {
    what: "driver",
  });
}

/** The error of every call after a failure made the device unusable. */
export function lostDevice(cause: CudaError): CudaError {
  return new CudaError(
    "DEVICE_LOST",
    `expected a working device, found one that was lost earlier: ${cause.message}`,
    { cause, suspects: cause.suspects },
  );
}

export function disposedDevice(): CudaError {
  return new CudaError("DISPOSED", "expected an open device, found a disposed one");
}

/** @param text the function's name, a NUL, and the CUDA version that introduced it */
function functionMissing(text: string): CudaError {
  const [operation = "", version = ""] = text.split("\0");
  const hint = hintOf("CALL_REQUIRES_NEWER_DRIVER");
  return new CudaError(
    "FUNCTION_MISSING",
    `expected a driver that has \`${operation}\` (CUDA ${version} or later), found one that lacks it\nhint: ${hint}`,
    { operation, hint },
  );
}
