// Random instructions of every row of the instruction table: any words in its slots, and any operands. Registers differ
// between the threads, are the same in all of them, or have a constant stride.
import { takesRegister } from "../../src/front/types.js";
import { type Match, type MatchedOperand, matchOpcode } from "../../src/isa/match.js";
import type { Form } from "../../src/isa/notation.js";
import { SPECIAL_REGISTERS } from "../../src/isa/special.js";
import { formsOf, instructionRows } from "../../src/isa/table.js";
import { type PtxType, TYPES } from "../../src/program/types.js";

/** Returns a number from 0 to `below`. */
export type Random = (below: number) => number;

export const pick = <Item>(items: readonly Item[], random: Random): Item => items[random(items.length)]!;

/** The types of registers. */
export const REGISTER_TYPES: readonly PtxType[] = [
  ...(["pred", "b8", "b16", "u16", "s16", "f16", "b32", "u32", "s32", "f32", "f16x2"] as const),
  ...(["b64", "u64", "s64", "f64"] as const),
];
/** What the registers of a type hold at first, by number. */
export const ORIGINS = ["differing", "uniform", "strided", "constant", "unwritten", "unwritten"] as const;
/** The registers that are the same in all threads until an instruction changes that. */
const UNIFORM = [1, 3, 5];

export const registerName = (type: PtxType, number: number): string => `%${type}_${number}`;
export const typeOfRegister = (name: string): PtxType => name.slice(1, name.lastIndexOf("_")) as PtxType;
export const numberOfRegister = (name: string): number => Number(name.slice(name.lastIndexOf("_") + 1));

/** Instructions on barrier objects and textures fail on random memory. */
const worksOnObject = (form: Form): boolean =>
  (has(form, "procedure") && !/^(atom|red)$/.test(form.mnemonic)) ||
  /^(mapa|getctarank|alloca|stacksave|stackrestore)\b|^barrier\.cluster\b/.test(form.text);

/** Mnemonics with their rows: all without control flow, and without values of 128 bits, which are not translated. */
const FORMS: readonly (readonly Form[])[] = [...instructionRows().keys()].flatMap((mnemonic) => {
  const forms = formsOf(mnemonic).filter(
    (form) => !has(form, "flow") && !worksOnObject(form) && !/\bb128\b/.test(form.text),
  );
  return forms.length === 0 ? [] : [forms];
});
const ALL = FORMS.flat();
const TAKING_CARRY = ALL.filter((form) => has(form, "takesCarry"));

function has({ traits }: Form, trait: Form["traits"][number]["name"]): boolean {
  return traits.some(({ name }) => name === trait);
}

/** The rows of which there are instructions. */
export const ROWS: readonly string[] = [...new Set(ALL.map(({ text }) => text))];

/** What the choice of an operand depends on. */
interface Choice {
  readonly random: Random;
  /** Whether the sources are the same in all threads. */
  readonly isUniform: boolean;
  /** The registers that the instruction writes. */
  readonly results: string[];
}

/** Writes the instructions of one kernel. */
export class InstructionWriter {
  /** The rows of its instructions. */
  readonly rows: string[] = [];
  /** The registers that it uses. */
  readonly used = new Set<string>();
  /** Whether threads wait for each other, for which warps have to be whole. */
  isTogether = false;
  /** The results of the last instruction, which the next ones prefer as sources. */
  #recent: readonly string[] = [];
  #givesCarry = false;

  /** An instruction of any row. */
  any(random: Random, { mayWait }: { readonly mayWait: boolean }): string {
    for (;;) {
      const form = this.#form(random);
      if (has(form, "waits") && !mayWait) continue;
      const words = form.elements.map(({ words: all, optional }) =>
        optional && random(2) === 0 ? [] : [pick([...all.keys()], random)],
      );
      // Some words of a row exclude each other.
      const match = matchOpcode([form.mnemonic, ...words.flat()].join(".")).find((one) => one.form === form);
      if (match?.operands.every(({ type }) => type !== "b128")) return this.#instruction(match, random);
    }
  }

  /** An instruction of an opcode. */
  of(opcode: string, random: Random): string {
    return this.#instruction(matchOpcode(opcode)[0]!, random);
  }

