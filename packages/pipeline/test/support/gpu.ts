// A GPU of a fake driver, which checks and logs calls and computes nothing, and pipelines that run on it.
import {
  type CompiledModule,
  CudaDevice,
  type CudaDeviceOptions,
  type JobResult,
  PtxCompiler,
} from "@mm-ptx/cuda";
import { onTestFinished, vi } from "vitest";
import { type FakeCall, FakeDriver, type Orders } from "../../../cuda/test/driver/support/fake-driver.js";
import {
  KernelPipeline,
  type KernelPipelineOptions,
  type SiteRecord,
  type StreamingCompiler,
  textSite,
} from "../../src/index.js";
import { KERNEL, launch } from "./kernel.js";

/** Opens a device, which is closed after the test; the driver must have found no mistakes then. */
export function fakeGpu(options: CudaDeviceOptions = {}, orders: Orders = []) {
  const fake = new FakeDriver(orders);
  const device = CudaDevice.open(0, options);
  onTestFinished(async () => {
    await device[Symbol.asyncDispose]();
    try {
      // A killed process frees nothing.
      if (device.isolated) expectNone(fake.violations());
      // Devices that the pipeline has disposed may still be closing.
      else await vi.waitFor(() => fake.expectClean());
    } finally {
      fake.remove();
    }
  });
  return { fake, device };
}

function expectNone(violations: readonly string[]): void {
  if (violations.length > 0) throw new Error(violations.join("\n"));
}

/** A compiler for the GPU of the fake driver, which is disposed after the test. */
export function gpuCompiler(effort: "draft" | "final" = "draft"): PtxCompiler {
  const compiler = new PtxCompiler({ arch: ARCH, effort, workers: 1, cache: false });
  onTestFinished(() => compiler.dispose());
  return compiler;
}
export const ARCH = "sm_90";

/** A compiler that calls a function before each job. */
export function watched(compiler: PtxCompiler, before: (job: number) => void): StreamingCompiler {
  let jobs = 0;
  return {
    options: compiler.options as NonNullable<StreamingCompiler["options"]>,
    version: compiler.version,
    stream(given, options): AsyncIterable<JobResult> {
      async function* counted() {
        for await (const job of given) {
          before(++jobs);
          yield job;
        }
      }
      return compiler.stream(counted(), options);
    },
  };
}

/** A pipeline on a GPU, which is disposed after the test. */
export function gpuPipeline(
  options: Partial<KernelPipelineOptions<SiteRecord>> & Pick<KernelPipelineOptions, "device">,
): KernelPipeline<SiteRecord> {
  const pipeline = new KernelPipeline<SiteRecord>({
    kernel: KERNEL,
    sites: { func: textSite() },
    launch,
    compiler: gpuCompiler(),
    ...options,
  });
  onTestFinished(() => pipeline.dispose());
  return pipeline;
}

/** The machine code of a program for the GPU of the fake driver. */
export const compiled = (stub: string): Promise<CompiledModule> =>
  gpuCompiler().compile({ ptx: KERNEL.fill({ func: stub }) });

/** Calls that queue work or move memory, in order. */
export const workOf = (calls: readonly FakeCall[]): readonly FakeCall[] =>
  calls.filter(({ name }) => /^cuMem(set|cpy)|^cuLaunchKernel|^cuEventRecord$/.test(name));

/** What launches of the kernel were given: the grid, and each parameter. The kernel that measures the clock has one block. */
export function launchesOf(calls: readonly FakeCall[]) {
  return calls
    .filter(({ name, arguments: { grid } }) => name === "cuLaunchKernel" && grid !== "1,1,1")
    .map(({ arguments: { grid, shared, parameters } }) => {
      const bytes = Buffer.from(parameters!, "hex");
      return {
        grid,
        shared,
        x: bytes.readBigUInt64LE(0),
        out: bytes.readBigUInt64LE(8),
        length: bytes.readUInt32LE(16),
        ...(bytes.length > 20 ? { first: bytes.readUInt32LE(20) } : {}),
      };
    });
}
