// Mistakes in how a pipeline is set up, and what ends a run. What was finished before is given out.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EmulatedDevice } from "@mm-ptx/emulator";
import { u32 } from "@mm-ptx/types/device";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  input,
  KernelPipeline,
  output,
  PipelineError,
  type PipelineResult,
  slices,
  squaredError,
  textSite,
} from "../src/index.js";
import { collect, KERNEL, LENGTH, launch, TWO_SITES, times, withPipeline, X } from "./support/kernel.js";

/** The code and the message of the error that ends a run, and the results before it. */
async function endOf(results: AsyncIterable<PipelineResult>) {
  const before: number[] = [];
  try {
    for await (const { index } of results) before.push(index);
  } catch (error) {
    if (error instanceof PipelineError) return { before, error };
    throw error;
  }
  throw new Error("expected an error, found the end of the run");
}

const lineOf = (text: string, part: string): number =>
  text.split("\n").findIndex((line) => line.includes(part)) + 1;

const noWork = async (): Promise<never> => {
  throw new Error("expected no pipeline");
};

describe("a pipeline is not made", () => {
  it.each<[string, Parameters<typeof withPipeline>[0], string, string]>([
    [
      "of an option that does not exist",
      { kernels: "x" } as object,
      "INVALID_ARGUMENT",
      "unknown option `kernels`, did you mean `kernel`?",
    ],
    [
      "of a site that the kernel does not have",
      { sites: { funk: textSite() } },
      "NOT_FOUND",
      "expected a site of the kernel (`func`), found `funk`, did you mean `func`?",
    ],
    [
      "of a kernel with a site that nothing fills",
      { kernel: TWO_SITES, sites: { inner: textSite() } },
      "INVALID_ARGUMENT",
      "expected `sites` to fill every site of the kernel, found none for `outer`",
    ],
    [
      "of an entry that the module does not have",
      { entry: "scales" },
      "NOT_FOUND",
      "expected a kernel of the module (`scale`), found `scales`, did you mean `scale`?",
    ],
    [
      "of a plan with too few arguments",
      { launch: () => ({ ...launch(), args: [input(X)] }) },
      "INVALID_ARGUMENT",
      "expected 3 arguments in the launch plan, one for each parameter of the kernel, found 1",
    ],
    [
      "of a kernel that writes to an input",
      { launch: () => ({ ...launch(), args: [output(Float32Array, LENGTH), input(X), u32(LENGTH)] }) },
      "INVALID_ARGUMENT",
      "expected `scale` to write only through parameters whose arguments are `output` or `slices`, found " +
        `\`st.global.f32 [%rd7], %f3;\` at line ${lineOf(KERNEL.markedText(), "st.global.f32")}, which writes through parameter 1, \`scale_param_1\``,
    ],
    [
      "of a target of another length",
      { read: squaredError(X.slice(1)) },
      "INVALID_ARGUMENT",
      "expected 40 numbers in the target of `squaredError`, as output 0 has, found 39",
    ],
    [
      "of a target that is not a number",
      { read: squaredError(X.map(() => Number.NaN)) },
      "INVALID_ARGUMENT",
      "expected finite numbers in the target of `squaredError`, found NaN at index 0",
    ],
  ])("%s", async (_, options, code, message) => {
    const made = withPipeline(options, noWork);
    await expect(made).rejects.toThrow(PipelineError);
    await expect(made).rejects.toMatchObject({ code, message });
  });

  it("of neither a device nor a compiler", () => {
    expect(() => new KernelPipeline({ kernel: KERNEL, sites: { func: textSite() } })).toThrow(
      "expected a device that runs the programs or a compiler, found neither",
    );
  });

  it("of a buffer that is too small for an alternative", async () => {
    const device = EmulatedDevice.open({ memoryBytes: 2 ** 24 });
    const args = [slices(device.allocate(256), 512), output(Float32Array, LENGTH), u32(LENGTH)];
    await expect(
      withPipeline({ device, launch: () => ({ ...launch(), args }) }, noWork),
    ).rejects.toMatchObject({
      code: "INSUFFICIENT_BUFFER",
      message:
        "expected a buffer of at least 512 bytes as argument 1 of the launch plan (1 alternative of 512 bytes), found one of 256 bytes",
    });
  });

  describe("with a store", () => {
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "mm-ptx-pipeline-"));
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    it("in a folder that cannot be one", async () => {
      writeFileSync(join(folder, "file"), "");
      await expect(withPipeline({ store: join(folder, "file") }, noWork)).rejects.toMatchObject({
        code: "STORE",
      });
    });
  });
});

