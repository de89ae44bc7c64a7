// The options of checks, shared by the commands that run kernels.
import { didYouMean, quoted } from "@mm-ptx/types/internal";
import type { Checks } from "../device/options.js";
import { CHECKS, type CheckName } from "../run/checks.js";
import { UsageError } from "./framework.js";

/** `races,memory` or `all`, as the option `check` of a device. @throws UsageError */
export function checkNames(word: string): Checks {
  const names = word.split(",").flatMap((name) => (name === "all" ? CHECKS : [name]));
  for (const name of names) {
    if (CHECKS.includes(name as CheckName)) continue;
    const known = [...CHECKS, "all"];
    throw new UsageError(
      `expected checks (${known.join(", ")}) for \`--check\`, found ${quoted(name)}${didYouMean(name, known)}`,
    );
  }
  return Object.fromEntries(names.map((name) => [name, true]));
}
