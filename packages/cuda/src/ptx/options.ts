// The options of a compiler: a closed list, each checked, with defaults filled in.

import { availableParallelism } from "node:os";
import { ARCHITECTURES, architecture } from "@mm-ptx/ptx";
import { describeValue, didYouMean } from "@mm-ptx/types/core";
import { defaultCacheFolder } from "../cache/location.js";
import { PtxCompileError } from "../error.js";
import { NATIVE_ARCH, nativeArch } from "../native/driver.js";
import { LEAST_MEMORY, memoryShare } from "../native/memory.js";
import type { Effort, Target } from "./target.js";

/**
 * Which compiler runs, and where: the library in worker processes, the library on threads of this process, or the
 * command-line assembler.
 */
export type BackendName = "isolated" | "in-process" | "ptxas";

/** What a `PtxCompiler` is made with. */
export interface PtxCompilerOptions {
  /** The architecture to compile for, for example `sm_90` or `sm_100a`; `native` is that of the first GPU here. */
  readonly arch: string;
  /** Default `auto`: isolated when the native package is there, else in-process, else ptxas from PATH. */
  readonly backend?: "auto" | BackendName;
  /** Compiles at the same time; default: as many as cores. */
  readonly workers?: number;
  /** Default `final`. */
  readonly effort?: Effort;
  /** The most registers a thread may use, 1 to 255; the compiler ignores it for kernels with `.maxntid`. */
  readonly maxRegisters?: number;
  /** Keeps line numbers of the PTX (or of its `.loc` directives) in the cubin. */
  readonly lineInfo?: boolean;
  /** Keeps what a debugger needs, and optimises nothing: goes with no `effort`. */
  readonly debug?: boolean;
  /** `false` keeps `mul` and `add` apart that the compiler would make one fused instruction of. Default true. */
  readonly fmad?: boolean;
  /**
   * Keeps cubins in memory and on disk for the next time that the same PTX is compiled with the same options; `false`
   * keeps nothing. Default: on, where the platform keeps what can be made again.
   */
  readonly cache?: boolean | CacheOptions;
  /**
   * Makes ASCII of comments in other alphabets, with `?` for each character that is none; elsewhere such characters stay
   * an error. Default `false`: the compiler takes ASCII alone, and PTX that is none is refused.
   */
  readonly asciiComments?: boolean;
  /** Milliseconds that one compile may take, counted from its start; default: no limit. */
  readonly timeoutMs?: number;
  /**
   * Bytes that a worker process may have in memory; what needs more fails with `MEMORY`. For the isolated backend alone.
   * Default: an equal share of the machine's memory for each worker and for this process, but at least 1 GiB.
   */
  readonly memoryLimit?: number;
}

/** Where cubins are kept, and how many. */
export interface CacheOptions {
  /** Default: `MM_PTX_CACHE_DIR`, else the folder `mm-ptx` of the user's cache folder. */
  readonly folder?: string;
  /** Bytes on disk; beyond them the longest unused go. Default 1 GiB; 0 keeps nothing on disk. */
  readonly maxBytes?: number;
  /** Bytes in this process's memory. Default 64 MiB. */
  readonly memoryBytes?: number;
}

/** The options of a compiler with every default filled in. */
export interface ResolvedOptions extends Target {
  readonly backend: "auto" | BackendName;
  readonly workers: number;
  readonly asciiComments: boolean;
  readonly timeoutMs: number | undefined;
  readonly memoryLimit: number;
  readonly cache: false | Required<CacheOptions>;
}

const EFFORTS: readonly Effort[] = ["final", "balanced", "draft"];
const BACKENDS = ["auto", "isolated", "in-process", "ptxas"] as const;
/** What setTimeout and the addon can count. */
const MAX_MILLISECONDS = 2 ** 31 - 1;
const GIB = 2 ** 30;

type Check = (value: unknown) => unknown;

const CHECKS: Readonly<Record<keyof PtxCompilerOptions, Check>> = {
  arch: resolveArch,
  backend: (value) => checkOneOf("backend", value, BACKENDS),
  workers: (value) => checkInteger("workers", value, 1, 1024),
  effort: (value) => checkOneOf("effort", value, EFFORTS),
  maxRegisters: (value) => checkInteger("maxRegisters", value, 1, 255),
  lineInfo: (value) => checkBoolean("lineInfo", value),
  debug: (value) => checkBoolean("debug", value),
  fmad: (value) => checkBoolean("fmad", value),
  asciiComments: (value) => checkBoolean("asciiComments", value),
  cache: checkCache,
  timeoutMs: checkTimeout,
  memoryLimit: (value) => checkInteger("memoryLimit", value, LEAST_MEMORY, Number.MAX_SAFE_INTEGER),
};

/**
 * Checks every option and fills in the defaults.
 *
 * @throws PtxCompileError `INVALID_OPTION`
 */
export function resolveOptions(options: PtxCompilerOptions): ResolvedOptions {
  checkNames(options, Object.keys(CHECKS));
  for (const [name, check] of Object.entries(CHECKS)) {
    const value = options[name as keyof PtxCompilerOptions];
    if (value !== undefined || name === "arch") check(value);
  }
  refuseConflicts(options);
  const workers = options.workers ?? availableParallelism();
  return Object.freeze({
    arch: resolveArch(options.arch),
    backend: options.memoryLimit === undefined ? (options.backend ?? "auto") : "isolated",
    workers,
    effort: options.effort ?? "final",
    maxRegisters: options.maxRegisters,
    lineInfo: options.lineInfo ?? false,
    debug: options.debug ?? false,
    fmad: options.fmad ?? true,
    asciiComments: options.asciiComments ?? false,
    timeoutMs: options.timeoutMs,
    cache: resolveCache(options.cache ?? true),
    memoryLimit: options.memoryLimit ?? memoryShare(workers),
  });
}

