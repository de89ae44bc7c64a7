// Code blocks of Markdown files, so that what documents show can be run.

/**
 * @param {string} markdown
 * @returns {{ language: string, note: string, code: string }[]} fenced blocks in their order; no language is the empty
 *   string, `note` is what stands behind it
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
 * The first JavaScript block, and the next block when it has no language: what the example prints.
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
