// Elites as the state of an archive, and back.
import { SearchError } from "../error.js";
import type { PartState, StateArray } from "../plain.js";
import type { Elites } from "./elites.js";

const FIELD = "field ";

export function eliteState(kind: string, elites: Elites): PartState {
  const { count, shape } = elites;
  const { dimensions, cases, hasThresholds } = shape;
  const { words, offsets } = elites.genomes();
  const arrays: Record<string, StateArray> = {
    cell: elites.cell.slice(0, count),
    objective: elites.objective.slice(0, count),
    measures: elites.measures.slice(0, count * dimensions),
    serial: elites.serial.slice(0, count),
    words,
    offsets,
  };
  if (hasThresholds) arrays.threshold = elites.threshold.slice(0, count);
  if (cases > 0) arrays.cases = elites.cases.slice(0, count * cases);
  shape.fields.forEach((name, field) => {
    arrays[FIELD + name] = elites.fields[field]!.slice(0, count);
  });
  return { values: { kind, count, dimensions }, arrays };
}

/**
 * Replaces the elites by those of a state.
 * @param cells the number of cells, or undefined if elites have none
 * @throws SearchError FILE_FORMAT if it is not the state of such an archive; then nothing is changed
 */
export function restoreElites(
  { values, arrays }: PartState,
  kind: string,
  elites: Elites,
  cells: number | undefined,
): void {
  const { shape } = elites;
  const { dimensions, cases, hasThresholds } = shape;
  if (values.kind !== kind) throw wrong(`an archive of kind \`${kind}\``, JSON.stringify(values.kind));
  if (values.dimensions !== dimensions)
    throw wrong(`${dimensions} measures`, JSON.stringify(values.dimensions));
  const count = Number(values.count);
  if (!Number.isSafeInteger(count) || count < 0)
    throw wrong("a number of elites", JSON.stringify(values.count));
  const read = reader(arrays);
  const cell = read("cell", Int32Array, count);
  const objective = read("objective", Float64Array, count);
  const measures = read("measures", Float64Array, count * dimensions);
  const serial = read("serial", Float64Array, count);
  const threshold = hasThresholds ? read("threshold", Float64Array, count) : undefined;
  const errors = cases > 0 ? read("cases", Float64Array, count * cases) : undefined;
  const fields = shape.fields.map((name) => read(FIELD + name, Float64Array, count));
  const offsets = read("offsets", Uint32Array, count + 1);
  const words = read("words", Uint32Array, offsets[count]!);
  checkCells(cell, cells);
  const longest = longestOf(offsets);
  for (const value of objective) if (!Number.isFinite(value)) throw wrong("finite objectives", String(value));

  elites.clear();
  elites.reserve(count, longest);
  elites.count = count;
  elites.cell.set(cell);
  elites.objective.set(objective);
  elites.measures.set(measures);
  elites.serial.set(serial);
  if (threshold) elites.threshold.set(threshold);
  if (errors) elites.cases.set(errors);
  fields.forEach((field, index) => {
    elites.fields[index]!.set(field);
  });
  for (let elite = 0; elite < count; elite++) {
    const [start, end] = [offsets[elite]!, offsets[elite + 1]!];
    elites.lengths[elite] = end - start;
    elites.words.set(words.subarray(start, end), elite * elites.stride);
  }
  elites.refresh();
}

const wrong = (expected: string, found: string): SearchError =>
  new SearchError("FILE_FORMAT", `expected ${expected} in the state of the archive, found ${found}`);

const reader =
  (arrays: PartState["arrays"]) =>
  <Kind extends StateArray>(
    name: string,
    kind: abstract new (...args: never) => Kind,
    length: number,
  ): Kind => {
    const array = arrays[name];
    if (!(array instanceof kind))
      throw wrong(`\`${name}\` as a ${kind.name}`, array?.constructor.name ?? "none");
    if (array.length !== length) throw wrong(`${length} elements in \`${name}\``, `${array.length}`);
    return array;
  };

function checkCells(cell: Int32Array, cells: number | undefined): void {
  if (cells === undefined) return;
  const seen = new Set<number>();
  for (const each of cell) {
    if (each < 0 || each >= cells) throw wrong(`cells from 0 to ${cells - 1}`, `${each}`);
    if (seen.has(each)) throw wrong("one elite in each cell", `two in cell ${each}`);
    seen.add(each);
  }
}

function longestOf(offsets: Uint32Array): number {
  let longest = 0;
  for (let index = 0; index + 1 < offsets.length; index++) {
    const length = offsets[index + 1]! - offsets[index]!;
    if (length < 0 || offsets[0] !== 0)
      throw wrong("`offsets` from 0 in ascending order", `${offsets[index + 1]}`);
    longest = Math.max(longest, length);
  }
  return longest;
}
