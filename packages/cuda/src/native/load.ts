// Finds the addon and the compiler library. Every place that was tried is kept with its outcome, for the error message
// on a machine that can't compile.

import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { VERSION } from "../version.js";
import { builtForMusl, nativeFiles, PLATFORMS, platformName, wrongMachine } from "./platform.js";

/** A finished job as the addon returns it; the numbers match `native/pool/pool.h` and `mmptxc.h`. */
export type NativeResult = readonly [
  id: number,
  outcome: number,
  milliseconds: number,
  status: number,
  nativeStatus: number,
  refusal: number,
  offset: number,
  /** The signal that killed the worker process; otherwise 0. */
  signal: number,
  /** Whether that process was confined. */
  confined: boolean,
  /** The memory that the worker process used. */
  memoryBytes: number,
  infoLog: string,
  errorLog: string,
  cubin: Uint8Array | undefined,
];

declare const poolBrand: unique symbol;

/** A pool of the addon; opaque here. */
export interface NativePool {
  readonly [poolBrand]: true;
}

declare const templateBrand: unique symbol;

/** A template in the addon's memory; opaque here. */
export interface NativeTemplate {
  readonly [templateBrand]: true;
}

declare const sessionBrand: unique symbol;

/** A session of the addon with the driver. */
export interface NativeSession {
  readonly [sessionBrand]: true;
  /** Unique in this environment; replies refer to it. */
  readonly number: number;
}

/** A reply of a session as `native/addon/driver_functions.cpp` returns it. */
export type NativeReply = readonly [
  session: number,
  /** 0 for the failure of a record without a ticket. */
  ticket: number,
  tag: number,
  operation: number,
  /** A CUresult, or one of `Status` in `native/driver/record.h`. */
  status: number,
  /** Unsigned 64-bit values; signed numbers are sign-extended, and an f32 is represented by its bits. */
  values: readonly bigint[],
  payload: Uint8Array<ArrayBuffer> | undefined,
  text: string,
];

/** The functions of `native/addon/addon.cpp` and `native/addon/driver_functions.cpp`. */
export interface Addon {
  readonly version: string;
  openLibrary(path: string): {
    readonly version: string;
    readonly ptxVersions: readonly (readonly [number, number])[];
  };
  deviceArch(driverPath: string, ordinal: number): string;
  onResults(wake: () => void): void;
  createPool(
    libraryPath: string,
    threads: number,
    workerPath: string,
    memoryLimitBytes: number,
    environment: readonly string[],
    confine: number,
  ): NativePool;
  tryConfinement(libraryPath: string, workerPath: string, environment: readonly string[]): string;
  addTarget(pool: NativePool, words: string): number;
  createTemplate(text: string, segmentEnds: Uint32Array, holes: Uint32Array, stubs: number): NativeTemplate;
  submit(
    pool: NativePool,
    id: number,
    target: number,
    timeoutMs: number,
    priority: number,
    ptx: string | Uint8Array | NativeTemplate,
    stubs?: string,
    stubEnds?: Uint32Array,
  ): void;
  figures(pool: NativePool): number[];
  cancel(pool: NativePool, id: number): boolean;
  drain(limit: number): NativeResult[];
  /** Blocks until there may be something to drain. */
  awaitResults(): void;
  closePool(pool: NativePool): void;
  /** Operation names by their numbers in records. */
  driverOperations(): string[];
  openDriver(driverPath: string, workerPath: string, environment: readonly string[]): NativeSession;
  submitDriver(session: NativeSession, records: Uint8Array, payload?: Uint8Array): void;
  callDriver(session: NativeSession, record: Uint8Array, timeoutMs: number): NativeReply;
  drainDriver(limit: number): NativeReply[];
  killDriver(session: NativeSession): void;
  hostBuffer(session: NativeSession, address: bigint, bytes: number): ArrayBuffer | undefined;
  detachBuffer(buffer: ArrayBuffer): void;
}

/** The addon. */
export interface LoadedAddon {
  readonly addon: Addon;
  /** The executable of worker processes, if it exists. */
  readonly workerPath: string | undefined;
  /** Why there is no `workerPath`. */
  readonly workerProblem: string | undefined;
}

/** The addon with its compiler library. */
export interface LoadedNative extends LoadedAddon {
  readonly libraryPath: string;
  /** The version of the linked compiler, for example `13.0.88`. */
  readonly compilerVersion: string;
  /** The PTX ISA versions that it accepts, for example `9.0`, oldest first. */
  readonly ptxVersions: readonly string[];
}

/** One place that was tried. */
export interface LoadAttempt {
  readonly place: string;
  readonly outcome: string;
}

export interface LoadResult<Loaded extends LoadedAddon = LoadedNative> {
  readonly native: Loaded | undefined;
  readonly attempts: readonly LoadAttempt[];
}

const require = createRequire(import.meta.url);
const loaded = new Map<string, LoadedNative>();
const addons = new Map<string, LoadedAddon>();

/**
 * Loads the addon of this machine: from the folder that `MM_PTX_NATIVE_DIR` names, otherwise from the platform package
 * or from the workspace that contains this file.
 */
export function loadNative(): LoadResult {
  return loadFirst(loadFrom);
}

/** The addon alone, for uses that need no compiler library. */
export function findAddon(): LoadResult<LoadedAddon> {
  return loadFirst(addonFrom);
}

