// Which constants genomes of stack spaces draw.
import type { NumberSource, RandomSource } from "@mm-ptx/stack/random";
import type { ConstantType } from "@mm-ptx/types/core";
import { invalid } from "../options.js";
import type { Plain } from "../plain.js";

/**
 * The constants of a type: some numbers, all equally likely; those between two numbers (integers for the integer types, both ends
 * included); or a function that draws one.
 */
export type ConstantChoice =
  | readonly number[]
  | { readonly from: number; readonly to: number }
  | NumberSource;

/** A function that draws a constant, and its description. */
export interface ConstantSource {
  readonly draw: NumberSource;
  readonly description: Plain;
}

/** Reads a choice. @throws SearchError INVALID_ARGUMENT */
export function constantSource(type: ConstantType, choice: ConstantChoice): ConstantSource {
  const name = `\`constants.${type}\``;
  if (typeof choice === "function") return { draw: choice, description: String(choice) };
  if (Array.isArray(choice)) {
    const numbers: readonly unknown[] = choice;
    if (numbers.length === 0 || numbers.some((number) => typeof number !== "number")) {
      throw invalid(`${name} as at least one number`, choice);
    }
    const list = Float64Array.from(numbers as number[]);
    return { draw: (random) => list[random.below(list.length)]!, description: [...list] };
  }
  const { from, to } = (choice ?? {}) as { from?: unknown; to?: unknown };
  if (typeof from !== "number" || typeof to !== "number" || !Number.isFinite(to - from) || to < from) {
    throw invalid(`${name} as numbers, as { from, to } or as a function`, choice);
  }
  const draw =
    type === "f32"
      ? (random: RandomSource) => from + (to - from) * random.fraction()
      : (random: RandomSource) => Math.floor(from) + random.below(Math.floor(to) - Math.floor(from) + 1);
  return { draw, description: { from, to } };
}
