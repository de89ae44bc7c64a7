// The printing loop for what stubs mostly consist of: instructions with a shape, operands that have a text or are
// constants. Like the machine's common loop it calls nothing that
// the engine does not write in place; it stops at the first line that needs anything else.

import { HEX_PAIRS, Pair, writeConstant } from "../emit/constants.js";
import { Word } from "../emit/words.js";
import { Text, type Workspace } from "../workspace.js";
import type { Progress } from "./loops.js";

/**
 * Prints lines up to `endLine`, which must have room in `view`, and moves `progress` on.
 * @param shape of each instruction, 0 for those that stop the loop
 * @param mnemonics `Word.perPiece` words for each instruction
 * @param texts two words for each operand text
 * @param constants how each stack prints constants
 */
export function printCommon(
  work: Workspace,
  view: DataView,
  shape: Int32Array,
  mnemonics: Float64Array,
  mnemonicLengths: Int32Array,
  texts: Float64Array,
  constants: Uint8Array,
  endLine: number,
  progress: Progress,
): void {
  const { nodes, order } = work;
  const hexPairs = HEX_PAIRS;
  let at = progress.at | 0;
  let line = progress.line | 0;
  for (; line < endLine; line++) {
    const node = order[line]!;
    const instruction = nodes[node]!;
    if (instruction < 0 || shape[instruction] === 0) break;
    const text0 = nodes[node + 1]!;
    const text1 = nodes[nodes[node + 2]! + 1]!;
    const text2 = nodes[nodes[node + 3]! + 1]!;
    const text3 = nodes[nodes[node + 4]! + 1]!;
    // A register number without a text: rare enough to be left to the caller. Constants are negative.
    if (text0 >= Text.number || text1 >= Text.number || text2 >= Text.number || text3 >= Text.number) break;
    const length = mnemonicLengths[instruction]!;
    if (length > Word.perPiece * Word.bytes) break;
    const word = instruction * Word.perPiece;
    view.setFloat64(at, mnemonics[word]!, true);
    view.setFloat64(at + Word.bytes, mnemonics[word + 1]!, true);
    view.setFloat64(at + 2 * Word.bytes, mnemonics[word + 2]!, true);
    at += length;
    const index0 = (text0 >> Text.indexShift) * 2;
    view.setFloat64(at, texts[index0]!, true);
    view.setFloat64(at + Word.bytes, texts[index0 + 1]!, true);
    at += text0 & Text.lengthMask;
    if (text1 < 0) {
      at = writeConstant(view, at, nodes[nodes[node + 2]!]!, constants[-1 - text1]!, hexPairs);
    } else {
      const index = (text1 >> Text.indexShift) * 2;
      view.setFloat64(at, texts[index]!, true);
      view.setFloat64(at + Word.bytes, texts[index + 1]!, true);
      at += text1 & Text.lengthMask;
    }
    if (text2 < 0) {
      at = writeConstant(view, at, nodes[nodes[node + 3]!]!, constants[-1 - text2]!, hexPairs);
    } else {
      const index = (text2 >> Text.indexShift) * 2;
      view.setFloat64(at, texts[index]!, true);
      view.setFloat64(at + Word.bytes, texts[index + 1]!, true);
      at += text2 & Text.lengthMask;
    }
    if (text3 < 0) {
      at = writeConstant(view, at, nodes[nodes[node + 4]!]!, constants[-1 - text3]!, hexPairs);
    } else {
      const index = (text3 >> Text.indexShift) * 2;
      view.setFloat64(at, texts[index]!, true);
      view.setFloat64(at + Word.bytes, texts[index + 1]!, true);
      at += text3 & Text.lengthMask;
    }
    view.setUint16(at - 2, Pair.endOfLine, true);
  }
  progress.at = at;
  progress.line = line;
}
