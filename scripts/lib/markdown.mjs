// Reads the code blocks of Markdown files, so that examples in documents can be run.

/**
 * @param {string} markdown
 * @returns {{ language: string, note: string, code: string }[]} fenced blocks in their order; `language` is
 *   empty if there is none, `note` is the text after it
 */
export function codeBlocks(markdown) {
  const blocks = markdown.matchAll(/^```([^\s`]*)([^\n]*)\n([\s\S]*?)^```\s*$/gm);
  return [...blocks].map(([, language = "", note = "", code = ""]) => ({
    language,
    note: note.trim(),
    code,
  }));
}

/**
 * The first JavaScript block, and the next block if it has no language, which is the output of the example.
 *
 * @param {string} markdown
 * @returns {{ code: string, output: string | undefined } | undefined}
 */
export function firstExample(markdown) {
  const blocks = codeBlocks(markdown);
  const index = blocks.findIndex(({ language }) => ["js", "javascript", "mjs"].includes(language));
  const example = blocks[index];
  if (example === undefined) return undefined;
  const next = blocks[index + 1];
  return { code: example.code, output: next?.language === "" ? next.code : undefined };
}

/** Links with a relative target, in prose: `[text](docs/one.md)`. */
const RELATIVE = /\]\((?![a-z]+:|#|\/)([^)\s]+)\)/g;

/**
 * The text with its relative links made absolute.
 *
 * @param {string} markdown a file in the root of the repository
 * @param {string} base the address of the root
 * @returns {string}
 */
export const absoluteLinks = (markdown, base) => markdown.replace(RELATIVE, `](${base}/$1)`);

/**
 * The targets of the relative links of a text.
 *
 * @param {string} markdown
 * @returns {string[]}
 */
export const relativeLinks = (markdown) => [...markdown.matchAll(RELATIVE)].map(([, target = ""]) => target);
