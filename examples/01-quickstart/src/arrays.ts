// What the kernel is run on: for each operand of its site an array in the device's memory, the same values for every device.

import { Random } from "@mm-ptx/stack/random";
import { type Device, type DeviceBuffer, type LaunchArgument, u32 } from "@mm-ptx/types/core";
import type { Kernel } from "./kernel.js";
import { bitsOf, type Column } from "./reference.js";

/** Two blocks, whose last threads have nothing to do. */
export const SHAPE = { grid: 2, block: 32 };
/** Elements that each program is run on. */
const ELEMENTS = 50;
/** Numbers that instructions have rules of their own for. */
const SPECIAL = [0, -0, 1, -1, Infinity, -Infinity, NaN, 1e-40, -1e-40, 2 ** -126, 3.4e38, -3.4e38];

/** For each operand of the site the bits of a value for each element. */
export function columnsOf(kernel: Kernel): readonly Column[] {
  const random = new Random(1);
  return kernel.site.operands.map(() => Uint32Array.from({ length: ELEMENTS }, () => drawBits(random)));
}

function drawBits(random: Random): number {
  return bitsOf(
    random.below(4) === 0 ? random.pick(SPECIAL) : (random.fraction() - 0.5) * 2 ** random.below(12),
  );
}

/** The kernel's arrays on a device. */
export class Arrays {
  /** What the kernel is launched with. */
  readonly args: readonly LaunchArgument[];
  readonly #results: DeviceBuffer<Uint32Array>;

  private constructor(inputs: readonly DeviceBuffer[], results: DeviceBuffer<Uint32Array>) {
    this.args = [...inputs, results, u32(ELEMENTS)];
    this.#results = results;
  }

  static async on(device: Device, kernel: Kernel): Promise<Arrays> {
    const columns = columnsOf(kernel);
    const inputs: DeviceBuffer[] = [];
    for (const [operand, { direction }] of kernel.site.operands.entries()) {
      if (direction === "out") continue;
      const buffer = device.allocateUint32(ELEMENTS);
      await buffer.copyFrom(columns[operand]!);
      inputs.push(buffer);
    }
    return new Arrays(inputs, device.allocateUint32(ELEMENTS));
  }

  /** What the kernel leaves out must not look like a result of the program before. */
  async clear(): Promise<void> {
    await this.#results.fill(0xff);
  }

  /** What was launched before has written, as bits. */
  async results(): Promise<Uint32Array> {
    return this.#results.read();
  }
}
