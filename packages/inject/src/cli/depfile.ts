// Dependency files in the format of Make, Ninja and CMake.

import { quoted } from "@mm-ptx/types/internal";
import { UsageError } from "./framework.js";

/** What a target was made from; the first dependency is the one that the build file itself names. */
export interface Rule {
  readonly target: string;
  readonly dependencies: readonly string[];
}

/** @throws UsageError for names that such a file cannot contain */
export function depfileText(rules: readonly Rule[]): string {
  const lines = rules.map(({ target, dependencies }) =>
    [`${escaped(target)}:`, ...dependencies.map(escaped)].join(" \\\n  "),
  );
  // Targets without a recipe, as `gcc -MP` writes them, so that Make does not stop if one of the files is removed.
  const others = new Set(rules.flatMap(({ dependencies }) => dependencies.slice(1)));
  return [...lines, ...[...others].map((path) => `${escaped(path)}:`)].map((line) => `${line}\n`).join("");
}

/** Characters that Make or Ninja cannot read in a name. */
const UNREADABLE = /[\0-\x1f"%&'*;<>?^`|]|\\[#$:]/;

function escaped(path: string): string {
  if (UNREADABLE.test(path)) {
    throw new UsageError(
      `expected names that Make and Ninja can read for \`--depfile\`, found ${quoted(path)}`,
    );
  }
  return path
    .replaceAll("$", "$$$$")
    .replaceAll(":", "\\:")
    .replace(/(\\*)([ #])/g, "$1$1\\$2");
}
