// Comments in other alphabets, which the compiler refuses as it refuses them anywhere: on request they become ASCII.

import { stringEnd } from "./refuse.js";

const NON_ASCII = /[^\x00-\x7f]/;
const NON_ASCII_ALL = /[^\x00-\x7f]/g;

/** The text with `?` for every character of a comment that is not ASCII. Lines and columns stay; all else does too. */
export function asciiComments(ptx: string): string {
  if (!NON_ASCII.test(ptx)) return ptx;
  const pieces: string[] = [];
  let from = 0;
  for (let at = 0; at < ptx.length; ) {
    const character = ptx[at];
    if (character === '"') at = stringEnd(ptx, at);
    else if (character === "/" && (ptx[at + 1] === "/" || ptx[at + 1] === "*")) {
      const end = commentEnd(ptx, at);
      pieces.push(ptx.slice(from, at), ptx.slice(at, end).replace(NON_ASCII_ALL, "?"));
      from = at = end;
    } else at++;
  }
  return pieces.join("") + ptx.slice(from);
}

function commentEnd(ptx: string, start: number): number {
  const close = ptx[start + 1] === "/" ? "\n" : "*/";
  const end = ptx.indexOf(close, start + 2);
  return end === -1 ? ptx.length : end + close.length;
}
