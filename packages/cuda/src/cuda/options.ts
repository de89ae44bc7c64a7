// The options of a compile of CUDA: a closed list, each checked, and what the compilers' command lines call them. Nothing
// else ever reaches a compiler, because some of their options read and write files.

import { availableParallelism } from "node:os";
import { ARCHITECTURES, architecture } from "@mm-ptx/ptx";
import { describeValue, didYouMean } from "@mm-ptx/types/core";
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
}

/** Options of one compile of CUDA. */
export interface CudaCompileOptions {
  /** The architecture to compile for, for example `sm_90`. PTX is for it and all later ones. */
  readonly arch: string;
  /** Default `ptx`. `ltoir` is for NVRTC alone. */
  readonly output?: CudaOutput;
  /** Folders of headers. Those of `ptx_inject.h` and of CUDA, where they are found, come after them by themselves. */
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

export const CUDA_BACKENDS = ["auto", "nvrtc", "nvcc"] as const;
const OUTPUTS: readonly CudaOutput[] = ["ptx", "cubin", "ltoir"];
const STANDARDS: readonly CudaStandard[] = ["c++14", "c++17", "c++20"];
/** What setTimeout can count. */
const MAX_MILLISECONDS = 2 ** 31 - 1;

/** How a value is checked, and the arguments that it becomes. */
interface Rule<T> {
  check(value: unknown, name: string): void;
  /** In the words of both compilers. */
  readonly args?: (value: T) => readonly string[];
}

type Rules = { readonly [Name in keyof CudaCompileOptions]-?: Rule<NonNullable<CudaCompileOptions[Name]>> };

const flag = (argument: string, when = true): Rule<boolean> => ({
  check: checkBoolean,
  args: (value) => (value === when ? [argument] : []),
});

const RULES: Rules = {
  arch: { check: checkArch },
  output: { check: oneOf(OUTPUTS) },
  includes: { check: checkFolders },
  defines: { check: checkDefines },
  headers: { check: checkHeaders },
  name: { check: checkFileName },
  standard: { check: oneOf(STANDARDS), args: (value) => [`--std=${value}`] },
  nameExpressions: { check: list("C++ names", isLine) },
  deviceByDefault: flag("--device-as-default-execution-space"),
  lineInfo: flag("--generate-line-info"),
  debug: flag("--device-debug"),
  fmad: flag("--fmad=false", false),
  fastMath: flag("--use_fast_math"),
  maxRegisters: { check: integer(1, 255), args: (value) => [`--maxrregcount=${value}`] },
  relocatable: flag("--relocatable-device-code=true"),
  suppress: {
    check: list("numbers of warnings", (value) => Number.isInteger(value) && (value as number) > 0),
    args: (value) => (value.length === 0 ? [] : [`--diag-suppress=${value.join(",")}`]),
  },
  signal: { check: checkSignal },
  timeoutMs: { check: integer(1, MAX_MILLISECONDS) },
};

/** The options of a compiler with every default filled in. @throws CudaCompileError `INVALID_OPTION` */
export function resolveCompilerOptions(options: CudaCompilerOptions): Required<CudaCompilerOptions> {
  checkNames(options, ["backend", "workers"]);
  const { backend = "auto", workers = availableParallelism() } = options;
  oneOf(CUDA_BACKENDS)(backend, "backend");
  integer(1, 1024)(workers, "workers");
  return { backend, workers };
}

/** @throws CudaCompileError `INVALID_OPTION` */
export function checkCompileOptions(options: CudaCompileOptions, backend: CudaBackendName): void {
  checkNames(options, Object.keys(RULES));
  for (const [name, { check }] of Object.entries(RULES)) {
    const value = options[name as keyof CudaCompileOptions];
    if (value !== undefined || name === "arch") check(value, name);
  }
  const conflict = (message: string): never => {
    throw new CudaCompileError("INVALID_OPTION", message);
  };
  const { output, debug, lineInfo, nameExpressions, deviceByDefault, relocatable } = options;
  if (debug && lineInfo)
    conflict("options `debug` and `lineInfo`: expected one of them, as `debug` keeps line numbers too");
  if (output === "ltoir" && relocatable === false)
    conflict("options `output` and `relocatable`: LTO-IR is always relocatable");
  if (backend === "nvrtc") return;
  if (output === "ltoir") conflict("option `output`: `ltoir` needs the backend `nvrtc`, found `nvcc`");
  if (nameExpressions !== undefined)
    conflict(
      "option `nameExpressions`: expected the backend `nvrtc`, which alone can look names up, found `nvcc`",
    );
  if (deviceByDefault)
    conflict("option `deviceByDefault`: expected the backend `nvrtc`, which alone has it, found `nvcc`");
}

/** What both compilers are told in the same words; the caller adds architecture, output, macros and folders. */
export function commonArguments(options: CudaCompileOptions): string[] {
  return Object.entries(RULES).flatMap(([name, rule]) => {
    const value = options[name as keyof CudaCompileOptions];
    return value === undefined ? [] : ((rule as Rule<unknown>).args?.(value) ?? []);
  });
}

/** `NAME=value` for each macro. */
export function definitions({ defines = {} }: CudaCompileOptions): string[] {
  return Object.entries(defines).map(([name, value]) => `${name}=${value === true ? 1 : value}`);
}

/** The name of the architecture for PTX and LTO-IR, `compute_90` for `sm_90`. */
export const virtualArch = (arch: string): string => arch.replace(/^sm_/, "compute_");

function invalid(name: string, expected: string, found: unknown, hint = ""): CudaCompileError {
  return new CudaCompileError(
    "INVALID_OPTION",
    `option \`${name}\`: expected ${expected}, found ${describeValue(found)}${hint}`,
  );
}

function checkNames(options: unknown, known: readonly string[]): void {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw new CudaCompileError(
      "INVALID_OPTION",
      `expected options as an object, found ${describeValue(options)}`,
    );
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || known.includes(name)) continue;
    throw new CudaCompileError("INVALID_OPTION", `unknown option \`${name}\`${didYouMean(name, known)}`);
  }
}

