import { expect, it } from "vitest";
import {
  type Checks,
  completeLimits,
  isBoolean,
  isFunction,
  isLimits,
  isListOf,
  isNumber,
  isOneOf,
  isOptions,
  isPositive,
  isSignal,
  isWhole,
  nameProblem,
  optionProblem,
  unknownName,
} from "../../src/internal/index.js";

const CHECKS: Checks = {
  effort: isOneOf(["final", "draft"]),
  workers: isWhole(1, 8),
  fmad: isBoolean,
  signal: isSignal,
  names: isListOf("names", (value) => typeof value === "string"),
  onStep: isFunction,
  rate: isNumber(0, 1),
  timeoutMs: isPositive,
  check: isOptions({ races: isBoolean, onStep: isFunction }, { required: ["races"] }),
  limits: isLimits({ depth: isWhole(0, 4) }),
};
const NAMES = Object.keys(CHECKS)
  .map((name) => `\`${name}\``)
  .join(", ");

it.each<[options: unknown, problem: string | undefined]>([
  [{}, undefined],
  [Object.create(null), undefined],
  [
    { effort: "draft", workers: 8, fmad: false, signal: new AbortController().signal, names: ["a"] },
    undefined,
  ],
  [{ effort: undefined, workers: undefined }, undefined],
  [undefined, "expected options as an object, found undefined"],
  [null, "expected options as an object, found null"],
  ["draft", "expected options as an object, found `draft`"],
  [[], "expected options as an object, found an array"],
  [new Map(), "expected options as an object, found an object of Map"],
  [{ efort: "draft" }, "unknown option `efort`, did you mean `effort`?"],
  [{ bananas: 1 }, `unknown option \`bananas\`: expected one of ${NAMES}`],
  [{ toString: 1 }, `unknown option \`toString\`: expected one of ${NAMES}`],
  [{ efort: undefined }, "unknown option `efort`, did you mean `effort`?"],
  [{ effort: "fnal" }, "option `effort`: expected `final`, `draft`, found `fnal`, did you mean `final`?"],
  [{ effort: 3 }, "option `effort`: expected `final`, `draft`, found 3"],
  [{ workers: 0 }, "option `workers`: expected a whole number from 1 to 8, found 0"],
  [{ workers: 1.5 }, "option `workers`: expected a whole number from 1 to 8, found 1.5"],
  [{ workers: "4" }, "option `workers`: expected a whole number from 1 to 8, found `4`"],
  [{ fmad: null }, "option `fmad`: expected a boolean, found null"],
  [{ signal: true }, "option `signal`: expected an AbortSignal, found true"],
  [{ names: "a" }, "option `names`: expected a list of names, found `a`"],
  [{ names: ["a", 2] }, "option `names[1]`: expected names, found 2"],
  [{ onStep: 1 }, "option `onStep`: expected a function, found 1"],
  [{ rate: 2 }, "option `rate`: expected a number from 0 to 1, found 2"],
  [{ rate: Number.NaN }, "option `rate`: expected a number from 0 to 1, found NaN"],
  [{ timeoutMs: 0 }, "option `timeoutMs`: expected a number above 0, found 0"],
  [{ timeoutMs: Number.POSITIVE_INFINITY }, undefined],
  [{ check: { races: true, onStep: () => {} } }, undefined],
  [{ check: 1 }, "option `check`: expected an object, found 1"],
  [{ check: {} }, "option `check.races`: expected a boolean, found undefined"],
  [{ check: { race: true } }, "unknown option `race`, did you mean `races`?"],
  [{ limits: "reference" }, undefined],
  [{ limits: { depth: 4 } }, undefined],
  [{ limits: { depth: 5 } }, "option `limits.depth`: expected a whole number from 0 to 4, found 5"],
  [{ limits: { dept: 5 } }, "unknown limit `dept`, did you mean `depth`?"],
  [
    { limits: "referense" },
    "option `limits`: expected limits by name or `reference`, found `referense`, did you mean `reference`?",
  ],
  [{ limits: new Map() }, "option `limits`: expected limits by name or `reference`, found an object of Map"],
])("options %o: %s", (options, problem) => {
  expect(optionProblem(options, CHECKS)).toBe(problem);
});

it("reports missing options, and puts a prefix before names", () => {
  expect(optionProblem({}, CHECKS, { required: ["workers"], prefix: "cache." })).toBe(
    "option `cache.workers`: expected a whole number from 1 to 8, found undefined",
  );
});

it("completes limits with the defaults", () => {
  const [defaults, reference] = [
    { depth: 1, size: 2 },
    { depth: 0, size: 0 },
  ];
  expect(completeLimits(undefined, defaults, reference)).toBe(defaults);
  expect(completeLimits("reference", defaults, reference)).toBe(reference);
  expect(
    completeLimits<typeof defaults>({ depth: 4, size: undefined as never }, defaults, reference),
  ).toEqual({ depth: 4, size: 2 });
});

it("says what the names are and what they belong to", () => {
  expect(nameProblem({ stacksize: 1 }, ["stackSize"], { noun: "limit" })).toBe(
    "unknown limit `stacksize`, did you mean `stackSize`?",
  );
  expect(nameProblem(3, ["check"], { of: "render" })).toBe(
    "expected options of render as an object, found 3",
  );
  expect(unknownName(["a", "x"], ["a", "b"], { of: "pack" })).toBe(
    "unknown option `x` of pack, did you mean `a`?",
  );
  expect(unknownName(["a"], ["a", "b"])).toBeUndefined();
});
