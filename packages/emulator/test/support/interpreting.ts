// Runs bodies of kernels in the interpreter, or in another engine.
import { Interpreter } from "../../src/interpreter/index.js";
import type { LaunchChecks } from "../../src/run/checks.js";
import type { RecordedFault } from "../../src/run/fault.js";
import type { Engine } from "../../src/run/launch.js";
import { type Argument, kernelText, type Launching, launch } from "./launching.js";

const interpreter = new Interpreter();

type Running = Omit<Launching, "ptx"> & { params?: number; before?: string; engine?: Engine };

/** Runs a body for `kernelText`, in the interpreter by default. */
export const run = (body: string, rest: Running = {}) => {
  const { params, before, engine = interpreter, ...launching } = rest;
  const ptx = kernelText(body, { params: params ?? 1, before: before ?? "" });
  return launch(engine, { ptx, ...launching });
};
/** Runs a body with checks; also returns what they record. */
export async function checkedRun(
  checks: Partial<Omit<LaunchChecks, "record" | "neighborOf">>,
  body: string,
  rest: Parameters<typeof run>[1] = {},
) {
  const faults: RecordedFault[] = [];
  const all = { memory: false, races: false, uninitialized: false, sync: false, ...checks };
  const record = (fault: RecordedFault) => faults.push(fault);
  const hooks = { checks: { ...all, record, neighborOf: () => undefined } };
  return { ...(await run(body, { ...rest, hooks })), faults };
}
/** A buffer argument of `count` zero words. */
export const words = (count: number): Argument => ({ buffer: new Uint32Array(count) });
/** The bytes as words. */
export const u32 = (bytes: Uint8Array | undefined): number[] => [...new Uint32Array(bytes!.slice().buffer)];

/** `%r0` is the thread's index, `%rd1` its word of the buffer. */
export const HEAD = `
	.reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .pred %p<8>; .reg .f32 %f<8>;
	mov.u32 %r0, %tid.x;
	mul.wide.u32 %rd0, %r0, 4;
	add.u64 %rd1, %a0, %rd0;`;
