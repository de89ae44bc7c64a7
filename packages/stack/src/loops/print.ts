// The printing loop for the most common lines: instructions with a shape whose operands' texts are in their nodes. Like
// the fetch loop it calls only functions that the engine inlines, and it stops at the first line that needs anything
// else.
import { Pair } from "../emit/constants.js";
import { Word } from "../emit/words.js";
import { Node, Text } from "../nodes.js";
import type { Workspace } from "../workspace.js";
import type { Progress } from "./loops.js";

/**
 * Prints lines up to `endLine`, which must have room in `view`, and advances `progress`.
 * @param shape the shape of each instruction, 0 for those that stop the loop
 * @param mnemonics `Word.perPiece` words for each instruction
 */
export function printCommon(
  work: Workspace,
  view: DataView,
  shape: Int32Array,
  mnemonics: Float64Array,
  mnemonicLengths: Int32Array,
  endLine: number,
  progress: Progress,
): void {
  const { nodes, order } = work;
  let at = progress.at | 0;
  let line = progress.line | 0;
  for (; line < endLine; line++) {
    const node = order[line]!;
    const instruction = nodes[node + Node.what]!;
    if (instruction < 0 || shape[instruction] === 0) break;
    const length = mnemonicLengths[instruction]!;
    const first = nodes[node + Node.args]!;
    const second = nodes[node + Node.args + 1]!;
    const third = nodes[node + Node.args + 2]!;
    const end0 = nodes[node + Text.lengthWord]!;
    const end1 = nodes[first + Text.lengthWord]!;
    const end2 = nodes[second + Text.lengthWord]!;
    const end3 = nodes[third + Text.lengthWord]!;
    if ((end0 | end1 | end2 | end3) < 0 || length > Word.perPiece * Word.bytes) break;
    const word = instruction * Word.perPiece;
    view.setFloat64(at, mnemonics[word]!, true);
    view.setFloat64(at + Word.bytes, mnemonics[word + 1]!, true);
    view.setFloat64(at + 2 * Word.bytes, mnemonics[word + 2]!, true);
    at += length;
    view.setInt32(at, nodes[node]!, true);
    view.setInt32(at + 4, nodes[node + 1]!, true);
    view.setInt32(at + 8, nodes[node + 2]!, true);
    view.setInt32(at + 12, end0, true);
    at += end0 >>> Text.lengthShift;
    view.setInt32(at, nodes[first]!, true);
    view.setInt32(at + 4, nodes[first + 1]!, true);
    view.setInt32(at + 8, nodes[first + 2]!, true);
    view.setInt32(at + 12, end1, true);
    at += end1 >>> Text.lengthShift;
    view.setInt32(at, nodes[second]!, true);
    view.setInt32(at + 4, nodes[second + 1]!, true);
    view.setInt32(at + 8, nodes[second + 2]!, true);
    view.setInt32(at + 12, end2, true);
    at += end2 >>> Text.lengthShift;
    view.setInt32(at, nodes[third]!, true);
    view.setInt32(at + 4, nodes[third + 1]!, true);
    view.setInt32(at + 8, nodes[third + 2]!, true);
    view.setInt32(at + 12, end3, true);
    at += end3 >>> Text.lengthShift;
    view.setUint16(at - 2, Pair.endOfLine, true);
  }
  progress.at = at;
  progress.line = line;
}
