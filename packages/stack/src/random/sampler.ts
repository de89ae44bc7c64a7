// Draws instructions and whole programs for a table: always in range, whatever stands on the stacks.
import type { ConstantType, StackInstruction, StackTable } from "@mm-ptx/types/core";
import { checkNames, invalid } from "../arguments.js";
import { float32Bits } from "../encode.js";
import { MetaOperation, type MetaOperationName, Packed } from "../layout.js";
import { REFERENCE_LIMITS } from "../limits.js";
import { StackProgram } from "../program.js";
import type { StackRegister } from "../register.js";
import type { Random } from "./generator.js";
import { type Choice, type InstructionKind, KINDS, vocabulary } from "./vocabulary.js";
import { Weighted } from "./weighted.js";

/** What to draw from and how often. */
export interface ProgramSamplerOptions {
  /** Instructions of a program, a final return not counted; default from 16 to 64, all equally likely. */
  readonly length?: number | { readonly min: number; readonly max: number };
  /** The registers of the jobs that the programs are for; without them no input is drawn. */
  readonly registers?: readonly Pick<StackRegister, "stackIndex">[];
  /** Indices of the registers that programs may read; default all. */
  readonly inputs?: readonly number[];
  /** Routines of the compiler that the programs are for; default 0. */
  readonly routines?: number;
  /** Slots to store in and load from, at most the limit `storeSize`; default 16, the default of that limit. */
  readonly slots?: number;
  /**
   * How likely each kind of instruction is, against the others. Those not named keep their default: ptx 8, input 4,
   * constant 2, meta 1, metaConstant 0.5, store 0.25, load 0.25, routine 0.5, special 0. A kind that has nothing to
   * draw is never drawn.
   */
  readonly kinds?: Partial<Record<InstructionKind, number>>;
  /**
   * Stacks by name: how likely an input, constant or stack operation of this one is against the same of another. Those
   * not named are left out, with every PTX instruction that takes from them or gives to them. An instruction counts as
   * the least likely of its stacks. Default: all stacks, equally.
   */
  readonly stacks?: Readonly<Record<string, number>>;
  /**
   * PTX instructions by name, or a function: how likely each is against another. Default, for those not named too: 1, and 0
   * for `aligned` ones, which every thread of a warp has to reach.
   */
  readonly instructions?: Readonly<Record<string, number>> | ((instruction: StackInstruction) => number);
  /** Stack operations by name: how likely each is against another; default 1, for those not named too. */
  readonly operations?: Partial<Record<MetaOperationName, number>>;
  /** The numbers that constants are drawn from, by their type: rounded to f32, or integers taken modulo 2^32. */
  readonly constants?: Partial<Record<ConstantType, (random: Random) => number>>;
  /** The number that a meta constant is; default from 0 to 7. */
  readonly metaConstant?: (random: Random) => number;
}

const DEFAULT_LENGTH = { min: 16, max: 64 };
const DEFAULT_KINDS: Readonly<Record<InstructionKind, number>> = {
  ptx: 8,
  constant: 2,
  input: 4,
  special: 0,
  meta: 1,
  metaConstant: 0.5,
  routine: 0.5,
  store: 0.25,
  load: 0.25,
};
/** Sixteenths from -4 to 4, exact in f32; small integers. */
const DEFAULT_CONSTANTS: Readonly<Record<ConstantType, (random: Random) => number>> = {
  f32: (random) => (random.below(129) - 64) / 16,
  s32: (random) => random.below(33) - 16,
  u32: (random) => random.below(33),
};
const DEFAULT_META_CONSTANT = (random: Random): number => random.below(8);

const OPTION_NAMES = [
  "length",
  "registers",
  "inputs",
  "routines",
  "slots",
  "kinds",
  "stacks",
  "instructions",
  "operations",
  "constants",
  "metaConstant",
];

/** Most instructions of a program. */
const LONGEST = 2 ** 24;

/**
 * Draws random programs of a table. Words are drawn without a thought for what is on the stacks: every program is valid,
 * because an instruction that lacks operands does nothing.
 */
export class ProgramSampler {
  readonly table: StackTable;
  private readonly least: number;
  private readonly most: number;
  private readonly choices: readonly Choice[];
  private readonly weighted: Weighted;
  private readonly constants: Readonly<Record<ConstantType, (random: Random) => number>>;
  private readonly metaConstant: (random: Random) => number;

