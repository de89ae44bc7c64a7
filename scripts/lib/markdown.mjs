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
