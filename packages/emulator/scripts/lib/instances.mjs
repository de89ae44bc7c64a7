// Creates instances of a row of the table: opcodes with the words of its slots, and operands of its types.
import { matchOpcode } from "../../dist/isa/match.js";

/**
 * @typedef {import("../../dist/isa/notation.js").Form} Form
 * @typedef {import("../../dist/isa/match.js").Match} Match
 * @typedef {import("../../dist/isa/match.js").MatchedOperand} MatchedOperand
 * @typedef {(type: string, number: number) => string} WriteRegister
 */

/**
 * Types whose values are held in untyped registers.
 *
 * @type {Readonly<Record<string, string>>}
 */
const REGISTER_OF = {
  ...{ bf16: "b16", bf16x2: "b32", tf32: "b32", u16x2: "b32", s16x2: "b32" },
  ...{ e4m3: "b8", e5m2: "b8", e4m3x2: "b16", e5m2x2: "b16", f32x2: "b64" },
};

/**
 * Opcodes of a row: each word of each slot at least once, with and without optional parts.
 *
 * @param {Form} form
 * @returns {string[]}
 */
export function opcodesOf(form) {
  const lists = form.elements.map(({ words, optional }) => [
    ...(optional ? [undefined] : []),
    ...words.keys(),
  ]);
  /** @type {Set<string>} */
  const opcodes = new Set();
  const make = (/** @type {number[]} */ choice) => {
    const words = choice.map((at, index) => lists[index][at]).filter((word) => word !== undefined);
    opcodes.add([form.mnemonic, ...words].join("."));
  };
  make(lists.map(() => 0));
  make(lists.map((list) => list.length - 1));
  for (let slot = 0; slot < lists.length; slot++) {
    for (let at = 0; at < lists[slot].length; at++) make(lists.map((_, index) => (index === slot ? at : 0)));
  }
  // Type slots depend on each other and on comparisons.
  for (let first = 0; first < lists.length; first++) {
    for (let second = first + 1; second < lists.length; second++) {
      for (let a = 0; a < lists[first].length; a++) {
        for (let b = 0; b < lists[second].length && lists[first].length * lists[second].length < 160; b++) {
          make(lists.map((_, index) => (index === first ? a : index === second ? b : 0)));
        }
      }
    }
  }
  return [...opcodes];
}

/**
 * The match of an opcode with a row; undefined if its words cannot be combined.
 *
 * @param {Form} form
 * @param {string} opcode
 */
export function matchOf(form, opcode) {
  return matchOpcode(opcode).find((match) => match.form === form);
}

/**
 * A register of a type.
 *
 * @type {WriteRegister}
 */
export function register(type, number) {
  return `%${REGISTER_OF[type] ?? type}_${number}`;
}

/**
 * An operand in one of its notations.
 *
 * @param {MatchedOperand} operand
 * @param {number} number
 * @param {WriteRegister} [replace] writes another register instead of one of the given type
 * @returns {string}
 */
export function operandText({ form, type, space, items }, number, replace = register) {
  if (form.kind === "label") return "label";
  if (form.kind === "constant") return `${form.constants[0] ?? 1n}`;
  if (form.kind === "address") {
    return space === undefined || space === "param"
      ? "[%b64_8]"
      : `[in${space[0].toUpperCase()}${space.slice(1)}]`;
  }
  const written = /** @type {string} */ (type);
  if (items === 0) return replace(written, number);
  return `{${Array.from({ length: items }, (_, index) => replace(written, 1 + ((number + index) % 8))).join(", ")}}`;
}

/**
 * An instruction with the operands of a match.
 *
 * @param {string} opcode
 * @param {Pick<Match, "operands">} match
 * @param {boolean} optional whether to include optional operands
 */
export function instruction(opcode, { operands }, optional, replaceAt = -1, replace = register) {
  let text = "";
  operands.forEach((operand, index) => {
    if (operand.form.optional && !optional) return;
    text += text === "" ? "" : operand.form.paired ? "|" : ", ";
    text += operandText(operand, index + 1, index === replaceAt ? replace : register);
  });
  return `${opcode} ${text};`;
}
