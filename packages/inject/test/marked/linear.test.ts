// Parsing takes time in proportion to the text, whatever it contains. Instead of seconds, the test counts
// steps: each call of a string method, and every character that it may have examined.
import { describe, expect, test } from "vitest";
import { PtxInjectError, parsePtx } from "../../src/index.js";
import { site } from "../support/helpers.js";

/** Characters that a method may have examined, from the text, its result and its arguments. */
const LOOKED_AT: Record<string, (text: string, result: never, args: readonly unknown[]) => number> = {
  charCodeAt: () => 0,
  indexOf: (text, at: number, [, from = 0]) => (at === -1 ? text.length : at) - Number(from),
  search: (text) => text.length,
  slice: (_, piece: string) => piece.length,
  substring: (_, piece: string) => piece.length,
};

/** The number of steps that `run` takes; a `PtxInjectError` counts as a result. */
function stepsOf(run: () => unknown): number {
  const prototype = String.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  const kept = Object.keys(LOOKED_AT).map((name) => [name, prototype[name]!] as const);
  let steps = 0;
  for (const [name, method] of kept) {
    const lookedAt = LOOKED_AT[name]!;
    prototype[name] = function (this: string, ...args) {
      const result = method.apply(this, args);
      steps += 1 + lookedAt(this, result as never, args);
      return result;
    };
  }
  try {
    run();
  } catch (error) {
    if (!(error instanceof PtxInjectError)) throw error;
  } finally {
    Object.assign(prototype, Object.fromEntries(kept));
  }
  return steps;
}

const X = "_x0 i f32 F32 x";
const repeat = (count: number, make: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => make(i)).join("");

const TEXTS: Record<string, (count: number) => string> = {
  "one name": (count) => repeat(count, () => site("f", X)),
  "a name a site": (count) => repeat(count, (i) => site(`f${i}`, X)),
  "names in pairs": (count) => repeat(count, (i) => site(`f${i >> 1}`, X)),
  "operands of its own at each site": (count) => repeat(count, (i) => site(`f${i}`, `_x0 i f32 F32 x${i}`)),
  "ten names in turn": (count) => repeat(count, (i) => site(`f${i % 10}`, `_x0 i f32 F32 x${i % 10}`)),
  "names in no order": (count) => repeat(count, (i) => site(`f${(i * 7919) % 97}`, X)),
  "a long site among short ones": (count) =>
    site("long", ...Array.from({ length: count }, () => X)) + repeat(count, () => site("short", X)),
  "a long site, and its beginning under other names": (count) =>
    site("long", ...Array.from({ length: 100 }, () => X)) + repeat(count, (i) => site(`f${i}`, X, X)),
  "sites that differ in blanks": (count) => repeat(count, (i) => site("f", `${X}${" ".repeat(i % 7)}`)),
  "0.x, with other registers at each": (count) =>
    repeat(count, (i) => site("f", `%f${i} mod f32 x`, `%r${i} in u32 y`)),
  "0.x, a name a site": (count) => repeat(count, (i) => site(`f${i}`, `%f${i} mod f32 x`)),
  "both forms in turn": (count) =>
    repeat(count, (i) => (i % 2 === 0 ? site("f", "_x0 i f32 f32 x") : site("f", `%f${i} in f32 x`))),
  "the word of a marker and no marker": (count) => repeat(count, () => "PTX_INJECT_START f\n"),
  "a site that never ends": (count) => `// PTX_INJECT_START f\n${repeat(count, () => `// ${X}\n`)}`,
  "a name that never ends": (count) => `// PTX_INJECT_START ${repeat(count, () => "name ")}`,
  "a name of blanks": (count) => `// PTX_INJECT_START ${" ".repeat(20 * count)}\n`,
  "blanks after every word": (count) =>
    site("f", `_x0 i${" ".repeat(count)}f32${" ".repeat(count)}F32 x${" ".repeat(count)}`),
  "inconsistent operands everywhere": (count) => repeat(count, (i) => site("f", `_x0 i f32 F32 x${i}`)),
  "names that begin with each other": (count) =>
    repeat(Math.ceil(Math.sqrt(count)), (i) => site("f".repeat(i + 1), X)),
};

describe.each(Object.entries(TEXTS))("%s", (_, make) => {
  test("takes steps in proportion to the length", () => {
    const perCharacter = [200, 800, 3_200].map((count) => {
      const text = make(count);
      return stepsOf(() => parsePtx(text).injections) / text.length;
    });
    expect(perCharacter[0]).toBeGreaterThan(0);
    expect(perCharacter[1]! / perCharacter[0]!).toBeLessThan(1.5);
    expect(perCharacter[2]! / perCharacter[1]!).toBeLessThan(1.3);
    expect(perCharacter[2]).toBeLessThan(30);
  });
});

test("the number of steps reveals quadratic time", () => {
  const slow = (text: string) => {
    for (let at = 0; at < text.length; at++) text.indexOf("!", at);
  };
  const [few, many] = [stepsOf(() => slow("-".repeat(200))), stepsOf(() => slow("-".repeat(800)))];
  expect(many! / few!).toBeGreaterThan(10);
});