describe("a program of the wrong kind", () => {
  it("fails alone", () =>
    withPipeline({ kernel: TWO_SITES, sites: { inner: textSite(), outer: textSite() } }, async (pipeline) => {
      const programs = [{ inner: times(1) }, { inner: times(1), outer: 5 }, times(1)];
      const results = await collect(pipeline.run(programs as never, { ordered: true }));
      expect(results.map(({ status }) => status)).toEqual(programs.map(() => "INVALID_ARGUMENT"));
      expect(results.map(({ error }) => error?.message)).toEqual([
        "expected a stub as text for site `outer`, found undefined",
        "expected a stub as text for site `outer`, found 5",
        expect.stringContaining("expected an object with a program for each site (`inner`, `outer`), found "),
      ]);
    }));
});

describe("a run ends", () => {
  const many = Array.from({ length: 100 }, (_, i) => times(i));

  it("with PRODUCER_FAILED if the iterable throws", () =>
    withPipeline({ pack: 4 }, async (pipeline) => {
      const cause = new RangeError("no more");
      function* programs() {
        yield* many.slice(0, 10);
        throw cause;
      }
      const { error } = await endOf(pipeline.run(programs()));
      expect(error).toMatchObject({
        code: "PRODUCER_FAILED",
        message: "expected programs, but their iterable threw: no more",
        cause,
      });
      expect(await collect(pipeline.run(many))).toHaveLength(100);
    }));

  it("with PRODUCER_FAILED if one of the lists to combine throws", () =>
    withPipeline(
      { kernel: TWO_SITES, sites: { inner: textSite(), outer: textSite() }, combine: "cross" },
      async (pipeline) => {
        async function* inner() {
          yield times(1);
          throw new Error("no more");
        }
        const { error } = await endOf(pipeline.run({ inner: inner(), outer: [times(1)] }));
        expect(error.code).toBe("PRODUCER_FAILED");
      },
    ));

  it("with ABORTED and its reason, after what is finished", () =>
    withPipeline({ pack: 4 }, async (pipeline) => {
      const controller = new AbortController();
      const run = pipeline.run(
        (function* () {
          for (let i = 0; ; i++) yield times(i);
        })(),
        { signal: controller.signal },
      );
      const first = await run.next();
      controller.abort(new Error("enough"));
      const { before, error } = await endOf(run);
      expect(error).toMatchObject({ code: "ABORTED", message: "the run was aborted: enough" });
      expect(new Set([first.value!.index, ...before]).size).toBe(before.length + 1);
    }));

  it("with ABORTED if it was aborted before", () =>
    withPipeline({}, async (pipeline) => {
      const { before, error } = await endOf(pipeline.run(many, { signal: AbortSignal.abort() }));
      expect({ before, code: error.code }).toEqual({ before: [], code: "ABORTED" });
    }));

  it("with DISPOSED if the pipeline is disposed, and no other begins", () =>
    withPipeline({ pack: 4 }, async (pipeline) => {
      const run = pipeline.run(many);
      await run.next();
      pipeline.dispose();
      expect((await endOf(run)).error.code).toBe("DISPOSED");
      expect(() => pipeline.run(many)).toThrow("expected an open pipeline, found a disposed one");
    }));

  it("with INVALID_ARGUMENT if the device refuses the launch plan", () =>
    withPipeline({ launch: () => ({ ...launch(), block: 2048 }) }, async (pipeline) => {
      const { error } = await endOf(pipeline.run(many));
      expect(error.code).toBe("INVALID_ARGUMENT");
      expect(error.message).toContain("block");
    }));
});
