// Converts comments to ASCII on request, because the compiler rejects other characters even there.

import { commentEnd, stringEnd } from "./lexing.js";

const NON_ASCII = /[^\x00-\x7f]/;
const NON_ASCII_ALL = /[^\x00-\x7f]/g;

/** Replaces every non-ASCII character of a comment by `?`. Lines, columns and everything else stay the same. */
export function asciiComments(ptx: string): string {
  if (!NON_ASCII.test(ptx)) return ptx;
  const pieces: string[] = [];
  let from = 0;
  for (let at = 0; at < ptx.length; ) {
    const character = ptx[at];
    if (character === '"') at = stringEnd(ptx, at);
    else if (character === "/" && commentEnd(ptx, at) > at) {
      const end = commentEnd(ptx, at);
      pieces.push(ptx.slice(from, at), ptx.slice(at, end).replace(NON_ASCII_ALL, "?"));
      from = at = end;
    } else at++;
  }
  return pieces.join("") + ptx.slice(from);
}
