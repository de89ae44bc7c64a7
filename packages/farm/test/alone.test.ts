// Without a server, a farm's compiler is this machine's compiler, and opens no connection.

import { Socket } from "node:net";
import { capabilities, PtxCompiler, type PtxJob } from "@mm-ptx/cuda";
import { afterEach, expect, it, vi } from "vitest";
import { FarmError } from "../src/error.js";
import { Alone } from "../src/front/alone.js";
import type { Link } from "../src/front/link.js";
import { FarmCompiler } from "../src/index.js";
import type { ResolvedFarm } from "../src/options.js";
import { ptxOf } from "./support/farm.js";
import { AST, kernelOf, programsFrom, STACK } from "./support/programs.js";
import { plain } from "./support/results.js";

const MISSING = capabilities().backends.some(({ available }) => available) ? undefined : "no compiler";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it("jobs do not fail for want of workers before these have had time to answer", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  vi.advanceTimersByTime(1);
  const link = { isUp: false, slots: 0, pool: "13_0_88-x64-0", pools: [] as string[] };
  const farm = { patienceMs: 60_000, servers: ["nats://farm.example"] };
  const alone = new Alone(link as unknown as Link, farm as unknown as ResolvedFarm);
  const isOver = () => alone.isOver(alone.milliseconds(1)!);
  expect(isOver()).toBe(false);
  vi.advanceTimersByTime(60_000);
  expect([isOver(), alone.why.code]).toEqual([true, "UNREACHABLE"]);
  link.isUp = true;
  expect(isOver()).toBe(false);
  vi.advanceTimersByTime(500);
  expect(isOver()).toBe(false);
  vi.advanceTimersByTime(500);
  expect([isOver(), alone.why.code]).toEqual([true, "NO_WORKERS"]);
  link.slots = 1;
  expect(alone.milliseconds(1)).toBeUndefined();
});

it("a queue that takes no jobs is reason enough", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  vi.advanceTimersByTime(1);
  const link = { isUp: true, slots: 1, pool: "13_0_88-x64-0", pools: ["13_0_88-x64-0"] };
  const farm = { patienceMs: 100, servers: ["nats://farm.example"] };
  const alone = new Alone(link as unknown as Link, farm as unknown as ResolvedFarm);
  alone.refusal = new FarmError("QUEUE", "full");
  expect(alone.isOver(alone.milliseconds(1)!)).toBe(false);
  vi.advanceTimersByTime(100);
  expect(alone.isOver(alone.milliseconds(1)!)).toBe(true);
});

it.skipIf(MISSING !== undefined)(
  `gives the results of this machine's compiler and opens no connection${MISSING === undefined ? "" : ` (${MISSING})`}`,
  async () => {
    const connect = vi.spyOn(Socket.prototype, "connect");
    const options = { arch: "sm_90", cache: false, workers: 1 } as const;
    const kernel = kernelOf(STACK);
    const last = STACK.adding(-1);
    const formulas = kernelOf(AST);
    const jobs: readonly PtxJob[] = [
      ...Array.from({ length: 10 }, (_, i) => ptxOf(i)),
      ptxOf("%nowhere"),
      "",
      { ptx: ptxOf(3), arch: ["sm_80", "sm_120"] },
      kernel.fill({ func: STACK.adding(1), last }),
      kernel.alternatives("func", programsFrom(STACK, 1, 3), { others: { last } }),
      formulas.pack([{ func: AST.adding(1), last: AST.adding(2) }]),
    ];
    await using local = new PtxCompiler(options);
    const expected = (await local.compileAll(jobs)).map(plain);
    for (const others of [{}, { local: "only", servers: "nats://127.0.0.1:1" } as const]) {
      await using farm = new FarmCompiler({ ...options, ...others });
      expect((await farm.compileAll(jobs)).map(plain)).toEqual(expected);
      expect(farm.version).toBe(local.version);
      expect(farm.compileSync(ptxOf(4)).cubin).toEqual(local.compileSync(ptxOf(4)).cubin);
    }
    expect(connect).not.toHaveBeenCalled();
  },
);
