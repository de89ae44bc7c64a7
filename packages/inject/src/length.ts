// Limits the length of texts that are made from small arguments by repetition: what no engine could hold is rejected
// before any of it is made.
import { PtxInjectError } from "./error.js";

/** Characters. V8 strings hold at most 536,870,888, and no assembler accepts nearly as many. */
export const LONGEST_TEXT = 500_000_000;

/**
 * @param what the text that would be made, for messages
 * @throws PtxInjectError INVALID_ARGUMENT
 */
export function checkLength(what: string, length: number): void {
  if (length <= LONGEST_TEXT) return;
  const message = `expected ${what} to have at most ${LONGEST_TEXT} characters, found about ${Math.round(length)}`;
  throw new PtxInjectError("INVALID_ARGUMENT", message);
}
