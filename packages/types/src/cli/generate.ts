// `generate` and `schema`: write generated files, or print the text of one.
import { writeFiles } from "./files.js";
import type { Outcome } from "./framework.js";
import { UsageError } from "./framework.js";
import { Claims, readTargetList } from "./target-list.js";
import { filesOf, refusalOf, type Target } from "./targets.js";

/** Generates one target and writes it to its file, or to stdout if it has none. */
export function generate(target: Target): Outcome {
  const refusal = refusalOf(target);
  if (refusal !== undefined) {
    const { key, expected, found, hint } = refusal;
    const option = key === "schema" ? "" : `option \`--${key === "language" ? "lang" : key}\`: `;
    throw new UsageError(`${option}expected ${expected}, found ${found}${hint}`);
  }
  const files = filesOf(target);
  const text = files.get("");
  if (text === undefined) return written(files);
  const json = () => ("schema" in target ? JSON.parse(text) : { ok: true, text });
  return { ok: true, json, text: () => text };
}

/** Generates everything that the lists name. Nothing is written unless everything could be generated. */
export function generateLists(lists: readonly string[]): Outcome {
  const claims = new Claims();
  const targets = lists.flatMap((list) => readTargetList(list, claims));
  return written(new Map(targets.flatMap((target) => [...filesOf(target)])));
}

function written(files: ReadonlyMap<string, string>): Outcome {
  const changed = new Set(writeFiles(files));
  return {
    ok: true,
    json: () => ({
      ok: true,
      files: [...files.keys()].map((file) => ({ file, changed: changed.has(file) })),
    }),
    text: (colors) =>
      [...files.keys()]
        .map((file) => `${changed.has(file) ? colors.green("written") : colors.dim("unchanged")} ${file}\n`)
        .join(""),
  };
}
