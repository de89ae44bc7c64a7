// The functions of elementary instructions, which most kernels do not need, so they are loaded on first use.
import type { Step } from "../../control/step.js";
import type { ElementaryFunctions, ElementaryName } from "./signature.js";

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
