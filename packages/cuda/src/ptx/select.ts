// Selects the backend, and reports what this machine supports.

import { ARCHITECTURES } from "@mm-ptx/ptx";
import { type DriverReport, driverReport } from "../driver/open.js";
import { PtxCompileError } from "../error.js";
import { COMPILERS } from "../fetch/compilers.js";
import { type ConfinementReport, confinementReport } from "../native/confinement.js";
import { findAddon, type LoadAttempt, type LoadedNative, loadNative } from "../native/load.js";
import { builtForMusl, isClone, nativeCure } from "../native/platform.js";
import { loadPtxLinker } from "../native/ptx-linker.js";
import type { Backend } from "./backend.js";
import { searchPtxas } from "./find-ptxas.js";
import { type NativeName, nativeBackend } from "./native.js";
import type { BackendName, ResolvedOptions } from "./options.js";
import { ptxVersionsOf } from "./ptx-versions.js";
import { ptxasBackend } from "./ptxas.js";

/** A backend, whether it is available or not. */
export interface BackendState {
  readonly name: BackendName;
  readonly available: boolean;
  /** The version of its compiler. */
  readonly version?: string;
  /** The places that were searched and what was found, if it is not available. */
  readonly tried: readonly string[];
}

/** The capabilities of this machine. */
export interface Capabilities {
  /** In the order of preference of `auto`. */
  readonly backends: readonly BackendState[];
  /** The compiler version of the backend that `auto` selects; absent if there is no backend. */
  readonly compilerVersion?: string;
  readonly architectures: readonly string[];
  /** PTX ISA versions that the compiler of the backend that `auto` selects accepts, oldest first; empty if there is no backend. */
  readonly ptxVersions: readonly string[];
  /** Whether worker processes can be confined; one is started on first access. */
  readonly confinement: ConfinementReport;
  /** NVIDIA's driver and its devices; the driver is opened on first access. */
  readonly driver: DriverReport;
}

/** Checks every backend. Never throws. */
export function capabilities(): Capabilities {
  const { native, attempts } = loadNative();
  const { native: linker, attempts: linkers } = loadPtxLinker();
  const ptxas = searchPtxas();
  const version = native?.compilerVersion ?? ptxas.found?.value ?? linker?.compilerVersion;
  return {
    backends: [
      state("isolated", native?.workerPath && native.compilerVersion, isolatedTries(native, attempts)),
      state("in-process", native?.compilerVersion, attempts.map(sentence)),
      state("ptxas", ptxas.found?.value, ptxas.tried.map(sentence)),
      state("nvjitlink", linker?.compilerVersion, linkers.map(sentence)),
    ],
    ...(version === undefined ? {} : { compilerVersion: version }),
    architectures: ARCHITECTURES.map(({ name }) => name),
    ptxVersions:
      native?.ptxVersions ??
      (ptxas.found === undefined ? linker?.ptxVersions : ptxVersionsOf(ptxas.found.path)) ??
      [],
    get confinement() {
      return confinementReport(native ?? linker);
    },
    get driver() {
      return driverReport();
    },
  };
}

/**
 * The backend that the options select.
 *
 * @throws PtxCompileError `UNAVAILABLE`, with every place that was searched and a remedy
 */
