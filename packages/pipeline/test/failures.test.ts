// A program that fails costs only itself: the others of its pack get their results.
import { PtxCompiler, readCubin } from "@mm-ptx/cuda";
import { EmulatedDevice } from "@mm-ptx/emulator";
import { type DeviceBuffer, u32 } from "@mm-ptx/types/device";
import { describe, expect, it } from "vitest";
import {
  input,
  KernelPipeline,
  type LaunchPlan,
  type PipelineResult,
  reduction,
  type StreamingCompiler,
  slices,
  textSite,
} from "../src/index.js";
import { collect, KERNEL, LENGTH, plus, TWO_SITES, times, withPipeline, X } from "./support/kernel.js";

const GOOD = Array.from({ length: 20 }, (_, i) => times(i));
const withBad = (...bad: string[]) => [...GOOD.slice(0, 7), ...bad, ...GOOD.slice(7)];
const ENDLESS = "$L:\n\tmov.f32 %_x0, %_x1;\n\tbra $L;";

describe("a stub that does not compile", () => {
  it("has the code, and the line of its stub", () =>
    withPipeline({}, async (pipeline) => {
      const bad = `${times(2)}\n\tmul.rn.f32 %_x0, %_x1, %nowhere;`;
      const results = await collect(pipeline.run(withBad(bad), { ordered: true }));
      expect(results.map(({ status }) => status).filter((status) => status !== "ok")).toEqual(["UNDECLARED"]);
      expect(results[7]!.error!.place).toEqual({ site: "func", stubLine: 2 });
      expect(pipeline.stats).toMatchObject({ done: 20, failed: 1 });
    }));

  it("has those of the PTX compiler without a device", async () => {
    const compiler = new PtxCompiler({ arch: "sm_90", effort: "draft", workers: 1, cache: false });
    try {
      using pipeline = new KernelPipeline({ kernel: KERNEL, sites: { func: textSite() }, compiler });
      const bad = [`${times(2)}\n\tmul.rn.f32 %_x0, %_x1, %nowhere;`, "\tmadd.f32 %_x0, %_x1, %_x1, %_x1;"];
      const results = await collect(pipeline.run(withBad(...bad), { ordered: true }));
      expect(results.filter(({ status }) => status !== "ok").map(({ index }) => index)).toEqual([7, 8]);
      expect(results[7]!.error).toMatchObject({ code: "SEMANTIC", place: { site: "func", stubLine: 2 } });
      expect(results[8]!.error!.place).toEqual({ site: "func", stubLine: 1 });
    } finally {
      compiler.dispose();
    }
  });
});

describe("a stub that would change the text around it", () => {
  it("is refused alone", () =>
    withPipeline({}, async (pipeline) => {
      const results = await collect(pipeline.run(withBad("\t}"), { ordered: true }));
      expect(results[7]).toMatchObject({ status: "INVALID_STUB", error: { place: { site: "func" } } });
      expect(results.filter(({ status }) => status === "ok")).toHaveLength(20);
    }));
});

describe("a producer with promises of its own", () => {
  it("is waited for", () =>
    withPipeline({}, async (pipeline) => {
      const left = [...GOOD];
      const next = () => {
        const value = left.shift();
        const step = value === undefined ? { done: true, value } : { done: false, value };
        // biome-ignore lint/suspicious/noThenProperty: a promise of another library
        return { then: (resolve: (step: unknown) => void) => setImmediate(resolve, step) };
      };
      const programs = { [Symbol.asyncIterator]: () => ({ next }) } as never as AsyncIterable<string>;
      expect(await collect(pipeline.run(programs))).toHaveLength(GOOD.length);
    }));
});

describe("a compiler that breaks its stream", () => {
  const ending = {
    async *stream() {},
  };
  const odd = (result: unknown) => ({
    async *stream(jobs: AsyncIterable<unknown>) {
      for await (const _ of jobs) yield result;
    },
  });
  it.each([
    ["that ends early", ending],
    ["whose results are nothing", odd(undefined)],
    ["whose results have no machine code", odd({ ok: true, index: 0 })],
    ["whose failures have no error", odd({ ok: false, index: 0 })],
    [
      "that throws",
      {
        // biome-ignore lint/correctness/useYield: it throws before
        async *stream() {
          throw new TypeError("no");
        },
      },
    ],
  ])("%s ends the run", async (_, compiler) => {
    using pipeline = new KernelPipeline({
      kernel: KERNEL,
      sites: { func: textSite() },
      compiler: compiler as never as StreamingCompiler,
    });
    await expect(collect(pipeline.run(GOOD))).rejects.toMatchObject({ code: "COMPILER_FAILED" });
  });
});

