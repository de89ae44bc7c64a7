// Rows and their labels in a ring.
import { type Check, isOneOf, isWhole } from "@mm-ptx/types/internal";
import { LearnError } from "./error.js";
import { checkFinite, checkFloats, checkOutputs, checkRows, invalid, readOptions } from "./options.js";

/** The most rows of a table: sums of as many residuals are exact. */
const MOST_ROWS = 65_536;
const MOST_COLUMNS = 4096;

/** How a table is made. */
export interface TableOptions {
  /** The number of values in a row, up to 4,096. */
  readonly columns: number;
  /** The number of rows that the table holds, up to 65,536. */
  readonly capacity: number;
  /**
   * What happens to a row with a value or a label that is not finite: `refuse` throws, `drop` counts it in `dropped` and continues.
   * Default `refuse`.
   */
  readonly nonFinite?: "drop" | "refuse";
}

const CHECKS: Readonly<Record<keyof TableOptions, Check>> = {
  columns: isWhole(1, MOST_COLUMNS),
  capacity: isWhole(1, MOST_ROWS),
  nonFinite: isOneOf(["drop", "refuse"]),
};

/**
 * A ring of rows with a label each, in one block of memory. When it is full, each new row replaces the oldest. Higher labels are better
 * for everything that ranks rows.
 */
export class Table {
  readonly columns: number;
  readonly capacity: number;
  /** The values of the rows, `capacity * columns` of them. Models read these; write with `add`. */
  readonly values: Float32Array;
  /** The labels, by the same places. */
  readonly labels: Float32Array;
  readonly #drops: boolean;
  #added = 0;
  #dropped = 0;
  #changes = 0;

  /** @throws LearnError INVALID_ARGUMENT */
  constructor(options: TableOptions) {
    const { columns, capacity, nonFinite } = readOptions<TableOptions>(options, CHECKS, {
      required: ["columns", "capacity"],
    });
    this.columns = columns;
    this.capacity = capacity;
    this.#drops = nonFinite === "drop";
    const buffer = new ArrayBuffer((columns + 1) * capacity * 4);
    this.values = new Float32Array(buffer, 0, columns * capacity);
    this.labels = new Float32Array(buffer, columns * capacity * 4);
  }

  /** The number of rows that the table has now. */
  get count(): number {
    return Math.min(this.#added, this.capacity);
  }

  /** The number of rows that were ever added, which is the ticket of the next one. */
  get added(): number {
    return this.#added;
  }

  /** The number of rows that were dropped because they were not finite. */
  get dropped(): number {
    return this.#dropped;
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
    if (row.length !== this.columns) {
      throw new LearnError(
        "INVALID_ARGUMENT",
        `expected a row of ${this.columns} values, found ${row.length}`,
      );
    }
    if (typeof label !== "number") throw invalid("a label to be a number", label);
    if (!this.#accepts(row, 0, label)) return -1;
    return this.#put(row, 0, label);
  }

  /**
   * Adds consecutive rows. If one is refused, none is added.
   * @returns the number of rows that were added
   * @throws LearnError like `add`
   */
  addAll(rows: Float32Array, labels: Float32Array): number {
    checkFloats("rows", rows);
    const count = this.#drops ? rows.length / this.columns : checkRows("rows", rows, this.columns);
    if (!Number.isInteger(count)) {
      const message = `expected \`rows\` to have a multiple of ${this.columns} values, found ${rows.length}`;
      throw new LearnError("INVALID_ARGUMENT", message);
    }
    checkOutputs("labels", labels, count);
    if (!this.#drops) checkFinite("labels", labels, 1);
    let added = 0;
    for (let index = 0; index < count; index++) {
      const label = labels[index]!;
      const start = index * this.columns;
      if (!this.#accepts(rows, start, label)) continue;
      this.#put(rows, start, label);
      added++;
    }
    return added;
  }

  /**
   * Replaces the label of a row, for example after measuring it again.
   * @param ticket what `add` returned
   * @returns whether the table still has the row
   * @throws LearnError INVALID_ARGUMENT for a ticket that was never given, NOT_FINITE
   */
  setLabel(ticket: number, label: number): boolean {
    if (!Number.isInteger(ticket) || ticket < 0 || ticket >= this.#added) {
      throw invalid(`a ticket below ${this.#added}`, ticket);
    }
    if (typeof label !== "number") throw invalid("a label to be a number", label);
    if (!Number.isFinite(Math.fround(label))) throw refused("label", label);
    if (ticket < this.#added - this.count) return false;
    this.labels[ticket % this.capacity] = label;
    this.#changes++;
    return true;
  }

  /** The place of the row that is `age` rows younger than the oldest. */
  place(age: number): number {
    return this.#added <= this.capacity ? age : (this.#added + age) % this.capacity;
  }

  #accepts(rows: Float32Array, start: number, label: number): boolean {
    for (let column = 0; column < this.columns; column++) {
      const value = rows[start + column]!;
      if (value * 0 === 0) continue;
      if (!this.#drops) throw refused(`column ${column}`, value);
      this.#dropped++;
      return false;
    }
    if (Math.fround(label) * 0 === 0) return true;
    if (!this.#drops) throw refused("label", label);
    this.#dropped++;
    return false;
  }

  #put(rows: Float32Array, start: number, label: number): number {
    const ticket = this.#added;
    const place = ticket % this.capacity;
    const base = place * this.columns;
    for (let column = 0; column < this.columns; column++) this.values[base + column] = rows[start + column]!;
    this.labels[place] = label;
    this.#added++;
    this.#changes++;
    return ticket;
  }
}

const refused = (what: string, found: number): LearnError =>
  new LearnError("NOT_FINITE", `expected ${what} to be finite as f32, found ${found}`);

/** @throws LearnError INVALID_ARGUMENT */
export function checkTable(rows: unknown, columns?: number): asserts rows is Table {
  if (!(rows instanceof Table)) throw invalid("`rows` to be a Table", rows);
  if (columns !== undefined && rows.columns !== columns)
    throw invalid(`a table of ${columns} columns`, rows.columns);
}

/** @throws LearnError TOO_FEW_ROWS */
export function checkHasRows(rows: Table): void {
  if (rows.count === 0) throw new LearnError("TOO_FEW_ROWS", "expected a table with rows, found no rows");
}
