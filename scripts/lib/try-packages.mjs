// Uses installed packages as a first program of a user does: makes a stub, fills it into a kernel, runs that on the emulator,
// and compiles it if something on the machine compiles PTX. It prints a line of JSON, and throws if a result is wrong. It is
// copied into the folder where the packages are installed, beside `kernel.ptx`.

import { readFileSync } from "node:fs";
import { capabilities, PtxCompiler, u32 } from "@mm-ptx/cuda";
import { EmulatedDevice } from "@mm-ptx/emulator";
import { parsePtx } from "@mm-ptx/inject";
import { StackCompiler, StackProgram, siteJob } from "@mm-ptx/stack";
import { f32, input, ptx, table } from "@mm-ptx/stack/default";

const kernel = parsePtx(readFileSync(new URL("kernel.ptx", import.meta.url), "utf8"));
const job = siteJob(table, kernel.injection("func").operands);
const program = StackProgram.of(input(1), input(2), ptx.mulFtzF32, f32(1), ptx.addFtzF32);
const filled = kernel.fill({ func: new StackCompiler(table).compile(program, job) });

const device = EmulatedDevice.open();
const evaluate = device.load(filled).kernel("evaluate");
const [x, y, w, z] = [1, 2, 3, 4].map(() => device.allocateFloat32(4));
if (x === undefined || y === undefined || w === undefined || z === undefined)
  throw new Error("expected four buffers");
await x.copyFrom(Float32Array.of(1, 2, 3, 4));
await y.copyFrom(Float32Array.of(10, 10, 10, 10));
await w.fill(0);
device.stream.launch(evaluate, { grid: 1, block: 32 }, [x, y, w, z, u32(4)]);
const results = (await z.read()).join(" ");
if (results !== "11 21 31 41") throw new Error(`expected 11 21 31 41, found ${results}`);
device.dispose();

const backend = capabilities().backends.find(({ available }) => available)?.name;
let cubinBytes = 0;
if (backend !== undefined) {
  const compiler = new PtxCompiler({ arch: "sm_90", backend, workers: 1, cache: false });
  cubinBytes = (await compiler.compile(filled)).cubin.length;
  compiler.dispose();
}
console.log(
  JSON.stringify({ platform: `${process.platform}-${process.arch}`, results, backend, cubinBytes }),
);