function resolveCache(cache: boolean | CacheOptions): ResolvedOptions["cache"] {
  if (cache === false) return false;
  const { folder, maxBytes, memoryBytes } = cache === true ? {} : (cache as CacheOptions);
  return Object.freeze({
    folder: folder ?? defaultCacheFolder(),
    maxBytes: maxBytes ?? GIB,
    memoryBytes: memoryBytes ?? 64 * 2 ** 20,
  });
}

/** Options that are right by themselves and not together. */
function refuseConflicts({ debug, effort, lineInfo, memoryLimit, backend }: PtxCompilerOptions): void {
  const conflict = (message: string): never => {
    throw new PtxCompileError("INVALID_OPTION", message);
  };
  if (debug && effort !== undefined)
    conflict(`options \`debug\` and \`effort\`: expected one of them, as code to debug is not optimised`);
  if (debug && lineInfo)
    conflict("options `debug` and `lineInfo`: expected one of them, as `debug` keeps line numbers too");
  if (memoryLimit !== undefined && (backend === "in-process" || backend === "ptxas"))
    conflict(
      `options \`memoryLimit\` and \`backend\`: expected the backend \`isolated\`, which alone can hold a compile to a limit, found \`${backend}\``,
    );
}

/**
 * Refuses options that are no object and names that do not exist.
 *
 * @throws PtxCompileError `INVALID_OPTION`
 */
export function checkNames(options: unknown, known: readonly string[]): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new PtxCompileError(
      "INVALID_OPTION",
      `expected options as an object, found ${describeValue(options)}`,
    );
  }
  for (const [name, value] of Object.entries(options)) {
    // An option that is not set asks for nothing, whatever its name.
    if (value === undefined || known.includes(name)) continue;
    throw new PtxCompileError("INVALID_OPTION", `unknown option \`${name}\`${didYouMean(name, known)}`);
  }
}

/** @throws PtxCompileError `INVALID_OPTION` */
export function checkTimeout(value: unknown): void {
  checkInteger("timeoutMs", value, 1, MAX_MILLISECONDS);
}

/** @throws PtxCompileError `INVALID_OPTION` */
export function checkSignal(value: unknown): void {
  if (value !== undefined && !(value instanceof AbortSignal))
    throw invalidOption("signal", "an AbortSignal", value);
}

/** The error for an option of another value than it may have. */
export function invalidOption(name: string, expected: string, found: unknown): PtxCompileError {
  return new PtxCompileError(
    "INVALID_OPTION",
    `option \`${name}\`: expected ${expected}, found ${describeValue(found)}`,
  );
}

/**
 * The architecture that is meant: `native` is that of the first GPU.
 *
 * @throws PtxCompileError `INVALID_OPTION`
 */
export function resolveArch(value: unknown): string {
  if (value === NATIVE_ARCH) {
    try {
      return nativeArch();
    } catch (error) {
      const message = `option \`arch\`: ${(error as Error).message}`;
      throw new PtxCompileError("INVALID_OPTION", message, { cause: error });
    }
  }
  if (typeof value === "string" && architecture(value) !== undefined) return value;
  const names = ARCHITECTURES.map((each) => each.name);
  const hint = typeof value === "string" ? didYouMean(value, names) : "";
  throw new PtxCompileError(
    "INVALID_OPTION",
    `option \`arch\`: expected one of ${names.join(", ")}, found ${describeValue(value)}${hint}`,
  );
}

function checkCache(value: unknown): void {
  if (typeof value === "boolean") return;
  if (typeof value !== "object" || value === null)
    throw invalidOption("cache", "a boolean or an object", value);
  checkNames(value, ["folder", "maxBytes", "memoryBytes"]);
  const { folder, maxBytes, memoryBytes } = value as CacheOptions;
  if (folder !== undefined) checkCacheFolder("cache.folder", folder);
  if (maxBytes !== undefined) checkInteger("cache.maxBytes", maxBytes, 0, Number.MAX_SAFE_INTEGER);
  if (memoryBytes !== undefined) checkInteger("cache.memoryBytes", memoryBytes, 0, Number.MAX_SAFE_INTEGER);
}

/** @throws PtxCompileError `INVALID_OPTION` */
export function checkCacheFolder(name: string, folder: unknown): void {
  if (typeof folder !== "string" || folder === "" || folder.includes("\0"))
    throw invalidOption(name, "the path of a folder", folder);
}

function checkBoolean(name: string, value: unknown): void {
  if (typeof value !== "boolean") throw invalidOption(name, "a boolean", value);
}

function checkOneOf(name: string, value: unknown, allowed: readonly string[]): void {
  if (typeof value === "string" && allowed.includes(value)) return;
  const list = allowed.map((each) => `\`${each}\``).join(", ");
  const hint = typeof value === "string" ? didYouMean(value, allowed) : "";
  throw new PtxCompileError(
    "INVALID_OPTION",
    `option \`${name}\`: expected ${list}, found ${describeValue(value)}${hint}`,
  );
}

/** @throws PtxCompileError `INVALID_OPTION` */
export function checkInteger(name: string, value: unknown, least: number, most: number): void {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return;
  throw invalidOption(name, `a whole number from ${least} to ${most}`, value);
}
