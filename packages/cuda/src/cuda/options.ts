// The options of a compile of CUDA: a closed list, each checked, and what the compilers' command lines call them. Nothing
// else ever reaches a compiler, because some of their options read and write files.

import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { memoryShare } from "../native/memory.js";
import {
  archOf,
  type Check,
  type Checks,
  checkOptions,
  isArch,
  isBoolean,
  isLine,
  isListOf,
  isMemoryLimit,
  isOneOf,
  isSignal,
  isTimeout,
  isWhole,
  isWorkers,
  unexpected,
} from "../toolkit/checks.js";
import { CudaCompileError } from "./error.js";

/** What becomes of CUDA: text for `parsePtx` and `PtxCompiler`, machine code, or input for a `Linker` with `lto`. */
export type CudaOutput = "ptx" | "cubin" | "ltoir";

/** Which compiler runs: NVIDIA's library for it, or the toolkit's program. */
export type CudaBackendName = "nvrtc" | "nvcc";

/** The C++ that a source is written in. */
export type CudaStandard = "c++14" | "c++17" | "c++20";

/** What a `CudaCompiler` is made with. */
export interface CudaCompilerOptions {
  /** Default `auto`: NVRTC when it is there, else nvcc. */
  readonly backend?: "auto" | CudaBackendName;
  /** Compiles at the same time; default: as many as cores. */
  readonly workers?: number;
  /**
   * Bytes that the process of a compile may have in memory; what needs more fails with `MEMORY`. For NVRTC alone. Default:
   * an equal share of the machine's memory for each worker and for this process, but at least 1 GiB.
   */
  readonly memoryLimit?: number;
}

/** Options of one compile of CUDA. */
export interface CudaCompileOptions {
  /** The architecture to compile for, for example `sm_90`; `native` is that of the first GPU here. PTX is for it and all later ones. */
  readonly arch: string;
  /** Default `ptx`. `ltoir` is for NVRTC alone. */
  readonly output?: CudaOutput;
  /** Folders of headers; the current folder is none by itself. Those of `ptx_inject.h` and of CUDA, where they are found, come after them by themselves. */
  readonly includes?: readonly string[];
  /** Macros; `true` defines one as 1. */
  readonly defines?: Readonly<Record<string, string | number | true>>;
  /** Texts of headers, by the name that `#include` has. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What messages call the source; default `kernel.cu`. */
  readonly name?: string;
  /** Default: the compiler's own, C++17 in CUDA 13. */
  readonly standard?: CudaStandard;
  /** C++ names of kernels and variables, whose names in PTX are in `loweredNames` then; templates named here are instantiated. NVRTC alone. */
  readonly nameExpressions?: readonly string[];
  /** Functions that say neither `__host__` nor `__device__` are for the device, as libraries like CuTe expect it of NVRTC. NVRTC alone. */
  readonly deviceByDefault?: boolean;
  /** Keeps line numbers of the CUDA. */
  readonly lineInfo?: boolean;
  /** Keeps what a debugger needs, and optimises nothing. */
  readonly debug?: boolean;
  /** `false` keeps `mul` and `add` apart. Default true. */
  readonly fmad?: boolean;
  /** Approximations for division, square root and the like, and flushing of subnormals. */
  readonly fastMath?: boolean;
  /** The most registers a thread may use, 1 to 255. */
  readonly maxRegisters?: number;
  /** Code that a `Linker` can link: functions may be declared `extern`. `ltoir` always is. */
  readonly relocatable?: boolean;
  /** Numbers of warnings that are not wanted, for example `[177]`. */
  readonly suppress?: readonly number[];
  /** Ends the call with `ABORTED`; `cause` is the signal's reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds that the compile may take, counted from its start; default: no limit. */
  readonly timeoutMs?: number;
}

const BACKENDS = ["auto", "nvrtc", "nvcc"];
const OUTPUTS: readonly CudaOutput[] = ["ptx", "cubin", "ltoir"];
const STANDARDS: readonly CudaStandard[] = ["c++14", "c++17", "c++20"];

/** How a value is checked, and the arguments that it becomes in the words of both compilers. */
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

const NVRTC_CHECKS: Checks = { workers: isWorkers, memoryLimit: isMemoryLimit };
const COMPILER_CHECKS: Checks = { backend: isOneOf(BACKENDS), ...NVRTC_CHECKS };

/** What makes a compiler NVRTC. @throws CudaCompileError `INVALID_OPTION` */
export function resolveNvrtcOptions(options: Omit<CudaCompilerOptions, "backend">): CudaCompilerOptions {
  refuse(checkOptions(options, NVRTC_CHECKS));
  return { ...options, backend: "nvrtc" };
}

