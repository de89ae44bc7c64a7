// The options of a CUDA compile: a closed, checked list, translated to the compilers' command lines. Nothing else
// reaches a compiler, because some of their options read and write files.

import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import {
  type Check,
  type Checks,
  isBoolean,
  isListOf,
  isOneOf,
  isSignal,
  isWhole,
  optionProblem,
  unexpected,
} from "@mm-ptx/types/internal";
import { type CacheOptions, isCache, resolveCache } from "../cache/options.js";
import { memoryShare } from "../native/memory.js";
import {
  archOf,
  isArch,
  isConfine,
  isLine,
  isMemoryLimitBytes,
  isTimeout,
  isWorkers,
} from "../toolkit/checks.js";
import { CudaCompileError } from "./error.js";

/** The kind of output: text for `parsePtx` and `PtxCompiler`, machine code, or LTO-IR for a `Linker`. */
export type CudaOutput = "ptx" | "cubin" | "ltoir";

/** The compiler: NVIDIA's runtime library or the toolkit's program. */
export type CudaBackendName = "nvrtc" | "nvcc";

/** The C++ standard of a source. */
export type CudaStandard = "c++11" | "c++14" | "c++17" | "c++20";

/** Options for creating a `CudaCompiler`. */
export interface CudaCompilerOptions {
  /** Default: `auto`, which uses NVRTC if it is available, otherwise nvcc. */
  readonly backend?: "auto" | CudaBackendName;
  /** The number of concurrent compiles; by default, the number of cores. */
  readonly workers?: number;
  /**
   * The memory limit of a compile's process in bytes; a compile that exceeds it fails with `OUT_OF_MEMORY`. It covers nvcc
   * together with the programs that nvcc starts; on Windows, nvcc has none. By default, an equal share of the machine's
   * memory for each worker and this process, but at least 1 GiB.
   */
  readonly memoryLimitBytes?: number;
  /**
   * Whether NVRTC's process can read only the header folders of the compile, its own and the system's, write nothing and
   * open no connection, so that a source can't quote other files. A header that is a link to a file elsewhere needs that
   * folder in `includes`. Default: `auto`, where the system can (Landlock, Linux 5.13); `required` refuses to compile
   * without it. nvcc, which starts programs from anywhere, is confined only if it is `required`, and then only in what
   * it writes and in its connections: it reads what its user can.
   */
  readonly confine?: "auto" | "required" | false;
  /**
   * Caches results in memory and on disk for later compiles of the same source with the same headers, options and
   * compiler; `false` disables the cache. Default: enabled, in the platform's cache folder, which `PtxCompiler` uses
   * too.
   */
  readonly cache?: boolean | CacheOptions;
}

/** The options of a compiler with all defaults. */
export interface ResolvedCudaOptions extends Required<Omit<CudaCompilerOptions, "cache">> {
  readonly cache: false | Required<CacheOptions>;
}

/** Options of one compile of CUDA. */
export interface CudaCompileOptions {
  /**
   * The architecture to compile for, for example `sm_90`; `native` is the architecture of this machine's first GPU. PTX
   * also runs on later architectures.
   */
  readonly arch: string;
  /** Default: `ptx`. `ltoir` requires NVRTC. */
  readonly output?: CudaOutput;
  /**
   * Header folders; the current folder is not included by default. The folders of `ptx_inject.h` and of CUDA, if found,
   * are searched after them.
   */
  readonly includes?: readonly string[];
  /** Macros; `true` defines one as 1. */
  readonly defines?: Readonly<Record<string, string | number | true>>;
  /** Header texts, by the name that `#include` uses. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The name of the source in messages; default: `kernel.cu`. */
  readonly name?: string;
  /** Default: the compiler's own default, C++17 in CUDA 13. */
  readonly standard?: CudaStandard;
  /**
   * C++ names of kernels and variables whose names in the PTX `loweredNames` will contain; templates named here are
   * instantiated. Requires NVRTC.
   */
  readonly nameExpressions?: readonly string[];
  /**
   * Functions without `__host__` or `__device__` are compiled for the device, as libraries such as CuTe expect from
   * NVRTC. Requires NVRTC.
   */
  readonly deviceByDefault?: boolean;
  /** Keeps line numbers of the CUDA source. */
  readonly lineInfo?: boolean;
  /** Keeps debug information and disables optimization. */
  readonly debug?: boolean;
  /** `false` keeps `mul` and `add` separate. Default: true. */
  readonly fmad?: boolean;
  /** Enables approximate division, square root and similar functions, and flushes subnormals. */
  readonly fastMath?: boolean;
  /** The maximum number of registers per thread, 1 to 255. */
  readonly maxRegisters?: number;
  /**
   * Produces code that a `Linker` can link, so that functions may be declared `extern`. `ltoir` is always relocatable.
   */
  readonly relocatable?: boolean;
  /** The numbers of warnings to suppress, for example `[177]`. */
  readonly suppress?: readonly number[];
  /** Aborts the call with `ABORTED`; the error's `cause` is the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * The time limit of the compile in milliseconds, counted from its start. By default, ten minutes for nvcc, and none for
   * NVRTC.
   */
  readonly timeoutMs?: number;
}

