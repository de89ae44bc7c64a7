// The options of a compiler: a closed, checked list with defaults.

import { availableParallelism } from "node:os";
import {
  type Check,
  type Checks,
  isBoolean,
  isOneOf,
  isSignal,
  isWhole,
  optionProblem,
  unexpected,
} from "@mm-ptx/types/internal";
import { type CacheOptions, isCache, isFolder, resolveCache } from "../cache/options.js";
import { PtxCompileError } from "../error.js";
import { memoryShare } from "../native/memory.js";
import { archOf, isArch, isConfine, isMemoryLimitBytes, isTimeout, isWorkers } from "../toolkit/checks.js";
import type { CodeOptions, Target } from "./code-options.js";
import { CODE_CHECKS, codeConflict, REQUIRED_OPTIONS, resolveTarget } from "./target.js";

/**
 * The compiler to run: nvPTXCompiler in worker processes, nvPTXCompiler on threads of this process, the
 * command-line assembler, or nvJitLink in worker processes.
 */
export type BackendName = "isolated" | "in-process" | "ptxas" | "nvjitlink";

/** Options for creating a `PtxCompiler`. */
export interface PtxCompilerOptions extends CodeOptions {
  /**
   * Default: `auto`, which uses `isolated` if nvPTXCompiler is there, otherwise `in-process`, otherwise `ptxas` if that
   * program is found, otherwise `nvjitlink`, whose machine code may differ from that of the others. With an option that
   * only worker processes support, it uses `isolated` or `nvjitlink`.
   */
  readonly backend?: "auto" | BackendName;
  /** The number of concurrent compiles; by default, the number of cores. */
  readonly workers?: number;
  /**
   * Caches cubins in memory and on disk for later compiles of the same PTX with the same options; `false` disables the
   * cache. Default: enabled, in the platform's cache folder.
   */
  readonly cache?: boolean | CacheOptions;
  /**
   * Replaces each non-ASCII character in comments by `?`; elsewhere, such characters remain an error. Default: `false`,
   * since the compiler only accepts ASCII.
   */
  readonly asciiComments?: boolean;
  /** The time limit of one compile in milliseconds, counted from its start; no limit by default. */
  readonly timeoutMs?: number;
  /**
   * The memory limit of a worker process in bytes; a compile that exceeds it fails with `OUT_OF_MEMORY`. Only the
   * backends `isolated` and `nvjitlink` support it. By default, an equal share of the machine's memory for each worker and this
   * process, but at least 1 GiB.
   */
  readonly memoryLimitBytes?: number;
  /**
   * Whether worker processes give up, before their first job, everything that compiling does not need: files, the
   * network, other processes. PTX that takes over the compiler then reaches nothing but its own worker. Default: `auto`,
   * where the system can; `capabilities().confinement` says whether it can. `required` refuses to compile without it.
   * Only the backends `isolated` and `nvjitlink` support it. SECURITY.md describes what it protects.
   */
  readonly confine?: "auto" | "required" | false;
  /**
   * On whose behalf this compiler works, if callers do not trust each other: any text. Its workers serve nobody else, and
   * its cache has a folder (in the cache's folder) and keys that only compilers of the same tenant use, so that PTX that
   * takes over a worker can change no result of others. Only the backends `isolated` and `nvjitlink` support it. Default: none; all
   * callers of such a compiler trust each other.
   */
  readonly tenant?: string;
}

/** The options of a compiler with all defaults. */
export interface ResolvedOptions extends Target {
  readonly backend: "auto" | BackendName;
  /** Whether an option has to be supported that only worker processes support. */
  readonly needsWorkers: boolean;
  readonly workers: number;
  readonly asciiComments: boolean;
  readonly timeoutMs: number | undefined;
  readonly memoryLimitBytes: number;
  readonly confine: "auto" | "required" | false;
  readonly tenant: string | undefined;
  readonly cache: false | Required<CacheOptions>;
}

const LONGEST_TENANT = 256;
const isTenant: Check = (value, name) =>
  typeof value === "string" && value !== "" && value.length <= LONGEST_TENANT
    ? undefined
    : unexpected(name, `a text of 1 to ${LONGEST_TENANT} characters`, value);

