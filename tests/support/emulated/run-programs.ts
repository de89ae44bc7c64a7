// Runs the modules of `ProgramKernel` on an engine of the emulator, and reports differences of results.

import { EmulatedDevice, type EngineName } from "../../../packages/emulator/dist/index.js";
import type { KernelProgram } from "./program-kernel.js";

/** Numbers of blocks, and of threads in each. */
export interface Shape {
  readonly grid: number;
  readonly block: number;
}

/** How many differences are described. */
const TOLD = 3;

/** A device for each engine, whose memory takes longer to make than most kernels take to run. */
const devices = new Map<EngineName, EmulatedDevice>();

function deviceOf(engine: EngineName): EmulatedDevice {
  let device = devices.get(engine);
  if (device === undefined) {
    device = EmulatedDevice.open({ engine, limits: { timeoutMs: 600_000 } });
    devices.set(engine, device);
  }
  return device;
}

/** The results of programs: for each register that they write, in order, a value for every thread. */
export async function runPrograms(
  engine: EngineName,
  text: string,
  programs: readonly KernelProgram[],
  inputs: BigUint64Array<ArrayBuffer>,
  shape: Shape,
): Promise<BigUint64Array> {
  const device = deviceOf(engine);
  const slots = programs.reduce((sum, { writes }) => sum + writes.length, 0);
  using outputs = device.allocate(Math.max(1, slots) * shape.grid * shape.block * 8);
  using values = device.allocate(inputs.byteLength);
  await values.copyFrom(inputs);
  using module = device.load(text);
  device.stream.launch(module.kernel("programs"), shape, [values, outputs]);
  const bytes = await outputs.read();
  return new BigUint64Array(bytes.buffer, bytes.byteOffset, slots * shape.grid * shape.block);
}

/** The first differences in words, with the stub that caused them. */
export function differingSlots(
  programs: readonly KernelProgram[],
  expected: BigUint64Array,
  found: BigUint64Array,
): string[] {
  const written = programs.flatMap(({ text, writes }) => writes.map(({ name }) => ({ name, text })));
  const threads = expected.length / written.length;
  const problems: string[] = [];
  for (let i = 0; i < expected.length && problems.length < TOLD; i++) {
    if (expected[i] === found[i]) continue;
    const { name, text } = written[Math.floor(i / threads)]!;
    const [wanted, got] = [expected[i]!, found[i]!].map((bits) => `0x${bits.toString(16)}`);
    problems.push(`thread ${i % threads}: expected ${wanted} in %${name}, found ${got}, from\n${text}`);
  }
  return problems;
}
