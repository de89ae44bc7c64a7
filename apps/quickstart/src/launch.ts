// How programs are launched: the kernel's arrays, with the same values on every device.

import { input, type LaunchPlan, output } from "@mm-ptx/pipeline";
import { Random } from "@mm-ptx/stack/random";
import { u32 } from "@mm-ptx/types/device";
import type { Kernel } from "./kernel.js";
import { bitsOf, type Column } from "./reference.js";

/** Two blocks, whose last threads have nothing to do. */
const SHAPE = { grid: 2, block: 32 };
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

/** The launch of a program: an array for each operand that it reads, then that of the results, then the number of elements. */
export function launchOf(kernel: Kernel): () => LaunchPlan {
  const columns = columnsOf(kernel).filter((_, i) => kernel.site.operands[i]!.direction !== "out");
  // Elements that a program does not write keep a pattern that no program computes.
  const results = output(Uint32Array, ELEMENTS, { initial: new Uint32Array(ELEMENTS).fill(0xffffffff) });
  const plan = { ...SHAPE, args: [...columns.map(input), results, u32(ELEMENTS)] };
  return () => plan;
}
