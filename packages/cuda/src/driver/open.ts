// Opening: which driver, which device and which process, and the list of devices.

import { describeError, didYouMean, quoted } from "@mm-ptx/types/internal";
import { findAddon, type LoadedAddon } from "../native/load.js";
import { MAX_MILLISECONDS } from "../toolkit/checks.js";
import { checkNames, checkText, optionalBoolean, refuse, wholeNumber } from "./check.js";
import { Connection } from "./connection.js";
import { CudaError, driverMissing } from "./error.js";
import { type CudaDeviceDescription, describeDevice } from "./properties.js";
import { SUCCESS } from "./results.js";

/** Selects the driver. */
export interface DriverOptions {
  /** NVIDIA's driver library; by default the one that `MM_PTX_DRIVER` names or the system's loader finds. */
  readonly driver?: string;
}

/** Options for opening a device. */
export interface CudaDeviceOptions extends DriverOptions {
  /**
   * Calls the driver in a child process: a kernel that faults or exceeds `timeoutMs` ends only that process. The next
   * call then starts a new process; everything created before is lost.
   */
  readonly isolate?: boolean;
  /**
   * The time limit for launches and for every call of an isolated device in milliseconds; no limit by default. It counts
   * from the call, or from the last answer to an earlier call on the same stream. Opening has at least 60 seconds, because
   * it starts a process and the driver, and the compile that precedes the loading of PTX is not counted.
   */
  readonly timeoutMs?: number;
}

const MOST_DEVICES = 1024;
const SEARCH_OPTIONS = ["driver"] as const;

/** @throws CudaError INVALID_ARGUMENT */
export function checkDeviceOptions(options: CudaDeviceOptions): void {
  checkNames(options, [...SEARCH_OPTIONS, "isolate", "timeoutMs"]);
  const { driver, isolate, timeoutMs } = options;
  if (driver !== undefined) checkText("driver", driver);
  optionalBoolean("isolate", isolate);
  if (timeoutMs === undefined) return;
  wholeNumber("timeoutMs", timeoutMs, 1, MAX_MILLISECONDS);
  if (isolate !== true)
    throw refuse(
      "expected `isolate: true` with `timeoutMs`, found none: work that runs in this process can't be ended",
    );
}

/** A connection without an open device. @throws CudaError UNAVAILABLE if the addon can't be loaded */
export function connect({ driver, isolate = false, timeoutMs = 0 }: CudaDeviceOptions): Connection {
  const native = requireAddon();
  if (isolate && native.workerPath === undefined)
    throw driverMissing(`an isolated device needs its worker: ${native.workerProblem}`);
  return new Connection(native, { driver: driver ?? process.env.MM_PTX_DRIVER ?? "", isolate, timeoutMs });
}

function requireAddon(): LoadedAddon {
  const { native, attempts } = findAddon();
  if (native !== undefined) return native;
  const tried = attempts.map(({ place, outcome }) => `${place}: ${outcome}`);
  throw driverMissing(["the addon that opens it could not be loaded", ...tried].join("\n"));
}

/**
 * The number of devices that the driver reports. @throws CudaError UNAVAILABLE, NO_DEVICE or another result of the
 * driver
 */
function countDevices(connection: Connection): number {
  connection.call("cuInit", []);
  return Number(connection.call("cuDeviceGetCount", []).values[0]!);
}

/** Queries a driver over a temporary connection. */
function asking<Result>(options: DriverOptions, ask: (connection: Connection) => Result): Result {
  checkNames(options, SEARCH_OPTIONS);
  const connection = connect(options);
  try {
    return ask(connection);
  } finally {
    connection.close();
  }
}

/** @throws CudaError INVALID_ARGUMENT, and for failures of a driver that exists */
export function deviceCount(options: DriverOptions): number {
  try {
    return asking(options, countDevices);
  } catch (error) {
    if (error instanceof CudaError && ["UNAVAILABLE", "NO_DEVICE"].includes(error.code)) return 0;
    throw error;
  }
}

/** @throws CudaError INVALID_ARGUMENT, and for failures of a driver that exists */
export function listDevices(options: DriverOptions): CudaDeviceDescription[] {
  if (deviceCount(options) === 0) return [];
  return asking(options, describeAll);
}

/** The driver's version and its devices. */
export interface DriverReport {
  /** The CUDA version of the driver, such as `13.0`; undefined if there is no driver. */
  readonly version: string | undefined;
  readonly devices: readonly CudaDeviceDescription[];
  /** Why there are no devices. */
  readonly problem: string | undefined;
}

/** Never throws; failures are reported in the result. */
export function driverReport(options: DriverOptions = {}): DriverReport {
  let version: string | undefined;
  try {
    const devices = asking(options, (connection) => {
      version = driverVersion(connection);
      return describeAll(connection);
    });
    return { version, devices, problem: devices.length === 0 ? "the driver found no device" : undefined };
  } catch (error) {
    return { version, devices: [], problem: describeError(error) };
  }
}

function describeAll(connection: Connection): CudaDeviceDescription[] {
  return Array.from({ length: countDevices(connection) }, (_, ordinal) =>
    describeDevice(connection, ordinal),
  );
}

/** The CUDA version of a driver, such as `13.0`; undefined if it does not report one. */
export function driverVersion(connection: Connection): string | undefined {
  if (connection.gone) return undefined;
  const { status, values } = connection.ask("cuDriverGetVersion", []);
  if (status !== SUCCESS) return undefined;
  const number = Number(values[0]!);
  return `${Math.floor(number / 1000)}.${Math.floor((number % 1000) / 10)}`;
}

/** A device with its own connection. */
export interface OpenedDevice {
  readonly connection: Connection;
  /** CUcontext: the primary context. */
  readonly context: bigint;
  readonly description: CudaDeviceDescription;
}

/** @throws CudaError UNAVAILABLE, NO_DEVICE, INVALID_DEVICE, INVALID_ARGUMENT */
export function openDevice(which: number | string, options: CudaDeviceOptions): OpenedDevice {
  const connection = connect(options);
  try {
    const ordinal = typeof which === "string" ? ordinalOf(connection, which) : which;
    wholeNumber("ordinal", ordinal, 0, MOST_DEVICES);
    const [, context] = connection.call("open", [ordinal], { asked: `ordinal ${ordinal}` }).values;
    const description = describeDevice(connection, ordinal);
    connection.opened();
    return { connection, context: context!, description };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** The ordinal of the device with this UUID. */
function ordinalOf(connection: Connection, uuid: string): number {
  const found = describeAll(connection).map(({ uuid }) => uuid);
  const ordinal = uuid === "" ? -1 : found.indexOf(uuid);
  if (ordinal !== -1) return ordinal;
  throw refuse(
    `expected the UUID of a device (${found.join(", ")}), found ${quoted(uuid)}${didYouMean(uuid, found)}`,
  );
}