const BACKENDS = ["auto", "nvrtc", "nvcc"];
const OUTPUTS: readonly CudaOutput[] = ["ptx", "cubin", "ltoir"];
const STANDARDS: readonly CudaStandard[] = ["c++11", "c++14", "c++17", "c++20"];

/** The check of a value, and its arguments for both compilers. */
interface Rule<T> {
  readonly check: Check;
  readonly args?: (value: T) => readonly string[];
}

type Rules = { readonly [Name in keyof CudaCompileOptions]-?: Rule<NonNullable<CudaCompileOptions[Name]>> };

const flag = (argument: string, when = true): Rule<boolean> => ({
  check: isBoolean,
  args: (value) => (value === when ? [argument] : []),
});

const RULES: Rules = {
  arch: { check: isArch },
  output: { check: isOneOf(OUTPUTS) },
  includes: { check: isListOf("paths of folders", isLine) },
  defines: { check: areDefines },
  headers: { check: areHeaders },
  name: { check: isFileName },
  standard: { check: isOneOf(STANDARDS), args: (value) => [`--std=${value}`] },
  nameExpressions: { check: isListOf("C++ names", isLine) },
  deviceByDefault: flag("--device-as-default-execution-space"),
  lineInfo: flag("--generate-line-info"),
  debug: flag("--device-debug"),
  fmad: flag("--fmad=false", false),
  fastMath: flag("--use_fast_math"),
  maxRegisters: { check: isWhole(1, 255), args: (value) => [`--maxrregcount=${value}`] },
  relocatable: flag("--relocatable-device-code=true"),
  suppress: {
    check: isListOf("numbers of warnings", (value) => Number.isInteger(value) && (value as number) > 0),
    args: (value) => (value.length === 0 ? [] : [`--diag-suppress=${value.join(",")}`]),
  },
  signal: { check: isSignal },
  timeoutMs: { check: isTimeout },
};
const CHECKS = Object.fromEntries(Object.entries(RULES).map(([name, { check }]) => [name, check]));

const NVRTC_CHECKS: Checks = {
  workers: isWorkers,
  memoryLimitBytes: isMemoryLimitBytes,
  confine: isConfine,
  cache: isCache,
};
const COMPILER_CHECKS: Checks = { backend: isOneOf(BACKENDS), ...NVRTC_CHECKS };

/** The compiler options for NVRTC. @throws CudaCompileError `INVALID_ARGUMENT` */
export function resolveNvrtcOptions(options: Omit<CudaCompilerOptions, "backend">): CudaCompilerOptions {
  refuse(optionProblem(options, NVRTC_CHECKS));
  return { ...options, backend: "nvrtc" };
}

/** The options of a compiler with all defaults. @throws CudaCompileError `INVALID_ARGUMENT` */
export function resolveCompilerOptions(options: CudaCompilerOptions): ResolvedCudaOptions {
  refuse(optionProblem(options, COMPILER_CHECKS));
  const { backend = "auto", workers = availableParallelism(), memoryLimitBytes } = options;
  return {
    backend,
    workers,
    memoryLimitBytes: memoryLimitBytes ?? memoryShare(workers),
    confine: options.confine ?? "auto",
    cache: resolveCache(options.cache ?? true),
  };
}

/**
 * Checks and copies the options of a compile, because the caller may modify its lists while the compile waits.
 *
 * @throws CudaCompileError `INVALID_ARGUMENT`, `UNAVAILABLE`
 */
