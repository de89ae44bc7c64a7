// Damaged and hostile texts: always a result that is sound and an error with places, never a crash, and time that grows with
// the length alone, shown by counting steps.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../../tests/support/counts.js";
import { anywhere } from "../../../tests/support/place.js";
import { Problems } from "../src/error.js";
import { PtxError, readFragment, readModule, Tokens } from "../src/index.js";
import { resolveNames } from "../src/resolve.js";
import { splitStatements } from "../src/split.js";
import { expectSound } from "./invariants.js";
import { TEXTS } from "./texts.js";

const RUNS = cases(20_000);
/** Whole texts take longer to check than to read: of long ones a piece is damaged. */
const PIECE = 4_000;

const PIECES = [
  "{",
  "}",
  "(",
  ")",
  ";",
  ":",
  ",",
  '"',
  "/*",
  "*/",
  "//",
  "\n",
  "@",
  ".func",
  ".reg",
  ".section x",
  ".loc 1",
  "%",
  "é",
  "0x",
  "<",
  "=",
];

const piece = fc.tuple(fc.constantFrom(...TEXTS), anywhere).map(([{ text }, at]) => {
  const start = Math.floor(at * Math.max(0, text.length - PIECE));
  return text.slice(start, start + PIECE);
});

/** Flips, cuts, insertions and repetitions at random places. */
const damaged = fc
  .tuple(
    piece,
    fc.array(
      fc.record({
        kind: fc.constantFrom("flip", "cut", "insert", "repeat"),
        at: anywhere,
        length: fc.integer({ min: 0, max: 60 }),
        text: fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 4, unit: "binary" })),
      }),
      { minLength: 1, maxLength: 5 },
    ),
  )
  .map(([text, damages]) =>
    damages.reduce((whole, { kind, at, length, text: other }) => {
      const start = Math.floor(at * whole.length);
      const [before, middle, after] = [
        whole.slice(0, start),
        whole.slice(start, start + length),
        whole.slice(start + length),
      ];
      if (kind === "cut") return before + after;
      if (kind === "insert") return before + other + middle + after;
      if (kind === "repeat") return before + middle + middle + after;
      const flipped = String.fromCharCode(whole.charCodeAt(start) ^ (1 << (length % 8)));
      return before + flipped + whole.slice(start + 1);
    }, text),
  );

test(`damaged pieces of real texts are read soundly, ${RUNS} times`, { timeout: 600_000 }, () => {
  let refused = 0;
  fc.assert(
    fc.property(damaged, (text) => {
      const module = readModule(text, { tolerant: true });
      expectSound(module);
      try {
        readModule(text);
        expect(module.problems).toEqual([]);
      } catch (error) {
        if (!(error instanceof PtxError)) throw error;
        refused++;
        expect(error.problems.map(({ message }) => message).sort()).toEqual(
          module.problems.map(({ message }) => message).sort(),
        );
        expect(error.code).toBe(error.problems[0]!.code);
        expect(error.span).toEqual(error.problems[0]!.span);
      }
    }),
    { numRuns: RUNS },
  );
  expect(refused).toBeGreaterThan(RUNS / 10);
});

