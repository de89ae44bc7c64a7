// The layout of straight-line code for programs outside of this repository, whose compilers may not read constant enumerations.
import { CodeName, CodeWord, OperationField } from "./layout.js";

/** The fields of an operation, as shifts and masks of its word. */
export interface OperationLayout {
  /** The index of the name in `CODE_NAMES`. */
  readonly nameMask: number;
  /** The indices of two types in `CODE_TYPES`; the second is 0 if an operation has only one. */
  readonly typeShift: number;
  readonly typeMask: number;
  readonly secondTypeShift: number;
  /** The index of the rounding in `CODE_ROUNDINGS`. */
  readonly roundingShift: number;
  readonly roundingMask: number;
  /** The bit for `.ftz`. */
  readonly flush: number;
  /** The index of the saturation in `CODE_SATURATIONS`. */
  readonly saturationShift: number;
  readonly saturationMask: number;
  /** The bit for `.relu`. */
  readonly rectify: number;
  /** The index of the remaining modifiers in `CODE_CHOICES`. */
  readonly choiceShift: number;
  readonly choiceMask: number;
  /** The names of the two operations that are not instructions. */
  readonly input: number;
  readonly constant: number;
}

/** The type of `StraightLineCode`. */
export interface StraightLineCodeLayout {
  /** The first word of every code. */
  readonly magic: number;
  /** The number of words before the first item. */
  readonly headerWords: number;
  /** The index of the header's word with the number of items. */
  readonly itemCount: number;
  /** The index of the header's word with the numbers of inputs and outputs. */
  readonly arity: number;
  readonly inputMask: number;
  readonly outputShift: number;
  /** The fields of an output. */
  readonly valueMask: number;
  readonly typeShift: number;
  /** The limits of the format. */
  readonly mostItems: number;
  readonly mostInputs: number;
  readonly mostOutputs: number;
  readonly operation: OperationLayout;
}

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
export const StraightLineCode: StraightLineCodeLayout = {
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
};
