// `diff`: shows what changed from one description to another, and whether programs made for the first run on the
// second.
import { type BrokenEntry, diffTables, type EntryChange, type ListDiff } from "../diff.js";
import { DescriptionError } from "../error.js";
import { KIND_NAMES } from "../kind.js";
import { loadDescription } from "../node.js";
import { type Colors, counted, type Outcome, printable } from "./framework.js";
import { contentsOf } from "./words.js";

/** The number of reasons that are shown; they tend to be alike. */
const TOLD = 5;

export function diff(pathBefore: string, pathAfter: string): Outcome {
  const [before, after] = [loadDescription(pathBefore), loadDescription(pathAfter)];
  if (before.kind !== after.kind) {
    const found = `${KIND_NAMES[before.kind]} and ${KIND_NAMES[after.kind]}`;
    throw new DescriptionError("SCHEMA", `expected two descriptions of one kind, found ${found}`);
  }
  const difference = diffTables(before, after);
  const { same, runs, broken, lists } = difference;
  return {
    ok: runs,
    json: () => ({ ok: runs, ...difference }),
    text: (colors) => {
      const head = `${colors.bold(pathBefore)}: ${contentsOf(before)}\n${colors.bold(pathAfter)}: ${contentsOf(after)}\n\n`;
      const sections = lists.map((list) => listText(list, colors)).join("");
      const verdict = runs
        ? `${colors.green(same ? "the tables are the same" : "programs made for the first run on the second")}\n`
        : `${colors.red("programs made for the first do not run on the second")}\n${brokenText(broken)}`;
      return head + sections + verdict;
    },
  };
}

function listText({ list, added, removed, changed }: ListDiff, colors: Colors): string {
  const lines = [
    ...removed.map(({ index, name }) => colors.red(`  - ${index} ${printable(name)}`)),
    ...changed.map((change) => colors.yellow(`  ~ ${printable(changeText(change))}`)),
    ...added.map(({ index, name }) => colors.green(`  + ${index} ${printable(name)}`)),
  ];
  return lines.length === 0 ? "" : `${colors.bold(list)}\n${lines.join("\n")}\n\n`;
}

function changeText({ name, from, to, changes }: EntryChange): string {
  const index = from === to ? `${from}` : `${from} -> ${to}`;
  const words = Object.entries(changes).map(([key, [before, after]]) => `${key}: ${before} -> ${after}`);
  return `${index} ${name}${words.length === 0 ? "" : `, ${words.join(", ")}`}`;
}

function brokenText(broken: readonly BrokenEntry[]): string {
  const lines = broken.slice(0, TOLD).map(({ list, index, name, now }) => {
    const place = `  ${list}[${index}] is \`${name}\` in the first`;
    if (now === undefined) return `${place}, and missing in the second`;
    return `${place}, and ${now === name ? "means something else" : `\`${now}\``} in the second`;
  });
  if (broken.length > TOLD) lines.push(`  and ${counted(broken.length - TOLD, "other")}`);
  return `${printable(lines.join("\n"))}\n`;
}
