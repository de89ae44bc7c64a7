// Checks of options, as tables: each says what is wrong with a value, and whoever has the table throws an error of its own
// kind.

import { ARCHITECTURES, architecture } from "@mm-ptx/ptx";
import { describeValue, didYouMean } from "@mm-ptx/types/core";
import { NATIVE_ARCH, nativeArch } from "../native/driver.js";
import { LEAST_MEMORY } from "../native/memory.js";

/** What is wrong with the value of an option, or `undefined`. */
export type Check = (value: unknown, name: string) => string | undefined;

/** A closed list of options. */
export type Checks = Readonly<Record<string, Check>>;

/** What setTimeout can count. */
const MAX_MILLISECONDS = 2 ** 31 - 1;

/** What is wrong with options, if anything: no object, an unknown name, a value. `required` ones must be there. */
export function checkOptions(
  options: unknown,
  checks: Checks,
  required: readonly string[] = [],
): string | undefined {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    return `expected options as an object, found ${describeValue(options)}`;
  for (const [name, value] of Object.entries(options)) {
    // An option that is not set asks for nothing, whatever its name.
    if (value === undefined || Object.hasOwn(checks, name)) continue;
    return `unknown option \`${name}\`${didYouMean(name, Object.keys(checks))}`;
  }
  for (const [name, check] of Object.entries(checks)) {
    const value = (options as Record<string, unknown>)[name];
    const problem = value === undefined && !required.includes(name) ? undefined : check(value, name);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The sentence for a value that is another than expected. */
export function unexpected(name: string, expected: string, found: unknown, hint = ""): string {
  return `option \`${name}\`: expected ${expected}, found ${describeValue(found)}${hint}`;
}

export const isBoolean: Check = (value, name) =>
  typeof value === "boolean" ? undefined : unexpected(name, "a boolean", value);

export const isSignal: Check = (value, name) =>
  value instanceof AbortSignal ? undefined : unexpected(name, "an AbortSignal", value);

export const isWhole =
  (least: number, most: number): Check =>
  (value, name) =>
    typeof value === "number" && Number.isInteger(value) && value >= least && value <= most
      ? undefined
      : unexpected(name, `a whole number from ${least} to ${most}`, value);

export const isTimeout: Check = isWhole(1, MAX_MILLISECONDS);

/** Bytes of a process that compiles. */
export const isMemoryLimit: Check = isWhole(LEAST_MEMORY, Number.MAX_SAFE_INTEGER);

/** How many compiles at once. */
export const isWorkers: Check = isWhole(1, 1024);

const nearestOf = (value: unknown, words: readonly string[]): string =>
  typeof value === "string" ? didYouMean(value, words) : "";

export const isOneOf =
  (words: readonly string[]): Check =>
  (value, name) =>
    typeof value === "string" && words.includes(value)
      ? undefined
      : unexpected(name, words.map((word) => `\`${word}\``).join(", "), value, nearestOf(value, words));

export const isArch: Check = (value, name) => {
  if (typeof value === "string" && architecture(value) !== undefined) return undefined;
  if (value === NATIVE_ARCH) return problemOf(nativeArch, name);
  const names = ARCHITECTURES.map((each) => each.name);
  return unexpected(name, `one of ${names.join(", ")}`, value, nearestOf(value, names));
};

function problemOf(find: () => string, name: string): string | undefined {
  try {
    find();
    return undefined;
  } catch (error) {
    return `option \`${name}\`: ${(error as Error).message}`;
  }
}

/** The architecture that a checked value means. */
export const archOf = (value: string): string => (value === NATIVE_ARCH ? nativeArch() : value);

export const isListOf =
  (what: string, fits: (value: unknown) => boolean): Check =>
  (value, name) => {
    if (!Array.isArray(value)) return unexpected(name, `a list of ${what}`, value);
    const wrong = value.findIndex((each) => !fits(each));
    return wrong === -1 ? undefined : unexpected(`${name}[${wrong}]`, what, value[wrong]);
  };

/** Whether a value is text that can be one argument of a program. */
export function isLine(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !/[\0\r\n]/.test(value);
}
