// The errors for codes that a planner rejects.
import { CODE_TYPES, encodeOperation, operandsOf, operationText } from "@mm-ptx/types/code";
import { ColumnsError } from "../error.js";
import { Outcome } from "./layout.js";

/** Where a planner stopped. */
export interface Refusal {
  readonly outcome: Outcome;
  readonly item: number;
  readonly word: number;
}

/** The error for a code that cannot be planned. */
export function refusal(code: number, { outcome, item, word }: Refusal, inputs: number): ColumnsError {
  const bad = (message: string): ColumnsError => new ColumnsError("BAD_CODE", message, { code, item });
  switch (outcome) {
    case Outcome.unknownOperation:
      if (word !== 0 && encodeOperation(operationText(word), operandsOf(word)) === word)
        return unsupported(code, item, word);
      return bad(`expected an operation, found the word 0x${word.toString(16)}`);
    case Outcome.notACode:
      return new ColumnsError(
        "BAD_CODE",
        `expected straight-line code of version 1, found the word 0x${word.toString(16)}`,
        { code, item: undefined },
      );
    case Outcome.tooFewWords:
      return bad("expected the words of all items and outputs, found fewer");
    case Outcome.tooManyWords:
      return bad("expected the outputs after the last item, found more words");
    case Outcome.badOperand:
      return bad(`expected the number of an earlier value, found ${word}`);
    case Outcome.badInput:
      return bad(`expected the index of one of the code's inputs, found ${word}`);
    case Outcome.missingColumns:
      return new ColumnsError(
        "INVALID_ARGUMENT",
        `expected a column for each of ${word} inputs, found ${inputs}; a Stack PTX program that leaves a register unwritten reads it`,
        { code, item: undefined },
      );
    case Outcome.wrongInputType:
      return new ColumnsError(
        "INVALID_ARGUMENT",
        `expected a column of ${CODE_TYPES[(word >>> 7) & 31]}, found one of another type`,
        { code, item },
      );
    case Outcome.wrongClass:
      return bad(`expected a value as wide as the operand, found value ${word}`);
    case Outcome.badOutput:
      return bad("expected outputs with the number of a value of their type, found others");
    case Outcome.missingOutput:
      return new ColumnsError(
        "INVALID_ARGUMENT",
        `expected an output ${word} for the loss, found fewer outputs`,
        {
          code,
          item: undefined,
        },
      );
    case Outcome.wrongOutputType:
      return new ColumnsError(
        "INVALID_ARGUMENT",
        `expected an output of a type that the loss compares with the target, found ${CODE_TYPES[word]}`,
        { code, item },
      );
    default:
      return new ColumnsError("INSUFFICIENT_BUFFER", `expected memory for ${word} columns, found less`, {
        code,
        item: undefined,
      });
  }
}

/** The error for an instruction that no machine runs. */
export function unsupported(code: number, item: number, word: number): ColumnsError {
  return new ColumnsError("UNSUPPORTED_INSTRUCTION", `\`${operationText(word)}\` is not supported`, {
    code,
    item,
  });
}
