// How error messages show an unexpected value.
import { expect, it } from "vitest";
import { describeValue } from "../../src/internal/index.js";

it.each<[unknown, string]>([
  ["text", "`text`"],
  ["two\nlines\r\n", "`two\\nlines\\r\\n`"],
  ["a\tb\u0000\u007f\u2028", "`a\\tb\\u0000\\u007f\\u2028`"],
  ["x".repeat(70), `\`${"x".repeat(60)}…\``],
  [1.5, "1.5"],
  [Number.NaN, "NaN"],
  [true, "true"],
  [null, "null"],
  [undefined, "undefined"],
  [[1], "an array"],
  [{}, "an object"],
  [Object.create(null), "an object"],
  [new Uint16Array(1), "an object of Uint16Array"],
  [() => 1, "a function"],
  [Symbol("s"), "a symbol"],
  [1n, "a bigint"],
  [{ constructor: { name: `x${"\n".repeat(70)}` } }, `an object of x${"\\n".repeat(59)}…`],
])("shows %o", (value, words) => {
  expect(describeValue(value)).toBe(words);
});

it("shows values that throw when they are inspected", () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  expect(describeValue(proxy)).toBe("an object");
  const throwing = Object.defineProperty({}, "constructor", { get: () => JSON.parse("") });
  expect(describeValue(throwing)).toBe("an object");
});