export function resolveCompileOptions(
  options: CudaCompileOptions,
  backend: CudaBackendName,
): CudaCompileOptions {
  refuse(optionProblem(options, CHECKS, { required: ["arch"] }));
  refuse(conflictIn(options, backend));
  const { includes, defines, headers, nameExpressions, suppress } = options;
  return {
    ...options,
    arch: archOf(options.arch, CudaCompileError),
    ...(includes && { includes: includes.map((folder) => resolve(folder)) }),
    ...(defines && { defines: { ...defines } }),
    ...(headers && { headers: { ...headers } }),
    ...(nameExpressions && { nameExpressions: [...nameExpressions] }),
    ...(suppress && { suppress: [...suppress] }),
  };
}

/** Detects options that are valid individually but not together. */
function conflictIn(options: CudaCompileOptions, backend: CudaBackendName): string | undefined {
  const { output, debug, lineInfo, nameExpressions, deviceByDefault, relocatable, headers } = options;
  if (debug && lineInfo)
    return "options `debug` and `lineInfo`: expected only one of them, since `debug` keeps line numbers as well";
  if (output === "ltoir" && relocatable === false)
    return "options `output` and `relocatable`: LTO-IR is always relocatable";
  if (backend === "nvrtc") return undefined;
  if (output === "ltoir") return "option `output`: `ltoir` requires the backend `nvrtc`, found `nvcc`";
  if (nameExpressions !== undefined)
    return "option `nameExpressions`: expected the backend `nvrtc`, since only it can look up names, found `nvcc`";
  if (deviceByDefault)
    return "option `deviceByDefault`: expected the backend `nvrtc`, since only it has this option, found `nvcc`";
  const names = Object.keys(headers ?? {});
  const folder = names.find((name) => names.some((other) => other.startsWith(`${name}/`)));
  if (folder !== undefined)
    return `option \`headers\`: expected the backend \`nvrtc\`, since only it accepts \`${folder}\` both as a header and as a folder of headers, found \`nvcc\``;
  return undefined;
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new CudaCompileError("INVALID_ARGUMENT", problem);
}

/** The arguments that both compilers share; the caller adds architecture, output, macros and folders. */
export function commonArguments(options: CudaCompileOptions): string[] {
  return Object.entries(RULES).flatMap(([name, rule]) => {
    const value = options[name as keyof CudaCompileOptions];
    return value === undefined ? [] : ((rule as Rule<unknown>).args?.(value) ?? []);
  });
}

/** Name and value of each macro. */
export function definitions({ defines = {} }: CudaCompileOptions): [name: string, value: string][] {
  return Object.entries(defines).map(([name, value]) => [name, value === true ? "1" : `${value}`]);
}

/** The name of the architecture for PTX and LTO-IR, `compute_90` for `sm_90`. */
export const virtualArch = (arch: string): string => arch.replace(/^sm_/, "compute_");

/** The preprocessor would continue the macro on the next line. */
const GOES_ON = /\\\s*$/;

function areDefines(value: unknown, name: string): string | undefined {
  if (typeof value !== "object" || value === null) return unexpected(name, "an object", value);
  for (const [macro, text] of Object.entries(value)) {
    if (!/^[A-Za-z_]\w*(\([\w\s,.]*\))?$/.test(macro)) return unexpected(name, "names of macros", macro);
    if (text === true || text === "" || Number.isFinite(text) || (isLine(text) && !GOES_ON.test(text)))
      continue;
    return unexpected(`${name}.${macro}`, "a single-line string, a number or true", text);
  }
  return undefined;
}

function areHeaders(value: unknown, name: string): string | undefined {
  if (typeof value !== "object" || value === null) return unexpected(name, "an object", value);
  for (const [header, text] of Object.entries(value)) {
    const within = isLine(header) && !header.split(/[\\/]/).some((part) => ["", ".", ".."].includes(part));
    if (!within) return unexpected(name, "names as in `#include`, below a folder", header);
    if (typeof text === "string" && !text.includes("\0")) continue;
    return unexpected(`${name}.${header}`, "a text without NUL", text);
  }
  return undefined;
}

function isFileName(value: unknown, name: string): string | undefined {
  const fits =
    isLine(value) && !/[\\/"]/.test(value) && !value.startsWith("-") && ![".", ".."].includes(value);
  return fits ? undefined : unexpected(name, "a file name without folders and quotes", value);
}
