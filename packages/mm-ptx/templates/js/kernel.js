// The kernel, the PTX of programs in it, and what it computes with them on the emulator.
import { readFileSync } from "node:fs";
import { EmulatedDevice } from "@mm-ptx/emulator";
import { parsePtx } from "@mm-ptx/inject";
import { StackCompiler, siteJob } from "@mm-ptx/stack";
import { table } from "@mm-ptx/stack/default";
import { u32 } from "@mm-ptx/types/device";

// nvcc compiled kernel.cu to this PTX once. No CUDA compiler is needed from here on.
const kernel = parsePtx(readFileSync(new URL("kernel.ptx", import.meta.url), "utf8"));
const compiler = new StackCompiler(table);

/** The place in the kernel that programs are injected at. */
export const site = kernel.injection("func");

/** The PTX that a program becomes: a stub for the site. */
export const stubOf = (program) => compiler.compile(program, siteJob(table, site.operands));

/** The PTX of the kernel with a program in its site. */
export const ptxOf = (program) => kernel.render({ func: stubOf(program) });

/** What the kernel computes for some values of x with a program in its site. */
export async function evaluate(program, xs) {
  // With @mm-ptx/cuda, `CudaDevice.open()` is a GPU with the same methods.
  const device = EmulatedDevice.open();
  try {
    const apply = device.load(kernel.fill({ func: stubOf(program) })).kernel("apply");
    const inputs = device.allocateFloat32(xs.length);
    const outputs = device.allocateFloat32(xs.length);
    await inputs.copyFrom(Float32Array.from(xs));
    const size = { grid: Math.ceil(xs.length / 32), block: 32 };
    device.stream.launch(apply, size, [inputs, outputs, u32(xs.length)]);
    return await outputs.read();
  } finally {
    device.dispose();
  }
}
