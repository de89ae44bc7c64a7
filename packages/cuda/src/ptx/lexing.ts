// Comments and strings of PTX, as the compiler reads them: comments do not nest, and in a string nothing is escaped.

/** The end of the string that begins at `start`; an unterminated string ends with the text. */
export function stringEnd(ptx: string, start: number): number {
  const quote = ptx.indexOf('"', start + 1);
  return quote === -1 ? ptx.length : quote + 1;
}

/** The end of the comment that begins at `start`, without the line break; `start` itself if no comment begins there. */
export function commentEnd(ptx: string, start: number): number {
  const isLine = ptx.startsWith("//", start);
  if (!isLine && !ptx.startsWith("/*", start)) return start;
  const end = ptx.indexOf(isLine ? "\n" : "*/", start + 2);
  if (end === -1) return ptx.length;
  return isLine ? end : end + 2;
}
