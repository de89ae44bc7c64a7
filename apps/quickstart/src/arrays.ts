// What the kernel runs on: an array in device memory for each operand of its site, with the same values on every
// device.

import { Random } from "@mm-ptx/stack/random";
import { type Device, type DeviceBuffer, type LaunchArgument, u32 } from "@mm-ptx/types/device";
import type { Kernel } from "./kernel.js";
import { bitsOf, type Column } from "./reference.js";

/** Two blocks, whose last threads have nothing to do. */
export const SHAPE = { grid: 2, block: 32 };
/** The number of elements that each program runs on. */
const ELEMENTS = 50;
/** Numbers for which instructions have special rules. */
const SPECIAL = [0, -0, 1, -1, Infinity, -Infinity, NaN, 1e-40, -1e-40, 2 ** -126, 3.4e38, -3.4e38];

/** For each operand of the site, the bits of a value for each element. */
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
  /** The arguments that the kernel is launched with. */
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

  /**
   * Overwrites the results, so that elements that the kernel does not write do not show those of the previous program.
   */
  async clear(): Promise<void> {
    await this.#results.fill(0xff);
  }

  /** The bits that the last launch has written. */
  async results(): Promise<Uint32Array> {
    return this.#results.read();
  }
}
