// docs/hints.md as text, from the table of causes.

const HEAD = `# Hints

What the compiler says about PTX that does not compile, and what helps. \`hint\` of a \`PtxCompileError\` is the sentence below, or
one that says the same of the place: the name that was meant, the line that declares it, the operand that does not fit. This page
is made by \`npm run generate\`; the compiler's words are those of CUDA 13.0, with \`…\` for what differs.

| the compiler says | code | what helps |
|---|---|---|
`;

/**
 * @param {readonly { readonly says: readonly string[], readonly code: string, readonly hint: string }[]} causes
 * @returns {string}
 */
export function hintsDocument(causes) {
  const rows = causes.map(({ says, code, hint }) => `| ${says.join("<br>")} | \`${code}\` | ${hint} |\n`);
  return HEAD + rows.join("");
}
