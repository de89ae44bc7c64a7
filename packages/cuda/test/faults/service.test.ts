// A compiler under everything at once: each job has one answer, the right one, and memory does not grow.

import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rare, SOAK } from "../../../../tests/support/counts.js";
import { type JobResult, PtxCompiler, type PtxJob } from "../../src/index.js";
import { ISOLATED } from "../support/backends.js";
import { send, workerProcesses } from "../support/processes.js";
import { module, stubbornModule } from "../support/ptx.js";

const CRASHERS = readdirSync(new URL("../ptx/crashers/", import.meta.url))
  .filter((name) => name.includes(".sm_80."))
  .map((name) => readFileSync(new URL(`../ptx/crashers/${name}`, import.meta.url), "utf8"));

/** A job, and what its answer must be. */
interface Case {
  readonly job: PtxJob;
  /** The codes of errors that are right, and `ok`. */
  readonly codes: readonly string[];
  /** The name of the kernel, which no other job has. */
  readonly name: string;
}

const TEMPLATE = (() => {
  const [head, tail] = module("NAME", "STUB").split("STUB") as [string, string];
  const segments = [...head.split("NAME"), tail];
  const holes = [...Array.from({ length: segments.length - 2 }, () => 0), 1];
  let kernelLine = 1;
  const lines = segments.map((segment) => {
    const feeds = segment.split("\n").length - 1;
    kernelLine += feeds;
    return { kernelLine: kernelLine - feeds, lines: feeds, head: 0, tail: 0 };
  });
  return { names: ["name", "body"], segments, holes, lines };
})();

const KINDS: Readonly<Record<string, (name: string, i: number) => Omit<Case, "name">>> = {
  good: (name, i) => ({
    job: module(name, `\tadd.f32 \t%f2, %f2, 0f${(i >>> 0).toString(16).padStart(8, "0")};\n`),
    codes: ["ok"],
  }),
  bytes: (name) => ({ job: new TextEncoder().encode(module(name)), codes: ["ok"] }),
  filled: (name) => ({ job: { template: TEMPLATE, stubs: { name, body: "" } }, codes: ["ok"] }),
  wrong: (name) => ({ job: module(name, "\tmadd.f32 \t%f2, %f2;\n"), codes: ["SYNTAX", "SEMANTIC"] }),
  empty: () => ({ job: "", codes: ["INVALID_ARGUMENT"] }),
  late: (name) => ({ job: { ptx: module(name), timeoutMs: 4 }, codes: ["ok", "TIMEOUT"] }),
  stubborn: () => ({ job: { ptx: stubbornModule(4000, 128), timeoutMs: 30 }, codes: ["TIMEOUT"] }),
  aborted: (name) => ({
    job: { ptx: module(name), signal: AbortSignal.timeout(1) },
    codes: ["ok", "ABORTED"],
  }),
  crash: (_, i) => ({ job: CRASHERS[i % CRASHERS.length]!, codes: ["CRASHED"] }),
};
/** How many of a thousand jobs are of each kind. */
const SHARES = {
  good: 600,
  bytes: 100,
  filled: 150,
  wrong: 100,
  empty: 10,
  late: 15,
  aborted: 15,
  stubborn: 4,
  crash: 6,
};
const BAG = Object.entries(SHARES).flatMap(([kind, share]) => Array<string>(share).fill(kind));

function caseOf(i: number, random: number): Case {
  const name = `job_${i}_`;
  return { name, ...KINDS[BAG[random % BAG.length]!]!(name, i) };
}

/** Compiles and checks each answer. @returns how many there were of each code */
async function serve(
  compiler: PtxCompiler,
  count: number,
  seed: number,
  alsoRight: (code: string) => boolean,
  onAnswer: (answers: number) => void,
): Promise<Map<string, number>> {
  const waiting = new Map<number, Case>();
  const seen = new Map<string, number>();
  let state = seed;
  function* jobs(): Generator<PtxJob> {
    for (let i = 0; i < count; i++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      const each = caseOf(i, state >>> 10);
      waiting.set(i, each);
      yield each.job;
    }
  }
  let answers = 0;
  for await (const result of compiler.stream(jobs())) {
    const each = waiting.get(result.index);
    expect(waiting.delete(result.index)).toBe(true);
    const code = result.ok ? "ok" : result.error.code;
    if (!each!.codes.includes(code) && !alsoRight(code)) throw wrongAnswer(each!, result);
    if (result.ok && !isOf(result, each!.name)) throw wrongAnswer(each!, result);
    seen.set(code, (seen.get(code) ?? 0) + 1);
    onAnswer(++answers);
  }
  expect(answers).toBe(count);
  expect(waiting.size).toBe(0);
  return seen;
}

const isOf = (result: JobResult & { ok: true }, name: string): boolean =>
  result.info.kernels[0]?.name === name &&
  Buffer.from(result.cubin.buffer, result.cubin.byteOffset, result.cubin.length).includes(`.text.${name}\0`);

const wrongAnswer = (each: Case, result: JobResult): Error =>
  new Error(
    `${each.name} (${each.codes.join(" or ")}): ${result.ok ? result.info.kernels[0]?.name : result.error.message}`,
  );

/** The figures of a soak, for docs/reliability.md. */
const report = (figures: object): void => {
  if (SOAK) console.log("service:", figures);
};

const seeds = fc.sample(fc.nat(), 2);

describe.runIf(ISOLATED && process.platform === "linux")("a service", { timeout: 7_200_000 }, () => {
  it(`answers every job once and rightly, in constant memory (seed ${seeds[0]})`, async () => {
    await using compiler = new PtxCompiler({ arch: "sm_80", backend: "isolated", cache: false });
    const count = rare(100_000);
    let settled = 0;
    let most = 0;
    const seen = await serve(
      compiler,
      count,
      seeds[0]!,
      () => false,
      (answers) => {
        const bytes = process.memoryUsage.rss();
        if (answers === Math.ceil(count / 4)) settled = bytes;
        if (answers > count / 4) most = Math.max(most, bytes);
      },
    );
    expect(seen.get("ok")).toBeGreaterThan(0.7 * count);
    expect(most - settled).toBeLessThan(192 << 20);
    report({ count, seen, grownMiB: (most - settled) >> 20, ...compiler.stats });
  });

  it(`answers every job once and rightly while its workers are killed (seed ${seeds[1]})`, async () => {
    await using compiler = new PtxCompiler({ arch: "sm_80", backend: "isolated", cache: false });
    const count = rare(10_000);
    const [gap, signals] = [6, ["SIGKILL", "SIGTERM", "SIGSEGV", "SIGABRT"] as const];
    let faults = 0;
    let sent = 0;
    const seen = await serve(
      compiler,
      count,
      seeds[1]!,
      // A fault cannot be told from one of the compiler's own.
      (code) => code === "CRASHED" && faults-- > 0,
      (answers) => {
        // Between two signals, jobs get done.
        if (answers % gap !== 0) return;
        const pids = workerProcesses();
        const signal = signals[sent % signals.length]!;
        if (pids.length === 0 || !send(pids[answers % pids.length]!, signal)) return;
        sent++;
        if (signal === "SIGSEGV" || signal === "SIGABRT") faults++;
      },
    );
    expect(sent).toBeGreaterThan(0);
    expect(seen.get("ok")).toBeGreaterThan(0.5 * count);
    report({ count, sent, seen, ...compiler.stats });
  });
});
