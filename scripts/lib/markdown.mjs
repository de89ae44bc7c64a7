// Code blocks of Markdown files, so that what documents show can be run.

/**
 * @param {string} markdown
 * @returns {{ language: string, code: string }[]} fenced blocks in their order; no language is the empty string
 */
export function codeBlocks(markdown) {
  return [...markdown.matchAll(/^```([^\s`]*)[^\n]*\n([\s\S]*?)^```\s*$/gm)].map(([, language, code]) => ({
    language: language ?? "",
    code: code ?? "",
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
