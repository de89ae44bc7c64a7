// How much memory the roles of a farm use while it runs: whether that grows with the number of jobs.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { GARBAGE } from "../../src/server/serve.js";
import { KEPT_BYTES } from "../../src/worker/answers.js";

export const ROLES = ["server", "front", "workers", "compilers"] as const;
export type Role = (typeof ROLES)[number];

/**
 * Memory in MiB: what processes of Node keep without garbage, and the resident memory of others. That of the largest process
 * counts, because some are about to start or to end.
 */
type Sample = Readonly<Record<Role, number | undefined>>;

/** What grows with the run although nothing is lost, such as memory that is kept for later. */
const ALLOWED_SHARE = 1.2;
const ALLOWED_MIB: Readonly<Record<Role, number>> = { server: 24, front: 12, workers: 12, compilers: 8 };
/**
 * Memory that a role may use in any case: nats-server lets garbage pile up to the limit that `serve` sets, which does not
 * include all of its memory, and a worker keeps its last answers.
 */
const BOUND_MIB: Partial<Record<Role, number>> = {
  server: Number.parseInt(GARBAGE.GOMEMLIMIT, 10) + 20,
  workers: KEPT_BYTES / 2 ** 20 + 24,
};
const SAMPLE_MS = 1000;
/** Fewer samples say nothing about a quarter of a run. */
const LEAST_SAMPLES = 40;

/** Resident memory in MiB; `undefined` for a process that has ended. */
function residentOf(pid: number): number | undefined {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** What this process keeps in MiB. */
function ownHeap(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}

/** What a process with `heap.mjs` keeps in MiB; `undefined` if it has not said so yet. */
function heapOf(folder: string, pid: number): number | undefined {
  try {
    return Number(readFileSync(join(folder, `${pid}`), "utf8")) / 2 ** 20;
  } catch {
    return undefined;
  }
}

/** The children of processes. */
function childrenOf(parents: readonly number[]): number[] {
  return readdirSync("/proc")
    .filter((each) => /^\d+$/.test(each))
    .flatMap((pid) => {
      try {
        const [, parent] = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
        return parents.includes(Number(parent)) ? [Number(pid)] : [];
      } catch {
        return [];
      }
    });
}

const largest = (all: readonly (number | undefined)[]): number | undefined => {
  const sizes = all.flatMap((size) => size ?? []);
  return sizes.length === 0 ? undefined : Math.max(...sizes);
};

/** Looks at the memory of a farm regularly; on Linux only. */
export class MemoryWatch implements Disposable {
  readonly #samples: Sample[] = [];
  readonly #timer: NodeJS.Timeout;

  /**
   * @param pids the processes of the server and the workers at this moment; this process is the submitter
   * @param heaps where workers with `heap.mjs` write what they keep
   */
  constructor(
    pids: () => { readonly server: number | undefined; readonly workers: readonly number[] },
    heaps: string,
  ) {
    this.#timer = setInterval(() => {
      const { server, workers } = pids();
      this.#samples.push({
        server: server === undefined ? undefined : residentOf(server),
        front: ownHeap(),
        workers: largest(workers.map((pid) => heapOf(heaps, pid))),
        compilers: largest(childrenOf(workers).map(residentOf)),
      });
    }, SAMPLE_MS);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  /**
   * For each role, the median memory in the second quarter of the run and in the last one, in MiB; `undefined` if the run
   * was too short.
   */
  medians(): Readonly<Record<Role, readonly [second: number, last: number]>> | undefined {
    const { length } = this.#samples;
    if (length < LEAST_SAMPLES) return undefined;
    const quarter = (number: number): readonly Sample[] =>
      this.#samples.slice(Math.floor((number * length) / 4), Math.floor(((number + 1) * length) / 4));
    const medianOf = (samples: readonly Sample[], role: Role): number => {
      const all = samples.flatMap((sample) => sample[role] ?? []).sort((a, b) => a - b);
      return Math.round(all[Math.floor(all.length / 2)] ?? 0);
    };
    const of = (role: Role) => [medianOf(quarter(1), role), medianOf(quarter(3), role)] as const;
    return { server: of("server"), front: of("front"), workers: of("workers"), compilers: of("compilers") };
  }
}

/** The roles whose memory has grown by more than a fifth and some MiB, and beyond what they may use in any case. */
export const grown = (medians: NonNullable<ReturnType<MemoryWatch["medians"]>>): Role[] =>
  ROLES.filter((role) => {
    const [second, last] = medians[role];
    return last > Math.max(ALLOWED_SHARE * second + ALLOWED_MIB[role], BOUND_MIB[role] ?? 0);
  });