  predicate(random: Random): string {
    return `${random(2) === 0 ? "!" : ""}${this.#use(registerName("pred", random(ORIGINS.length)))}`;
  }

  #form(random: Random): Form {
    if (this.#givesCarry && random(2) === 0) return pick(TAKING_CARRY, random);
    return random(2) === 0 ? pick(ALL, random) : pick(pick(FORMS, random), random);
  }

  #instruction(match: Match, random: Random): string {
    const { form, operation, operands, least, most } = match;
    this.rows.push(form.text);
    this.#givesCarry = operation.traits.givesCarry;
    const isTogether = operation.traits.waits !== undefined;
    this.isTogether ||= isTogether;
    const isWhole = least === most || random(2) === 0;
    const choice: Choice = { random, isUniform: random(4) === 0, results: [] };
    let text = "";
    for (const operand of operands) {
      // The second result of a pair is written whether it is optional or not.
      if (operand.form.optional && !(operand.form.paired ? random(2) === 0 : isWhole)) continue;
      text += text === "" ? " " : operand.form.paired ? "|" : ", ";
      text += this.#operand(operand, match, choice);
    }
    // Generic addresses depend on where an engine has placed the memory.
    if (operation.name === "cvta") text = text.replace(/%\w+/, "%l");
    if (choice.results.length > 0) this.#recent = choice.results;
    const guard = random(4) === 0 && !isTogether ? `@${this.predicate(random)} ` : "";
    return `${guard}${operation.opcode}${text};`;
  }

  #operand(operand: MatchedOperand, match: Match, choice: Choice): string {
    const { form, items } = operand;
    if (form.kind === "address") return addressText(operand, match, choice.random);
    const constant = constantText(operand, match, choice.random);
    if (constant !== undefined) return constant;
    const names = Array.from({ length: Math.max(1, items) }, () =>
      form.result ? this.#result(operand, choice) : this.#source(operand, choice),
    );
    return items === 0 ? names[0]! : `{${names.join(", ")}}`;
  }

  #result({ form, type, items }: MatchedOperand, { random, isUniform, results }: Choice): string {
    if ((form.sink || items > 1) && random(12) === 0) return "_";
    // Long vectors have more items than there are uniform registers, or even registers that fit.
    for (let attempt = 0; attempt < 50; attempt++) {
      const number = isUniform && attempt < 9 ? pick(UNIFORM, random) : random(ORIGINS.length);
      const register = registerName(typeFor(type!, form.relaxed, random), number);
      if (results.includes(register)) continue;
      results.push(register);
      return this.#use(register);
    }
    return "_";
  }

  #source({ form, type }: MatchedOperand, { random, isUniform }: Choice): string {
    const negation = form.negatable && random(3) === 0 ? "!" : "";
    if (form.special && random(4) === 0) {
      const [name, of] = pick(SPECIALS, random);
      if (takesRegister(type!, of, false)) return name;
    }
    const immediate = form.register || random(5) > 0 ? undefined : immediateText(type!, form, random);
    if (immediate !== undefined) return immediate;
    const recent = this.#recent.filter((name) => takesRegister(type!, typeOfRegister(name), form.relaxed));
    if (recent.length > 0 && !isUniform && random(3) === 0) return `${negation}${pick(recent, random)}`;
    const number = isUniform ? pick(UNIFORM, random) : random(ORIGINS.length);
    return `${negation}${this.#use(registerName(typeFor(type!, form.relaxed, random), number))}`;
  }

  #use(register: string): string {
    this.used.add(register);
    return register;
  }
}

function typeFor(type: PtxType, relaxed: boolean, random: Random): PtxType {
  const fitting = REGISTER_TYPES.filter((register) => takesRegister(type, register, relaxed));
  return fitting.includes(type) && random(2) === 0 ? type : pick(fitting, random);
}

/** Special registers with their types, without those that count time. */
const SPECIALS: readonly (readonly [name: string, type: PtxType])[] = [...SPECIAL_REGISTERS].flatMap(
  ([name, { type, vector }]) =>
    /clock|globaltimer|reserved/.test(name)
      ? []
      : vector
        ? ["x", "y", "z"].map((component) => [`%${name}.${component}`, type] as const)
        : [[`%${name}`, type] as const],
);

