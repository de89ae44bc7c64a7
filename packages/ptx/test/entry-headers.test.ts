// `entryHeaders` finds the headers of kernels without parsing, and agrees with the module's parser. Its time
// grows only with the length of the text.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { smoke } from "../../../tests/support/counts.js";
import { entryHeaders, type PtxModule, readModule, tokenize } from "../src/index.js";
import { damaged } from "./support/damage.js";
import { TEXTS } from "./support/texts.js";

const RUNS = smoke(20_000);

/** The headers that the parser finds, from the token `.entry` up to the brace. */
function headersOf({ text, tokens, statements, entries }: PtxModule): string[] {
  return entries.map(({ statement, bodySpan }) => {
    let token = statements.firsts[statement]!;
    while (tokens.textOf(token) !== ".entry") token++;
    return text.slice(tokens.start(token), bodySpan!.start);
  });
}

const whole = TEXTS.filter(({ isDamaged }) => !isDamaged);

test("the texts include the corpus and the emulator's kernels", () => {
  for (const folder of ["tests/kernels/", "packages/emulator/test/kernels/"]) {
    const own = whole.filter(({ name }) => name.startsWith(folder));
    expect(own.length).toBeGreaterThan(20);
    for (const { text } of own) expect(entryHeaders(text)).not.toEqual([]);
  }
});

test.each(whole)("finds the headers of $name", ({ text }) => {
  expect(entryHeaders(text)).toEqual(headersOf(readModule(text)));
});

test.each<[what: string, text: string, headers: readonly string[]]>([
  ["in comments and strings", '/*.entry a(){*/\n//.entry b(){\n.file 1 ".entry c(){"\n', []],
  ["in a line of the preprocessor", '# 1 ".entry a(){}\n.entry b(){}\n#.entry c(){}', [".entry b()"]],
  ["between comments", ".visible/*{*/.entry/*;*/a//{\n(){}", [".entry/*;*/a//{\n()"]],
  ["without blanks", ".visible.entry%a(){}.entry$b(){}", [".entry%a()"]],
  ["of an opcode or a name", "add.entry a{}x.visible.entry b{}.entry.x{}.entry_ c{}", [".entry.x"]],
  ["declared alone", ".entry a();\n.visible .entry b(){}", [".entry b()"]],
  ["with a pragma", '.entry a() .pragma "{;" ; .maxntid 1 {}', ['.entry a() .pragma "{;" ; .maxntid 1 ']],
  ["without an end", ".entry a() .entry b() .entry c(){} .entry d(", [".entry c()"]],
  ["within an unterminated string", '.entry a(){} " .entry b(){}', [".entry a()"]],
])("finds kernels %s", (_, text, headers) => {
  expect(entryHeaders(text)).toEqual(headers);
});

/** What may be inserted between two tokens. */
const gap = fc.constantFrom(
  " ",
  "\n",
  "\r\n",
  "/**/",
  "/*.entry a(){*/",
  '/*"*/',
  "//.entry b(){\n",
  '//"/*\n',
  "\n#.entry c(){\n",
  '\n# 1 "\n',
);

/** The tokens of a header except blanks and comments. */
function wordsOf(header: string): string[] {
  const tokens = tokenize(header);
  return Array.from({ length: tokens.count }, (_, token) => token)
    .filter((token) => !["blank", "comment"].includes(tokens.kind(token)))
    .map((token) => tokens.textOf(token));
}

test(`comments between the tokens change nothing, ${RUNS} times`, () => {
  const texts = whole.filter(({ text }) => text.length < 4_000 && /\.entry/.test(text));
  expect(texts.length).toBeGreaterThan(10);
  fc.assert(
    fc.property(
      fc.constantFrom(...texts),
      fc.array(fc.tuple(fc.nat(), gap), { minLength: 1, maxLength: 8 }),
      ({ text }, gaps) => {
        const tokens = tokenize(text);
        const before = new Map(gaps.map(([at, blank]) => [at % tokens.count, blank]));
        let commented = "";
        for (let token = 0; token < tokens.count; token++)
          commented += (before.get(token) ?? "") + tokens.textOf(token);
        const found = entryHeaders(commented);
        expect(found).toEqual(headersOf(readModule(commented)));
        expect(found.map(wordsOf)).toEqual(entryHeaders(text).map(wordsOf));
      },
    ),
    { numRuns: RUNS },
  );
});

test(`in damaged texts the headers are those that the parser finds, ${RUNS} times`, () => {
  let sound = 0;
  let kernels = 0;
  fc.assert(
    fc.property(damaged, (text) => {
      const found = entryHeaders(text);
      let at = 0;
      for (const header of found) {
        expect(header.startsWith(".entry")).toBe(true);
        // The same words may also occur before it, without a brace.
        at = text.indexOf(`${header}{`, at);
        expect(at).toBeGreaterThan(-1);
        at += header.length;
      }
      const module = readModule(text, { tolerant: true });
      if (module.problems.length > 0) return;
      sound++;
      kernels += found.length;
      expect(found).toEqual(headersOf(module));
    }),
    { numRuns: RUNS },
  );
  expect(sound).toBeGreaterThan(RUNS / 100);
  expect(kernels).toBeGreaterThan(0);
});

describe("among very many", () => {
  const HOSTILE: Readonly<Record<string, (count: number) => string>> = {
    "headers without an end": (count) => ".entry ".repeat(count),
    "headers without a blank": (count) => ".entry".repeat(count),
    "headers before one brace": (count) => `${".entry a() ".repeat(count)}{}`,
    "headers after an open comment": (count) => `/*${".entry ".repeat(count)}`,
    quotes: (count) => `${'"'.repeat(count)}.entry a(){}`,
    slashes: (count) => `${"/ ".repeat(count)}.entry a(){}`,
    hashes: (count) => `${"#".repeat(count)}.entry a(){}`,
    comments: (count) => `.entry a(${"/**/".repeat(count)}){}`,
    pragmas: (count) => `.entry a() ${'.pragma "";'.repeat(count)}{}`,
  };
  test.each(Object.entries(HOSTILE))("%s, the last header is found, or none", (_, make) => {
    const found = entryHeaders(make(smoke(2_000_000)));
    expect(found.length).toBeLessThanOrEqual(1);
    expect(found).toHaveLength(entryHeaders(make(2)).length);
  });
});
