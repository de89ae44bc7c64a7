// What the scripts for all shells have in common.

/** One word of a shell, whatever it contains. */
export const quotedWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The first line of a description, cut to fit into a list of completions. */
export function oneLine(text: string): string {
  const [line = ""] = text.replace(/`/g, "").split("\n", 1);
  return line.length <= MOST ? line : `${line.slice(0, line.lastIndexOf(" ", MOST))} …`;
}

/** Characters of a description in a list. */
const MOST = 72;
