// Damaged sources give a result or problems with places, never a changed byte outside annotations; the time
// grows linearly with any text.
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rare } from "../../../../tests/support/counts.js";
import { anywhere } from "../../../../tests/support/place.js";
import { annotateCuda, PtxInjectError } from "../../src/index.js";
import { charactersRead } from "../support/characters.js";

const RUNS = rare(20_000);

/** The sources under a folder of the repository. */
function sourcesUnder(folder: string): string[] {
  const root = new URL(`../../../../${folder}/`, import.meta.url);
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".cu"))
    .map((path) => readFileSync(new URL(path, root), "utf8"))
    .filter((text) => text.includes("/* PTX_INJECT"));
}

const SOURCES = [...sourcesUnder("packages/inject/test"), ...sourcesUnder("tests/kernels")];

/** Pieces that mean something in annotated CUDA. */
const PIECES = [
  "/* PTX_INJECT func\n in f32 x\n out f32 z */",
  "/* PTX_INJECT ",
  "/*PTX_INJECT",
  "*/",
  "/*",
  "//",
  "\\\n",
  "\\\r\n",
  "\n",
  "\r",
  '"',
  "'",
  'R"(',
  ')"',
  'R"x(',
  "1'000",
  "#if 0\n",
  "\n#endif\n",
  "\n#else\n",
  "\n#define X ",
  "  in f32 x\n",
  " as ",
  "(",
  "]",
  "\u0000",
  "é",
];

const damage = fc.record({
  kind: fc.constantFrom("flip", "cut", "splice", "repeat", "other"),
  at: anywhere,
  length: fc.integer({ min: 0, max: 60 }),
  piece: fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 6, unit: "binary" })),
  other: fc.constantFrom(...SOURCES),
});

const damaged = fc
  .tuple(fc.constantFrom(...SOURCES), fc.array(damage, { minLength: 1, maxLength: 4 }))
  .map(([text, damages]) =>
    damages.reduce((whole, { kind, at, length, piece, other }) => {
      // Half of the damage is near an annotation.
      const center = Math.max(0, whole.indexOf("PTX_INJECT") - 20);
      const start = Math.floor(at < 0.5 ? center + at * 400 : (at - 0.5) * 2 * whole.length);
      const [before, cut, after] = [
        whole.slice(0, start),
        whole.slice(start, start + length),
        whole.slice(start + length),
      ];
      switch (kind) {
        case "cut":
          return before + after;
        case "flip":
          return (
            before +
            String.fromCharCode(whole.charCodeAt(start) ^ (1 << (length % 8))) +
            whole.slice(start + 1)
          );
        case "splice":
          return before + piece + after;
        case "repeat":
          return before + cut + cut + after;
        default:
          return (
            before +
            other.slice(Math.floor(at * other.length), Math.floor(at * other.length) + 10 * length) +
            after
          );
      }
    }, text),
  );

const lineEnds = (text: string): string => (text.match(/\r?\n/g) ?? []).join("");

describe("damaged sources", () => {
  test(`give a result or located problems, ${RUNS} times`, { timeout: 600_000 }, () => {
    let results = 0;
    fc.assert(
      fc.property(damaged, (source) => {
        try {
          const { text, injections, warnings } = annotateCuda(source);
          results++;
          expect(lineEnds(text)).toBe(lineEnds(source));
          let [from, at] = [0, 0];
          for (const { span } of injections) {
            const kept = source.slice(from, span.start);
            const next = from === 0 ? 0 : text.indexOf(kept, at);
            expect(text.slice(next, next + kept.length)).toBe(kept);
            at = next + kept.length;
            from = span.end;
          }
          expect(text.endsWith(source.slice(from))).toBe(true);
          if (injections.length === 0) expect(text).toBe(source);
          for (const { span, line } of warnings) expectPlace(source, span, line);
        } catch (error) {
          if (!(error instanceof PtxInjectError)) throw error;
          expect(error.problems.length).toBeGreaterThan(0);
          for (const { code, span, line } of error.problems) {
            expect(["FORMATTING", "UNKNOWN_TYPE", "DUPLICATE_OPERAND", "INCONSISTENT_INJECTION"]).toContain(
              code,
            );
            expectPlace(source, span, line);
          }
        }
      }),
      { numRuns: RUNS },
    );
    expect(results).toBeGreaterThan(RUNS / 10);
    expect(results).toBeLessThan(RUNS);
  });

  function expectPlace(source: string, span: { start: number; end: number }, line: number): void {
    expect(0 <= span.start && span.start < span.end && span.end <= source.length).toBe(true);
    expect(line).toBe(source.slice(0, span.start).split("\n").length);
  }
});

