// Programs in, results out: whatever the packs are, each program gets the result that it has alone.
import { PtxCompiler } from "@mm-ptx/cuda";
import { EmulatedDevice } from "@mm-ptx/emulator";
import { u32 } from "@mm-ptx/types/device";
import { describe, expect, it } from "vitest";
import { input, type LaunchPlan, output, squaredError, stackSite, textSite } from "../src/index.js";
import {
  collect,
  doubled,
  KERNEL,
  LENGTH,
  plus,
  TWO_SITES,
  table,
  times,
  withPipeline,
  X,
} from "./support/kernel.js";

const scaled = (factor: number) => [X.map((x) => Math.fround(x * Math.fround(factor)))];

describe("results", () => {
  it.each(["auto", "none", 3, 64] as const)("are those of each program with pack %s", (pack) =>
    withPipeline({ pack }, async (pipeline) => {
      const factors = Array.from({ length: 100 }, (_, i) => i / 4);
      const results = await collect(pipeline.run(factors.map(times), { ordered: true }));
      expect(results.map(({ index }) => index)).toEqual(factors.map((_, i) => i));
      for (const { index, status, outputs } of results) {
        expect(status).toBe("ok");
        expect(outputs).toEqual(scaled(factors[index]!));
      }
    }),
  );

  it("come as they are finished, each once", () =>
    withPipeline({ pack: 8 }, async (pipeline) => {
      const results = await collect(pipeline.run(Array.from({ length: 50 }, (_, i) => times(i))));
      expect(results.map(({ index }) => index).sort((a, b) => a - b)).toEqual([...Array(50).keys()]);
    }));

  it("are scores, if a reading computes them", () =>
    withPipeline({ read: squaredError(X) }, async (pipeline) => {
      const results = await collect(pipeline.run([times(1), times(2)], { ordered: true }));
      expect(results.map(({ score }) => score)).toEqual([0, X.reduce((sum, x) => sum + x * x, 0)]);
      expect(results[0]).not.toHaveProperty("outputs");
    }));

  it("have the figures of the machine code with a compiler", async () => {
    const compiler = new PtxCompiler({ arch: "sm_90", effort: "draft", workers: 1, cache: false });
    try {
      await withPipeline({ compiler, sites: { func: stackSite(table) } }, async (pipeline) => {
        const [result] = await collect(pipeline.run([doubled(3)]));
        expect(result).toMatchObject({ status: "ok", spills: 0, effort: "draft", outputs: scaled(4) });
        expect(result!.registers).toBeGreaterThan(0);
        expect(result!.codeBytes! % 16).toBe(0);
      });
    } finally {
      compiler.dispose();
    }
  });

  it("have the bytes of their own stubs with lines, whatever the packs are", async () => {
    const compiler = new PtxCompiler({ arch: "sm_90", workers: 1, cache: false, lineInfo: true });
    try {
      const bytes = [1, 8, 64].map((pack) =>
        withPipeline({ compiler, pack, sites: { func: stackSite(table) } }, async (pipeline) => {
          const programs = Array.from({ length: 12 }, (_, i) => doubled(i + 1));
          const results = await collect(pipeline.run(programs, { ordered: true }));
          return results.map(({ siteBytes }) => siteBytes);
        }),
      );
      const [alone, ...packed] = await Promise.all(bytes);
      expect(alone!.at(-1)! - alone![0]!).toBe(11 * 16);
      for (const one of packed) expect(one).toEqual(alone);
    } finally {
      compiler.dispose();
    }
  });

  it("come from threads, if the device has workers", () =>
    withPipeline(
      { device: EmulatedDevice.open({ workers: 2, memoryBytes: 2 ** 24 }), pack: 4 },
      async (pipeline) => {
        const results = await collect(pipeline.run(Array.from({ length: 20 }, (_, i) => times(i))));
        expect(results).toHaveLength(20);
        for (const { index, outputs } of results) expect(outputs).toEqual(scaled(index));
      },
    ));
});

describe("a kernel that writes to an input", () => {
  const WRITING = KERNEL.text.replace(
    "\tst.global.f32 [%rd7], %f3;",
    "\tst.global.f32 [%rd7], %f3;\n\txor.b64 %rd5, %rd5, 0;\n\tst.global.f32 [%rd5], %f3;",
  );

  it.each(["auto", "none"] as const)(
    "of which the text does not show it gives each program the same with pack %s",
    (pack) =>
      withPipeline({ kernel: WRITING, pack }, async (pipeline) => {
        const results = await collect(pipeline.run([1, 2, 4, 8].map(times), { ordered: true }));
        expect(results.map(({ outputs }) => outputs)).toEqual([1, 2, 4, 8].map(scaled));
        expect(pipeline.plan.kind).toBe("single");
      }),
  );

  it.each(["auto", "none", { kind: "kernels", size: 4 }] as const)(
    "of which the text shows it is refused with pack %j",
    (pack) =>
      expect(
        withPipeline({ kernel: WRITING.replace("\txor.b64 %rd5, %rd5, 0;\n", ""), pack }, async () => {}),
      ).rejects.toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining("parameter 0") }),
  );
});