/** In the order of preference of `auto`. */
export const BACKENDS = ["isolated", "in-process", "ptxas", "nvjitlink"] as const;
/** The backends without worker processes of our own. */
const WITHOUT_WORKERS: readonly unknown[] = ["in-process", "ptxas"];

const CHECKS: Readonly<Record<keyof PtxCompilerOptions, Check>> = {
  ...CODE_CHECKS,
  backend: isOneOf(["auto", ...BACKENDS]),
  workers: isWorkers,
  asciiComments: isBoolean,
  cache: isCache,
  timeoutMs: isTimeout,
  memoryLimitBytes: isMemoryLimitBytes,
  confine: isConfine,
  tenant: isTenant,
};

/**
 * Checks every option and adds the defaults.
 *
 * @throws PtxCompileError `INVALID_ARGUMENT`
 */
export function resolveOptions(options: PtxCompilerOptions): ResolvedOptions {
  refuse(optionProblem(options, CHECKS, { required: REQUIRED_OPTIONS }));
  refuse(codeConflict(options) ?? backendConflict(options));
  const workers = options.workers ?? availableParallelism();
  return Object.freeze({
    ...resolveTarget(options),
    backend: options.backend ?? "auto",
    needsWorkers: needsIsolation(options) !== undefined,
    workers,
    asciiComments: options.asciiComments ?? false,
    timeoutMs: options.timeoutMs,
    cache: resolveCache(options.cache ?? true, options.tenant),
    memoryLimitBytes: options.memoryLimitBytes ?? memoryShare(workers),
    confine: options.confine ?? "auto",
    tenant: options.tenant,
  });
}

/** The option that only worker processes support, with what they do for it. */
function needsIsolation({
  memoryLimitBytes,
  confine,
  tenant,
}: PtxCompilerOptions): [string, string] | undefined {
  if (memoryLimitBytes !== undefined) return ["memoryLimitBytes", "a limit"];
  if (tenant !== undefined) return ["tenant", "tenants"];
  return confine === "required" ? ["confine", "confinement"] : undefined;
}

function backendConflict(options: PtxCompilerOptions): string | undefined {
  const { backend } = options;
  const need = needsIsolation(options);
  if (need === undefined || !WITHOUT_WORKERS.includes(backend)) return undefined;
  const [name, what] = need;
  return `options \`${name}\` and \`backend\`: expected the backend \`isolated\` or \`nvjitlink\`, since only they support ${what}, found \`${backend}\``;
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new PtxCompileError("INVALID_ARGUMENT", problem);
}

/**
 * Rejects options that are not an object, unknown names, and unexpected values.
 *
 * @throws PtxCompileError `INVALID_ARGUMENT`
 */
export function checkOptions(options: unknown, checks: Checks): void {
  refuse(optionProblem(options, checks));
}

/** @throws PtxCompileError `INVALID_ARGUMENT` */
export function checkTimeout(value: unknown): void {
  refuse(isTimeout(value, "timeoutMs"));
}

/** @throws PtxCompileError `INVALID_ARGUMENT` */
export function checkSignal(value: unknown): void {
  if (value !== undefined) refuse(isSignal(value, "signal"));
}

/** The error for an option with an invalid value. */
export function invalidOption(name: string, expected: string, found: unknown): PtxCompileError {
  return new PtxCompileError("INVALID_ARGUMENT", unexpected(name, expected, found));
}

/**
 * Resolves an architecture: `native` is the first GPU's.
 *
 * @throws PtxCompileError `INVALID_ARGUMENT`, `UNAVAILABLE`
 */
export function resolveArch(value: unknown): string {
  refuse(isArch(value, "arch"));
  return archOf(value as string, PtxCompileError);
}

/** @throws PtxCompileError `INVALID_ARGUMENT` */
export function checkCacheFolder(name: string, folder: unknown): void {
  refuse(isFolder(folder, name));
}

/** @throws PtxCompileError `INVALID_ARGUMENT` */
export function checkInteger(name: string, value: unknown, least: number, most: number): void {
  refuse(isWhole(least, most)(value, name));
}
