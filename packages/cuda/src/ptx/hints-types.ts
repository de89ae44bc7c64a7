// Hints about types: what an instruction wants, and which of its operands is something else.

import type { PtxOperand } from "@mm-ptx/ptx";
import type { FailedText } from "./failed-text.js";

/** What a type is made of, and how many bits it has; registers of another kind or size do not fit. */
const TYPE = /^(b|u|s|f|bf)(\d+)(?:x\d)?$/;

/** The opcode's parts without the mnemonic. */
const modifiersOf = (opcode: string): string[] => opcode.split(".").slice(1);
const typesOf = (opcode: string): string[] =>
  modifiersOf(opcode).filter((each) => TYPE.test(each) || each === "pred");
const isFloat = (type: string): boolean => type.startsWith("f") || type.startsWith("bf");

export function roundingMissing(text: FailedText, mnemonic: string): string | undefined {
  const { instruction } = text;
  if (instruction === undefined) return undefined;
  const [first, ...rest] = instruction.opcode.split(".");
  const [to] = typesOf(instruction.opcode);
  const rounding = first === "cvt" && to !== undefined && !isFloat(to) ? "rzi" : "rn";
  return `write \`${[first, rounding, ...rest].join(".")}\`, or another rounding${mnemonic === "div" || mnemonic === "sqrt" || mnemonic === "rcp" ? " or `.approx`" : ""}`;
}

export function notPredicate(text: FailedText): string | undefined {
  const guard = text.instruction?.guard;
  const declared = guard && text.meaningOf(guard.name);
  return declared?.type === undefined
    ? undefined
    : `\`${guard!.name}\` is \`.${declared.type}\`; make a predicate of it: \`setp.ne.${declared.type} %p, ${guard!.name}, 0;\``;
}

/** Instructions whose integer form says which half of the product it gives. */
const HALVES: ReadonlySet<string> = new Set(["mul", "mad"]);

export function instructionTypes(text: FailedText, mnemonic: string): string | undefined {
  const opcode = text.instruction?.opcode;
  if (opcode === undefined) return undefined;
  const types = typesOf(opcode);
  const halves = modifiersOf(opcode).some((each) => ["lo", "hi", "wide"].includes(each));
  if (types.length === 0) return `write a type behind it: \`${opcode}.f32\`, for example`;
  if (HALVES.has(mnemonic) && !isFloat(types[0]!) && !halves)
    return `\`${mnemonic}\` of integers says which bits of the product it gives: \`${mnemonic}.lo.${types[0]}\`, \`.hi\` or \`.wide\``;
  if (mnemonic === "mov")
    return `\`mov\` takes types of 16 to 128 bits without \`f16\`: \`b16\` for half floats`;
  if (mnemonic === "cvt" && types.length === 1)
    return `\`cvt\` takes two types, what it gives first: \`cvt.rn.f32.s32\``;
  return undefined;
}

/** Instructions whose operands all have the last type of their name; those of fewer or more operands apart. */
const UNIFORM: Readonly<Record<string, number>> = {
  abs: 2,
  add: 3,
  and: 3,
  copysign: 3,
  cos: 2,
  div: 3,
  ex2: 2,
  fma: 4,
  lg2: 2,
  max: 3,
  min: 3,
  mov: 2,
  mul: 3,
  neg: 2,
  not: 2,
  or: 3,
  rcp: 2,
  rem: 3,
  rsqrt: 2,
  sin: 2,
  sqrt: 2,
  sub: 3,
  tanh: 2,
  xor: 3,
};
const WITH_ADDRESS: ReadonlySet<string> = new Set(["ld", "ldu", "st", "atom", "red"]);

/** The operand that does not fit. */
export function argumentMismatch(text: FailedText, mnemonic: string): string | undefined {
  const { instruction } = text;
  if (instruction === undefined) return undefined;
  const { opcode, operands } = instruction;
  const name = opcode.split(".", 1)[0]!;
  if (name !== mnemonic.split(".", 1)[0]) return undefined;
  if (WITH_ADDRESS.has(name) && !operands.some(({ kind }) => kind === "address"))
    return `\`${name}\` takes an address in brackets: \`[${(name === "st" || name === "red" ? operands[0] : operands[1])?.text ?? "%rd1"}]\``;
  const wanted = UNIFORM[name];
  const type = typesOf(opcode).at(-1);
  if (wanted === undefined || type === undefined) return undefined;
  if (operands.length !== wanted) return `\`${opcode}\` takes ${wanted} operands, found ${operands.length}`;
  for (const operand of operands) {
    const unfit = unfitness(text, operand, type, opcode);
    if (unfit !== undefined) return unfit;
  }
  return undefined;
}

function unfitness(text: FailedText, operand: PtxOperand, type: string, opcode: string): string | undefined {
  const { text: written } = operand;
  if (operand.kind !== "value") return `\`${opcode}\` takes registers and constants, found \`${written}\``;
  if (/^-?\d+$/.test(written))
    return isFloat(type)
      ? `\`${written}\` is an integer: write \`${written}.0\` or its bits, \`0f…\``
      : undefined;
  if (/^-?(\d+\.\d*|\.\d+|0[fFdD])/.test(written))
    return isFloat(type)
      ? constantSize(written, type)
      : `\`${written}\` is a float, \`.${type}\` takes integers`;
  const declared = text.meaningOf(written);
  if (declared !== undefined && declared.start > text.offset)
    return `\`${written}\` is declared behind its use, in ${text.placeAt(declared.start)}`;
  if (declared?.type === undefined || fits(declared.type, type)) return undefined;
  return `\`${written}\` is \`.${declared.type}\` (${text.placeAt(declared.start)}), \`${opcode}\` takes \`.${type}\``;
}

function constantSize(written: string, type: string): string | undefined {
  return type === "f32" || type === "f64"
    ? undefined
    : `\`.${type}\` has no constants: move the bits of \`${written}\` into a register first`;
}

/** Whether a register of a type is one for instructions of another (PTX ISA, Operand Type Checking). */
function fits(register: string, instruction: string): boolean {
  if (register === "pred" || instruction === "pred") return register === instruction;
  const [, own = "", bits] = TYPE.exec(register) ?? [];
  const [, other = "", wanted] = TYPE.exec(instruction) ?? [];
  const size = (type: string, number: string | undefined) => (type.includes("x2") ? 2 : 1) * Number(number);
  if (size(register, bits) !== size(instruction, wanted)) return false;
  return own === "b" || other === "b" || isFloat(own) === isFloat(other);
}
