// Port of a Python class that multiplies matrices over any semiring.

import { readFileSync } from "node:fs";
import { CudaDevice } from "@mm-ptx/cuda";
import { EmulatedDevice } from "@mm-ptx/emulator";
import { parsePtx } from "@mm-ptx/inject";
import { type Instruction, StackCompiler, StackProgram, siteJob } from "@mm-ptx/stack";
import { input, ptx, table } from "@mm-ptx/stack/default";
import { type Device, f32, u32 } from "@mm-ptx/types/device";

const annotated = parsePtx(readFileSync(new URL("../semiring.ptx", import.meta.url), "utf8"));
const compiler = new StackCompiler(table);

class Semiring {
  readonly #device: Device;
  readonly #kernel: ReturnType<ReturnType<Device["load"]>["kernel"]>;
  readonly #zero: number;

  constructor(device: Device, times: readonly Instruction[], plus: readonly Instruction[], zero: number) {
    const filled = annotated.fill({ times: stub("times", times), plus: stub("plus", plus) });
    this.#device = device;
    this.#kernel = device.load(filled).kernel("product");
    this.#zero = zero;
  }

  async multiply(a: Float32Array, b: Float32Array): Promise<Float32Array> {
    const n = Math.sqrt(a.length);
    using left = this.#device.allocateFloat32(a.length);
    using right = this.#device.allocateFloat32(a.length);
    using result = this.#device.allocateFloat32(a.length);
    await left.copyFrom(a);
    await right.copyFrom(b);
    const blocks = Math.ceil(n / 16);
    const args = [left, right, result, u32(n), f32(this.#zero)];
    this.#device.stream.launch(this.#kernel, { grid: [blocks, blocks], block: [16, 16] }, args);
    return await result.read();
  }
}

/** The stub of a site whose program pushes what the site reads, then runs the operation. */
function stub(site: string, operation: readonly Instruction[]): string {
  const { operands } = annotated.injection(site);
  const read = operands.filter(({ direction }) => direction !== "out").map(({ index }) => input(index));
  return compiler.compile(StackProgram.of(...read, ...operation), siteJob(table, operands));
}

// The distances between four places, with at most one stop on the way: the square over (min, +).
const distances = Float32Array.of(0, 4, 9, 8, 4, 0, 3, 9, 9, 3, 0, 2, 8, 9, 2, 0);
using device: Device = CudaDevice.count() > 0 ? CudaDevice.open() : EmulatedDevice.open();
const tropical = new Semiring(device, [ptx.addFtzF32], [ptx.minFtzF32], Infinity);
const usual = new Semiring(device, [ptx.mulFtzF32], [ptx.addFtzF32], 0);
for (const semiring of [tropical, usual]) {
  const product = await semiring.multiply(distances, distances);
  console.log(product.join(" "));
}
