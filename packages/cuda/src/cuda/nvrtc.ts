// NVRTC as a backend. Each compile runs in a separate process, because some sources crash the library.

import { dirname } from "node:path";
import { findWorker } from "../native/load.js";
import { companionsOf, fileIdentity, findTool, type Search } from "../toolkit/find.js";
import {
  type Answer,
  ask,
  askNow,
  type Died,
  type ProcessLimits,
  packed,
  textOf,
} from "../toolkit/helper.js";
import type { CudaBackend, CudaOutcome } from "./backend.js";
import { headerFolders } from "./headers.js";
import {
  type CudaCompileOptions,
  type CudaOutput,
  commonArguments,
  definitions,
  virtualArch,
} from "./options.js";
import { probedByNvrtc } from "./probed-by-nvrtc.js";

/** A usable library. */
interface Library {
  readonly worker: string;
  readonly companions: readonly string[];
  readonly version: string;
}

const OUTPUT_NUMBER: Readonly<Record<CudaOutput, number>> = { ptx: 0, cubin: 1, ltoir: 2 };

/** Results whose reason is in the log. */
const IN_LOG = new Set(["NVRTC_ERROR_COMPILATION", "NVRTC_ERROR_INVALID_OPTION"]);
const OUT_OF_MEMORY = "NVRTC_ERROR_OUT_OF_MEMORY";

/** On Linux, and on Windows. */
export const BUILTINS = /^(libnvrtc-builtins\.so|nvrtc-builtins64_\d+\.dll$)/;

/** The library for `nvrtcBackend`, with every place that was searched. */
export function findNvrtc(): Search<Library> {
  const { path: worker, attempts } = findWorker();
  if (worker === undefined) return { found: undefined, tried: attempts };
  return findTool("nvrtc", (path) => {
    // The library opens these by name alone.
    const companions = companionsOf(path, BUILTINS);
    const [major, minor] = askNow(worker, [["nvrtc version", path], companions]);
    return { worker, companions, version: `${major}.${minor}` };
  });
}

export function nvrtcBackend({ found }: Search<Library>, limits: ProcessLimits): CudaBackend | undefined {
  if (found === undefined) return undefined;
  const { path, value } = found;
  const { worker, companions, version } = value;
  return {
    name: "nvrtc",
    version,
    path,
    surroundings: () => [...[path, ...companions].map(fileIdentity), ...headerFolders(path)],
    compile: (source, options, withFiles) => {
      const { name = "kernel.cu", headers = {}, nameExpressions = [], output = "ptx" } = options;
      const request = packed([
        ["nvrtc compile", path],
        companions,
        [source, name, `${OUTPUT_NUMBER[output]}`],
        argumentsFor(path, options),
        Object.entries(headers).flat(),
        nameExpressions,
        [dirname(path), dirname(worker), ...foldersFor(path, options)],
      ]);
      return (done) =>
        ask(worker, request, limits, (answer) => {
          if (answer instanceof Error) return done(answer);
          const outcome = outcomeOf(answer, output, nameExpressions);
          const files =
            withFiles && "lists" in answer && probedByNvrtc(answer, dirname(worker), source, headers);
          done(files ? { ...outcome, files } : outcome);
        });
    },
  };
}

function argumentsFor(path: string, options: CudaCompileOptions): string[] {
  const { arch, output = "ptx" } = options;
  return [
    `--gpu-architecture=${output === "cubin" ? arch : virtualArch(arch)}`,
    ...(output === "ltoir" ? ["--dlink-time-opt"] : []),
    ...commonArguments(options),
    ...definitions(options).map(([name, value]) => `--define-macro=${name}=${value}`),
    ...foldersFor(path, options).map((folder) => `--include-path=${folder}`),
  ];
}

/** The folders of headers, in the order in which they are searched. */
const foldersFor = (path: string, { includes = [] }: CudaCompileOptions): string[] => [
  ...includes,
  ...headerFolders(path),
];

function outcomeOf(
  answer: Answer | Died,
  output: CudaOutput,
  nameExpressions: readonly string[],
): CudaOutcome {
  if ("died" in answer) {
    const code = answer.outgrown ? "OUT_OF_MEMORY" : "CRASHED";
    return { log: "", loweredNames: {}, failure: { code, how: `NVRTC's process ${answer.died}` } };
  }
  const [status, statusName, operation, log] = answer.lists[1]!.map(textOf) as [
    string,
    string,
    string,
    string,
  ];
  if (status === "0") {
    const made = answer.lists[2]![0]!;
    const lowered = answer.lists[3]!.map((name, i) => [nameExpressions[i]!, name.toString()]);
    return {
      output: output === "ptx" ? made.toString() : Uint8Array.from(made),
      log,
      loweredNames: Object.fromEntries(lowered),
    };
  }
  if (IN_LOG.has(statusName) && log.trim() !== "") return { log, loweredNames: {} };
  const code = statusName === OUT_OF_MEMORY ? "OUT_OF_MEMORY" : "INTERNAL";
  return { log, loweredNames: {}, failure: { code, how: `${operation} returned ${statusName} (${status})` } };
}
