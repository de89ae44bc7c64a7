// Opening: which driver, which device, in which process; and what there is to open.

import { describeError, didYouMean, quoted } from "@mm-ptx/types/core";
import { findAddon, type LoadedAddon } from "../native/load.js";
import { checkNames, checkText, optionalBoolean, refuse, wholeNumber } from "./check.js";
import { Connection } from "./connection.js";
import { CudaError, driverMissing } from "./error.js";
import { type DeviceDescription, describeDevice } from "./properties.js";
import { SUCCESS } from "./results.js";

/** Which driver is asked. */
export interface DriverOptions {
  /** NVIDIA's driver library; by default as the system's loader finds it, or `MM_PTX_DRIVER` names it. */
  readonly driver?: string;
}

/** How a device is opened. */
export interface DeviceOptions extends DriverOptions {
  /**
   * Calls the driver in a child process: a kernel that faults, or takes longer than `timeoutMs`, ends that process alone. What
   * is called next then starts a new one; what was made before is lost.
   */
  readonly isolate?: boolean;
  /** Milliseconds that launches and calls of an isolated device may take, but for opening and loading; no limit by default. */
  readonly timeoutMs?: number;
}

const MOST_DEVICES = 1024;
const MAX_MILLISECONDS = 2 ** 31 - 1;
const SEARCH_OPTIONS = ["driver"] as const;

/** @throws CudaError INVALID_INPUT */
export function checkDeviceOptions(options: DeviceOptions): void {
  checkNames(options, [...SEARCH_OPTIONS, "isolate", "timeoutMs"]);
  const { driver, isolate, timeoutMs } = options;
  if (driver !== undefined) checkText("driver", driver);
  optionalBoolean("isolate", isolate);
  if (timeoutMs === undefined) return;
  wholeNumber("timeoutMs", timeoutMs, 1, MAX_MILLISECONDS);
  if (isolate !== true)
    throw refuse(
      "expected `timeoutMs` with `isolate: true`, found it without: what runs in this process can't be ended",
    );
}

/** A connection that no device was opened on. @throws CudaError DRIVER_MISSING where there is no addon */
export function connect({ driver, isolate = false, timeoutMs = 0 }: DeviceOptions): Connection {
  const native = requireAddon();
  if (isolate && native.workerPath === undefined)
    throw driverMissing(`an isolated device needs its worker: ${native.workerProblem}`);
  return new Connection(native, { driver: driver ?? process.env.MM_PTX_DRIVER ?? "", isolate, timeoutMs });
}

function requireAddon(): LoadedAddon {
  const { native, attempts } = findAddon();
  if (native !== undefined) return native;
  const tried = attempts.map(({ place, outcome }) => `${place}: ${outcome}`);
  throw driverMissing(["nothing can open it without the addon", ...tried].join("\n"));
}

/** How many devices the driver has. @throws CudaError DRIVER_MISSING, NO_DEVICE and its like */
function countDevices(connection: Connection): number {
  connection.call("cuInit", []);
  return Number(connection.call("cuDeviceGetCount", []).values[0]!);
}

/** Asks a driver in passing. */
function asking<Result>(options: DriverOptions, ask: (connection: Connection) => Result): Result {
  checkNames(options, SEARCH_OPTIONS);
  const connection = connect(options);
  try {
    return ask(connection);
  } finally {
    connection.close();
  }
}

/** @throws CudaError INVALID_INPUT, and whatever but its absence keeps the driver from telling */
export function deviceCount(options: DriverOptions): number {
  try {
    return asking(options, countDevices);
  } catch (error) {
    if (error instanceof CudaError && ["DRIVER_MISSING", "NO_DEVICE"].includes(error.code)) return 0;
    throw error;
  }
}

/** @throws CudaError INVALID_INPUT, and whatever but its absence keeps the driver from telling */
export function listDevices(options: DriverOptions): DeviceDescription[] {
  if (deviceCount(options) === 0) return [];
  return asking(options, describeAll);
}

/** What the driver says of itself and of its devices. */
export interface DriverReport {
  /** The CUDA version that it has, `13.0`; undefined where there is no driver. */
  readonly version: string | undefined;
  readonly devices: readonly DeviceDescription[];
  /** Why there are no devices. */
  readonly problem: string | undefined;
}

/** Never throws: what is wrong is told. */
export function driverReport(options: DriverOptions = {}): DriverReport {
  let version: string | undefined;
  try {
    const devices = asking(options, (connection) => {
      version = driverVersion(connection);
      return describeAll(connection);
    });
    return { version, devices, problem: devices.length === 0 ? "the driver has no device" : undefined };
  } catch (error) {
    return { version, devices: [], problem: describeError(error) };
  }
}

function describeAll(connection: Connection): DeviceDescription[] {
  return Array.from({ length: countDevices(connection) }, (_, ordinal) =>
    describeDevice(connection, ordinal),
  );
}

/** The CUDA version that a driver has, `13.0`; undefined where it does not tell. */
export function driverVersion(connection: Connection): string | undefined {
  if (connection.gone) return undefined;
  const { status, values } = connection.ask("cuDriverGetVersion", []);
  if (status !== SUCCESS) return undefined;
  const number = Number(values[0]!);
  return `${Math.floor(number / 1000)}.${Math.floor((number % 1000) / 10)}`;
}

/** A device on a connection of its own. */
export interface OpenedDevice {
  readonly connection: Connection;
  /** CUcontext: the primary one. */
  readonly context: bigint;
  readonly description: DeviceDescription;
}

/** @throws CudaError DRIVER_MISSING, NO_DEVICE, INVALID_DEVICE, INVALID_INPUT */
export function openDevice(which: number | string, options: DeviceOptions): OpenedDevice {
  const connection = connect(options);
  try {
    const ordinal = typeof which === "string" ? ordinalOf(connection, which) : which;
    wholeNumber("ordinal", ordinal, 0, MOST_DEVICES);
    const [, context] = connection.call("open", [ordinal], { asked: `ordinal ${ordinal}` }).values;
    return { connection, context: context!, description: describeDevice(connection, ordinal) };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** The device of a UUID. */
function ordinalOf(connection: Connection, uuid: string): number {
  const found = describeAll(connection).map(({ uuid }) => uuid);
  const ordinal = uuid === "" ? -1 : found.indexOf(uuid);
  if (ordinal !== -1) return ordinal;
  throw refuse(
    `expected the UUID of a device (${found.join(", ")}), found ${quoted(uuid)}${didYouMean(uuid, found)}`,
  );
}
