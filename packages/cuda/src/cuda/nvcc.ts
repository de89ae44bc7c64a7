// nvcc as a backend, in a folder that is gone afterwards. Slower than NVRTC, since it starts four programs, the host's
// preprocessor among them.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { findTool, type Search } from "../toolkit/find.js";
import { type Exit, inTemporaryFolder, type Running, startProgram } from "../toolkit/process.js";
import { versionOf } from "../toolkit/version.js";
import type { CudaBackend, CudaOutcome } from "./backend.js";
import { headerFolders } from "./headers.js";
import { type CudaCompileOptions, commonArguments, definitions, virtualArch } from "./options.js";

/** Where texts of headers go. */
const HEADERS = "headers";

/** The program that `nvccBackend` takes, with every place that was tried. The value is its version. */
export function findNvcc(): Search<string> {
  return findTool("nvcc", versionOf);
}

export function nvccBackend({ found }: Search<string>): CudaBackend | undefined {
  if (found === undefined) return undefined;
  const { path, value: version } = found;
  return {
    name: "nvcc",
    version,
    path,
    compile: (source, options) => (done) => {
      const job: Job = { source, options, stopped: false, running: undefined };
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
  stopped: boolean;
  running: Running | undefined;
}

function run(path: string, job: Job): Promise<CudaOutcome> {
  return inTemporaryFolder(async (folder) => {
    const { source, options } = job;
    const { name = "kernel.cu", headers = {}, output = "ptx" } = options;
    // In folders of their own, so that no name can meet another.
    const [work, target] = [join(folder, "source"), join(folder, "out")];
    await mkdir(work);
    await writeFile(join(work, name), source);
    for (const [header, text] of Object.entries(headers)) {
      const file = join(folder, HEADERS, header);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    if (job.stopped) return { log: "", loweredNames: {} };
    const args = [...argumentsFor(path, folder, options), "-x", "cu", name, "-o", target];
    job.running = startProgram(path, args, { cwd: work, group: true, encoding: "utf8" });
    const exit = await job.running.exit;
    if (exit.code !== 0) return failureOf(exit);
    const made = await readFile(target);
    const bytes = new Uint8Array(made.buffer, made.byteOffset, made.byteLength);
    return { output: output === "ptx" ? made.toString() : bytes, log: exit.log, loweredNames: {} };
  });
}

function argumentsFor(path: string, folder: string, options: CudaCompileOptions): string[] {
  const { arch, output = "ptx", includes = [], headers } = options;
  const own = headers === undefined ? [] : [join(folder, HEADERS)];
  // It works in another folder than the caller.
  const folders = [...own, ...includes.map((include) => resolve(include)), ...headerFolders(path)];
  return [
    output === "ptx" ? "--ptx" : "--cubin",
    `--gpu-architecture=${output === "cubin" ? arch : virtualArch(arch)}`,
    ...commonArguments(options),
    ...definitions(options).map((definition) => `--define-macro=${escapeList(definition)}`),
    ...folders.map((include) => `--include-path=${escapeList(include)}`),
  ];
}

/** nvcc takes an argument of these for a list with commas. */
const escapeList = (value: string): string => value.replaceAll("\\", "\\\\").replaceAll(",", "\\,");

function failureOf({ log, code, signal, error }: Exit): CudaOutcome {
  const outcome = { log, loweredNames: {} };
  if (error !== undefined) return { ...outcome, failure: { code: "INTERNAL", how: error.message } };
  if (signal !== null) return { ...outcome, failure: { code: "CRASHED", how: `nvcc ended by ${signal}` } };
  if (log.trim() === "")
    return { ...outcome, failure: { code: "INTERNAL", how: `nvcc ended with code ${code}` } };
  return outcome;
}
