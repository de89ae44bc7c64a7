// The options that change machine code as a table of the README.

import { ARCHITECTURES } from "@mm-ptx/ptx";

const BEGIN = "<!-- The table of options that change machine code: made by `npm run generate`. -->\n";
const END = "<!-- The end of that table. -->\n";

const HEAD = `| option that changes machine code | values | default | command line | it asks the compiler to |
|---|---|---|---|---|
`;

/** @typedef {import("../dist/ptx/code-options.js").CodeOption} CodeOption */

/**
 * @param {Readonly<Record<string, CodeOption>>} options
 * @param {Readonly<Record<string, string>>} flags
 * @returns {string}
 */
export function codeOptionsTable(options, flags) {
  const rows = Object.entries(options).map(([name, option]) => {
    const short = option.letter === undefined ? "" : `\`-${option.letter}\`, `;
    const asks =
      (option.default === true ? `with \`false\`, ${option.asks}` : option.asks) + excludedBy(option);
    return `| \`${name}\` | ${valuesText(option.values)} | ${defaultText(option)} | ${short}\`${flags[name]}\` | ${asks} |\n`;
  });
  return HEAD + rows.join("");
}

/**
 * The README with the table in its place.
 *
 * @param {string} readme
 * @param {string} table
 * @returns {string}
 */
export function withCodeOptions(readme, table) {
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  if (begin === -1 || end < begin)
    throw new Error(`expected ${BEGIN.trim()} and ${END.trim()} in the README`);
  return `${readme.slice(0, begin + BEGIN.length)}\n${table}\n${readme.slice(end)}`;
}

/**
 * @param {CodeOption} option
 * @returns {string}
 */
function excludedBy({ excludes = {} }) {
  const names = Object.keys(excludes).map((name) => `\`${name}\``);
  return names.length === 0 ? "" : `; cannot be combined with ${names.join(" or ")}`;
}

/**
 * @param {CodeOption["values"]} values
 * @returns {string}
 */
function valuesText(values) {
  switch (values.kind) {
    case "architecture":
      return `\`${ARCHITECTURES[0]?.base}\` … \`${ARCHITECTURES.at(-1)?.base}\`, with \`a\` and \`f\` where they exist; \`native\``;
    case "boolean":
      return "boolean";
    case "number":
      return `${values.least} to ${values.most}`;
    case "word":
      return values.words.map((word) => `\`${word}\``).join(", ");
  }
}

/**
 * @param {CodeOption} option
 * @returns {string}
 */
function defaultText(option) {
  if (!("default" in option)) return "required";
  return option.default === undefined ? "none" : `\`${option.default}\``;
}
