// The check of `npm run lint` for phrases that prose avoids.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findPhrases, PLACES, phrasesIn } from "../scripts/lib/phrases.mjs";
import { listFiles } from "../scripts/lib/workspace.mjs";
import { ROOT } from "./support/workspace.js";

it("finds no phrases in the places that it checks", () => {
  expect(phrasesIn(ROOT)).toEqual([]);
});

it("checks places that exist", () => {
  const kept = PLACES.filter((place) => place.endsWith(".md") || listFiles(ROOT, place).length > 0);
  // Not every package has AssemblyScript and scripts of its own.
  expect(PLACES.filter((place) => !kept.includes(place) && !/\/(?:assembly|scripts)$/.test(place))).toEqual(
    [],
  );
});

it("finds a planted phrase with its file and line", () => {
  const folder = mkdtempSync(join(tmpdir(), "phrases-"));
  try {
    mkdirSync(join(folder, "src"));
    writeFileSync(
      join(folder, "src/one.ts"),
      "/** The next value. */\nexport const one = 1; // it is no number\n",
    );
    writeFileSync(join(folder, "src/data.json"), '{ "text": "it is no number" }\n');
    expect(phrasesIn(folder, ["src"])).toEqual(["src/one.ts:2: found `it is no number`, write: is not a"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it.each([
  [
    "a comment over two lines",
    "/**\n * Frees the memory that the caller gave\n * back.\n */",
    2,
    "gave back",
  ],
  ["a line comment over two lines", "// The list, and the bytes\n// behind it.", 2, "behind it"],
  ["a message", 'throw invalid("expected a stream that is in use");', 1, "expected a stream that is in use"],
  ["any case", "Who knows mm-ptx 1.x begins here.", 1, "Who knows"],
])("finds a phrase in %s", (_what, text, line, found) => {
  expect(findPhrases(text).map((each) => [each.line, each.found])).toEqual([[line, found]]);
});

it.each([
  "it is no longer needed",
  "so many that a search takes minutes",
  "there is none",
  "nothing is behind the curtain",
  "`AST` stands for abstract syntax tree",
])("accepts: %s", (text) => {
  expect(findPhrases(text)).toEqual([]);
});
