// One program, three ways: on columns of data, in its kernel on the emulator, and as machine code on a GPU if there is
// one. All of them compute the same bits.

import { deepStrictEqual } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { evaluateBatch } from "@mm-ptx/columns";
import { CudaDevice, PtxCompiler } from "@mm-ptx/cuda";
import { EmulatedDevice } from "@mm-ptx/emulator";
import { parsePtx } from "@mm-ptx/inject";
import { StackCompiler, StackProgram, siteJob } from "@mm-ptx/stack";
import { f32, input, ptx, table } from "@mm-ptx/stack/default";
import { CodeBuffer } from "@mm-ptx/types/code";
import { type Device, u32 } from "@mm-ptx/types/device";

const ROWS = 1000;
const SHOWN = 6;
/** The first rows are special values; the others are spread over many magnitudes. */
const x = Float32Array.from({ length: ROWS }, (_, row) => Math.sin(row) * 2 ** ((row % 200) - 100));
const y = Float32Array.from({ length: ROWS }, (_, row) => Math.cos(row) * 2 ** ((row % 190) - 95));
x.set([3, 0, 2 ** -70, 2 ** 100, Number.NEGATIVE_INFINITY, Number.NaN]);
y.set([4, -0, 0, 1, 1, 2]);

const kernel = parsePtx(readFileSync(new URL("../kernel.ptx", import.meta.url), "utf8"));
const func = kernel.injection("func");
const job = siteJob(table, func.operands);

// z = sqrt(x * x + y * y) / 3. These instructions are exact; approximate ones may differ on a GPU.
const [a, b] = ["x", "y"].map((name) => input(func.operand(name).index)) as [Instruction, Instruction];
const sum = [b, b, ptx.mulRnF32, a, a, ptx.fmaRnF32];
const program = StackProgram.of(f32(3), ...sum, ptx.sqrtRnF32, ptx.divRnF32);
const compiler = new StackCompiler(table);

/** On columns: one for each operand of the site. The program does not read that of z. */
async function onColumns(): Promise<Uint32Array> {
  const codes = new CodeBuffer();
  compiler.compileToCode(program, job, codes);
  const columns = func.operands.map(({ name }) => ({ x, y })[name] ?? new Float32Array(ROWS));
  const { outputs } = await evaluateBatch(codes, columns, { outputs: true });
  return new Uint32Array(outputs!.buffer);
}

/** In the kernel, which is loaded from its PTX on the emulator and from its machine code on a GPU. */
async function onDevice(device: Device): Promise<Uint32Array> {
  using machineCode = new PtxCompiler({ arch: device.arch });
  const compiled = await machineCode.compile(kernel.fill({ func: compiler.compile(program, job) }));
  const [xs, ys, zs] = [0, 1, 2].map(() => device.allocateFloat32(ROWS)) as [Buffer, Buffer, Buffer];
  await Promise.all([xs.copyFrom(x), ys.copyFrom(y)]);
  const apply = device.load(compiled).kernel("apply");
  device.stream.launch(apply, { grid: Math.ceil(ROWS / 256), block: 256 }, [xs, ys, zs, u32(ROWS)]);
  return new Uint32Array((await zs.read()).buffer);
}

type Instruction = ReturnType<typeof input>;
type Buffer = ReturnType<Device["allocateFloat32"]>;

const expected = await onColumns();
const hex = (bits: number): string => bits.toString(16).padStart(8, "0");
for (let row = 0; row < SHOWN; row++) console.log(`${x[row]}, ${y[row]}: ${hex(expected[row]!)}`);

using emulator = EmulatedDevice.open();
deepStrictEqual(await onDevice(emulator), expected);
console.log(`the emulator computes the same bits in ${ROWS} rows`);

if (CudaDevice.count() > 0) {
  using gpu = CudaDevice.open();
  deepStrictEqual(await onDevice(gpu), expected);
  console.error(`and so does ${gpu.name}`);
} else console.error("there is no GPU for the machine code");
