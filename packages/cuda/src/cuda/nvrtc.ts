// NVRTC as a backend: the library on threads of this process. It has no process of its own, so a source that kills it kills
// this one.

import { type Addon, type LoadAttempt, loadAddonAlone } from "../native/load.js";
import { companionsOf, findTool, type Search } from "../toolkit/find.js";
import type { CudaBackend, CudaOutcome } from "./backend.js";
import type { CudaCompileErrorCode } from "./error.js";
import { headerFolders } from "./headers.js";
import {
  type CudaCompileOptions,
  type CudaOutput,
  commonArguments,
  definitions,
  virtualArch,
} from "./options.js";

/** An opened library. */
interface Library {
  readonly addon: Addon;
  readonly companions: readonly string[];
  readonly version: string;
}

const OUTPUT_NUMBER: Readonly<Record<CudaOutput, number>> = { ptx: 0, cubin: 1, ltoir: 2 };

/** NVRTC results that say more than the log. */
const FAILURES: Readonly<Record<string, CudaCompileErrorCode>> = {
  NVRTC_ERROR_OUT_OF_MEMORY: "MEMORY",
};
/** Those whose reason is in the log. */
const IN_LOG = new Set(["NVRTC_ERROR_COMPILATION", "NVRTC_ERROR_INVALID_OPTION"]);

/** The library that `nvrtcBackend` takes, with every place that was tried. */
export function findNvrtc(): Search<Library> {
  const { addon, attempts } = loadAddonAlone();
  if (addon === undefined) return { found: undefined, tried: attempts.map(ofAddon) };
  return findTool("nvrtc", (path) => {
    // The library opens these by their names alone.
    const companions = companionsOf(path, "libnvrtc-builtins.so");
    return { addon, companions, version: addon.nvrtcOpen(path, companions).slice(0, 2).join(".") };
  });
}

const ofAddon = ({ place, outcome }: LoadAttempt): LoadAttempt => ({ place: `addon: ${place}`, outcome });

export function nvrtcBackend(search: Search<Library>): CudaBackend | undefined {
  if (search.found === undefined) return undefined;
  const { path, value } = search.found;
  const { addon, companions, version } = value;
  return {
    name: "nvrtc",
    version,
    path,
    compile: (source, options) => (done) => {
      const { name = "kernel.cu", headers = {}, nameExpressions = [], output = "ptx" } = options;
      const number = addon.nvrtcCompile(
        path,
        companions,
        source,
        name,
        argumentsFor(path, options),
        Object.entries(headers).flat(),
        nameExpressions,
        OUTPUT_NUMBER[output],
        (reply, problem) => {
          if (reply === undefined) return done(new Error(problem));
          const [status, statusName, operation, log, made, lowered] = reply;
          done(outcomeOf(status, statusName, operation, log, made, namesOf(nameExpressions, lowered)));
        },
      );
      return () => addon.stopWork(number);
    },
  };
}

function argumentsFor(path: string, options: CudaCompileOptions): string[] {
  const { arch, output = "ptx", includes = [] } = options;
  return [
    `--gpu-architecture=${output === "cubin" ? arch : virtualArch(arch)}`,
    ...(output === "ltoir" ? ["--dlink-time-opt"] : []),
    ...commonArguments(options),
    ...definitions(options).map((definition) => `--define-macro=${definition}`),
    ...[...includes, ...headerFolders(path)].map((folder) => `--include-path=${folder}`),
  ];
}

function namesOf(asked: readonly string[], lowered: readonly string[]): Record<string, string> {
  return Object.fromEntries(lowered.map((name, i) => [asked[i]!, name]));
}

function outcomeOf(
  status: number,
  statusName: string,
  operation: string,
  log: string,
  output: string | Uint8Array,
  loweredNames: Readonly<Record<string, string>>,
): CudaOutcome {
  if (status === 0) return { output, log, loweredNames };
  if (IN_LOG.has(statusName) && log.trim() !== "") return { log, loweredNames };
  const code = FAILURES[statusName] ?? "INTERNAL";
  return { log, loweredNames, failure: { code, how: `${operation} returned ${statusName} (${status})` } };
}
