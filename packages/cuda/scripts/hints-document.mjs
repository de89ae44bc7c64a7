// docs/hints.md as text, from the table of causes.

const HEAD = `# Hints

This page lists the messages of the compiler for PTX that does not compile, and what to do about each. The \`hint\` of a
\`PtxCompileError\` is the sentence in the last column, or a more specific one that names the place: the intended name, the line that
declares it, or the operand that does not fit. \`npm run generate\` generates this page. The messages are those of CUDA 13.0, with \`…\`
for the parts that vary.

| the compiler says | code | what helps |
|---|---|---|
`;

/**
 * @param {readonly { readonly name: string, readonly says: readonly string[], readonly code: string, readonly hint: string }[]} causes
 * @returns {string}
 */
export function hintsDocument(causes) {
  const rows = causes.map(
    ({ name, says, code, hint }) => `| <a id="${name}"></a>${says.join("<br>")} | \`${code}\` | ${hint} |\n`,
  );
  return HEAD + rows.join("");
}