/** The options of a compiler with every default filled in. @throws CudaCompileError `INVALID_OPTION` */
export function resolveCompilerOptions(options: CudaCompilerOptions): Required<CudaCompilerOptions> {
  refuse(checkOptions(options, COMPILER_CHECKS));
  const { backend = "auto", workers = availableParallelism(), memoryLimit } = options;
  if (memoryLimit !== undefined && backend === "nvcc")
    refuse(
      "options `memoryLimit` and `backend`: expected the backend `nvrtc`, which alone can hold a compile to a limit, found `nvcc`",
    );
  return {
    backend: memoryLimit === undefined ? backend : "nvrtc",
    workers,
    memoryLimit: memoryLimit ?? memoryShare(workers),
  };
}

/**
 * The options of a compile, checked, as they are now: a compile may wait, and what the caller does with its lists meanwhile
 * is no matter.
 *
 * @throws CudaCompileError `INVALID_OPTION`
 */
export function resolveCompileOptions(
  options: CudaCompileOptions,
  backend: CudaBackendName,
): CudaCompileOptions {
  refuse(checkOptions(options, CHECKS, ["arch"]));
  refuse(conflictIn(options, backend));
  const { includes, defines, headers, nameExpressions, suppress } = options;
  return {
    ...options,
    arch: archOf(options.arch),
    ...(includes && { includes: includes.map((folder) => resolve(folder)) }),
    ...(defines && { defines: { ...defines } }),
    ...(headers && { headers: { ...headers } }),
    ...(nameExpressions && { nameExpressions: [...nameExpressions] }),
    ...(suppress && { suppress: [...suppress] }),
  };
}

/** Options that are right by themselves and not together. */
function conflictIn(options: CudaCompileOptions, backend: CudaBackendName): string | undefined {
  const { output, debug, lineInfo, nameExpressions, deviceByDefault, relocatable, headers } = options;
  if (debug && lineInfo)
    return "options `debug` and `lineInfo`: expected one of them, as `debug` keeps line numbers too";
  if (output === "ltoir" && relocatable === false)
    return "options `output` and `relocatable`: LTO-IR is always relocatable";
  if (backend === "nvrtc") return undefined;
  if (output === "ltoir") return "option `output`: `ltoir` needs the backend `nvrtc`, found `nvcc`";
  if (nameExpressions !== undefined)
    return "option `nameExpressions`: expected the backend `nvrtc`, which alone can look names up, found `nvcc`";
  if (deviceByDefault)
    return "option `deviceByDefault`: expected the backend `nvrtc`, which alone has it, found `nvcc`";
  const names = Object.keys(headers ?? {});
  const folder = names.find((name) => names.some((other) => other.startsWith(`${name}/`)));
  if (folder !== undefined)
    return `option \`headers\`: expected the backend \`nvrtc\`, which alone takes \`${folder}\` as a header and as a folder of others, found \`nvcc\``;
  return undefined;
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new CudaCompileError("INVALID_OPTION", problem);
}

/** What both compilers are told in the same words; the caller adds architecture, output, macros and folders. */
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

/** The preprocessor takes the next line as more of the same. */
const GOES_ON = /\\\s*$/;

function areDefines(value: unknown, name: string): string | undefined {
  if (typeof value !== "object" || value === null) return unexpected(name, "an object", value);
  for (const [macro, text] of Object.entries(value)) {
    if (!/^[A-Za-z_]\w*(\([\w\s,.]*\))?$/.test(macro)) return unexpected(name, "names of macros", macro);
    if (text === true || text === "" || Number.isFinite(text) || (isLine(text) && !GOES_ON.test(text)))
      continue;
    return unexpected(`${name}.${macro}`, "a text of one line, a number or true", text);
  }
  return undefined;
}

function areHeaders(value: unknown, name: string): string | undefined {
  if (typeof value !== "object" || value === null) return unexpected(name, "an object", value);
  for (const [header, text] of Object.entries(value)) {
    const within = isLine(header) && !header.split(/[\\/]/).some((part) => ["", ".", ".."].includes(part));
    if (!within) return unexpected(name, "names as `#include` has them, below a folder", header);
    if (typeof text === "string" && !text.includes("\0")) continue;
    return unexpected(`${name}.${header}`, "a text without NUL", text);
  }
  return undefined;
}

function isFileName(value: unknown, name: string): string | undefined {
  const fits =
    isLine(value) && !/[\\/"]/.test(value) && !value.startsWith("-") && ![".", ".."].includes(value);
  return fits ? undefined : unexpected(name, "the name of a file without folder and quotes", value);
}
