// How long a text may get that is made from small arguments by repeating something: what no engine could hold is refused
// before any of it is made.
import { PtxInjectError } from "./error.js";

/** Characters. V8 holds 536,870,888 in a string; no assembler takes nearly as many. */
export const LONGEST_TEXT = 500_000_000;

/**
 * @param what the text that would be made, for messages
 * @throws PtxInjectError INVALID_INPUT
 */
export function checkLength(what: string, length: number): void {
  if (length <= LONGEST_TEXT) return;
  const message = `expected ${what} to have at most ${LONGEST_TEXT} characters, found about ${Math.round(length)}`;
  throw new PtxInjectError("INVALID_INPUT", message);
}
