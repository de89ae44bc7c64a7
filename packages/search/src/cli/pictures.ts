// The pictures of a run: its archive, its course, its operators, the front of a measure, and the lineage of the best elite.
import type { Archive } from "../archives/archive.js";
import type { CvtArchive } from "../archives/cvt.js";
import type { GridArchive } from "../archives/grid.js";
import type { VaryingEmitter } from "../emitters/evolve.js";
import { wordsOfHex } from "../node/hex.js";
import type { RunHistory } from "../node/history.js";
import type { LoggedElite } from "../node/log-lines.js";
import { operatorCredit } from "../pictures/credit.js";
import { historyCurves } from "../pictures/curves.js";
import { cvtHeatmap } from "../pictures/cvt-map.js";
import { archiveHeatmap } from "../pictures/heat-map.js";
import { lineageTree } from "../pictures/lineage-tree.js";
import { paretoFront } from "../pictures/pareto.js";
import type { ShownValue } from "../pictures/shown-value.js";
import type { Search } from "../search/search.js";
import type { Genome, Space } from "../spaces/space.js";
import type { Subject } from "./subject.js";

/** A picture, by the name of its file without the ending. */
export interface NamedPicture {
  readonly name: string;
  readonly svg: string;
}

/** The most axes of a map. */
const MOST_AXES = 4;
/** The most elites whose texts are in pictures. */
const MOST_TEXTS = 4000;

/** What is drawn of elites: the error of regressions, and the objective of others. */
const ERROR: ShownValue = { negated: true, name: "1 - R²", scale: "log" };

/** @param lineage the best elite and its ancestors, if they are to be drawn */
export function picturesOf(
  { search, regression }: Pick<Subject, "search" | "regression">,
  history: RunHistory,
  lineage: readonly LoggedElite[] = [],
): NamedPicture[] {
  const { archive, space } = search;
  const value = regression === undefined ? {} : ERROR;
  const texts = textsOf(archive, space);
  const pictures: [string, string | undefined][] = [
    ["archive", mapOf(archive, { value, ...(texts && { texts }) })],
    ["front", space.kind === "vector" ? undefined : frontOf(archive, value, texts)],
    [
      "course",
      history.evaluations.length < 2 ? undefined : historyCurves(history, { value: shownBest(value) }),
    ],
    ...operatorsOf(search),
    ["lineage", lineageOf(space, lineage, value)],
  ];
  return pictures.flatMap(([name, svg]) => (svg === undefined ? [] : [{ name, svg }]));
}

const shownBest = ({ field: _, range: __, ...value }: ShownValue): Omit<ShownValue, "field" | "range"> =>
  value;

function textsOf(archive: Archive, space: Space): string[] | undefined {
  if (archive.count > MOST_TEXTS) return undefined;
  const genome: Genome = { words: new Uint32Array(0), start: 0, end: 0 };
  return Array.from({ length: archive.count }, (_, elite) => {
    archive.genome(elite, genome);
    return space.text(genome).trim();
  });
}

function mapOf(
  archive: Archive,
  options: { readonly value: ShownValue; readonly texts?: readonly string[] },
): string | undefined {
  const { dimensions } = archive;
  if (archive.kind === "grid" && dimensions <= MOST_AXES)
    return archiveHeatmap(archive.rows(), (archive as GridArchive).axes, options);
  if (archive.kind !== "cvt" || dimensions !== 2) return undefined;
  const { ranges, centroids } = archive as CvtArchive;
  const [first, second] = ranges.map(({ name, min, max }) => ({ name, from: min, to: max }));
  return cvtHeatmap(archive.rows(), { coordinates: centroids, axes: [first!, second!] }, options);
}

function frontOf(
  archive: Archive,
  value: ShownValue,
  texts: readonly string[] | undefined,
): string | undefined {
  const [name] = archive.names;
  if (name === undefined || archive.count === 0) return undefined;
  return paretoFront(archive.rows(), { cost: { measure: 0, name }, value, ...(texts && { texts }) });
}

/** How often emitters that vary elites used each operator. */
function operatorsOf({ emitters }: Search): [string, string][] {
  return emitters.flatMap((emitter, index): [string, string][] => {
    const history = (emitter as Partial<VaryingEmitter>).history?.();
    if (history === undefined || history.candidates.length < 2) return [];
    const name = `operators${index === 0 ? "" : `-${index}`}`;
    return [[name, operatorCredit(history, { title: `Operators of \`${emitter.kind}\`` })]];
  });
}

function lineageOf(space: Space, lineage: readonly LoggedElite[], value: ShownValue): string | undefined {
  const last = lineage.at(-1);
  if (last === undefined) return undefined;
  const sign = value.negated ? -1 : 1;
  const entries = lineage.map(({ elite, parents, operator, objective, genome }) => {
    const words = wordsOfHex(genome);
    const text = space.text({ words, start: 0, end: words.length }).trim();
    return {
      serial: elite,
      parents,
      text,
      value: sign * objective,
      ...(operator !== undefined && { operator }),
    };
  });
  const { name, scale } = value;
  return lineageTree(entries, last.elite, {
    value: { ...(name !== undefined && { name }), ...(scale !== undefined && { scale }) },
  });
}
