// Which elite of a run a command is about.
import { quoted } from "@mm-ptx/types/internal";
import { SearchError } from "../error.js";
import type { Search } from "../search/search.js";
import type { Genome } from "../spaces/space.js";
import { UsageError } from "./framework.js";

/** The values of `--cell`, such as `4,1`. @throws UsageError */
export const cellWord = (word: string): readonly string[] => {
  const parts = word.split(",").map((part) => part.trim());
  if (parts.includes(""))
    throw new UsageError(`expected a value for each axis, such as \`4,1\`, found ${quoted(word)}`);
  return parts;
};

/**
 * The index of the elite in the cell of some measures, or of the best one.
 *
 * @param cell a number for each axis, or the name of a category
 * @throws SearchError NOT_FOUND, UNSUPPORTED; UsageError
 */
export function eliteOf({ archive }: Search, cell: readonly string[] | undefined): number {
  if (cell === undefined) {
    if (archive.best >= 0) return archive.best;
    throw new SearchError("NOT_FOUND", "expected an elite in the archive of the run, found none");
  }
  const { cells, names, dimensions } = archive;
  if (cells === undefined)
    throw new SearchError(
      "UNSUPPORTED",
      `expected an archive with cells for \`--cell\`, found one of kind ${quoted(archive.kind)}`,
    );
  if (cell.length !== dimensions)
    throw new UsageError(
      `option \`--cell\`: expected ${dimensions} values for the axes ${names.map(quoted).join(", ")}, found ${quoted(cell.join(","))}`,
    );
  const measures = Float64Array.from(cell, (word, axis) =>
    measureOf(archive.description, axis, names[axis]!, word),
  );
  const elite = archive.at(archive.cellOf(measures, 0));
  if (elite >= 0) return elite;
  throw new SearchError("NOT_FOUND", `expected an elite in the cell ${quoted(cell.join(","))}, found none`);
}

function measureOf(description: unknown, axis: number, name: string, word: string): number {
  const { axes } = description as { axes?: readonly { readonly labels?: readonly string[] }[] };
  const labels = axes?.[axis]?.labels;
  if (labels?.includes(word)) return labels.indexOf(word);
  const number = Number(word);
  if (Number.isFinite(number)) return number;
  const expected = labels === undefined ? "a number" : `one of ${labels.map(quoted).join(", ")}`;
  throw new UsageError(
    `option \`--cell\`: expected ${expected} for the axis ${quoted(name)}, found ${quoted(word)}`,
  );
}

/** What there is to say about an elite. */
export interface EliteFacts {
  readonly cell?: number;
  readonly objective: number;
  readonly measures: Readonly<Record<string, number | string>>;
  readonly serial: number;
  readonly text: string;
}

export function eliteFacts({ archive, space }: Search, elite: number): EliteFacts {
  const genome: Genome = { words: new Uint32Array(0), start: 0, end: 0 };
  archive.genome(elite, genome);
  const { axes } = archive.description as { axes?: readonly { readonly labels?: readonly string[] }[] };
  const measures = archive.names.map((name, axis): [string, number | string] => {
    const value = archive.measure(elite, axis);
    return [name, axes?.[axis]?.labels?.[value] ?? value];
  });
  return {
    ...(archive.cells !== undefined && { cell: archive.cell(elite) }),
    ...{ objective: archive.objective(elite), measures: Object.fromEntries(measures) },
    ...{ serial: archive.serial(elite), text: space.text(genome) },
  };
}
