// Damaged and hostile texts: the result is always sound, or an error with places, and never a crash. The time
// grows only with the length of the text, which is shown by counting steps.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rare, smoke } from "../../../tests/support/counts.js";
import { Problems } from "../src/error.js";
import { PtxError, readFragment, readModule, Tokens } from "../src/index.js";
import { resolveNames } from "../src/resolve.js";
import { splitStatements } from "../src/split.js";
import { damaged } from "./support/damage.js";
import { expectSound } from "./support/invariants.js";

const RUNS = rare(20_000);

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

/** Texts that invite recursion, or reading the same part again and again. */
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
  "invalid characters": (count) => "é\\ ".repeat(count),
  blanks: (count) => " \n".repeat(count),
};

/** The steps that reading a text takes: characters and tokens examined. */
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

  test.each(Object.entries(HOSTILE))("very many %s are read to the end", { timeout: 600_000 }, (_, make) => {
    const text = make(Math.ceil(rare(5_000_000) / (make(2).length - make(1).length)));
    const code = readFragment(text, { tolerant: true });
    expect(code.tokens.end(code.tokens.count - 1)).toBe(text.length);
    expect(code.names.uses.length).toBeLessThanOrEqual(text.length);
    if (code.statements.kind(0) === "instruction") expect(code.instruction(0).opcode).not.toBe("-");
    readModule(text, { tolerant: true });
  });

  test("very many braces open a scope each", () => {
    const count = smoke(1_000_000);
    const { statements } = readModule("{".repeat(count), { tolerant: true });
    expect(statements.scopeCount).toBe(count + 1);
    expect(statements.closes[1]).toBe(count - 1);
  });

  test.each([" ", "a", "1", "é", '"', "/"])("a very long line of %j is read", (character) => {
    const text = character.repeat(smoke(10_000_000));
    expect(readModule(text, { tolerant: true }).tokens.text).toBe(text);
  });
});
