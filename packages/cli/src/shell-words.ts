// Words of commands that are printed for the user to run.

/**
 * A path, or another word, as it is typed in a POSIX shell. Characters that control a terminal are still to be made visible.
 */
export function shellWord(word: string): string {
  const path = word.startsWith("-") && word !== "-" ? `./${word}` : word;
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
