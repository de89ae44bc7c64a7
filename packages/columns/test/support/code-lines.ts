// A code as lines of text, for tests to compare: `2 add.f32 0 1`, and what its outputs are.
import { CODE_TYPES, operandsOf, operationText, StraightLineCode } from "@mm-ptx/types/code";

export function codeLines(words: Uint32Array): string[] {
  const { headerWords, itemCount, typeShift, valueMask } = StraightLineCode;
  const lines: string[] = [];
  let at: number = headerWords;
  for (let item = 0; item < words[itemCount]!; item++) {
    const operands = words.subarray(at + 1, at + 1 + operandsOf(words[at]!));
    lines.push([item, operationText(words[at]!), ...operands].join(" "));
    at += 1 + operands.length;
  }
  for (; at < words.length; at++)
    lines.push(`${words[at]! & valueMask} as ${CODE_TYPES[words[at]! >>> typeShift]}`);
  return lines;
}