/** Operands that require certain numbers: barriers, their threads, masks of lanes, strides of matrices. */
function constantText(
  { form, type }: MatchedOperand,
  { operation }: Match,
  random: Random,
): string | undefined {
  const { traits, words } = operation;
  if (form.kind === "constant")
    return form.constants.length > 0 ? `${pick(form.constants, random)}` : `${random(256)}`;
  if (form.limit === 16n) return "0";
  if (form.result || form.kind !== "value" || type !== "u32") return undefined;
  if (traits.waits === "barrier" && form.name === "b") return `%threads`;
  if (traits.waits === "lanes" && form.name === "m") return "0xffffffff";
  const isStride = traits.waits === "lanes" && (words.has("load") || words.has("store")) && form.optional;
  return isStride ? "8" : undefined;
}

/**
 * The address of memory of the thread's own, of memory of its warp for what its lanes do together, or, for atomic
 * operations, sometimes of memory that all threads use.
 */
function addressText({ space }: MatchedOperand, { operation }: Match, random: Random): string {
  const { traits, types, words } = operation;
  const isMatrix = traits.waits !== undefined;
  // Some instructions that only access shared memory accept its generic addresses.
  if (space === "shared") {
    if (operation.space === "generic" && !operation.opcode.startsWith("cp"))
      return isMatrix ? "[%gshw]" : "[%gsh]";
    return isMatrix ? "[%shw]" : pick(["[%sh]", "[%sh32]", "[%sh+32]"], random);
  }
  if (space === "local") return pick(["[lo]", "[%lo]", "[lo+32]", "[%lo+32]"], random);
  if (space === "const") return pick(["[co]", "[%co]", "[co+32]"], random);
  if (space === "param") return traits.writes ? "[sp]" : "[pa]";
  if (isMatrix) return "[%w]";
  if (traits.atomic && random(2) === 0) {
    // Each type has places of its own, because subnormals and NaNs depend on the order.
    return TYPES[types[0]!].bits === 64 || !words.has("global") ? "[%c]" : "[%c+16]";
  }
  return space === "global" ? pick(["[%m]", "[%m+32]"], random) : pick(["[%m]", "[%gsh]", "[%glo]"], random);
}

const EDGES_32 = [
  ...[0, 1, 2, 31, 32, 33, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff],
  ...[
    0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00001, 0x7f800001, 0x00000001, 0x807fffff,
    0x00800000,
  ],
  ...[0x3c00bc00, 0x7c01fe00, 0x00010400, 0x4f000000, 0xcf000001, 0x5f000000],
];
const EDGES_64 = [
  ...[0n, 1n, 63n, 64n, 0x7fffffffffffffffn, 0x8000000000000000n, 0xffffffffffffffffn, 0x100000000n],
  ...[0x3ff0000000000000n, 0x7ff0000000000000n, 0x7ff0000000000001n, 0xfff8000000000123n, 0x1n],
  ...[
    0x41dfffffffc00000n,
    0xc1e0000000000000n,
    0x43e0000000000000n,
    0x000fffffffffffffn,
    0x36a0000000000000n,
  ],
];

/** A number of some bits: an edge of integers or of floats, a small one, or any. */
export function randomBits(bits: number, random: Random): bigint {
  const any = (BigInt(random(2 ** 32)) << 32n) | BigInt(random(2 ** 32));
  const chosen = [
    () => (bits === 64 ? pick(EDGES_64, random) : BigInt(pick(EDGES_32, random))),
    () => BigInt(random(70)),
    () => any,
  ];
  return BigInt.asUintN(bits, pick(chosen, random)());
}

function immediateText(type: PtxType, form: Form["operands"][number], random: Random): string | undefined {
  if (form.limit !== undefined) return `${random(Number(form.limit))}`;
  const { bits, class: kind, lanes } = TYPES[type];
  const digits = randomBits(bits, random)
    .toString(16)
    .padStart(bits / 4, "0");
  if (type === "f32") return `0f${digits}`;
  if (type === "f64") return `0d${digits}`;
  if (kind === "pred") return `${random(2)}`;
  return kind === "float" || lanes === 2 ? undefined : `0x${digits}`;
}
