// The table of elites in reports.
import { isFunction, isWhole } from "@mm-ptx/types/internal";
import type { ArchiveRows } from "../archives/archive.js";
import { readOptions } from "../options.js";
import { grouped, significant } from "./drawing/words.js";
import { areTexts, checkRows } from "./rows.js";
import { isShownValue, type ShownValue, valuesOf } from "./shown-value.js";

/** A table of a report. Numbers are aligned to the right. */
export interface ReportTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  /** The indices of rows that stand out. */
  readonly marked?: readonly number[];
  /** A line below the table. */
  readonly note?: string;
}

/** Options of `eliteTable`. */
export interface EliteTableOptions {
  readonly value?: ShownValue;
  /** The names of the measures; by default, they have no columns. */
  readonly measures?: readonly string[];
  /** Returns the text of an elite, such as its formula. It is called for those in the table. */
  readonly textOf?: (elite: number) => string;
  /** The most rows; default 100. */
  readonly most?: number;
}

/**
 * The best elites as a table, the best one first.
 *
 * @throws SearchError INVALID_ARGUMENT, and NOT_FOUND if there is no such field
 */
export function eliteTable(rows: ArchiveRows, options: EliteTableOptions = {}): ReportTable {
  const {
    value,
    measures = [],
    textOf,
    most = 100,
  } = readOptions<EliteTableOptions>(
    options,
    { value: isShownValue, measures: areTexts, textOf: isFunction, most: isWhole(0, 1e6) },
    { of: "`eliteTable`" },
  );
  checkRows(rows, measures.length);
  const values = valuesOf(rows, value);
  const numbers = Float64Array.from({ length: rows.count }, (_, elite) => values.at(elite));
  const order = Uint32Array.from({ length: rows.count }, (_, elite) => elite).sort(
    (a, b) =>
      Number(values.isBetter(numbers[b]!, numbers[a]!)) - Number(values.isBetter(numbers[a]!, numbers[b]!)) ||
      a - b,
  );
  const dimensions = rows.count === 0 ? 0 : rows.measures.length / rows.count;
  const fields = Object.keys(rows.fields).sort();
  const others = fields.filter((field) => field !== value?.field);
  return {
    columns: [values.title, ...measures, ...others, "candidate", ...(textOf === undefined ? [] : ["elite"])],
    rows: Array.from(order.subarray(0, most), (elite) => [
      values.words(numbers[elite]!),
      ...measures.map((_, axis) => significant(rows.measures[elite * dimensions + axis]!, 6)),
      ...others.map((field) => significant(rows.fields[field]![elite]!)),
      rows.serial[elite]!,
      ...(textOf === undefined ? [] : [textOf(elite)]),
    ]),
    ...(rows.count > most ? { note: `The best ${grouped(most)} of ${grouped(rows.count)} elites.` } : {}),
  };
}
