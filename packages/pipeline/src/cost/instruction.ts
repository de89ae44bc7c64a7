// One instruction as the disassembler prints it: its opcode, its kind, and how many times it takes the time of its kind.
import { type Kind, kindOfOpcode } from "./opcodes.js";
import { type MatrixWork, matrixWork } from "./tensor.js";

/** An instruction, before the rates of an architecture are known. */
export interface Instruction {
  /** Without predicate and operands, for example `IMAD.WIDE.U32`. */
  readonly opcode: string;
  readonly kind: Kind;
  /** How many times it takes the time of its kind: loads and stores move 32 bits of each thread at a time. */
  readonly passes: number;
  /** For a matrix instruction of a known shape. */
  readonly matrix: MatrixWork | undefined;
}

/** `@!P0 FADD.FTZ R0, R1, R2`: an optional predicate, and the opcode with its modifiers. */
const OPCODE = /^(?:@!?\w+\s+)?([A-Z][\w.]*)/;

/** Listings have few different opcodes, but a corrupt one may have any number. */
const MOST_OPCODES = 4096;

const known = new Map<string, Instruction>();

/** Reads the text of an instruction. The opcode of text that is not an instruction is unknown. */
export function readInstruction(text: string): Instruction {
  const opcode = OPCODE.exec(text)?.[1] ?? text.trim();
  const found = known.get(opcode);
  if (found !== undefined) return found;
  const [name, ...modifiers] = opcode.split(".") as [string, ...string[]];
  const kind = kindOf(name, modifiers);
  const instruction: Instruction = {
    opcode,
    kind,
    passes: kind === "memory" ? passesOf(name, modifiers) : 1,
    matrix: kind === "tensor" ? matrixWork(name, modifiers) : undefined,
  };
  if (known.size < MOST_OPCODES) known.set(opcode, instruction);
  return instruction;
}

function kindOf(name: string, modifiers: readonly string[]): Kind {
  const kind = kindOfOpcode(name);
  const has = (modifier: string): boolean => modifiers.includes(modifier);
  switch (kind) {
    case "half":
      return name === "HADD2" && has("F32") ? "halfToFloat" : kind;
    case "integerMultiply":
      return has("WIDE") || has("HI") ? "wideMultiply" : kind;
    case "transcendental":
      return has("EX2") ? "exponential" : kind;
    case "conversion":
    case "floatToInteger":
      if (has("F64")) return "float64Conversion";
      return has("S64") || has("U64") ? "integer64Conversion" : kind;
    default:
      return kind;
  }
}

/** `LDG.E.128` moves four words of each thread, `LDSM.16.M88.4` four matrices with a word of each thread. */
function passesOf(name: string, modifiers: readonly string[]): number {
  const matrices = /^(LDSM|STSM)$/.test(name) ? modifiers.find((each) => /^[24]$/.test(each)) : undefined;
  if (matrices !== undefined) return Number(matrices);
  const bits = modifiers.find((each) => /^(64|128|256)$/.test(each));
  return bits === undefined ? 1 : Number(bits) / 32;
}
