// Without a server, a farm's compiler is this machine's compiler, and opens no connection.

import { Socket } from "node:net";
import { capabilities, PtxCompiler, type PtxJob } from "@mm-ptx/cuda";
import { afterEach, expect, it, vi } from "vitest";
import { FarmCompiler } from "../src/index.js";
import { ptxOf } from "./support/farm.js";
import { AST, kernelOf, programsFrom, STACK } from "./support/programs.js";
import { plain } from "./support/results.js";

const MISSING = capabilities().backends.some(({ available }) => available) ? undefined : "no compiler";

afterEach(() => {
  vi.restoreAllMocks();
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