describe("a launch that goes beyond its outputs", () => {
  const beyond = (): LaunchPlan => ({
    grid: 2,
    block: 32,
    args: [input(new Float32Array(64)), output(Float32Array, LENGTH), u32(64)],
  });

  it("gives what each program gives alone", () =>
    withPipeline({ launch: beyond }, async (pipeline) => {
      const results = await collect(pipeline.run([times(1), times(2), times(3)]));
      expect(results.map(({ status }) => status)).toEqual(Array(3).fill("OUT_OF_BOUNDS"));
      expect(pipeline.plan).toMatchObject({
        kind: "single",
        reason: expect.stringMatching(/^program 0 fails alone with OUT_OF_BOUNDS: /),
      });
    }));
});

describe("equal programs", () => {
  it("run once", () =>
    withPipeline({}, async (pipeline) => {
      const programs = [times(2), times(3), times(2), times(2)];
      const results = await collect(pipeline.run(programs, { ordered: true }));
      expect(results.map(({ from }) => from.kind)).toEqual(["run", "run", "duplicate", "duplicate"]);
      expect(results[3]).toMatchObject({ from: { index: 0 }, outputs: scaled(2) });
      expect(pipeline.stats).toMatchObject({ taken: 4, duplicates: 2, done: 4 });
      const [again] = await collect(pipeline.run([times(3)]));
      expect(again).toMatchObject({ from: { kind: "remembered" }, outputs: scaled(3) });
    }));

  it("have outputs of their own", () =>
    withPipeline({}, async (pipeline) => {
      for (let round = 0; round < 2; round++) {
        for await (const { outputs } of pipeline.run([times(2), times(2), times(2)], { ordered: true })) {
          expect(outputs).toEqual(scaled(2));
          (outputs![0] as Float32Array).fill(99);
        }
      }
    }));

  it("of an earlier run are remembered", () =>
    withPipeline({}, async (pipeline) => {
      await collect(pipeline.run([times(2), times(3)]));
      const results = await collect(pipeline.run([times(3), times(3)], { ordered: true }));
      expect(results.map(({ from }) => from)).toEqual([{ kind: "remembered" }, { kind: "remembered" }]);
    }));

  it("run again if they are not to be found, or have been forgotten", async () => {
    const run = (options: object) =>
      withPipeline(options, async (pipeline) => {
        await collect(pipeline.run([times(2), times(3)]));
        return (await collect(pipeline.run([times(2)])))[0]!.from.kind;
      });
    expect(await run({ dedupe: false })).toBe("run");
    expect(await run({ remember: 1 })).toBe("run");
    expect(await run({ remember: 2 })).toBe("remembered");
    expect(await run({ rememberBytes: 4 * LENGTH })).toBe("run");
  });
});

describe("two sites", () => {
  const sites = { inner: textSite(), outer: textSite() };

  it("are filled in pairs", () =>
    withPipeline({ kernel: TWO_SITES, sites }, async (pipeline) => {
      const programs = [1, 2, 3, 4].map((i) => ({ inner: times(i), outer: plus(i) }));
      const results = await collect(pipeline.run(programs, { ordered: true }));
      expect(results.map(({ outputs }) => outputs![0])).toEqual(
        [1, 2, 3, 4].map((i) => X.map((x) => Math.fround(x * i) + i)),
      );
    }));

  it.each([5, 6, 12, 100])("are combined each with each in packs of %s", (pack) =>
    withPipeline({ kernel: TWO_SITES, sites, combine: "cross", pack }, async (pipeline) => {
      const [inner, outer] = [
        [1, 2, 3, 4, 5],
        [10, 20, 30, 40, 50, 60, 70],
      ];
      const programs = { inner: inner.map(times), outer: outer.map(plus) };
      const results = await collect(pipeline.run(programs, { ordered: true }));
      expect(results).toHaveLength(35);
      expect(results.map(({ outputs }) => outputs![0])).toEqual(
        inner.flatMap((i) => outer.map((o) => X.map((x) => Math.fround(x * i) + o))),
      );
    }),
  );
});