describe("a producer that throws", () => {
  it.each([
    ["at once", (yielded: string[]) => yielded.values()],
    [
      "later",
      async function* (yielded: string[]) {
        yield* yielded;
      },
    ],
  ])("%s ends the run after the results of its programs", (_, list) =>
    withPipeline({}, async (pipeline) => {
      async function* programs() {
        yield* list(GOOD);
        throw new Error("no more ideas");
      }
      const results: PipelineResult[] = [];
      const run = async () => {
        for await (const result of pipeline.run(programs(), { ordered: true })) results.push(result);
      };
      await expect(run()).rejects.toMatchObject({
        code: "PRODUCER_FAILED",
        cause: { message: "no more ideas" },
      });
      expect(results.map(({ status }) => status)).toEqual(GOOD.map(() => "ok"));
    }),
  );
});

describe("a buffer of the caller's", () => {
  const device = () => EmulatedDevice.open({ memoryBytes: 2 ** 24 });
  const launchOn = (buffer: DeviceBuffer) => (): LaunchPlan => ({
    grid: 2,
    block: 32,
    args: [input(X), slices(buffer, 256), u32(LENGTH)],
  });
  const read = reduction({
    ptx: `.version 6.4
.target sm_75
.address_size 64
.visible .entry first(.param .u64 from, .param .u64 to, .param .u32 stride) {
  .reg .b64 %rd<4>;
  .reg .b32 %r<4>;
  .reg .f32 %f;
  ld.param.u64 %rd1, [from];
  ld.param.u64 %rd2, [to];
  ld.param.u32 %r2, [stride];
  mov.u32 %r1, %ctaid.x;
  mad.wide.u32 %rd1, %r1, %r2, %rd1;
  mad.wide.u32 %rd2, %r1, 4, %rd2;
  ld.global.f32 %f, [%rd1+4];
  st.global.f32 [%rd2], %f;
  ret;
}`,
    kernel: "first",
    grid: (alternatives) => alternatives,
    block: 1,
    args: ({ scores }) => [kept!, scores, u32(256)],
    scores: Float32Array,
  });
  let kept: DeviceBuffer | undefined;

  it("that is too small for the size of packs is refused at once", () => {
    using own = device();
    const options = { kernel: KERNEL, sites: { func: textSite() }, device: own, read };
    const launch = launchOn(own.allocate(256 * 4));
    expect(() => new KernelPipeline({ ...options, launch, pack: 16 })).toThrow(
      /expected a buffer of at least 4096 bytes as argument 2 .*16 alternatives of 256 bytes.*found one of 1024/,
    );
  });

  it("limits the size of packs that is chosen", async () => {
    const own = device();
    kept = own.allocate(256 * 4);
    await withPipeline({ device: own, launch: launchOn(kept), read }, async (pipeline) => {
      const results = await collect(pipeline.run(GOOD, { ordered: true }));
      expect(results.map(({ score }) => score)).toEqual(GOOD.map((_, i) => X[1]! * i));
      expect(pipeline.plan.size).toBe(4);
    });
  });
});

