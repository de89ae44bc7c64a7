// The layout of straight-line code for programs outside of this repository, whose compilers may not read constant enumerations.
import { CodeName, CodeWord, OperationField } from "./layout.js";

/**
 * The offsets and masks of straight-line code, version 1. A code has a header, items, and outputs:
 *
 * | words | contents |
 * |---|---|
 * | 1 | `magic`: the format and its version |
 * | 1 | the number of items, each of which makes one value |
 * | 1 | the number of inputs (low half) and of outputs (high half) |
 * | ... | items. The first word of an item is its operation; then come the operands |
 * | 1 each | outputs: the number of a value (low 24 bits) and the index of the register's type in `CODE_TYPES` (high 8 bits) |
 *
 * Values are numbered in the order of their items, and operands are numbers of earlier values, with two exceptions: the
 * operand of an input is the index of that input, and a constant is followed by its bits, in one word or, for types of 64
 * bits, in two, the lower half first. `operationParts` says what the fields of an operation mean.
 */
export const StraightLineCode = {
  magic: CodeWord.magic,
  headerWords: CodeWord.header,
  itemCount: CodeWord.itemCount,
  arity: CodeWord.arity,
  inputMask: CodeWord.inputMask,
  outputShift: CodeWord.outputShift,
  valueMask: CodeWord.valueMask,
  typeShift: CodeWord.typeShift,
  mostItems: CodeWord.mostItems,
  mostInputs: CodeWord.mostInputs,
  mostOutputs: CodeWord.mostOutputs,
  operation: {
    nameMask: OperationField.nameMask,
    typeShift: OperationField.typeShift,
    typeMask: OperationField.typeMask,
    secondTypeShift: OperationField.secondShift,
    roundingShift: OperationField.roundingShift,
    roundingMask: OperationField.roundingMask,
    flush: OperationField.flush,
    saturationShift: OperationField.saturationShift,
    saturationMask: OperationField.saturationMask,
    rectify: OperationField.rectify,
    choiceShift: OperationField.choiceShift,
    choiceMask: OperationField.choiceMask,
    input: CodeName.input,
    constant: CodeName.constant,
  },
} as const;
