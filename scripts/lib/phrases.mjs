// Phrases that prose here avoids because readers stumble over them, such as literal translations, each with a
// replacement. `npm run lint` looks for them in the places below; add a place once its text is free of them.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles } from "./workspace.mjs";

/** @typedef {{ line: number, found: string, instead: string }} PhraseFound */

/** Folders and files whose prose is checked. */
export const PLACES = [
  "bench",
  "docs/coming-from-c.md",
  "docs/coming-from-python.md",
  "docs/emulator-arithmetic.md",
  "docs/emulator-coverage.md",
  "docs/emulator-gpu.md",
  "docs/farm-operations.md",
  "docs/gpu-report.md",
  "docs/guide/ast.md",
  "docs/guide/cuda.md",
  "docs/guide/emulator.md",
  "docs/guide/farm.md",
  "docs/guide/learn.md",
  "docs/guide/pipeline.md",
  "docs/guide/ptx.md",
  "docs/guide/running-kernels.md",
  "docs/guide/search.md",
  "docs/guide/stack.md",
  "docs/guide/types.md",
  "docs/hints.md",
  "docs/interpreter.md",
  "docs/mm-ptx.md",
  "docs/mm-ptx-cuda.md",
  "docs/mm-ptx-farm.md",
  "docs/mm-ptx-pipeline.md",
  "docs/mm-ptx-search.md",
  "docs/program-file.md",
  "docs/stability.md",
  "native/learn",
  "native/test",
  "packages/cli/src",
  ...["ast", "columns", "inject", "ptx", "stack", "types"].flatMap((name) =>
    ["README.md", "assembly", "scripts", "src"].map((part) => `packages/${name}/${part}`),
  ),
  "packages/cuda/README.md",
  ...["cache", "cli", "cubin", "cuda", "driver", "link", "native", "ptx", "toolkit"].map(
    (name) => `packages/cuda/src/${name}`,
  ),
  "packages/emulator/README.md",
  "packages/emulator/scripts",
  "packages/emulator/src",
  ...["README.md", "src", "templates", "test"].map((part) => `packages/mm-ptx/${part}`),
  "packages/farm/README.md",
  "packages/farm/src",
  "packages/farm/test",
  "packages/learn/README.md",
  "packages/learn/assembly",
  "packages/learn/src",
  "packages/learn/test",
  "packages/pipeline/README.md",
  "packages/pipeline/src",
  "packages/pipeline/test",
  "packages/search/README.md",
  "packages/search/src",
  "packages/search/test",
  "site/pages",
  "site/pictures",
  "site/source",
];

const PROSE = /\.(?:cjs|cpp|h|js|md|mjs|ts)$/;

/** @type {readonly (readonly [phrase: RegExp, instead: string])[]} */
export const PHRASES = [
  [/\bbehind (?:each other|it|one another|them)\b/, "after it, one after the other"],
  [/\bstands? (?:at|before|behind|beside|in|on|there)\b/, "is"],
  [/\bso many\b(?! (?:as|that)\b)/, "that many, `n`, or the number itself"],
  [/(?<!\bthere )\b(?:are|is) none\b/, "there is no …, or is not a …"],
  [
    /\b(?:if|it|that|unless|when|which) is no (?!better\b|less\b|longer\b|more\b|need\b|one\b|such\b|worse\b)\w+/,
    "is not a",
  ],
  [/\b(?:gave|give|given|gives|giving) back\b/, "frees, or returns"],
  [/\b(?:are|is|was|were) never done\b/, "has not run yet"],
  [/\bexpected an? \w+ that is in use\b/, "expected an open …"],
  [/\bfound one that was (?:closed|disposed)\b/, "found a closed (or disposed) one"],
  [/\b(?:is|are) a miss and goe?s?\b/, "counts as a miss and is deleted"],
  [/\b(?:can|can't|cannot|could|could not|may|to) be had\b/, "can be found, can be opened, is available"],
  [/\bhas to do with\b/, "concerns"],
  [/\bin silence\b/, "silently"],
  [/\bin vain\b/, "without need, to no effect"],
  [/\bas ever\b/, "as always"],
  [/\banew\b/, "again"],
  [/\bhears?\b/, "receives"],
  [/\b(?:is|are) told (?:at once|by)\b/, "is reported"],
  [/\btells? (?:all|how|of|what|whether|why)\b/, "reports, says, shows"],
  [/\b(?:for|is) who (?:has|knows|makes|writes)\b/, "for users who, or if you"],
  [/(?:^|[.;:] )who (?:has|knows|makes|writes)\b/, "if you have (know, make, write)"],
  [/\bwithout that as well\b/, "with neither"],
  [/\bas (?:deep|large|long|many) as (?:it|they) may\b/, "up to the limit"],
  [/\bwithout a thought\b/, "independently of"],
  [/\bsees that\b/, "makes sure that"],
  [/\bis dear\b/, "is expensive"],
  [/\bpartings?\b/, "divergence"],
  [/\b(?:mend|mended|mends)\b/, "fix"],
].map(([phrase, instead]) => [new RegExp(phrase, "gi"), /** @type {string} */ (instead)]);

/**
 * The phrases of a text, comments that continue on the next line included.
 *
 * @param {string} text
 * @returns {PhraseFound[]} in the order of the text
 */
export function findPhrases(text) {
  /** @type {number[]} The offset of each line in `joined`. */
  const starts = [];
  let joined = "";
  for (const line of text.split("\n")) {
    starts.push(joined.length);
    joined += `${line.trim().replace(/^(?:\/\/|\/?\*+|#+)\s*/, "")} `;
  }
  const found = PHRASES.flatMap(([phrase, instead]) =>
    [...joined.matchAll(phrase)].map(({ 0: words, index }) => ({ index, found: words, instead })),
  );
  return found
    .sort((a, b) => a.index - b.index)
    .map(({ index, ...rest }) => ({ line: starts.findLastIndex((start) => start <= index) + 1, ...rest }));
}

/**
 * The phrases in the prose of a tree, as lines to print.
 *
 * @param {string} root
 * @param {readonly string[]} [places]
 */
export function phrasesIn(root, places = PLACES) {
  const files = places.flatMap((place) =>
    PROSE.test(place) ? [place] : listFiles(root, place, (name) => PROSE.test(name)),
  );
  return files.flatMap((file) =>
    findPhrases(readFileSync(join(root, file), "utf8")).map(
      ({ line, found, instead }) => `${file}:${line}: found \`${found}\`, write: ${instead}`,
    ),
  );
}
