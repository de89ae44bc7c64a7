// nvcc as a backend, in a temporary folder. It is slower than NVRTC, because it starts four programs, including the
// host's preprocessor.

import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { fileIdentity, findTool, type Search } from "../toolkit/find.js";
import type { ProcessLimits } from "../toolkit/helper.js";
import { programFolders } from "../toolkit/places.js";
import { type Exit, inTemporaryFolder, type Running, startProgram } from "../toolkit/process.js";
import { versionOf } from "../toolkit/version.js";
import type { CudaBackend, CudaOutcome } from "./backend.js";
import type { ProbedFiles } from "./cache/file-list.js";
import { dependenciesIn } from "./dependency-file.js";
import { headerFolders } from "./headers.js";
import { type CudaCompileOptions, commonArguments, definitions, virtualArch } from "./options.js";
import { probedByNvcc } from "./probed-by-nvcc.js";

/** The program for `nvccBackend`, with every place that was searched. The value is its version. */
export function findNvcc(): Search<string> {
  return findTool("nvcc", versionOf);
}

/** Some sources keep nvcc busy without end, and others for minutes. */
const TIMEOUT_MS = 600_000;

export function nvccBackend({ found }: Search<string>, limits: ProcessLimits): CudaBackend | undefined {
  if (found === undefined) return undefined;
  const { path, value: version } = found;
  return {
    name: "nvcc",
    version,
    path,
    timeoutMs: TIMEOUT_MS,
    surroundings: () => [fileIdentity(path), ...headerFolders(path), ...hostCompiler()],
    compile: (source, options, withFiles) => (done) => {
      const job: Job = { source, options, withFiles, limits, stopped: false, running: undefined };
      run(path, job).then(done, done);
      return () => {
        job.stopped = true;
        job.running?.kill();
      };
    },
  };
}

interface Job {
  readonly source: string;
  readonly options: CudaCompileOptions;
  readonly withFiles: boolean;
  readonly limits: ProcessLimits;
  stopped: boolean;
  running: Running | undefined;
}

function run(path: string, job: Job): Promise<CudaOutcome> {
  return inTemporaryFolder(async (folder) => {
    const { source, options, withFiles } = job;
    const { memoryLimitBytes, confine } = job.limits;
    const { name = "kernel.cu", headers = {}, includes = [], output = "ptx" } = options;
    const write = async (file: string, text: string): Promise<void> => {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    };
    await write(`work/${SOURCE}`, `#line 1 "${name}"\n${source}`);
    await write(DEFINES, definitionLines(options));
    for (const [header, text] of Object.entries(headers)) await write(`${HEADERS}/${header}`, text);
    const folders = [join(folder, HEADERS), ...includes, ...headerFolders(path)];
    for (const [i, include] of folders.entries())
      await symlink(include, join(folder, `${INCLUDE}${i}`), "dir");
    if (job.stopped) return { log: "", loweredNames: {} };
    job.running = startProgram(path, argumentsFor(options, folders.length, withFiles), {
      cwd: join(folder, "work"),
      // The folder of nvcc's intermediate files, which remain if nvcc is killed.
      environment: { ...process.env, TMPDIR: folder },
      folder,
      memoryLimitBytes,
      confined: confine === "required",
      encoding: "utf8",
    });
    const exit = await job.running.exit;
    const log = withNamesOf(exit.log, folders);
    if (exit.code !== 0) return failureOf({ ...exit, log }, memoryLimitBytes);
    const made = await readFile(join(folder, RESULT));
    const bytes = new Uint8Array(made.buffer, made.byteOffset, made.byteLength);
    const outcome = { output: output === "ptx" ? made.toString() : bytes, log, loweredNames: {} };
    if (!withFiles) return outcome;
    const files = await filesOf(folder, folders, [
      source,
      definitionLines(options),
      ...Object.values(headers),
    ]);
    return { ...outcome, ...(files && { files }) };
  });
}

/** @param folders the folders of headers; the first one has the caller's texts */
async function filesOf(
  folder: string,
  folders: readonly string[],
  texts: readonly string[],
): Promise<ProbedFiles | undefined> {
  const list = await readFile(join(folder, DEPENDENCIES), "utf8").catch(() => undefined);
  if (list === undefined) return undefined;
  const read: string[] = [];
  for (const name of dependenciesIn(list)) {
    const [, number, rest] = /^\.\.\/include(\d+)\/(.*)$/s.exec(name) ?? [];
    if (number !== undefined && number !== "0") read.push(`${folders[Number(number)]!}/${rest!}`);
    else if (isAbsolute(name)) read.push(name);
  }
  return probedByNvcc(read, texts, folders.slice(1));
}

const VARIABLES = [
  ...["NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "NVCC_CCBIN"],
  ...["CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "GCC_EXEC_PREFIX"],
];

/** The host compiler that preprocesses for nvcc, and the variables that change what both do. */
function hostCompiler(): unknown[] {
  const programs = programFolders().map((folder) => fileIdentity(join(folder, "gcc")));
  const first = programs.find(([, size]) => size !== undefined);
  return [first ?? null, ...VARIABLES.map((name) => process.env[name] ?? null)];
}

// nvcc passes its arguments to a shell, so they must not contain text of the caller: we choose the file names, reach
// folders through links, and put macros in a file.
const SOURCE = "kernel.cu";
const DEFINES = "defines.h";
const HEADERS = "headers";
const INCLUDE = "include";
const RESULT = "out";
const DEPENDENCIES = "dependencies";

function argumentsFor(options: CudaCompileOptions, folders: number, withFiles: boolean): string[] {
  const { arch, output = "ptx" } = options;
  return [
    output === "ptx" ? "--ptx" : "--cubin",
    `--gpu-architecture=${output === "cubin" ? arch : virtualArch(arch)}`,
    ...commonArguments(options),
    `--pre-include=../${DEFINES}`,
    ...(withFiles
      ? ["--generate-dependencies-with-compile", "--dependency-output", `../${DEPENDENCIES}`]
      : []),
    ...Array.from({ length: folders }, (_, i) => `--include-path=../${INCLUDE}${i}`),
    ...["-x", "cu", SOURCE, "-o", `../${RESULT}`],
  ];
}

/** Replaces the files and folders in a log by the names that the caller knows. */
function withNamesOf(log: string, folders: readonly string[]): string {
  return log
    .replaceAll(`./../${DEFINES}`, "defines")
    .replaceAll(/\.\.\/include(\d+)(\/?)/g, (_, i, slash) =>
      i === "0" ? "" : `${folders[Number(i)]}${slash}`,
    );
}

function definitionLines(options: CudaCompileOptions): string {
  return definitions(options)
    .map(([name, value]) => `#define ${name} ${value}\n`)
    .join("");
}

function failureOf({ log, code, signal, error, outgrown }: Exit, memoryLimitBytes: number): CudaOutcome {
  const outcome = { log, loweredNames: {} };
  if (outgrown) {
    const how = `nvcc and the programs that it started took more than ${memoryLimitBytes} bytes of memory, the \`memoryLimitBytes\``;
    return { ...outcome, failure: { code: "OUT_OF_MEMORY", how } };
  }
  if (error !== undefined) return { ...outcome, failure: { code: "INTERNAL", how: error.message } };
  if (signal !== null)
    return { ...outcome, failure: { code: "CRASHED", how: `nvcc was ended by ${signal}` } };
  if (log.trim() === "")
    return { ...outcome, failure: { code: "INTERNAL", how: `nvcc exited with code ${code}` } };
  return outcome;
}
