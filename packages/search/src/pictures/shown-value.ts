// Which numbers of elites a picture shows, in which words, and which of them are better.
import { type Check, isBoolean, isOneOf, isOptions, isText, unexpected } from "@mm-ptx/types/internal";
import type { ArchiveRows } from "../archives/archive.js";
import { SearchError } from "../error.js";
import { Extent, type ScaleKind } from "./drawing/scales.js";
import { named, significant } from "./drawing/words.js";

/** The number of each elite that a picture shows: the objective unless a field is named. */
export interface ShownValue {
  /** The name of a field of the elites. */
  readonly field?: string;
  /** Whether the negative of the number is shown, for example the error where the objective is its negative. */
  readonly negated?: boolean;
  /** What the number is called; by default, the name of the field, or `objective`, or `error` if it is negated. */
  readonly name?: string;
  readonly unit?: string;
  /** Whether equal distances are equal differences or equal ratios; by default, `linear`. */
  readonly scale?: ScaleKind;
  /** Which numbers are better; by default, greater ones, or lesser ones if they are negated. */
  readonly better?: "greater" | "less";
  /** The ends of the scale; by default, those of the elites. Numbers beyond have the colours of the ends. */
  readonly range?: readonly [least: number, most: number];
}

const isRange: Check = (value, name) =>
  Array.isArray(value) && value.length === 2 && value.every(Number.isFinite) && value[0] < value[1]
    ? undefined
    : unexpected(name, "two numbers, the lesser one first", value);

export const isShownValue: Check = isOptions({
  field: isText,
  negated: isBoolean,
  name: isText,
  unit: isText,
  scale: isOneOf(["linear", "log"]),
  better: isOneOf(["greater", "less"]),
  range: isRange,
});

/** The numbers of all elites. */
export interface Values {
  readonly name: string;
  /** The name with its unit. */
  readonly title: string;
  readonly scale: ScaleKind;
  readonly isLessBetter: boolean;
  at(elite: number): number;
  isBetter(a: number, b: number): boolean;
  /** A value with this many significant digits, 3 by default. */
  words(value: number, digits?: number): string;
  readonly extent: Extent;
}

/** @throws SearchError NOT_FOUND without such a field */
export function valuesOf(rows: ArchiveRows, shown: ShownValue = {}): Values {
  const {
    field,
    negated = false,
    unit,
    scale = "linear",
    better = negated ? "less" : "greater",
    range,
  } = shown;
  const { name = field ?? (negated ? "error" : "objective") } = shown;
  const column = field === undefined ? rows.objective : fieldOf(rows, field);
  // 0 has no sign that anybody wants to see.
  const at = negated ? (elite: number) => 0 - column[elite]! : (elite: number) => column[elite]! + 0;
  const isLessBetter = better === "less";
  const extent = new Extent(scale);
  for (let elite = 0; elite < rows.count; elite++) extent.add(at(elite));
  if (range !== undefined) [extent.least, extent.most] = range;
  return {
    ...{ name, title: named(name, unit), scale, isLessBetter, at, extent },
    words: (value, digits) => significant(value, digits, scale),
    // What is not a number is worse than any.
    isBetter: (a, b) => !Number.isNaN(a) && (Number.isNaN(b) || (isLessBetter ? a < b : a > b)),
  };
}

export function fieldOf(rows: ArchiveRows, field: string): Float64Array {
  const column = Object.hasOwn(rows.fields, field) ? rows.fields[field] : undefined;
  if (column !== undefined) return column;
  const names = Object.keys(rows.fields).map((name) => `\`${name}\``);
  const expected = names.length === 0 ? "elites with fields" : `one of the fields ${names.join(", ")}`;
  throw new SearchError("NOT_FOUND", `expected ${expected}, found \`${field}\``);
}
