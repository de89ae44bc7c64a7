// CUDA's device runtime, with which kernels launch kernels (CUDA C++ Programming Guide, CUDA Dynamic Parallelism). Its
// functions are entry points of libcudadevrt, whose PTX `nvcc -rdc=true` links: this emulator provides the system calls
// that they make, and the entry points themselves where that PTX is missing.
import type { BuiltIn, BuiltInHost } from "./built-in.js";
import { CUDA, type DeviceFunction, write } from "./device-function.js";
import { DEVICE_QUERIES, functionAttribute } from "./device-queries.js";
import { Grid } from "./grid.js";
import { launchDevice, parameterBuffer } from "./launches.js";

const ENTRY_POINT = "__cudaCDP2";
const SYSTEM_CALL = "__cuda_syscall_cnpv2";

function gridOf({ launch }: BuiltInHost): Grid | undefined {
  const { launches } = launch.hooks;
  return launches && Grid.of(launches);
}

const created =
  (kind: "stream" | "event"): DeviceFunction =>
  (host, [address = 0n]) => {
    const grid = gridOf(host);
    if (grid === undefined) return CUDA.NOT_SUPPORTED;
    write(host, address, 8, grid.create(kind));
    return CUDA.SUCCESS;
  };

const destroyed =
  (kind: "stream" | "event"): DeviceFunction =>
  (host, [handle = 0n]) =>
    gridOf(host)?.destroy(kind, handle) === true ? CUDA.SUCCESS : CUDA.INVALID_VALUE;

/** Functions that order a stream and an event do nothing more, because launches run in the order of the requests. */
const ordered =
  (stream: number, event: number): DeviceFunction =>
  (host, args) => {
    const grid = gridOf(host);
    const areThere = grid?.has("stream", args[stream]!) === true && grid.has("event", args[event]!);
    return areThere ? CUDA.SUCCESS : CUDA.INVALID_VALUE;
  };

/** Each entry point that returns a `cudaError_t`, and the name of its system call, if that differs. */
const FUNCTIONS: readonly (readonly [name: string, call: DeviceFunction, systemCall?: string])[] = [
  ["LaunchDeviceV2", launchDevice],
  ["StreamCreateWithFlags", created("stream"), "StreamCreate"],
  ["StreamDestroy", destroyed("stream")],
  ["StreamWaitEvent", ordered(0, 1)],
  ["EventCreateWithFlags", created("event"), "EventCreate"],
  ["EventRecord", ordered(1, 0)],
  ["EventDestroy", destroyed("event")],
  ...DEVICE_QUERIES,
];

/** The numbers by which system calls return errors; libcudadevrt translates them. */
const SYSTEM_ERRORS: ReadonlyMap<number, number> = new Map([
  [CUDA.SUCCESS, 0],
  [CUDA.INVALID_VALUE, 1],
  [CUDA.INVALID_DEVICE, 3],
  [CUDA.OUT_OF_MEMORY, 4],
  [CUDA.TOO_DEEP, 5],
  [CUDA.OUT_OF_RESOURCES, 6],
  [CUDA.INVALID_CONFIGURATION, 7],
  [CUDA.TOO_MANY_PENDING, 12],
]);
const OTHER_ERROR = 999;

const failed = (host: BuiltInHost, error: number): number => {
  if (error !== CUDA.SUCCESS) gridOf(host)?.setLastError(host, error);
  return error;
};

const lastError: BuiltIn = (host) => gridOf(host)?.lastError(host) ?? CUDA.SUCCESS;

const FOR_BOTH: Readonly<Record<string, BuiltIn>> = {
  GetParameterBufferV2(host, args) {
    const found = parameterBuffer(host, args);
    if (typeof found === "bigint") return found;
    failed(host, found);
    return 0n;
  },
};

export const DEVICE_RUNTIME: Readonly<Record<string, BuiltIn>> = {
  ...named(ENTRY_POINT, FOR_BOTH),
  ...named(SYSTEM_CALL, FOR_BOTH),
  ...named(
    ENTRY_POINT,
    Object.fromEntries(
      FUNCTIONS.map(([name, call]): [string, BuiltIn] => [
        name,
        (host, args) => failed(host, call(host, args)),
      ]),
    ),
  ),
  ...named(
    SYSTEM_CALL,
    Object.fromEntries(
      FUNCTIONS.map(([name, call, systemCall = name]): [string, BuiltIn] => [
        systemCall,
        (host, args) => SYSTEM_ERRORS.get(call(host, args)) ?? OTHER_ERROR,
      ]),
    ),
  ),
  ...named(ENTRY_POINT, {
    PeekAtLastError: lastError,
    GetLastError(host, args) {
      const error = lastError(host, args);
      gridOf(host)?.setLastError(host, CUDA.SUCCESS);
      return error;
    },
    Malloc(host, [address = 0n, bytes = 0n]) {
      const found = host.launch.hooks.heap?.allocate(bytes, host.place()) ?? 0n;
      write(host, address, 8, found);
      return failed(host, found === 0n ? CUDA.OUT_OF_MEMORY : CUDA.SUCCESS);
    },
    Free(host, [address = 0n]) {
      const problem = host.launch.hooks.heap?.free(address);
      return failed(host, problem === undefined ? CUDA.SUCCESS : CUDA.INVALID_VALUE);
    },
  }),
  ...named(SYSTEM_CALL, {
    GetLastError: lastError,
    SetLastError(host, [error = 0n]) {
      gridOf(host)?.setLastError(host, Number(error));
      return error;
    },
    FuncGetAttribute: (host, args) => SYSTEM_ERRORS.get(functionAttribute(host, args)) ?? OTHER_ERROR,
  }),
};

function named(prefix: string, functions: Readonly<Record<string, BuiltIn>>): Record<string, BuiltIn> {
  return Object.fromEntries(Object.entries(functions).map(([name, call]) => [`${prefix}${name}`, call]));
}
