// The elites that candidates compete with, as far as that is known before they are evaluated.
import type { Archive } from "../archives/archive.js";
import { type Candidates, NO_PARENT } from "../candidates.js";
import { limited } from "../limited.js";

/** The numbers that `write` adds to the features of a candidate. */
export const RIVAL_COLUMNS = 4;

/** For each candidate of a batch: the objective of the elite that it competes with, and a number for the elite itself. */
export interface Rivals {
  readonly objective: Float64Array;
  /** The cell of that elite, or -1; candidates with the same number compete with each other. */
  readonly group: Int32Array;
}

/**
 * Finds out what each candidate competes with: the elite of its cell if its measures are known, otherwise that of its first parent. A candidate
 * that competes with none has the least objective of the archive as its rival's. Writes to its row, from `at` on, the objectives of the rival
 * and of the parent, and whether there are such.
 */
export function findRivals(
  { parents, count }: Candidates,
  archive: Archive,
  measures: Float64Array | undefined,
  rows: Float32Array,
  at: number,
  stride: number,
): Rivals {
  const { dimensions } = archive;
  const rivals: Rivals = { objective: new Float64Array(count), group: new Int32Array(count).fill(-1) };
  const elites = elitesOf(parents, count, archive);
  const least = leastObjective(archive);
  for (let index = 0; index < count; index++) {
    const parent = elites.get(parents[2 * index]!) ?? elites.get(parents[2 * index + 1]!) ?? -1;
    let rival = parent;
    let cell = parent < 0 ? -1 : archive.cell(parent);
    if (measures !== undefined && Number.isFinite(measures[index * dimensions]!)) {
      cell = archive.cellOf(measures, index * dimensions);
      rival = cell < 0 ? -1 : archive.at(cell);
    }
    const objective = rival < 0 ? least : archive.objective(rival);
    rivals.objective[index] = objective;
    rivals.group[index] = cell;
    const row = index * stride + at;
    rows[row] = limited(objective);
    rows[row + 1] = rival < 0 ? 1 : 0;
    rows[row + 2] = limited(parent < 0 ? least : archive.objective(parent));
    rows[row + 3] = parent < 0 ? 1 : 0;
  }
  return rivals;
}

/** The indices of those elites that are parents, by their serial numbers. */
function elitesOf(parents: Float64Array, count: number, archive: Archive): Map<number, number> {
  const wanted = new Set<number>();
  for (let index = 0; index < 2 * count; index++)
    if (parents[index] !== NO_PARENT) wanted.add(parents[index]!);
  const elites = new Map<number, number>();
  for (let elite = 0; elite < archive.count && elites.size < wanted.size; elite++) {
    const serial = archive.serial(elite);
    if (wanted.has(serial)) elites.set(serial, elite);
  }
  return elites;
}

function leastObjective(archive: Archive): number {
  let least = Number.POSITIVE_INFINITY;
  for (let elite = 0; elite < archive.count; elite++) least = Math.min(least, archive.objective(elite));
  return least === Number.POSITIVE_INFINITY ? 0 : least;
}