  /** @throws StackPtxError INVALID_VALUE when an option is unknown or out of range, or leaves nothing to draw */
  constructor(table: StackTable, options: ProgramSamplerOptions = {}) {
    if (table?.kind !== "stack") throw invalid("a Stack PTX table", table);
    if (typeof options !== "object" || options === null) throw invalid("options as an object", options);
    checkNames("option", Object.keys(options), OPTION_NAMES);
    const { length = DEFAULT_LENGTH, registers = [], constants = {}, stacks, instructions = {} } = options;
    const operations = weights("operation", options.operations ?? {}, Object.keys(MetaOperation));
    const { min, max } =
      typeof length === "object" && length !== null ? length : { min: length, max: length };
    this.least = count("length", min, LONGEST);
    this.most = count("length", max, LONGEST);
    if (this.most < this.least) throw invalid(`a longest length of at least ${min}`, max);

    if (!Array.isArray(registers)) throw invalid("`registers` as an array", registers);
    const inputs = (options.inputs ?? registers.map((_, index) => index)).map((index) => {
      const stackIndex = registers[index]?.stackIndex;
      if (stackIndex === undefined) throw invalid(`an input from 0 to ${registers.length - 1}`, index);
      if (!(stackIndex < table.stackTypes.length)) {
        throw invalid(`a stack from 0 to ${table.stackTypes.length - 1} for register ${index}`, stackIndex);
      }
      return { index, stackIndex };
    });
    const kinds = weights("kind", options.kinds ?? {}, KINDS);
    const stackNames = table.stackTypes.map(({ name }) => name);
    const byStack = stacks === undefined ? undefined : weights("stack", stacks, stackNames);
    const byInstruction = typeof instructions === "function" ? instructions : byName(table, instructions);
    checkNames("constant type", Object.keys(constants), Object.keys(DEFAULT_CONSTANTS));

    const choices = vocabulary(table, {
      inputs,
      routines: count("routines", options.routines ?? 0, 2 ** 16),
      slots: count("slots", options.slots ?? REFERENCE_LIMITS.storeSize, 2 ** 16),
      stackWeight: (stack) => (byStack === undefined ? 1 : (byStack.get(stackNames[stack]!) ?? 0)),
      operationWeight: (operation) => operations.get(operation) ?? 1,
      instructionWeight: (instruction) =>
        weight(`instruction \`${instruction.name}\``, byInstruction(instruction)),
    });
    const flat = KINDS.flatMap((kind) => {
      const share = kinds.get(kind) ?? DEFAULT_KINDS[kind];
      const sum = choices[kind].reduce((total, choice) => total + choice.weight, 0);
      return choices[kind].map((choice) => ({ ...choice, weight: (share * choice.weight) / sum }));
    }).filter((choice) => choice.weight > 0);
    if (flat.length === 0) throw invalid("weights that leave an instruction to draw", "none");
    this.table = table;
    this.choices = flat;
    this.weighted = new Weighted(flat.map((choice) => choice.weight));
    this.constants = { ...DEFAULT_CONSTANTS, ...constants };
    this.metaConstant = options.metaConstant ?? DEFAULT_META_CONSTANT;
  }

  /** A program of random length. */
  program(random: Random): StackProgram {
    const length = this.least + random.below(this.most - this.least + 1);
    const words = new Uint32Array(length * Packed.wordsPerInstruction);
    for (let at = 0; at < words.length; at += Packed.wordsPerInstruction) this.write(words, at, random);
    return StackProgram.fromWords(words);
  }

  /** Writes one random instruction over the two words at `at`. */
  write(words: Uint32Array, at: number, random: Random): void {
    const { head, payload } = this.choices[this.weighted.pick(random)]!;
    words[at] = head;
    words[at + 1] = typeof payload === "number" ? payload : this.draw(payload, random);
  }

  private draw(payload: ConstantType | "metaConstant", random: Random): number {
    if (payload === "metaConstant") return this.metaConstant(random);
    const value = this.constants[payload](random);
    return payload === "f32" ? float32Bits(value) : value;
  }
}

function byName(
  table: StackTable,
  given: Readonly<Record<string, number>>,
): (instruction: StackInstruction) => number {
  const names = table.instructions.map(({ name }) => name);
  const named = weights("instruction", given, names);
  return ({ name, aligned }) => named.get(name) ?? (aligned ? 0 : 1);
}

function weights(
  what: string,
  given: Readonly<Record<string, number | undefined>>,
  names: readonly string[],
): Map<string, number> {
  if (typeof given !== "object" || given === null) throw invalid(`weights by ${what}`, given);
  checkNames(what, Object.keys(given), names);
  return new Map(
    Object.entries(given).flatMap(([name, value]): [string, number][] =>
      value === undefined ? [] : [[name, weight(`${what} \`${name}\``, value)]],
    ),
  );
}

function weight(what: string, value: number): number {
  if (typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER) return value;
  throw invalid(`a number from 0 up as weight of ${what}`, value);
}

function count(what: string, value: number, most: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw invalid(`an integer from 0 to ${most} as \`${what}\``, value);
}