describe("a launch", () => {
  it.each([1, 2])("that faults does not take others with it, with %s workers", (workers) =>
    withPipeline({ device: EmulatedDevice.open({ memoryBytes: 2 ** 24, workers }) }, async (pipeline) => {
      const bad = "\t.reg .b64 %a;\n\tmov.u64 %a, 64;\n\tld.global.f32 %_x0, [%a];";
      const results = await collect(pipeline.run(withBad(bad, bad), { ordered: true }));
      expect(results[7]).toMatchObject({
        status: "OUT_OF_BOUNDS",
        error: { place: { site: "func", stubLine: 3 } },
      });
      expect(results.filter(({ status }) => status === "ok")).toHaveLength(20);
    }),
  );

  it("that traps or never ends does not take others with it", () =>
    withPipeline(
      { device: EmulatedDevice.open({ memoryBytes: 2 ** 24, limits: { instructions: 200_000 } }) },
      async (pipeline) => {
        const results = await collect(pipeline.run(withBad("\ttrap;", ENDLESS), { ordered: true }));
        expect(results[7]!.status).toBe("TRAP");
        expect(results[8]).toMatchObject({ status: "BUDGET", error: { place: { site: "func" } } });
        expect(results.filter(({ status }) => status === "ok")).toHaveLength(20);
      },
    ));

  it("of many bad programs leaves packs to the others", () =>
    withPipeline({}, async (pipeline) => {
      const programs = Array.from({ length: 120 }, (_, i) =>
        i % 2 === 0 ? times(i) : `\ttrap;\n${times(i)}`,
      );
      const results = await collect(pipeline.run(programs, { ordered: true }));
      expect(results.map(({ status }) => status)).toEqual(
        programs.map((_, i) => (i % 2 === 0 ? "ok" : "TRAP")),
      );
      expect(pipeline.plan.kind).toBe("alternatives");
    }));

  it("may take as many instructions in a pack as each program alone", () =>
    withPipeline(
      { device: EmulatedDevice.open({ memoryBytes: 2 ** 24, limits: { instructions: 4000 } }) },
      async (pipeline) => {
        const results = await collect(pipeline.run(GOOD));
        expect(results.map(({ status }) => status)).toEqual(GOOD.map(() => "ok"));
        expect(pipeline.stats.splits).toBe(0);
      },
    ));

  it.each(["auto", "none"] as const)(
    "of a stub that writes to an input changes no other with pack %s",
    (pack) =>
      withPipeline({ pack }, async (pipeline) => {
        // The address of the input is in a register of the kernel.
        const writing = "\tst.global.f32 [%rd5], 0f42C60000;\n\tmov.f32 %_x0, %_x1;";
        const results = await collect(
          pipeline.run([writing, times(2), writing, times(3)], { ordered: true }),
        );
        expect(results.map(({ outputs }) => outputs![0])).toEqual(
          [1, 2, 1, 3].map((factor) => X.map((x) => x * factor)),
        );
      }),
  );

  it("of all combinations is split until the culprits stand alone", () =>
    withPipeline(
      { kernel: TWO_SITES, sites: { inner: textSite(), outer: textSite() }, combine: "cross" },
      async (pipeline) => {
        const programs = {
          inner: [times(1), "\ttrap;", times(3)],
          outer: [plus(1), plus(2), "\tmul.f32 %_x0, %q, %q;"],
        };
        const results = await collect(pipeline.run(programs, { ordered: true }));
        const statuses = results.map(({ status }) => status);
        expect(statuses).toEqual([
          "ok",
          "ok",
          "UNDECLARED",
          "TRAP",
          "TRAP",
          "UNDECLARED",
          "ok",
          "ok",
          "UNDECLARED",
        ]);
      },
    ));
});

describe("machine code", () => {
  it("of a program that fails when it is launched is part of its result", async () => {
    const compiler = new PtxCompiler({ arch: "sm_90", effort: "draft", workers: 1, cache: false });
    try {
      await withPipeline({ compiler, modules: true }, async (pipeline) => {
        const results = await collect(pipeline.run([times(2), "\ttrap;", times(3)], { ordered: true }));
        expect(results.map(({ status }) => status)).toEqual(["ok", "TRAP", "ok"]);
        expect(readCubin(results[1]!.module!.cubin).entries).toEqual(["scale"]);
      });
    } finally {
      compiler.dispose();
    }
  });

  it("that is damaged has no size, and programs that run elsewhere have their results", () => {
    const info = { kernels: [], log: "", warnings: [], milliseconds: 1, from: "compiled" };
    const compiler = {
      async *stream(jobs: AsyncIterable<unknown>) {
        let index = 0;
        for await (const _ of jobs) yield { ok: true, index: index++, cubin: Uint8Array.of(1, 2, 3), info };
      },
    } as unknown as StreamingCompiler;
    return withPipeline({ compiler }, async (pipeline) => {
      const [result] = await collect(pipeline.run([times(2)]));
      expect(result).toMatchObject({ status: "ok", outputs: [expect.any(Float32Array)] });
      expect(result).not.toHaveProperty("codeBytes");
    });
  });
});
