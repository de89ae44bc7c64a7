// The texts of operands: 16 bytes each (see `Text`), stored in the nodes themselves.
import { Node, Text } from "../nodes.js";
import { ConstantForm, HEX_PAIRS, Pair } from "./constants.js";

/** Writes a text of any length into `words`. */
export function packText(words: Int32Array, at: number, characters: string): void {
  const fits = characters.length <= Text.mostCharacters;
  words.fill(0, at, at + Text.words);
  words[at + Text.lengthWord] = fits ? characters.length << Text.lengthShift : Text.long;
  for (let index = 0; fits && index < characters.length; index++) {
    words[at + (index >> 2)]! |= characters.charCodeAt(index) << ((index & 3) * 8);
  }
}

/** The text of a constant, `0f3F800000, `. */
export function packConstant(
  words: Int32Array,
  at: number,
  bits: number,
  form: number,
  hexPairs: Uint16Array = HEX_PAIRS,
): void {
  const unsigned = form === ConstantForm.unsigned;
  words[at] = (form === ConstantForm.float ? Pair.zeroF : Pair.zeroX) | (hexPairs[bits >>> 24]! << 16);
  words[at + 1] = hexPairs[(bits >>> 16) & 0xff]! | (hexPairs[(bits >>> 8) & 0xff]! << 16);
  words[at + 2] = hexPairs[bits & 0xff]! | ((unsigned ? Pair.unsigned : Pair.comma) << 16);
  words[at + 3] = unsigned ? (13 << Text.lengthShift) | SPACE : 12 << Text.lengthShift;
}

/** The text of the first register of each stack. */
export function firstRegisters(stackCount: number): Int32Array {
  const texts = new Int32Array(stackCount * Text.words);
  for (let stack = 0; stack < stackCount; stack++) packText(texts, stack * Text.words, `%_s${stack}_0, `);
  return texts;
}

/** The nodes of results, and the next register of each stack. */
interface Registers {
  readonly nodes: Int32Array;
  readonly registerTexts: Int32Array;
  readonly registerCounts: Int32Array;
}

/** Assigns a result the next register of its stack. The text of a stack ends in the digit zero. */
export function giveRegister(registers: Registers, stack: number, node: number): void {
  const { nodes, registerTexts, registerCounts } = registers;
  const text = stack * Text.words;
  const number = registerCounts[stack]!++;
  const end = registerTexts[text + Text.lengthWord]!;
  if (end < 0) registerTexts[text] = number;
  for (let word = 0; word < Text.words; word++) nodes[node + word] = registerTexts[text + word]!;
  if (end < 0) return;
  const unit = number % 10;
  const digit = (end >>> Text.lengthShift) - 3;
  nodes[node + (digit >> 2)]! += unit << ((digit & 3) * 8);
  if (unit === 9) packText(registerTexts, text, `%_s${stack}_${number + 1}, `);
}

/** The node of a register of the caller. */
export function inputNode(register: number): number {
  return Node.firstInput + register * Node.words;
}

const SPACE = 0x20;
