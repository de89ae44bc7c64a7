// All operations of straight-line code that are instructions.
import { encodeOperation } from "@mm-ptx/types/code";
import { INSTRUCTIONS } from "../../src/machine/instructions.js";
import { javaScriptKernel } from "../../src/machine/javascript.js";

export interface Operation {
  readonly opcode: string;
  readonly word: number;
}

/** The texts that a text with alternatives in braces stands for. */
function expanded(text: string): readonly string[] {
  const [, head, choices, tail] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(text) ?? [];
  if (head === undefined || choices === undefined || tail === undefined) return [text];
  const rests = expanded(tail);
  return choices.split(",").flatMap((choice) => rests.map((rest) => head + choice + rest));
}

function operationsOf(name: string, text: string): readonly Operation[] {
  const mnemonic = name.replace(/^(min|max)3$/, "$1");
  return expanded(text).flatMap((rest) =>
    [1, 2, 3, 4]
      .map((operands) => ({ opcode: mnemonic + rest, word: encodeOperation(mnemonic + rest, operands) }))
      .filter(({ word }) => word !== 0 && javaScriptKernel(word) !== undefined),
  );
}

export const ALL_OPERATIONS: readonly Operation[] = [
  ...new Map(
    Object.entries(INSTRUCTIONS).flatMap(([name, texts]) =>
      texts.flatMap((text) =>
        operationsOf(name, text).map((operation) => [operation.word, operation] as const),
      ),
    ),
  ).values(),
];