/** Texts that ask for recursion, or for reading the same again and again. */
const HOSTILE: Readonly<Record<string, (count: number) => string>> = {
  "open braces": (count) => "{".repeat(count),
  "closing braces": (count) => "}".repeat(count),
  "functions without an end": (count) => ".func f() {".repeat(count),
  "headers without an end": (count) => ".func ".repeat(count),
  "nested names": (count) => `${"{ .reg .b32 a; ".repeat(count)}mov a, b;${"}".repeat(count)}`,
  "nested ranges": (count) =>
    Array.from({ length: count }, (_, i) => `{.reg .b32 r<${count - i}>;mov r${count - 1},r0;`).join(""),
  "uses deep inside": (count) => `${"{".repeat(count)}${"mov a, b;".repeat(count)}`,
  "open parentheses": (count) => `call ${"(".repeat(count)}`,
  "open vectors": (count) => `mov ${"{".repeat(count)};`,
  linkages: (count) => ".visible ".repeat(count),
  guards: (count) => "@".repeat(count),
  opcodes: (count) => "a ".repeat(count),
  lines: (count) => "a\n".repeat(count),
  labels: (count) => "L:".repeat(count),
  modifiers: (count) => `a${".b".repeat(count)}`,
  directives: (count) => ".b".repeat(count),
  colons: (count) => "a::".repeat(count),
  lists: (count) => `.target ${"a, ".repeat(count)}`,
  places: (count) => ".loc 1 2 3, a b + ".repeat(count),
  "pragmas in a header": (count) => `.func f ${'.pragma "x" '.repeat(count)}`,
  declarators: (count) => `.reg .b32 ${"a, ".repeat(count)}b;`,
  dimensions: (count) => `.global .b8 a${"[".repeat(count)};`,
  "initial values": (count) => `.global .b8 a = ${"{".repeat(count)};`,
  sections: (count) => ".section x {".repeat(count),
  "section words": (count) => `.section x { ${"a ".repeat(count)}}`,
  ranges: (count) => `.reg .b32 r<9>; mov ${"r0, ".repeat(count)}r1${"0".repeat(count)};`,
  comments: (count) => `ret ${"/**/ ".repeat(count)}`,
  "comments between": (count) => "ret /* */ // \n".repeat(count),
  quotes: (count) => '"'.repeat(count),
  digits: (count) => "1".repeat(count),
  exponents: (count) => "1e+".repeat(count),
  "characters that are none": (count) => "é\\ ".repeat(count),
  blanks: (count) => " \n".repeat(count),
};

/** Steps that reading a text takes: characters and tokens looked at. */
function stepsOf(text: string): number {
  let steps = 0;
  const counted = {
    length: text.length,
    charCodeAt: (at: number) => {
      steps++;
      return text.charCodeAt(at);
    },
    indexOf: (word: string, from: number) => {
      const found = text.indexOf(word, from);
      steps += (found === -1 ? text.length : found) - from + 1;
      return found;
    },
    substring: (start: number, end: number) => {
      steps += end - start + 1;
      return text.substring(start, end);
    },
  } as unknown as string;
  const tokens = new Tokens().read(counted);
  const { kinds } = tokens;
  tokens.kinds = new Proxy(kinds, {
    get: (target, key) => {
      steps++;
      return Reflect.get(target, key);
    },
  });
  const statements = splitStatements(tokens, new Problems());
  const names = resolveNames(statements);
  return steps + statements.count + names.uses.length + names.declarations.length;
}

describe("hostile texts", () => {
  test.each(Object.entries(HOSTILE))("%s take steps in proportion to their number", (_, make) => {
    const [few, many] = [200, 2_000];
    expect(stepsOf(make(many)) / stepsOf(make(few))).toBeLessThan(
      (1.1 * make(many).length) / make(few).length,
    );
  });

  test.each(Object.entries(HOSTILE))("%s, very many", { timeout: 600_000 }, (_, make) => {
    const text = make(Math.ceil(cases(5_000_000) / (make(2).length - make(1).length)));
    const code = readFragment(text, { tolerant: true });
    expect(code.tokens.end(code.tokens.count - 1)).toBe(text.length);
    expect(code.names.uses.length).toBeLessThanOrEqual(text.length);
    if (code.statements.kind(0) === "instruction") expect(code.instruction(0).opcode).not.toBe("-");
    readModule(text, { tolerant: true });
  });

  test("1 MB of braces", () => {
    const { statements } = readModule("{".repeat(1_000_000), { tolerant: true });
    expect(statements.scopeCount).toBe(1_000_001);
    expect(statements.closes[1]).toBe(999_999);
  });

  test.each([" ", "a", "1", "é", '"', "/"])("a line of 10 MB of %j", (character) => {
    const text = character.repeat(10_000_000);
    expect(readModule(text, { tolerant: true }).tokens.text).toBe(text);
  });
});
