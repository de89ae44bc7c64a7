// Reads the options of calls, and checks rows and labels.
import { type Check, describeValue, takeOptions } from "@mm-ptx/types/internal";
import { LearnError, type LearnErrorCode } from "./error.js";

/** Checks by the names of options. */
export type ChecksOf<Options> = Readonly<Record<keyof Options & string, Check>>;

/**
 * The options of a call, or their defaults. Those without a default have to be given.
 * @throws LearnError INVALID_ARGUMENT, or the code that is given
 */
export function readOptions<Options extends object>(
  options: unknown,
  checks: ChecksOf<Options>,
  defaults: object,
  code: LearnErrorCode = "INVALID_ARGUMENT",
  prefix = "",
): Required<Options> {
  const required = Object.keys(checks).filter((name) => !(name in defaults));
  const taken = takeOptions<Options>(
    options,
    checks,
    { required },
    (message) => new LearnError(code, prefix + message),
  );
  for (const name in defaults) taken[name as keyof Options] ??= defaults[name as keyof object];
  return taken as Required<Options>;
}

/** The error for an argument that is not what was expected. */
export const invalid = (expected: string, found: unknown): LearnError =>
  new LearnError("INVALID_ARGUMENT", `expected ${expected}, found ${describeValue(found)}`);

/** @throws LearnError NOT_FITTED, if a model has not learned yet */
export function checkFitted({ fitted }: { readonly fitted: boolean }, first: string): void {
  if (!fitted) {
    throw new LearnError(
      "NOT_FITTED",
      `expected ${first} first, found a model that has not learned anything yet`,
    );
  }
}

/** @throws LearnError INVALID_ARGUMENT */
export function checkFloats(name: string, values: unknown): asserts values is Float32Array {
  if (!(values instanceof Float32Array)) throw invalid(`\`${name}\` to be a Float32Array`, values);
}

/** @throws LearnError INVALID_ARGUMENT */
export function checkLabel(label: unknown): void {
  if (typeof label !== "number") throw invalid("a label to be a number", label);
}

/**
 * The number of rows in `rows`, which are consecutive and finite.
 * @throws LearnError INVALID_ARGUMENT, NOT_FINITE
 */
export function checkRows(name: string, rows: unknown, columns: number): number {
  const count = countRows(name, rows, columns);
  checkFinite(name, rows as Float32Array, columns);
  return count;
}

/**
 * The number of rows in `rows`, which are consecutive; whether they are finite is checked by native code.
 * @throws LearnError INVALID_ARGUMENT
 */
export function countRows(name: string, rows: unknown, columns: number): number {
  checkFloats(name, rows);
  const count = rows.length / columns;
  if (!Number.isInteger(count)) {
    throw invalid(`\`${name}\` to have a multiple of ${columns} values`, rows.length);
  }
  return count;
}

/** @throws LearnError INVALID_ARGUMENT, if there is not one value for each row */
export function checkOutputs(name: string, values: unknown, count: number): void {
  checkFloats(name, values);
  if (values.length !== count) throw invalid(`\`${name}\` to have ${count} values`, values.length);
}

/** Whether all values are finite: sums of f32 are finite as f64 then, and anything else makes them a NaN or an infinity. */
export function allFinite(values: Float32Array): boolean {
  const { length } = values;
  const end = length - (length % 8);
  // Eight values at a time, whose four sums do not wait for each other.
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let index = 0; index < end; index += 8) {
    a += values[index]! + values[index + 1]!;
    b += values[index + 2]! + values[index + 3]!;
    c += values[index + 4]! + values[index + 5]!;
    d += values[index + 6]! + values[index + 7]!;
  }
  for (let index = end; index < length; index++) a += values[index]!;
  return Number.isFinite(a + b + c + d);
}

/** @throws LearnError NOT_FINITE, which names the first value that is not finite */
export function checkFinite(name: string, values: Float32Array, columns: number): void {
  if (allFinite(values)) return;
  const index = values.findIndex((value) => !Number.isFinite(value));
  const place =
    columns === 1 ? `[${index}]` : ` in row ${Math.floor(index / columns)}, column ${index % columns}`;
  throw new LearnError("NOT_FINITE", `expected finite values, found ${values[index]} as \`${name}\`${place}`);
}
