// Checks of options, for all packages: a table has a check for each option, and each package throws an error of its own. Every
// check returns what is wrong, in the same words everywhere.
import { describeValue, quoted } from "./describe.js";
import { didYouMean, nearest } from "./suggest.js";

/** What is wrong with the value of an option, or `undefined`. */
export type Check = (value: unknown, name: string) => string | undefined;

/** A closed list of options. */
export type Checks = Readonly<Record<string, Check>>;

/** How messages name options. */
export interface OptionWords {
  /** What the options are, for example `limit`; default `option`. */
  readonly noun?: string;
  /** The function that takes them. */
  readonly of?: string;
}

/** What is wrong with the names of options, if anything: options that are not an object, or the first unknown name. */
export function nameProblem(
  options: unknown,
  known: readonly string[],
  words: OptionWords = {},
): string | undefined {
  // Arrays and maps have no names that could be unknown.
  if (Object.prototype.toString.call(options) === "[object Object]")
    return unknownName(Object.keys(options as object), known, words);
  const { noun = "option", of } = words;
  return `expected ${noun}s${ownerOf(of)} as an object, found ${describeValue(options)}`;
}

/** What is wrong with the first name that is not known, if there is one. */
export function unknownName(
  names: readonly string[],
  known: readonly string[],
  { noun = "option", of }: OptionWords = {},
): string | undefined {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  const near = nearest(unknown, known);
  const hint =
    near === undefined ? `: expected one of ${known.map(quoted).join(", ")}` : didYouMean(unknown, known);
  return `unknown ${noun} ${quoted(unknown)}${ownerOf(of)}${hint}`;
}

const ownerOf = (of: string | undefined): string => (of === undefined ? "" : ` of ${of}`);

/** Further rules for a table of options. */
export interface OptionRules extends OptionWords {
  /** Options that must be given; all others may be absent or `undefined`. */
  readonly required?: readonly string[];
  /** What messages put before the name of an option, for example `cache.`. */
  readonly prefix?: string;
}

/** What is wrong with options, if anything: they are not an object, or have an unknown name or an invalid value. */
export function optionProblem(options: unknown, checks: Checks, rules: OptionRules = {}): string | undefined {
  // Many calls run this, so lists of names are built only for options that may be wrong.
  if (!hasKnownNames(options, checks)) {
    const problem = nameProblem(options, Object.keys(checks), rules);
    if (problem !== undefined) return problem;
  }
  return valueProblem(options as Readonly<Record<string, unknown>>, checks, rules);
}

