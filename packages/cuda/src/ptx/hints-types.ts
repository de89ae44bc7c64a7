// Hints about types: what an instruction takes, and which of its operands differs.

import type { PtxOperand } from "@mm-ptx/ptx";
import type { FailedText } from "./failed-text.js";

/** The kind of a type and its number of bits; registers of another kind or size do not fit. */
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
    : `\`${guard!.name}\` is \`.${declared.type}\`; convert it to a predicate: \`setp.ne.${declared.type} %p, ${guard!.name}, 0;\``;
}

/** Instructions whose integer form selects a half of the product. */
const HALVES: ReadonlySet<string> = new Set(["mul", "mad"]);

export function instructionTypes(text: FailedText, mnemonic: string): string | undefined {
  const opcode = text.instruction?.opcode;
  if (opcode === undefined) return undefined;
  const types = typesOf(opcode);
  const halves = modifiersOf(opcode).some((each) => ["lo", "hi", "wide"].includes(each));
  if (types.length === 0) return `append a type: \`${opcode}.f32\`, for example`;
  if (HALVES.has(mnemonic) && !isFloat(types[0]!) && !halves)
    return `\`${mnemonic}\` of integers must select the bits of the product: \`${mnemonic}.lo.${types[0]}\`, \`.hi\` or \`.wide\``;
  if (mnemonic === "mov")
    return `\`mov\` takes types of 16 to 128 bits without \`f16\`: \`b16\` for half floats`;
  if (mnemonic === "cvt" && types.length === 1)
    return `\`cvt\` takes two types, the result's first: \`cvt.rn.f32.s32\``;
  return undefined;
}

/** The operand types by instruction: `t` is the last type of the instruction's name. */
const OPERANDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    "t t": "abs brev cnot cos ex2 lg2 mov neg not rcp rsqrt sin sqrt tanh",
    "t t t": "add and copysign div max min mul or rem sub xor",
    "t t t t": "fma mad sad",
    "t t u32": "shl shr",
    "t t u32 u32": "bfe",
    "u32 t": "clz popc",
    "pred t t": "setp",
    "t t t pred": "selp",
  }).flatMap(([types, names]) =>
    names.split(" ").map((name): [string, string[]] => [name, types.split(" ")]),
  ),
);
const WITH_ADDRESS: ReadonlySet<string> = new Set(["ld", "ldu", "st", "atom", "red"]);

/** The operand with a wrong type. */
export function argumentMismatch(text: FailedText, mnemonic: string): string | undefined {
  const { instruction } = text;
  if (instruction === undefined) return undefined;
  const { opcode, operands } = instruction;
  const name = opcode.split(".", 1)[0]!;
  if (name !== mnemonic.split(".", 1)[0]) return undefined;
  if (WITH_ADDRESS.has(name) && !operands.some(({ kind }) => kind === "address")) {
    const address = operands[name === "st" || name === "red" ? 0 : 1]?.text ?? "%rd1";
    return `\`${name}\` takes an address in brackets: \`[${address}]\``;
  }
  const type = typesOf(opcode).at(-1);
  const wanted = OPERANDS.get(name)?.map((each) => (each === "t" ? type : each));
  if (wanted !== undefined && type !== undefined && modifiersOf(opcode).includes("wide"))
    for (const wide of [0, 3]) if (wide < wanted.length) wanted[wide] = twice(type);
  // `mov` packs and unpacks vectors.
  if (type === undefined || wanted === undefined || operands.some(({ kind }) => kind !== "value"))
    return undefined;
  if (operands.length !== wanted.length)
    return `\`${opcode}\` takes ${wanted.length} operands, found ${operands.length}`;
  for (const [i, operand] of operands.entries()) {
    const unfit = unfitness(text, operand, wanted[i]!, opcode);
    if (unfit !== undefined) return unfit;
  }
  return undefined;
}

/** The type of a full product. */
const twice = (type: string): string => type.replace(/\d+/, (bits) => `${2 * Number(bits)}`);

function unfitness(
  text: FailedText,
  { text: written }: PtxOperand,
  type: string,
  opcode: string,
): string | undefined {
  if (/^-?\d+$/.test(written))
    return isFloat(type)
      ? `\`${written}\` is an integer: write \`${written}.0\` or its bits, \`0f…\``
      : undefined;
  if (/^-?(\d+\.\d*|\.\d+|0[fFdD])/.test(written))
    return isFloat(type)
      ? constantSize(written, type)
      : `\`${written}\` is a float, but \`.${type}\` takes integers`;
  const declared = text.meaningOf(written);
  if (declared !== undefined && declared.start > text.offset)
    return `\`${written}\` is declared after its use, in ${text.placeAt(declared.start)}`;
  if (declared?.kind !== "register" || declared.type === undefined || fits(declared.type, type))
    return undefined;
  return `\`${written}\` is \`.${declared.type}\` (${text.placeAt(declared.start)}), \`${opcode}\` takes \`.${type}\` there`;
}

function constantSize(written: string, type: string): string | undefined {
  return type === "f32" || type === "f64"
    ? undefined
    : `\`.${type}\` has no constants: move the bits of \`${written}\` into a register first`;
}

/** Whether a register's type fits an instruction's type (PTX ISA, Operand Type Checking). */
function fits(register: string, instruction: string): boolean {
  if (register === "pred" || instruction === "pred") return register === instruction;
  const [, own = "", bits] = TYPE.exec(register) ?? [];
  const [, other = "", wanted] = TYPE.exec(instruction) ?? [];
  const size = (type: string, number: string | undefined) => (type.includes("x2") ? 2 : 1) * Number(number);
  if (size(register, bits) !== size(instruction, wanted)) return false;
  return own === "b" || other === "b" || isFloat(own) === isFloat(other);
}