export function selectBackend(options: ResolvedOptions): Backend {
  const tried: string[] = [];
  const wants = (name: BackendName): boolean =>
    options.backend === "auto"
      ? !options.needsWorkers || name === "isolated" || name === "nvjitlink"
      : options.backend === name;
  if (wants("isolated") || wants("in-process")) {
    const { native, attempts } = loadNative();
    if (native?.workerPath !== undefined && wants("isolated"))
      return startNative("isolated", native, options);
    if (native !== undefined && wants("in-process")) {
      if (options.backend === "auto") warnNotIsolated(native);
      return startNative("in-process", native, options);
    }
    tried.push(...isolatedTries(native, attempts));
  }
  if (wants("ptxas")) {
    const { found, tried: attempts } = searchPtxas();
    if (found !== undefined) return ptxasBackend({ path: found.path, version: found.value }, options);
    tried.push(...attempts.map((each) => `ptxas: ${sentence(each)}`));
  }
  if (wants("nvjitlink")) {
    const { native, attempts } = loadPtxLinker();
    if (native !== undefined) return startNative("nvjitlink", native, options);
    tried.push(...attempts.map((each) => `nvJitLink: ${sentence(each)}`));
  }
  const wanted = options.backend === "auto" ? "a compiler for PTX" : `the \`${options.backend}\` backend`;
  throw new PtxCompileError(
    "UNAVAILABLE",
    `expected ${wanted}, found none:\n${tried.map((each) => `  - ${each}`).join("\n")}\n${cure(options)}`,
    { options, what: "backend" },
  );
}

/** Why the isolated backend is not available. */
function isolatedTries(native: LoadedNative | undefined, attempts: readonly LoadAttempt[]): string[] {
  const tried = attempts.map(sentence);
  return native?.workerProblem === undefined ? tried : [...tried, native.workerProblem];
}

/** @throws PtxCompileError `UNAVAILABLE` */
function requireConfinement(native: LoadedNative, options: ResolvedOptions): void {
  const { problem } = confinementReport(native);
  if (problem === undefined) return;
  const message = `expected workers that can be confined, since \`confine\` is \`required\`: ${problem}`;
  throw new PtxCompileError("UNAVAILABLE", message, { options, what: "confinement" });
}

let warned = false;

/** Warns once, because callers that did not choose a backend expect that PTX can't crash this process. */
function warnNotIsolated({ workerProblem }: LoadedNative): void {
  if (warned) return;
  warned = true;
  process.emitWarning(
    `PTX is compiled in this process, so PTX that crashes the compiler crashes the process: ${workerProblem}`,
    { code: "MM_PTX_NOT_ISOLATED" },
  );
}

function startNative(name: NativeName, native: LoadedNative, options: ResolvedOptions): Backend {
  if (options.confine === "required") requireConfinement(native, options);
  try {
    return nativeBackend(name, native, options);
  } catch (cause) {
    throw new PtxCompileError("INTERNAL", `the addon could not create a pool: ${(cause as Error).message}`, {
      options,
      cause,
    });
  }
}

function cure({ backend, needsWorkers }: ResolvedOptions): string {
  const fetch = (what: string) => `run \`npx mm-ptx fetch ${what}\`, which downloads NVIDIA's`;
  const ptxas = "put ptxas of a CUDA toolkit on PATH";
  if (backend === "ptxas") return canFetch() ? `${fetch("ptxas")}; or ${ptxas}` : ptxas;
  // Without the addon, a fetched nvJitLink does not help.
  const hasWorkers = findAddon().native?.workerPath !== undefined;
  if (backend === "nvjitlink" || (backend === "auto" && needsWorkers))
    return hasWorkers ? fetch("nvjitlink") : nativeCure();
  if (backend === "auto") {
    if (canFetch()) return `${fetch("compiler")}; or ${ptxas}`;
    return hasWorkers ? ptxas : `${nativeCure()}; or ${ptxas}`;
  }
  const others = "published packages have no nvPTXCompiler: use the backend `auto`, `ptxas` or `nvjitlink`";
  return hasWorkers && !isClone() ? others : nativeCure();
}

/** Whether NVIDIA distributes a ptxas that runs here. */
const canFetch = (): boolean =>
  Object.hasOwn(COMPILERS.ptxas.files, `${process.platform}-${process.arch}`) && !builtForMusl();

function state(name: BackendName, version: string | undefined, tried: readonly string[]): BackendState {
  return version === undefined
    ? { name, available: false, tried }
    : { name, available: true, version, tried: [] };
}

function sentence({ place, outcome }: LoadAttempt): string {
  return `${place}: ${outcome}`;
}