/** What is wrong with the value of an option, if anything. */
function valueProblem(
  options: Readonly<Record<string, unknown>>,
  checks: Checks,
  { required, prefix = "" }: OptionRules,
): string | undefined {
  for (const name in checks) {
    const value = options[name];
    if (value === undefined && !required?.includes(name)) continue;
    const wrong = checks[name]!(value, prefix + name);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/**
 * Options with the values that were checked: each is read once, so that getters cannot change it afterwards.
 *
 * @param refuse makes the error of a package
 */
export function takeOptions<Options extends object>(
  options: unknown,
  checks: Readonly<Record<keyof Options & string, Check>>,
  rules: OptionRules,
  refuse: (message: string) => Error,
): Options {
  const names = Object.keys(checks);
  const unknown = nameProblem(options, names, rules);
  if (unknown !== undefined) throw refuse(unknown);
  const given = options as Readonly<Record<string, unknown>>;
  const taken = Object.fromEntries(names.map((name) => [name, given[name]]));
  const problem = valueProblem(taken, checks, rules);
  if (problem !== undefined) throw refuse(problem);
  return taken as Options;
}

/** Whether options are a plain object whose names are all known; `false` proves nothing. */
function hasKnownNames(options: unknown, checks: Checks): boolean {
  if (typeof options !== "object" || options === null) return false;
  if (Object.getPrototypeOf(options) !== Object.prototype) return false;
  for (const name in options) if (!Object.hasOwn(checks, name)) return false;
  return true;
}

/** The message for an option with an unexpected value. */
export function unexpected(name: string, expected: string, found: unknown, hint = ""): string {
  return `option \`${name}\`: expected ${expected}, found ${describeValue(found)}${hint}`;
}

export const isBoolean: Check = (value, name) =>
  typeof value === "boolean" ? undefined : unexpected(name, "a boolean", value);

export const isFunction: Check = (value, name) =>
  typeof value === "function" ? undefined : unexpected(name, "a function", value);

/** Infinity is allowed. */
export const isPositive: Check = (value, name) =>
  typeof value === "number" && value > 0 ? undefined : unexpected(name, "a number above 0", value);

export const isNumber =
  (least: number, most: number): Check =>
  (value, name) =>
    typeof value === "number" && value >= least && value <= most
      ? undefined
      : unexpected(name, `a number from ${least} to ${most}`, value);

/** For an option that is checked elsewhere. */
export const isAnything: Check = () => undefined;

export const isSignal: Check = (value, name) =>
  value instanceof AbortSignal ? undefined : unexpected(name, "an AbortSignal", value);

export const isWhole =
  (least: number, most: number): Check =>
  (value, name) =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most
      ? undefined
      : unexpected(name, `a whole number from ${least} to ${most}`, value);

export const isOneOf =
  (words: readonly string[]): Check =>
  (value, name) =>
    words.includes(value as string)
      ? undefined
      : unexpected(name, words.map(quoted).join(", "), value, nearestOf(value, words));

/** Suggests the nearest of the words, if the value resembles one. */
export const nearestOf = (value: unknown, words: readonly string[]): string =>
  typeof value === "string" ? didYouMean(value, words) : "";

/** An object of options whose own options are checked elsewhere. */
export const isObject: Check = (value, name) =>
  Object.prototype.toString.call(value) === "[object Object]"
    ? undefined
    : unexpected(name, "an object", value);

/** An object of options that is an option itself. */
export const isOptions =
  (checks: Checks, rules: OptionRules = {}): Check =>
  (value, name) =>
    Object.prototype.toString.call(value) === "[object Object]"
      ? optionProblem(value, checks, { ...rules, prefix: `${name}.` })
      : unexpected(name, "an object", value);

/** Limits by name, or `reference` for those of mm-ptx 1.1.1. */
export const isLimits =
  (limits: Checks): Check =>
  (value, name) => {
    if (value === "reference") return undefined;
    return Object.prototype.toString.call(value) === "[object Object]"
      ? optionProblem(value, limits, { noun: "limit", prefix: `${name}.` })
      : unexpected(name, "limits by name or `reference`", value, nearestOf(value, ["reference"]));
  };

/** The limits that are given, completed with the defaults; they have been checked by `isLimits`. */
export function completeLimits<Limits extends object>(
  given: Partial<Limits> | "reference" | undefined,
  defaults: Limits,
  reference: Limits,
): Limits {
  if (given === "reference") return reference;
  if (given === undefined) return defaults;
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(set) };
}

/** @param what the elements of the list, for example `names` */
export const isListOf =
  (what: string, fits: (value: unknown) => boolean): Check =>
  (value, name) => {
    if (!Array.isArray(value)) return unexpected(name, `a list of ${what}`, value);
    const wrong = value.findIndex((each) => !fits(each));
    return wrong === -1 ? undefined : unexpected(`${name}[${wrong}]`, what, value[wrong]);
  };

export const isText: Check = (value, name) =>
  typeof value === "string" ? undefined : unexpected(name, "a string", value);

/** A list whose elements all pass a check. */
export const isList =
  (element: Check): Check =>
  (value, name) => {
    if (!Array.isArray(value)) return unexpected(name, "a list", value);
    for (let index = 0; index < value.length; index++) {
      const problem = element(value[index], `${name}[${index}]`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };

/** An object that has all of some properties, and may have others. */
export const isRecord = (properties: Checks, optional: Checks = {}): Check =>
  isOptions({ ...properties, ...optional }, { required: Object.keys(properties), noun: "property" });
