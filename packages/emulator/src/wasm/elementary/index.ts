// The functions of elementary instructions, which most kernels do not need, so they are loaded on first use.
import type { Step } from "../../control/graph.js";
import type { Signature } from "../binary/module.js";
import type { FUNCTIONS } from "./functions.js";

/** The mnemonic of an elementary instruction. */
export type ElementaryName = keyof typeof FUNCTIONS;

/** Functions of four f32, which only WebAssembly can call, because they take and return vectors. */
export type ElementaryFunctions = Readonly<Record<ElementaryName, WebAssembly.ExportValue>>;

/** Their signature. */
export const OF_VECTOR = { parameters: ["v128"], results: ["v128"] } as const satisfies Signature;

/** The mnemonics of the elementary instructions among steps. */
export function elementaryNames(steps: readonly Step[]): ReadonlySet<ElementaryName> {
  const found = new Set<ElementaryName>();
  for (const { operation } of steps) {
    if (operation.traits.elementary) found.add(operation.name as ElementaryName);
  }
  return found;
}

/** @returns undefined when none are needed */
export async function elementaryFor(
  names: ReadonlySet<ElementaryName>,
): Promise<ElementaryFunctions | undefined> {
  return names.size === 0 ? undefined : (await import("./module.js")).elementaryFunctions();
}
