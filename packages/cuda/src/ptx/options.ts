// The options of a compiler: a closed list, each checked, with defaults filled in.

import { availableParallelism } from "node:os";
import { ARCHITECTURES, architecture } from "@mm-ptx/ptx";
import { describeValue, didYouMean } from "@mm-ptx/types/core";
import { PtxCompileError } from "../error.js";

/** Which compiler runs, and where. */
export type BackendName = "in-process" | "ptxas";

/** How hard the compiler tries: -O3, -O1, or its fastest mode (0.4 of the time for kernels from about 20 KB up). */
export type Effort = "final" | "balanced" | "draft";

/** What a `PtxCompiler` is made with. */
export interface PtxCompilerOptions {
  /** The architecture to compile for, for example `sm_90` or `sm_100a`. */
  readonly arch: string;
  /** Default `auto`: in-process when the native package is there, else ptxas from PATH. */
  readonly backend?: "auto" | BackendName;
  /** Compiles at the same time; default: as many as cores. */
  readonly workers?: number;
  /** Default `final`. */
  readonly effort?: Effort;
  /** The most registers a thread may use, 1 to 255; the compiler ignores it for kernels with `.maxntid`. */
  readonly maxRegisters?: number;
  /** Keeps line numbers of the PTX (or of its `.loc` directives) in the cubin. */
  readonly lineInfo?: boolean;
  /** Only `false` for this version: nothing is kept. */
  readonly cache?: false;
  /** Milliseconds that one compile may take, counted from its start; default: no limit. */
  readonly timeoutMs?: number;
}

/** The options of a compile with every default filled in. */
export interface ResolvedOptions {
  readonly arch: string;
  readonly backend: "auto" | BackendName;
  readonly workers: number;
  readonly effort: Effort;
  readonly maxRegisters: number | undefined;
  readonly lineInfo: boolean;
  readonly timeoutMs: number | undefined;
}

const EFFORTS: readonly Effort[] = ["final", "balanced", "draft"];
const BACKENDS = ["auto", "in-process", "ptxas"] as const;
/** What setTimeout and the addon can count. */
const MAX_MILLISECONDS = 2 ** 31 - 1;

type Check = (value: unknown) => void;

const CHECKS: Readonly<Record<keyof PtxCompilerOptions, Check>> = {
  arch: checkArch,
  backend: checkBackend,
  workers: (value) => checkInteger("workers", value, 1, 1024),
  effort: (value) => checkOneOf("effort", value, EFFORTS),
  maxRegisters: (value) => checkInteger("maxRegisters", value, 1, 255),
  lineInfo: (value) => {
    if (typeof value !== "boolean") throw invalid("lineInfo", "a boolean", value);
  },
  cache: (value) => {
    if (value !== false) throw invalid("cache", "false (this version keeps no cache)", value);
  },
  timeoutMs: checkTimeout,
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
    if (value !== undefined) check(value);
    else if (name === "arch") checkArch(value);
  }
  return Object.freeze({
    arch: options.arch,
    backend: options.backend ?? "auto",
    workers: options.workers ?? availableParallelism(),
    effort: options.effort ?? "final",
    maxRegisters: options.maxRegisters,
    lineInfo: options.lineInfo ?? false,
    timeoutMs: options.timeoutMs,
  });
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
    const hint =
      name === "memoryLimit"
        ? ": a memory limit needs the isolated backend, which this version does not have"
        : didYouMean(name, known);
    throw new PtxCompileError("INVALID_OPTION", `unknown option \`${name}\`${hint}`);
  }
}

/** @throws PtxCompileError `INVALID_OPTION` */
export function checkTimeout(value: unknown): void {
  checkInteger("timeoutMs", value, 1, MAX_MILLISECONDS);
}

/** @throws PtxCompileError `INVALID_OPTION` */
export function checkSignal(value: unknown): void {
  if (value !== undefined && !(value instanceof AbortSignal))
    throw invalid("signal", "an AbortSignal", value);
}

function invalid(name: string, expected: string, found: unknown): PtxCompileError {
  return new PtxCompileError(
    "INVALID_OPTION",
    `option \`${name}\`: expected ${expected}, found ${describeValue(found)}`,
  );
}

function checkArch(value: unknown): void {
  const names = ARCHITECTURES.map((each) => each.name);
  if (typeof value === "string" && architecture(value) !== undefined) return;
  const hint = typeof value === "string" ? didYouMean(value, names) : "";
  throw new PtxCompileError(
    "INVALID_OPTION",
    `option \`arch\`: expected one of ${names.join(", ")}, found ${describeValue(value)}${hint}`,
  );
}

function checkBackend(value: unknown): void {
  if (value === "isolated") {
    throw new PtxCompileError(
      "INVALID_OPTION",
      "option `backend`: `isolated` is not in this version; expected `auto`, `in-process` or `ptxas`",
    );
  }
  checkOneOf("backend", value, BACKENDS);
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

function checkInteger(name: string, value: unknown, least: number, most: number): void {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return;
  throw invalid(name, `a whole number from ${least} to ${most}`, value);
}
