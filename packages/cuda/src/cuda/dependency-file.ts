// The list of headers that nvcc writes for make.

/** The files after the colon, without make's escapes. */
export function dependenciesIn(text: string): string[] {
  const joined = text.replaceAll(/\\\r?\n/g, " ");
  const start = /[^\\]:(?=\s)/.exec(joined);
  if (start === null) return [];
  const words = joined.slice(start.index + 2).match(/(?:\\[\s\S]|\$\$|[^\s\\])+/g) ?? [];
  return words.map((word) => word.replaceAll(/\\([\s#:])/g, "$1").replaceAll("$$", "$"));
}
