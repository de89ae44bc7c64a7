// Rows and their labels in a ring buffer.
import { type Check, isOneOf, isWhole } from "@mm-ptx/types/internal";
import { LearnError } from "./error.js";
import {
  checkFinite,
  checkFloats,
  checkLabel,
  checkOutputs,
  countRows,
  invalid,
  readOptions,
} from "./options.js";

/** The largest number of rows in a table: sums of that many residuals are exact. */
const MOST_ROWS = 65_536;
const MOST_COLUMNS = 4096;

/** How a table is made. */
export interface TableOptions {
  /** The number of values in a row, up to 4,096. */
  readonly columns: number;
  /** The number of rows that the table holds, up to 65,536. */
  readonly capacity: number;
  /**
   * What happens to a row with a value or a label that is not finite. `refuse` throws; `drop` skips the row and counts it in `dropped`.
   * `worst` does the same for values, but gives a row whose label is not finite the lowest label that the table has at that time, and
   * counts it in `replaced`: a candidate that failed is as bad as the worst one. Default `refuse`.
   */
  readonly nonFinite?: NonFinite;
}

const NON_FINITE = ["drop", "refuse", "worst"] as const;
type NonFinite = (typeof NON_FINITE)[number];

const CHECKS: Readonly<Record<keyof TableOptions, Check>> = {
  columns: isWhole(1, MOST_COLUMNS),
  capacity: isWhole(1, MOST_ROWS),
  nonFinite: isOneOf(NON_FINITE),
};
const DEFAULTS = { nonFinite: "refuse" };

/**
 * A ring buffer of rows, each with a label, in one block of memory. When it is full, each new row replaces the oldest. Higher labels
 * are better for everything that ranks rows.
 */
export class Table {
  readonly columns: number;
  readonly capacity: number;
  /** The values of the rows, `capacity * columns` of them. Models read these; write with `add`. */
  readonly values: Float32Array;
  /** The labels, at the same places. */
  readonly labels: Float32Array;
  readonly #nonFinite: NonFinite;
  #added = 0;
  #dropped = 0;
  #replaced = 0;
  #changes = 0;

  /** @throws LearnError INVALID_ARGUMENT */
  constructor(options: TableOptions) {
    const { columns, capacity, nonFinite } = readOptions<TableOptions>(options, CHECKS, DEFAULTS);
    this.columns = columns;
    this.capacity = capacity;
    this.#nonFinite = nonFinite;
    const buffer = new ArrayBuffer((columns + 1) * capacity * 4);
    this.values = new Float32Array(buffer, 0, columns * capacity);
    this.labels = new Float32Array(buffer, columns * capacity * 4);
  }

