// `doctor`: reports what works on this machine and where everything was searched for, in a form that can be
// pasted into an issue. It tries each backend instead of assuming that it works, and failures become part of
// the report.

import { rm, writeFile } from "node:fs/promises";
import { availableParallelism, homedir, totalmem } from "node:os";
import { join } from "node:path";
import { quoted } from "@mm-ptx/types/internal";
import { type CacheStats, DiskCache } from "../cache/disk.js";
import { makeFolder } from "../cache/files.js";
import { defaultCacheFolder, isTrusted } from "../cache/location.js";
import { findDisassembler } from "../cubin/disassembler.js";
import { findNvcc } from "../cuda/nvcc.js";
import { findNvrtc } from "../cuda/nvrtc.js";
import type { DriverReport } from "../driver/open.js";
import type { CudaDeviceDescription } from "../driver/properties.js";
import { findJitLink } from "../link/linker.js";
import type { ConfinementReport } from "../native/confinement.js";
import { driverFile } from "../native/driver.js";
import { type LoadAttempt, loadNative } from "../native/load.js";
import { loadPtxLinker } from "../native/ptx-linker.js";
import { PtxCompiler } from "../ptx/compiler.js";
import { searchPtxas } from "../ptx/find-ptxas.js";
import type { BackendName } from "../ptx/options.js";
import { type BackendState, capabilities } from "../ptx/select.js";
import { VERSION } from "../version.js";
import { reportText } from "./doctor-text.js";
import { type Outcome, reasonOf } from "./framework.js";

/** A backend, and the outcome of test compiles with it. */
export interface BackendReport {
  readonly name: BackendName;
  readonly version?: string;
  /** The times of two test compiles, of which the first includes start-up; absent if one failed. */
  readonly milliseconds?: readonly [first: number, next: number];
  /** Why there is no cubin. */
  readonly problems: readonly string[];
}

/** A program or library from NVIDIA. */
export interface ToolReport {
  readonly name: string;
  readonly path?: string;
  readonly version?: string;
  /** Where it was searched for, if it was not found. */
  readonly tried: readonly string[];
}

/** NVIDIA's driver and its devices. */
export interface GpuReport {
  readonly file: string;
  /** The CUDA version that the driver supports. */
  readonly version?: string;
  readonly devices: readonly CudaDeviceDescription[];
  /** Why there are no devices. */
  readonly problem?: string;
}

export interface Report {
  /** Whether at least one backend compiled the test kernel. */
  readonly ok: boolean;
  readonly version: string;
  readonly node: string;
  readonly platform: string;
  readonly glibc?: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly backends: readonly BackendReport[];
  /** Whether worker processes of the `isolated` backend can be confined. */
  readonly confinement: ConfinementReport;
  /** The path of the compiler that the backend `auto` uses. */
  readonly library?: string;
  readonly architectures: readonly string[];
  readonly ptxVersions: readonly string[];
  readonly tools: readonly ToolReport[];
  readonly driver: GpuReport;
  /** `problem` says why no cubins can be stored. */
  readonly cache: CacheStats;
}

export async function doctor(): Promise<Outcome> {
  const report = await examine();
  return { ok: report.ok, json: () => report, text: (colors) => reportText(report, colors) };
}

async function examine(): Promise<Report> {
  const library =
    loadNative().native?.libraryPath ?? searchPtxas().found?.path ?? loadPtxLinker().native?.libraryPath;
  const { backends: states, confinement, architectures, ptxVersions, driver } = capabilities();
  const backends: BackendReport[] = [];
  // One after the other, so that no test slows down another.
  for (const state of states) backends.push(await tryBackend(state));
  const glibc = glibcVersion();
  return {
    ok: backends.some(({ milliseconds }) => milliseconds !== undefined),
    version: VERSION,
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    ...(glibc === undefined ? {} : { glibc }),
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    backends,
    confinement: shownProblem(confinement),
    ...(library === undefined ? {} : { library: shown(library) }),
    architectures,
    ptxVersions,
    tools: tools(),
    driver: gpus(driver),
    cache: await cacheReport(),
  };
}

