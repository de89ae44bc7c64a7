// docs/emulator-coverage.md: what the check takes, what it refuses by name, and where it and ptxas differ.
import { formsOf, instructionRows } from "../../dist/isa/table.js";
import { unsupportedFeatures } from "../../dist/isa/unsupported.js";

/**
 * @typedef {{ text: string, message: string }} Difference
 * @typedef {Record<string, { count: number, refused: Difference[], taken: Difference[] }>} Report by suite
 */

/** Differences of one kind that are shown as examples. */
const EXAMPLES = 3;

/**
 * @param {Report} report
 * @param {string} target of ptxas
 */
export function coverageDocument(report, target) {
  return `# What of PTX the emulator has

Made by \`node packages/emulator/scripts/coverage.mjs --write\`, which asks ptxas of CUDA 13.0 (\`-arch ${target}\`, PTX 9.0).

## Instructions

In the notation of the PTX ISA manual; what stands in braces may be absent, and words such as \`type\` and \`rnd\` stand for those
that the manual lists there. Modifiers may come in any order, as ptxas takes them.

\`\`\`
${[...instructionRows().keys()].flatMap(textsOf).join("\n")}
\`\`\`

## Refused by name

Valid PTX that a text with it is refused for, with the place, before anything runs (\`UNSUPPORTED\`):

| what | opcodes that begin with, or have |
|---|---|
${unsupportedFeatures()
  .map(({ what, words }) => `| ${what} | ${words.map((word) => `\`${word}\``).join(", ")} |`)
  .join("\n")}

Besides these: \`malloc\`, \`free\` and other functions without a body but \`vprintf\` and \`__assertfail\`; textures, samplers and
surfaces; 32-bit addresses; \`.reg .v2\`; parts of addresses in initial values (\`0xFF(name)\`); masks and selections of bytes of
SIMD video instructions (\`%r1.b0\`); the special registers \`%pm0\` to \`%pm7\`, \`%envreg0\` to \`%envreg31\`
and \`%current_graph_exec\`. Where the manual allows less than ptxas takes, the manual counts: offsets
in addresses have 32 bits, signed, and vectors of eight have items of 32 bits.

## Where the check and ptxas differ

Tried: ${Object.entries(report)
    .map(([name, { count }]) => `${count} ${SUITES[name]}`)
    .join(", ")}. What crashes ptxas is not counted. Most of what ptxas takes
and the emulator refuses is nothing that the manual allows, such as special registers and addresses as operands of arithmetic, and
nothing that nvcc writes.

### ptxas takes it, the emulator refuses it

${table(report, "refused")}

### The emulator takes it, ptxas refuses it

${table(report, "taken")}
`;
}

/** @type {Readonly<Record<string, string>>} */
const SUITES = {
  rows: "instances of the rows above",
  opcodes: "opcodes with a word more, less or another",
  operands: "instructions with other operands",
};

/** @param {string} mnemonic */
function textsOf(mnemonic) {
  return [...new Set(formsOf(mnemonic).map(({ text }) => text))];
}

/**
 * Differences grouped by what is said about them.
 *
 * @param {Report} report
 * @param {"refused" | "taken"} which
 */
function table(report, which) {
  /** @type {Map<string, { texts: string[], mnemonics: Set<string> }>} */
  const groups = new Map();
  for (const { text, message } of Object.values(report).flatMap((suite) => suite[which])) {
    const key = message
      .replace(/, found .*/s, "")
      .replace(/ as `\w+` of `[^`]*`/, "")
      .replace(/instruction '[^']*'/, "an instruction")
      .replace(/`[^`]+`(?: or `[^`]+`)*|'[^']*'/g, "…");
    const group = groups.get(key) ?? { texts: [], mnemonics: new Set() };
    groups.set(key, group);
    group.texts.push(text);
    group.mnemonics.add(text.replace(/\W.*/s, ""));
  }
  const rows = [...groups].sort((a, b) => b[1].texts.length - a[1].texts.length);
  const by = which === "refused" ? "the emulator says" : "ptxas says";
  return [
    `| ${by} | how many | instructions | such as |`,
    "|---|---|---|---|",
    ...rows.map(([message, { texts, mnemonics }]) => {
      const names = [...mnemonics].sort();
      const some = names.length > 12 ? [...names.slice(0, 12), "…"] : names;
      const step = Math.max(1, Math.floor(texts.length / EXAMPLES));
      const examples = texts.filter((_, index) => index % step === 0).slice(0, EXAMPLES);
      return `| ${escaped(message)} | ${texts.length} | ${some.join(", ")} | ${examples.map((text) => `\`${escaped(text)}\``).join("<br>")} |`;
    }),
  ].join("\n");
}

const escaped = (/** @type {string} */ text) => text.replaceAll("|", "\\|");