  /** The number of rows that the table has now. */
  get count(): number {
    return Math.min(this.#added, this.capacity);
  }

  /** The number of rows that were ever added, which is also the ticket of the next one. */
  get added(): number {
    return this.#added;
  }

  /** The number of rows that were dropped because they were not finite. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The number of labels that were replaced by the lowest one because they were not finite. */
  get replaced(): number {
    return this.#replaced;
  }

  /** A number that grows whenever a row or a label changes. */
  get changes(): number {
    return this.#changes;
  }

  /** The bytes of the table. */
  get bytes(): number {
    return this.values.buffer.byteLength;
  }

  /**
   * Adds a row.
   * @returns its ticket, or -1 if it was dropped
   * @throws LearnError INVALID_ARGUMENT, or NOT_FINITE for values that are not finite as f32, unless the table drops these
   */
  add(row: Float32Array, label: number): number {
    checkFloats("row", row);
    if (row.length !== this.columns) throw invalid(`a row of ${this.columns} values`, row.length);
    checkLabel(label);
    return this.#take(row, 0, label);
  }

  /**
   * Adds consecutive rows. If one of them is refused, none are added.
   * @returns the number of rows that were added
   * @throws LearnError like `add`
   */
  addAll(rows: Float32Array, labels: Float32Array): number {
    const refuses = this.#nonFinite === "refuse";
    const count = countRows("rows", rows, this.columns);
    checkOutputs("labels", labels, count);
    if (refuses) {
      checkFinite("rows", rows, this.columns);
      checkFinite("labels", labels, 1);
    }
    let added = 0;
    for (let index = 0; index < count; index++)
      if (this.#take(rows, index * this.columns, labels[index]!) >= 0) added++;
    return added;
  }

  /**
   * Replaces the label of a row, for example after measuring it again. With `worst`, a label that is not finite becomes the lowest one.
   * @param ticket what `add` returned
   * @returns whether the table still has the row
   * @throws LearnError INVALID_ARGUMENT for a ticket that was never given, NOT_FINITE
   */
  setLabel(ticket: number, label: number): boolean {
    if (!Number.isInteger(ticket) || ticket < 0 || ticket >= this.#added) {
      throw invalid(`a ticket below ${this.#added}`, ticket);
    }
    checkLabel(label);
    const isUsable = Number.isFinite(Math.fround(label));
    if (!isUsable && this.#nonFinite !== "worst") throw refused("label", label);
    if (ticket < this.#added - this.count) return false;
    this.labels[ticket % this.capacity] = isUsable ? label : this.#lowestLabel();
    this.#changes++;
    return true;
  }

  /** The place of the row that is `age` rows younger than the oldest. */
  place(age: number): number {
    return this.#added <= this.capacity ? age : (this.#added + age) % this.capacity;
  }

  /** Adds a row; returns its ticket, or -1 if it is dropped. */
  #take(rows: Float32Array, start: number, given: number): number {
    const refuses = this.#nonFinite === "refuse";
    let label = given;
    for (let column = 0; column < this.columns; column++) {
      const value = rows[start + column]!;
      if (value * 0 === 0) continue;
      if (refuses) throw refused(`column ${column}`, value);
      this.#dropped++;
      return -1;
    }
    if (Math.fround(label) * 0 !== 0) {
      if (refuses) throw refused("label", label);
      if (this.#nonFinite === "drop" || this.count === 0) {
        this.#dropped++;
        return -1;
      }
      label = this.#lowestLabel();
    }
    const ticket = this.#added++;
    const place = ticket % this.capacity;
    const base = place * this.columns;
    for (let column = 0; column < this.columns; column++) this.values[base + column] = rows[start + column]!;
    this.labels[place] = label;
    this.#changes++;
    return ticket;
  }

  /** The lowest label of all rows, in place of one that is not finite. */
  #lowestLabel(): number {
    this.#replaced++;
    let lowest = this.labels[0]!;
    for (let place = 1; place < this.count; place++) lowest = Math.min(lowest, this.labels[place]!);
    return lowest;
  }
}

/** The error for a label or a value that is not finite. */
export const refused = (what: string, found: number): LearnError =>
  new LearnError("NOT_FINITE", `expected ${what} to be finite as f32, found ${found}`);

/** @throws LearnError INVALID_ARGUMENT */
export function checkTable(rows: unknown, columns?: number): asserts rows is Table {
  if (!(rows instanceof Table)) throw invalid("`rows` to be a Table", rows);
  if (columns !== undefined && rows.columns !== columns)
    throw invalid(`a table of ${columns} columns`, rows.columns);
}

/** Copies values of consecutive rows of a table, `width` for each, from the row of an age on. */
export function copyRows(
  rows: Table,
  values: Float32Array,
  width: number,
  age: number,
  count: number,
  to: Float32Array,
  at = 0,
): void {
  const start = rows.place(age);
  const untilEnd = Math.min(count, rows.capacity - start);
  to.set(values.subarray(start * width, (start + untilEnd) * width), at);
  to.set(values.subarray(0, (count - untilEnd) * width), at + untilEnd * width);
}

/** Checks what native code checks itself: the arrays of a table can be written. @throws LearnError NOT_FINITE */
export function checkTableFinite({ values, labels, columns, count }: Table): void {
  checkFinite("rows", values.subarray(0, count * columns), columns);
  checkFinite("labels", labels.subarray(0, count), 1);
}

/** @throws LearnError TOO_FEW_ROWS */
export function checkHasRows(rows: Table): void {
  if (rows.count === 0) throw new LearnError("TOO_FEW_ROWS", "expected a table with rows, found no rows");
}