const TEST_TIMEOUT_MS = 60_000;
const TEST_ARCH = "sm_80";
const TEST_KERNEL = `.version 7.0
.target sm_75
.address_size 64
.visible .entry doctor(.param .u64 out)
{
	.reg .b64 %out;
	.reg .b32 %i;
	ld.param.u64 %out, [out];
	cvta.to.global.u64 %out, %out;
	mov.u32 %i, %tid.x;
	st.global.u32 [%out], %i;
	ret;
}
`;

const shownProblem = ({ problem, ...report }: ConfinementReport): ConfinementReport =>
  problem === undefined ? report : { ...report, problem: shown(problem) };

async function tryBackend({ name, available, version, tried }: BackendState): Promise<BackendReport> {
  if (!available) return { name, problems: tried.map(shown) };
  const known = version === undefined ? { name } : { name, version };
  try {
    const options = { arch: TEST_ARCH, backend: name, workers: 1, cache: false, timeoutMs: TEST_TIMEOUT_MS };
    using compiler = new PtxCompiler(options);
    const compile = async (): Promise<number> => {
      const began = performance.now();
      await compiler.compile(TEST_KERNEL);
      return performance.now() - began;
    };
    return { ...known, milliseconds: [await compile(), await compile()], problems: [] };
  } catch (error) {
    return { ...known, problems: [shown((error as Error).message)] };
  }
}

function tools(): ToolReport[] {
  const ptxas = searchPtxas();
  const nvrtc = findNvrtc();
  const nvcc = findNvcc();
  const nvjitlink = findJitLink();
  const disassembler = findDisassembler();
  const found = (name: string, path: string, version: string): ToolReport => ({
    name,
    path: shown(path),
    version,
    tried: [],
  });
  const missing = (name: string, tried: readonly LoadAttempt[]): ToolReport => ({
    name,
    tried: tried.map(({ place, outcome }) => shown(`${place}: ${outcome}`)),
  });
  return [
    ptxas.found === undefined
      ? missing("ptxas", ptxas.tried)
      : found("ptxas", ptxas.found.path, ptxas.found.value),
    nvcc.found === undefined ? missing("nvcc", nvcc.tried) : found("nvcc", nvcc.found.path, nvcc.found.value),
    nvrtc.found === undefined
      ? missing("NVRTC", nvrtc.tried)
      : found("NVRTC", nvrtc.found.path, nvrtc.found.value.version),
    nvjitlink.found === undefined
      ? missing("nvJitLink", nvjitlink.tried)
      : found("nvJitLink", nvjitlink.found.path, nvjitlink.found.value.version),
    disassembler.found === undefined
      ? missing("nvdisasm", disassembler.tried)
      : found(disassembler.found.name, disassembler.found.path, disassembler.found.version),
  ];
}

function gpus({ version, devices, problem }: DriverReport): GpuReport {
  return {
    file: driverFile(),
    ...(version === undefined ? {} : { version }),
    devices,
    ...(problem === undefined ? {} : { problem: shown(problem) }),
  };
}

async function cacheReport(): Promise<Report["cache"]> {
  const disk = new DiskCache(defaultCacheFolder(), 0, { trustFolder: isTrusted() });
  const unwritable = await writeProblem(disk.folder);
  const { folder, ...stats } = await disk.stats();
  const problem = unwritable ?? stats.problem;
  return { folder: shown(folder), ...stats, ...(problem === undefined ? {} : { problem: shown(problem) }) };
}

/** Why a folder cannot be written to, or `undefined`. A missing folder is created, as compilers do. */
async function writeProblem(folder: string): Promise<string | undefined> {
  const probe = join(folder, `.doctor-${process.pid}`);
  try {
    await makeFolder(folder);
    await writeFile(probe, Buffer.alloc(4096));
    await rm(probe);
    return undefined;
  } catch (error) {
    await rm(probe, { force: true }).catch(() => {});
    return `expected a folder to write to, found ${quoted(folder)}: ${reasonOf(error)}`;
  }
}

function glibcVersion(): string | undefined {
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined;
  return report?.header?.glibcVersionRuntime;
}

/** Replaces the home folder, whose path contains the user's name. */
const shown = (text: string): string => text.replaceAll(homedir(), "~");
