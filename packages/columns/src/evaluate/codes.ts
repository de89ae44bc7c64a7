// Checks a batch of codes as a whole; the planner checks the words of each.
import type { CodeBatch } from "@mm-ptx/types/code";
import { ColumnsError } from "../error.js";
import { invalid, isShared } from "./columns.js";

/** The codes of a call. */
export interface Codes extends CodeBatch {
  readonly count: number;
  /** The number of words of the longest one. */
  readonly longest: number;
}

/** The properties of a batch, read once. */
export function takeCodes(codes: CodeBatch): CodeBatch {
  const { words, offsets } = codes ?? {};
  return { words, offsets };
}

/** The codes of a call. @throws ColumnsError INVALID_ARGUMENT unless they are consecutive parts of `words` */
export function readCodes(codes: CodeBatch): Codes {
  const { words, offsets } = takeCodes(codes);
  if (!(words instanceof Uint32Array)) throw invalid("`words` of codes as a Uint32Array", words);
  if (!(offsets instanceof Uint32Array)) throw invalid("`offsets` of codes as a Uint32Array", offsets);
  // Another thread could change shared memory after the checks.
  return checked(isShared(words) ? words.slice() : words, isShared(offsets) ? offsets.slice() : offsets);
}

function checked(words: Uint32Array, offsets: Uint32Array): Codes {
  if (offsets.length === 0) throw invalid("`offsets` with one entry more than there are codes", 0);
  let from = 0;
  let longest = 0;
  for (let code = 0; code < offsets.length; code++) {
    const to = offsets[code]!;
    if (to < from || to > words.length) {
      throw new ColumnsError(
        "INVALID_ARGUMENT",
        `expected \`offsets\` that ascend up to the ${words.length} words, found ${to} at index ${code}`,
      );
    }
    if (code > 0) longest = Math.max(longest, to - from);
    from = to;
  }
  return { words, offsets, count: offsets.length - 1, longest };
}
