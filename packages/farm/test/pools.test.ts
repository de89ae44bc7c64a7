// Pools: a submitter that follows the newest one moves between parcels, and no job is lost or done by another pool than it says.

import { type JobResult, PtxCompiler } from "@mm-ptx/cuda";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SOAK } from "../../../tests/support/counts.js";
import { PoolChoice } from "../src/front/pools.js";
import { FarmCompiler } from "../src/index.js";
import type { Worker } from "../src/worker/worker.js";
import { LACKS, ptxOf, TestFarm } from "./support/farm.js";

const OTHER = process.arch === "x64" ? "arm64" : "x64";
const [OLD, NEW, TWIN] = ["13_0_88", "13_1_2", "13_0_88"].map(
  (version, i) => `${version}-${process.arch}-0000000${i}`,
) as [string, string, string];
const FOREIGN = `13_0_88-${OTHER}-00000004`;
const LINKER = `nvjitlink_13_2_1-${process.arch}-00000005`;

type Member = readonly [pool: string, cores: number, seconds: number];

function chosen(choice: PoolChoice, ...members: readonly Member[]): string | undefined {
  choice.follow(members.map(([pool, cores, seconds]) => ({ pool, cores, seconds })));
  return choice.current;
}

describe("the newest pool", () => {
  const newest = () => new PoolChoice({ pool: "newest" }, undefined);

  it("is the one with the latest version that has half of the cores", () => {
    expect(chosen(newest())).toBeUndefined();
    expect(chosen(newest(), [OLD, 4, 10])).toBe(OLD);
    expect(chosen(newest(), [OLD, 4, 10], [NEW, 3, 10])).toBe(OLD);
    expect(chosen(newest(), [OLD, 4, 10], [NEW, 3, 10], [NEW, 1, 1])).toBe(NEW);
    expect(chosen(newest(), [LINKER, 1, 1], [NEW, 1, 1])).toBe(LINKER);
  });

  it("of one version is the one whose workers are younger, on the processor of this machine", () => {
    expect(chosen(newest(), [OLD, 1, 100], [TWIN, 1, 5])).toBe(TWIN);
    expect(chosen(newest(), [OLD, 1, 5], [TWIN, 1, 100])).toBe(OLD);
    expect(chosen(newest(), [OLD, 1, 100], [FOREIGN, 1, 5])).toBe(OLD);
  });

  it("is left for an older one only if nobody else is there", () => {
    const choice = newest();
    expect(chosen(choice, [NEW, 4, 10])).toBe(NEW);
    expect(chosen(choice, [OLD, 100, 10], [NEW, 1, 10])).toBe(NEW);
    expect(chosen(choice, [FOREIGN, 100, 1], [NEW, 1, 10])).toBe(NEW);
    expect(chosen(choice)).toBe(NEW);
    expect(chosen(choice, [OLD, 1, 10])).toBe(OLD);
    expect(chosen(choice, [OLD, 1, 10], [NEW, 1, 1])).toBe(NEW);
  });

  it("does not matter to a submitter with a pool", () => {
    const named = new PoolChoice({ pool: OLD }, undefined);
    expect(chosen(named, [NEW, 4, 10])).toBe(OLD);
    expect(named).toMatchObject({ identity: `farm ${OLD}`, version: "13.0.88" });
  });
});

describe.skipIf(LACKS !== undefined)(`two pools${LACKS === undefined ? "" : ` (${LACKS})`}`, () => {
  const OPTIONS = { arch: "sm_90", cache: false, workers: 1, local: "never" } as const;
  const THIRD = SOAK ? 80 : 40;
  const texts = Array.from({ length: 3 * THIRD }, (_, i) => ptxOf(i));
  let farm: TestFarm;
  let expected: readonly string[];
  beforeAll(async () => {
    farm = await TestFarm.start();
    await using local = new PtxCompiler({ arch: "sm_90", cache: false });
    expected = (await local.compileAll(texts)).map(codeOf);
  });
  afterAll(async () => farm?.[Symbol.asyncDispose]());

  it("replace each other during a run, in which no job is lost, and none is done by another pool than it says", async () => {
    const workers: Worker[] = [await farm.worker({ pool: OLD })];
    await using compiler = new FarmCompiler({ ...OPTIONS, servers: farm.servers, pool: "newest" });
    const results: JobResult[] = [];
    const until = async (isSo: () => boolean): Promise<void> => {
      while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    async function* jobs(): AsyncGenerator<string> {
      yield* texts.slice(0, THIRD);
      await until(() => results.length >= 20);
      expect(compiler.farm).toMatchObject({ pool: OLD });
      workers.push(await farm.worker({ pool: NEW }));
      await until(() => compiler.farm!.pool === NEW);
      yield* texts.slice(THIRD, 2 * THIRD);
      // The old one leaves what it has not begun with in its queue.
      await workers[0]!.drain();
      yield* texts.slice(2 * THIRD);
    }
    for await (const result of compiler.stream(jobs())) results.push(result);
    expect(results).toHaveLength(texts.length);
    results.sort((a, b) => a.index - b.index);
    expect(results.map(codeOf)).toEqual(expected);
    const pools = new Set<string>();
    for (const result of results) {
      const { pool, worker } = (result as Extract<JobResult, { ok: true }>).info.farm!;
      pools.add(pool);
      expect(workers.find(({ id }) => id === worker)!.pool).toBe(pool);
    }
    expect(pools).toEqual(new Set([OLD, NEW]));
    const [first, second] = workers.map((worker) => worker.status());
    expect(first!.jobs + second!.jobs).toBeGreaterThanOrEqual(texts.length);
    expect([first!.refused, second!.refused]).toEqual([0, 0]);
    await Promise.all(workers.map((worker) => worker.drain()));
  });

  it("are listed when nobody serves the one that is asked for", async () => {
    // Not the pool of the test before, whose queue may still have a parcel that was sent again to the newer pool.
    const older = "12_9_86-x64-00000001";
    const workers = [await farm.worker({ pool: older }), await farm.worker({ pool: TWIN })];
    const options = { ...OPTIONS, servers: farm.servers, pool: NEW, patienceMs: 1_200 };
    await using compiler = new FarmCompiler(options);
    await expect(compiler.compile(ptxOf(1))).rejects.toMatchObject({
      code: "UNAVAILABLE",
      what: "farm",
      cause: { code: "NO_WORKERS" },
      message: `expected workers of the pool ${NEW}, found workers of ${older}, ${TWIN}`,
    });
    expect(workers.map((worker) => worker.status().jobs)).toEqual([0, 0]);
    await Promise.all(workers.map((worker) => worker.drain()));
  });
});

const codeOf = (result: JobResult): string =>
  result.ok ? Buffer.from(result.cubin).toString("base64") : `${result.error.code} ${result.error.message}`;