describe("time", () => {
  const repeated = (piece: string) => (count: number) => piece.repeat(count);
  const TEXTS: readonly (readonly [string, (count: number) => string])[] = [
    ...PIECES.map((piece) => [JSON.stringify(piece), repeated(piece)] as const),
    ["sites of one name", repeated("/* PTX_INJECT func\n in f32 x\n out f32 z */ y = x;\n")],
    [
      "sites of all names",
      (count) => Array.from({ length: count }, (_, i) => `/* PTX_INJECT f${i}\n in f32 x */`).join("\n"),
    ],
    [
      "many operands",
      (count) => `/* PTX_INJECT f\n${Array.from({ length: count }, (_, i) => `in f32 x${i}\n`).join("")}*/`,
    ],
    [
      "many operands in a definition",
      (count) =>
        `#define X /* PTX_INJECT f\\\n${Array.from({ length: count }, (_, i) => `in f32 x${i} \\\n`).join("")}*/`,
    ],
    ["one operand over many lines", (count) => `/* PTX_INJECT f\nin f32 x${"\\\n+y".repeat(count)} */`],
    ["a long name with separators", repeated("a1'")],
    ["separators without end", (count) => `1${"'1".repeat(count)}`],
    ["stars and continuations", (count) => `/*${"*\\\n".repeat(count)}*/`],
    ["continuations before a comment", repeated("\\\n/**/")],
    ["continuations, then directives", (count) => `${"\\\n".repeat(count)}${"# ".repeat(count)}`],
    ["blank lines", repeated("   \n")],
    ["blanks", (count) => `${" ".repeat(count)}\n`],
    ["comments on one line", repeated("/* */ # ")],
    ["conditionals inside each other", repeated("#if X\n")],
    [
      "sites in conditionals",
      repeated("#if X\n/* PTX_INJECT f\nin f32 x */\n#else\n/* PTX_INJECT f\nout f32 x */\n"),
    ],
    ["comments that look like annotations", repeated("/*PTX_INJECT f */\n")],
    ["such comments on one line", repeated("/*PTX_INJECT f */")],
    ["sites on one line", repeated("/* PTX_INJECT f\n in f32 x */")],
    [
      "a comment that looks like one and has blank lines",
      (count) => `/*PTX_INJECT f g${"\n".repeat(count)}*/`,
    ],
    ["prose", repeated("/* prints what it's told */\n")],
    ["problems", repeated("/* PTX_INJECT f\nin f33 x */\n")],
    ["sites that differ", (count) => `/* PTX_INJECT f */${"/* PTX_INJECT f\nin f32 x */\n".repeat(count)}`],
    ["brackets", (count) => `/* PTX_INJECT f\nin f32 ${"(".repeat(count)} */`],
    ["closed brackets", (count) => `/* PTX_INJECT f\nin f32 ${"(".repeat(count)}${")".repeat(count)} */`],
    ["`as`", (count) => `/* PTX_INJECT f\nin f32 x ${"as ".repeat(count)} */`],
    ["quotes in an operand", (count) => `/* PTX_INJECT f\nin f32 ${"'".repeat(count)} */`],
  ];

  test.each(TEXTS)("grows with the text: %s", (_, textOf) => {
    const read = (count: number): number => {
      const source = textOf(count);
      return charactersRead(() => {
        try {
          annotateCuda(source);
        } catch (error) {
          if (!(error instanceof PtxInjectError)) throw error;
        }
      });
    };
    // Showing twenty problems counts lines from the start for each: that is linear too, but must not hide the
    // rest.
    const [small, large] = [read(1_000), read(4_000)];
    expect(large).toBeLessThan(4.4 * small + 1_000);
  });
});
