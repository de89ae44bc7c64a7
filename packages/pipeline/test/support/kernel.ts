// A kernel with one or two sites, and pipelines that run it on an emulated device.
import { Worker } from "node:worker_threads";
import { EmulatedDevice } from "@mm-ptx/emulator";
import { parsePtx } from "@mm-ptx/inject";
import { StackProgram } from "@mm-ptx/stack";
import { ptx, input as pushInput, table } from "@mm-ptx/stack/default";
import { u32 } from "@mm-ptx/types/device";
import {
  input,
  KernelPipeline,
  type KernelPipelineOptions,
  type LaunchPlan,
  output,
  type PipelineResult,
  type SiteRecord,
  textSite,
} from "../../src/index.js";

const site = (name: string, into: string, from: string): string => `	{
	.reg .f32 %_x0;
	.reg .f32 %_x1;
	mov.f32 %_x1, ${from};
	// PTX_INJECT_START ${name}
	// _x0 o f32 F32 z
	// _x1 i f32 F32 x
	// PTX_INJECT_END
	mov.f32 ${into}, %_x0;
	}`;

const kernelWith = (sites: string): string => `.version 8.0
.target sm_75
.address_size 64

.visible .entry scale(
	.param .u64 scale_param_0,
	.param .u64 scale_param_1,
	.param .u32 scale_param_2
)
{
	.reg .pred %p<2>;
	.reg .f32 %f<4>;
	.reg .b32 %r<6>;
	.reg .b64 %rd<8>;
	ld.param.u64 %rd1, [scale_param_0];
	ld.param.u64 %rd2, [scale_param_1];
	ld.param.u32 %r1, [scale_param_2];
	mov.u32 %r2, %ctaid.x;
	mov.u32 %r3, %ntid.x;
	mov.u32 %r4, %tid.x;
	mad.lo.u32 %r5, %r2, %r3, %r4;
	setp.ge.u32 %p1, %r5, %r1;
	@%p1 bra $done;
	cvta.to.global.u64 %rd3, %rd1;
	mul.wide.u32 %rd4, %r5, 4;
	add.u64 %rd5, %rd3, %rd4;
	ld.global.f32 %f1, [%rd5];
${sites}
	cvta.to.global.u64 %rd6, %rd2;
	add.u64 %rd7, %rd6, %rd4;
	st.global.f32 [%rd7], %f3;
$done:
	ret;
}
`;

export const KERNEL_TEXT = kernelWith(site("func", "%f3", "%f1"));
/** z[i] = func(x[i]) */
export const KERNEL = parsePtx(KERNEL_TEXT);
/** z[i] = outer(inner(x[i])) */
export const TWO_SITES = parsePtx(
  kernelWith(`${site("inner", "%f2", "%f1")}\n${site("outer", "%f3", "%f2")}`),
);

export const LENGTH = 40;
export const X = Float32Array.from({ length: LENGTH }, (_, i) => i - 7);

/** The bits of a number as a constant of PTX. */
const constant = (value: number): string =>
  `0f${new Uint32Array(Float32Array.of(value).buffer)[0]!.toString(16).padStart(8, "0").toUpperCase()}`;

/** A stub that multiplies by a number. */
export const times = (factor: number): string => `\tmul.rn.f32 %_x0, %_x1, ${constant(factor)};`;
/** A stub that adds a number. */
export const plus = (term: number): string => `\tadd.rn.f32 %_x0, %_x1, ${constant(term)};`;

/** A program of Stack PTX that adds x to itself some times. */
export const doubled = (count: number): StackProgram =>
  StackProgram.of(pushInput(1), ...Array.from({ length: count }, () => [pushInput(1), ptx.addFtzF32]).flat());
export { table };

export const launch = (): LaunchPlan => ({
  grid: 2,
  block: 32,
  args: [input(X), output(Float32Array, LENGTH), u32(LENGTH)],
});

/** Calls `work` with a pipeline on an emulated device. */
export async function withPipeline<Result>(
  {
    device = EmulatedDevice.open({ memoryBytes: 2 ** 24 }),
    ...options
  }: Partial<KernelPipelineOptions<SiteRecord>>,
  work: (pipeline: KernelPipeline<SiteRecord>) => Promise<Result>,
): Promise<Result> {
  const pipeline = new KernelPipeline<SiteRecord>({
    kernel: KERNEL,
    sites: { func: textSite() },
    launch,
    device,
    // Tests run the sources, threads the built files.
    createWorker: () => new Worker(new URL("../../dist/running/mm-ptx-pipeline-worker.js", import.meta.url)),
    ...options,
  });
  try {
    return await work(pipeline);
  } finally {
    pipeline.dispose();
    device.dispose();
  }
}

/** All results of a run. */
export async function collect(results: AsyncIterable<PipelineResult>): Promise<PipelineResult[]> {
  const all: PipelineResult[] = [];
  for await (const result of results) all.push(result);
  return all;
}
