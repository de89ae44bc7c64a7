// Checks a batch of codes as a whole; the planner checks the words of each.
import type { CodeBatch } from "@mm-ptx/types/code";
import { ColumnsError } from "../error.js";
import { invalid } from "./columns.js";

/** The batch of a call. @throws ColumnsError INVALID_ARGUMENT unless its codes are parts of its words, one after the other */
export function checkBatch(codes: CodeBatch): CodeBatch {
  const { words, offsets } = codes ?? {};
  if (!(words instanceof Uint32Array)) throw invalid("`words` of codes as a Uint32Array", words);
  if (!(offsets instanceof Uint32Array)) throw invalid("`offsets` of codes as a Uint32Array", offsets);
  if (offsets.length === 0) throw invalid("an offset more than there are codes", 0);
  for (let code = 0; code < offsets.length; code++) {
    const from = code === 0 ? 0 : offsets[code - 1]!;
    const to = offsets[code]!;
    if (to < from || to > words.length) {
      throw new ColumnsError(
        "INVALID_ARGUMENT",
        `expected \`offsets\` that ascend up to the ${words.length} words, found ${to} at index ${code}`,
      );
    }
  }
  return { words, offsets };
}