function loadFirst<Loaded extends LoadedAddon>(
  load: (folder: string) => Loaded | string,
): LoadResult<Loaded> {
  const attempts: LoadAttempt[] = [];
  for (const { place, folder, missing } of candidates()) {
    if (folder === undefined) {
      attempts.push({ place, outcome: missing });
      continue;
    }
    const result = load(folder);
    if (typeof result !== "string") return { native: result, attempts };
    attempts.push({ place: `${place}: ${folder}`, outcome: result });
  }
  return { native: undefined, attempts };
}

/** The executable of worker processes, which also works without the compiler library. */
export function findWorker(): {
  readonly path: string | undefined;
  readonly attempts: readonly LoadAttempt[];
} {
  const attempts: LoadAttempt[] = [];
  for (const { place, folder, missing } of candidates()) {
    if (folder === undefined) {
      attempts.push({ place, outcome: missing });
      continue;
    }
    const path = join(folder, nativeFiles().worker);
    const outcome = notExecutable(path);
    if (outcome === undefined) return { path, attempts };
    attempts.push({ place: `${place}: ${path}`, outcome });
  }
  return { path: undefined, attempts };
}

/** A folder, or the reason why there is none. */
type Folder =
  | { readonly folder: string; readonly missing?: undefined }
  | { readonly folder?: undefined; readonly missing: string };

type Candidate = { readonly place: string } & Folder;

function* candidates(): Generator<Candidate> {
  const override = process.env.MM_PTX_NATIVE_DIR;
  if (override) yield { place: "MM_PTX_NATIVE_DIR", folder: resolve(override) };
  const platform = platformName();
  if ("reason" in platform) {
    yield { place: "platform package", missing: platform.reason };
    return;
  }
  const installed = packageFolder(platform.name);
  yield { place: packageOf(platform.name), ...installed };
  const workspace = fileURLToPath(new URL(`../../npm/${platform.name}`, import.meta.url));
  if (!existsSync(workspace)) return;
  // In a workspace, the installed package is a link to this folder.
  const { folder } = installed;
  const same = folder !== undefined && realpathSync(folder) === realpathSync(workspace);
  if (!same) yield { place: "workspace", folder: workspace };
}

const packageOf = (platform: string): string => `@mm-ptx/cuda-${platform}`;

function packageFolder(platform: string): Folder {
  const manifest = (each: string): string => require.resolve(`${packageOf(each)}/package.json`);
  try {
    return { folder: dirname(manifest(platform)) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") return { missing: messageOf(error) };
  }
  if (builtForMusl()) return { missing: "not installed: it needs glibc, and this Node is built for musl" };
  const other = PLATFORMS.find((each) => {
    try {
      return manifest(each) !== "";
    } catch {
      return false;
    }
  });
  return {
    missing:
      other === undefined
        ? "the package is not installed"
        : `not installed, but ${packageOf(other)} is: these packages were installed for another machine`,
  };
}

/** The contents of a folder, or the reason why it can't be used. */
function loadFrom(folder: string): LoadedNative | string {
  const before = loaded.get(folder);
  if (before !== undefined) return before;
  const found = addonFrom(folder);
  if (typeof found === "string") return found;
  const file = nativeFiles().library;
  const libraryPath = join(folder, file);
  const library = loadLibrary(found.addon, libraryPath);
  if (typeof library === "string") return `${file}: ${library}`;
  const native: LoadedNative = {
    ...found,
    libraryPath,
    compilerVersion: library.version,
    ptxVersions: library.ptxVersions.map(([major, minor]) => `${major}.${minor}`),
  };
  loaded.set(folder, native);
  return native;
}

function addonFrom(folder: string): LoadedAddon | string {
  const before = addons.get(folder);
  if (before !== undefined) return before;
  const files = nativeFiles();
  const addon = loadAddon(join(folder, files.addon));
  if (typeof addon === "string") return `${files.addon}: ${addon}`;
  const workerPath = join(folder, files.worker);
  const workerProblem = notExecutable(workerPath);
  const found: LoadedAddon = {
    addon,
    workerPath: workerProblem === undefined ? workerPath : undefined,
    workerProblem: workerProblem === undefined ? undefined : `${workerPath}: ${workerProblem}`,
  };
  addons.set(folder, found);
  return found;
}

function loadAddon(path: string): Addon | string {
  const problem = unusable(path);
  if (problem !== undefined) return problem;
  let addon: Partial<Addon>;
  try {
    addon = require(path) as Partial<Addon>;
  } catch (error) {
    return `built for another Node or platform: ${messageOf(error)}`;
  }
  if (addon.version !== VERSION) {
    return `expected version ${VERSION}, found ${addon.version === undefined ? "none" : addon.version}`;
  }
  return addon as Addon;
}

function loadLibrary(addon: Addon, path: string): ReturnType<Addon["openLibrary"]> | string {
  const problem = unusable(path);
  if (problem !== undefined) return problem;
  try {
    return addon.openLibrary(path);
  } catch (error) {
    return messageOf(error);
  }
}

function unusable(path: string): string | undefined {
  if (!existsSync(path)) return "not there";
  try {
    return wrongMachine(path);
  } catch (error) {
    return messageOf(error);
  }
}

function notExecutable(path: string): string | undefined {
  const problem = unusable(path);
  if (problem !== undefined) return problem;
  try {
    accessSync(path, constants.X_OK);
    return undefined;
  } catch {
    return "not executable";
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
