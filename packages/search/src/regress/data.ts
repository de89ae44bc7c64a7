// The data of a regression: which columns are inputs, which rows are held out, and what is strange about them.
import { quoted } from "@mm-ptx/types/internal";
import { Draws } from "../draws.js";
import { SearchError } from "../error.js";

/** The rows of a regression, as columns. */
export interface RegressionRows {
  readonly columns: readonly Float32Array[];
  readonly target: Float64Array;
}

/** Data that a regression uses. */
export interface RegressionData {
  readonly inputs: readonly string[];
  readonly training: RegressionRows;
  /** Rows that the search never sees; undefined without them. */
  readonly heldOut: RegressionRows | undefined;
  /** What the user should know about the data, such as columns that were left out or an input that is equal to the target. */
  readonly notices: readonly string[];
}

const LARGEST_F32 = 3.4028234663852886e38;
const LEAST_ROWS = 2;
/** A notice says when fewer than this part of the different values of a column are different in f32. */
const MOST_LOST = 0.9;
/** What the draws of held-out rows use instead of the number of a batch. */
const HELD_OUT = 0xfffffffd;

/**
 * Splits data into rows for the search and held-out rows. Inputs are rounded to f32, which programs compute with.
 * @throws SearchError BAD_DATA for a number that f32 can't hold, fewer than two rows, or a target that is the same in all rows
 */
export function prepareData(
  names: readonly string[],
  columns: readonly ArrayLike<number>[],
  target: ArrayLike<number>,
  share: number,
  seed: number,
): RegressionData {
  const rows = target.length;
  if (rows < LEAST_ROWS)
    throw new SearchError("BAD_DATA", `expected at least ${LEAST_ROWS} rows, found ${rows}`);
  const notices: string[] = [];
  const used = names.flatMap((name, index) => {
    const column = columns[index]!;
    if (column.length !== rows) {
      throw new SearchError(
        "BAD_DATA",
        `expected ${rows} rows in column ${quoted(name)}, found ${column.length}`,
      );
    }
    checkNumbers(name, column);
    if (isConstant(column)) {
      notices.push(`column ${quoted(name)} is left out: it is ${column[0]} in all rows`);
      return [];
    }
    const [exact, single] = [new Set(Array.from(column)), new Set(Float32Array.from(column))];
    if (single.size < exact.size * MOST_LOST) {
      const what = `column ${quoted(name)} has ${exact.size} different values, of which f32 keeps ${single.size}`;
      notices.push(`${what}: subtract its mean first${single.size === 1 ? "; it is left out" : ""}`);
      if (single.size === 1) return [];
    }
    if (isEqual(column, target)) notices.push(`column ${quoted(name)} is equal to the target in all rows`);
    return [{ name, column }];
  });
  if (used.length === 0) {
    const reasons = notices.length === 0 ? "" : ` (${notices.join("; ")})`;
    throw new SearchError(
      "BAD_DATA",
      `expected a column besides the target that differs between rows, found none${reasons}`,
    );
  }
  checkNumbers("the target", target);
  if (isConstant(target)) {
    throw new SearchError(
      "BAD_DATA",
      `expected a target that differs between rows, found ${target[0]} in all rows`,
    );
  }
  const held = chooseRows(rows, share, seed);
  const rowsOf = (isHeld: 0 | 1): RegressionRows => {
    const chosen = Array.from(held.keys()).filter((row) => held[row] === isHeld);
    return {
      columns: used.map(({ column }) => Float32Array.from(chosen, (row) => column[row]!)),
      target: Float64Array.from(chosen, (row) => target[row]!),
    };
  };
  const training = rowsOf(0);
  if (isConstant(training.target)) {
    throw new SearchError(
      "BAD_DATA",
      "expected a target that differs between the rows that are not held out, found one value",
    );
  }
  return {
    inputs: used.map(({ name }) => name),
    training,
    heldOut: held.includes(1) ? rowsOf(1) : undefined,
    notices,
  };
}

/** 1 for each row that is held out. At least two rows stay. */
function chooseRows(rows: number, share: number, seed: number): Uint8Array {
  const held = new Uint8Array(rows);
  const count = Math.min(Math.floor(rows * share), rows - LEAST_ROWS);
  const order = Uint32Array.from(held.keys());
  const draws = new Draws();
  draws.start(seed, HELD_OUT, 0);
  for (let place = 0; place < count; place++) {
    const other = place + draws.below(rows - place);
    const row = order[other]!;
    order[other] = order[place]!;
    order[place] = row;
    held[row] = 1;
  }
  return held;
}

function checkNumbers(name: string, column: ArrayLike<number>): void {
  for (let row = 0; row < column.length; row++) {
    const value = column[row]!;
    if (Number.isFinite(value) && Math.abs(value) <= LARGEST_F32) continue;
    const where = name === "the target" ? name : `column ${quoted(name)}`;
    throw new SearchError(
      "BAD_DATA",
      `row ${row + 1}: expected a number that f32 can hold in ${where}, found ${value}`,
    );
  }
}

function isConstant(column: ArrayLike<number>): boolean {
  for (let row = 1; row < column.length; row++) if (column[row] !== column[0]) return false;
  return true;
}

function isEqual(column: ArrayLike<number>, other: ArrayLike<number>): boolean {
  for (let row = 0; row < column.length; row++) if (column[row] !== other[row]) return false;
  return true;
}
