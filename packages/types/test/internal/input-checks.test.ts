import { expect, it } from "vitest";
import { disposedText, foreignText, inputChecks, isBoolean } from "../../src/internal/index.js";

class Refused extends Error {}
const checks = inputChecks((message) => new Refused(message));

it.each<[what: string, run: () => unknown, message: string]>([
  ["no options", () => checks.checkNames(null as never, ["a"]), "expected options as an object, found null"],
  [
    "an unknown option",
    () => checks.checkNames({ strem: 1 }, ["stream", "offset"]),
    "unknown option `strem`, did you mean `stream`?",
  ],
  [
    "a fraction",
    () => checks.wholeNumber("bytes", 1.5, 0, 9),
    "expected `bytes` as a whole number from 0 to 9, found 1.5",
  ],
  [
    "a number below",
    () => checks.wholeNumber("bytes", -1, 0, 9),
    "expected `bytes` as a whole number from 0 to 9, found -1",
  ],
  [
    "a text for a number",
    () => checks.wholeNumber("bytes", "1" as never, 0, 9),
    "expected `bytes` as a whole number from 0 to 9, found `1`",
  ],
  [
    "an option of another type",
    () => checks.checkOptions({ jit: 1 }, { jit: isBoolean }),
    "option `jit`: expected a boolean, found 1",
  ],
  [
    "no function",
    () => checks.optionalFunction("onStep", 1),
    "option `onStep`: expected a function, found 1",
  ],
  ["no boolean", () => checks.optionalBoolean("jit", 1), "option `jit`: expected a boolean, found 1"],
])("refuses %s", (_, run, message) => {
  expect(run).toThrow(new Refused(message));
  expect(run).toThrow(Refused);
});

it("returns values in range", () => {
  expect(checks.wholeNumber("bytes", 9, 0, 9)).toBe(9);
  expect(() => checks.checkNames({ a: undefined }, ["a"])).not.toThrow();
  expect(() => checks.optionalFunction("f", undefined)).not.toThrow();
  expect(() => checks.optionalBoolean("b", undefined)).not.toThrow();
});

it("names things with an article", () => {
  expect(disposedText("event")).toBe("expected an open event, found a disposed one");
  expect(foreignText("buffer")).toBe("expected a buffer of this device, found one of another");
});
