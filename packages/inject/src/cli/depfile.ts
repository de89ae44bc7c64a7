// Dependency files as Make, Ninja and CMake read them.
import { UsageError } from "@mm-ptx/types/cli";
import { quoted } from "@mm-ptx/types/core";

/** What a target was made from; the first is what the build file itself names. */
export interface Rule {
  readonly target: string;
  readonly dependencies: readonly string[];
}

/** @throws UsageError for names that no such file can hold */
export function depfileText(rules: readonly Rule[]): string {
  const lines = rules.map(({ target, dependencies }) =>
    [`${escaped(target)}:`, ...dependencies.map(escaped)].join(" \\\n  "),
  );
  // Targets without a recipe, so that Make does not stop when one of them is removed; as `gcc -MP` does.
  const others = new Set(rules.flatMap(({ dependencies }) => dependencies.slice(1)));
  return [...lines, ...[...others].map((path) => `${escaped(path)}:`)].map((line) => `${line}\n`).join("");
}

/** Signs that Make or Ninja has no way to read in a name. */
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