function checkArch(value: unknown, name: string): void {
  if (typeof value === "string" && architecture(value) !== undefined) return;
  const names = ARCHITECTURES.map((each) => each.name);
  const hint = typeof value === "string" ? didYouMean(value, names) : "";
  throw invalid(name, `one of ${names.join(", ")}`, value, hint);
}

function checkBoolean(value: unknown, name: string): void {
  if (typeof value !== "boolean") throw invalid(name, "a boolean", value);
}

function checkSignal(value: unknown, name: string): void {
  if (!(value instanceof AbortSignal)) throw invalid(name, "an AbortSignal", value);
}

function oneOf(allowed: readonly string[]): Rule<unknown>["check"] {
  return (value, name) => {
    if (typeof value === "string" && allowed.includes(value)) return;
    const hint = typeof value === "string" ? didYouMean(value, allowed) : "";
    throw invalid(name, allowed.map((each) => `\`${each}\``).join(", "), value, hint);
  };
}

function integer(least: number, most: number): Rule<unknown>["check"] {
  return (value, name) => {
    if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return;
    throw invalid(name, `a whole number from ${least} to ${most}`, value);
  };
}

function list(what: string, fits: (value: unknown) => boolean): Rule<unknown>["check"] {
  return (value, name) => {
    if (!Array.isArray(value)) throw invalid(name, `a list of ${what}`, value);
    const wrong = value.findIndex((each) => !fits(each));
    if (wrong !== -1) throw invalid(`${name}[${wrong}]`, what, value[wrong]);
  };
}

/** Text that ends up in one argument. */
function isLine(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !/[\0\r\n]/.test(value);
}

function checkFolders(value: unknown, name: string): void {
  list("paths of folders", isLine)(value, name);
}

function checkDefines(value: unknown, name: string): void {
  if (typeof value !== "object" || value === null) throw invalid(name, "an object", value);
  for (const [macro, text] of Object.entries(value)) {
    if (!/^[A-Za-z_]\w*(\([\w\s,.]*\))?$/.test(macro)) throw invalid(name, "names of macros", macro);
    const fits = text === true || text === "" || Number.isFinite(text) || isLine(text);
    if (!fits) throw invalid(`${name}.${macro}`, "a text of one line, a number or true", text);
  }
}

function checkHeaders(value: unknown, name: string): void {
  if (typeof value !== "object" || value === null) throw invalid(name, "an object", value);
  for (const [header, text] of Object.entries(value)) {
    const within = isLine(header) && !header.startsWith("/") && !header.split(/[\\/]/).includes("..");
    if (!within) throw invalid(name, "names as `#include` has them, below a folder", header);
    if (typeof text !== "string" || text.includes("\0")) throw invalid(`${name}.${header}`, "a text", text);
  }
}

function checkFileName(value: unknown, name: string): void {
  if (!isLine(value) || /[\\/]/.test(value) || value.startsWith("-"))
    throw invalid(name, "the name of a file without its folder", value);
}
