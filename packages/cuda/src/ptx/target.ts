// Applies the table of options that change machine code: checks, defaults, and the compiler's arguments.

import { type Check, isBoolean, isOneOf, isWhole } from "@mm-ptx/types/internal";
import { PtxCompileError } from "../error.js";
import { archOf, isArch } from "../toolkit/checks.js";
import {
  CODE_OPTIONS,
  type CodeOption,
  type CodeOptions,
  type CodeValues,
  type Target,
} from "./code-options.js";

const ROWS: readonly (readonly [name: string, row: CodeOption])[] = Object.entries(CODE_OPTIONS);

type Given = Readonly<Record<string, unknown>>;

/** The check of each option. */
export const CODE_CHECKS = Object.fromEntries(
  ROWS.map(([name, { values }]) => [name, checkOf(values)]),
) as Readonly<Record<keyof CodeOptions, Check>>;

/** The required options. */
export const REQUIRED_OPTIONS: readonly string[] = ROWS.filter(([, row]) => !("default" in row)).map(
  ([name]) => name,
);

function checkOf(values: CodeValues): Check {
  switch (values.kind) {
    case "architecture":
      return isArch;
    case "boolean":
      return isBoolean;
    case "number":
      return isWhole(values.least, values.most);
    case "word":
      return isOneOf(values.words);
  }
}

const isSet = (options: Given, name: string): boolean =>
  options[name] !== undefined && options[name] !== false;

/** Detects options that are valid individually but not together. */
export function codeConflict(options: CodeOptions): string | undefined {
  const given: Given = options;
  for (const [name, { excludes }] of ROWS) {
    if (excludes === undefined || !isSet(given, name)) continue;
    const other = Object.keys(excludes).find((each) => isSet(given, each));
    if (other !== undefined)
      return `options \`${name}\` and \`${other}\`: expected only one of them, since ${excludes[other]}`;
  }
  return undefined;
}

/** Checked options with all defaults, and the resolved architecture. @throws PtxCompileError `UNAVAILABLE` */
export function resolveTarget(options: CodeOptions): Target {
  const given: Given = options;
  const resolved = ROWS.map(([name, row]) => {
    const value = given[name] ?? row.default;
    return [name, row.values.kind === "architecture" ? archOf(value as string, PtxCompileError) : value];
  });
  return Object.fromEntries(resolved) as Target;
}

/** The arguments for nvPTXCompiler and ptxas. */
export function compilerArguments(target: Target): string[] {
  return argumentsOf(target, ROWS);
}

const DECISIVE = ROWS.filter(([, { sameCubin }]) => sameCubin === undefined);

/** The arguments that determine the bytes of a cubin and its log. */
export function decisiveArguments(target: Target): string[] {
  return argumentsOf(target, DECISIVE);
}

function argumentsOf(target: Target, rows: typeof ROWS): string[] {
  const values: Given = target;
  const excluded = new Set<string>();
  for (const [name, { excludes }] of ROWS) {
    if (excludes !== undefined && isSet(values, name))
      for (const other of Object.keys(excludes)) excluded.add(other);
  }
  const all: string[] = [];
  for (const [name, row] of rows) {
    const value = values[name];
    if (value !== undefined && !excluded.has(name)) all.push(...row.arguments(value as never));
  }
  return all;
}

/** The options of a target that are not the defaults: a compiler with these options compiles for this target. */
export function givenOptions(target: Target): CodeOptions {
  const values: Given = target;
  const given = ROWS.filter(([name, row]) => values[name] !== row.default).map(([name]) => [
    name,
    values[name],
  ]);
  return Object.fromEntries(given) as CodeOptions;
}
