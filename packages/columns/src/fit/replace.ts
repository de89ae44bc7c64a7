// Writes constants into codes.
import { type CodeBatch, codeType, constantOperation, operandsOf } from "@mm-ptx/types/code";
import { CodeWord } from "@mm-ptx/types/internal";
import { readCodes } from "../evaluate/codes.js";
import { invalid } from "../evaluate/columns.js";

const F32_CONSTANT = constantOperation(codeType("f32"));

/**
 * Copies codes, with other constants in their `constant` items of type f32.
 * @param codes the codes that `fitConstants` was called with
 * @param fitted its result, or other bits of f32, with an offset for each code and one more
 * @throws ColumnsError INVALID_ARGUMENT if the number of constants of a code differs
 */
export function replaceConstants(
  codes: CodeBatch,
  fitted: { readonly constants: Uint32Array; readonly offsets: Uint32Array },
): CodeBatch {
  const { words, offsets, count } = readCodes(codes);
  const { constants, offsets: starts } = fitted ?? {};
  if (!(constants instanceof Uint32Array)) throw invalid("`constants` as a Uint32Array", constants);
  if (!(starts instanceof Uint32Array)) throw invalid("`offsets` of constants as a Uint32Array", starts);
  if (starts.length !== count + 1) throw invalid(`offsets of constants of ${count} codes`, starts.length);
  const replaced = words.slice();
  for (let code = 0; code < count; code++) {
    const end = offsets[code + 1]!;
    let at = offsets[code]! + CodeWord.header;
    let constant = starts[code]!;
    const items = words[offsets[code]! + CodeWord.itemCount] ?? 0;
    for (let item = 0; item < items && at < end; item++) {
      if (words[at] === F32_CONSTANT) replaced[at + 1] = constants[constant++] ?? 0;
      at += 1 + operandsOf(words[at]!);
    }
    if (constant !== starts[code + 1] || constant > constants.length) {
      const found = starts[code + 1]! - starts[code]!;
      throw invalid(`${constant - starts[code]!} constants of code ${code}`, found);
    }
  }
  return { words: replaced, offsets: offsets.slice() };
}
