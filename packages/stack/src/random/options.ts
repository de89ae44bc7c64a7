// The options of a sampler: their defaults, their checks, and the choices that result from them.
import type { ConstantType, StackInstruction, StackTable } from "@mm-ptx/types/core";
import { checkNames, checkOptionNames, checkTable, integer, invalid } from "../arguments.js";
import { META_OPERATION_NAMES, type MetaOperationName } from "../layout.js";
import { REFERENCE_LIMITS } from "../limits.js";
import type { StackRegister } from "../register.js";
import type { RandomSource } from "./generator.js";
import { type Choice, type DrawnNumber, type InstructionKind, vocabulary } from "./vocabulary.js";

/** Options of a `ProgramSampler`: what it draws from, and with which weights. */
export interface ProgramSamplerOptions {
  /**
   * The number of instructions in a program, not counting a final return. The default is 16 to 64, all equally likely.
   */
  readonly length?: number | { readonly min: number; readonly max: number };
  /** The registers of the jobs that the programs are for. Without registers, no input is drawn. */
  readonly registers?: readonly Pick<StackRegister, "stackIndex">[];
  /** Indices of the registers that programs may read. By default programs may read all of them. */
  readonly inputs?: readonly number[];
  /** The number of routines of the compiler that the programs are for. The default is 0. */
  readonly routines?: number;
  /**
   * The number of slots for store and load, at most the limit `storeSize`. The default is 16, like that of the limit.
   */
  readonly slots?: number;
  /**
   * The weight of each kind of instruction. Kinds that are not named keep their default: ptx 8, input 4, constant 2,
   * meta 1, metaConstant 0.5, store 0.25, load 0.25, routine 0.5, special 0. A kind that has nothing to draw from is
   * never drawn.
   */
  readonly kinds?: Partial<Record<InstructionKind, number>>;
  /**
   * The weight of each stack, by name: how likely an input, constant or stack operation of this stack is compared with
   * the same of another. Stacks that are not named are excluded, together with every PTX instruction that reads or
   * writes them. An instruction has the smallest weight among its stacks, or 1 when it has no operands. By default all
   * stacks have the same weight.
   */
  readonly stacks?: Readonly<Record<string, number>>;
  /**
   * The weight of each PTX instruction, by name or as a function. The default, also for instructions that are not
   * named, is 1, and 0 for `aligned` instructions, which every thread of a warp has to reach.
   */
  readonly instructions?: Readonly<Record<string, number>> | ((instruction: StackInstruction) => number);
  /** The weight of each stack operation, by name. The default, also for operations that are not named, is 1. */
  readonly operations?: Partial<Record<MetaOperationName, number>>;
  /** Functions that draw the constants of each type. Results are rounded to f32, or to integers modulo 2^32. */
  readonly constants?: Partial<Record<ConstantType, NumberSource>>;
  /** Draws the number of a meta constant. The default is 0 to 7. */
  readonly metaConstant?: NumberSource;
}

/** Draws a number for a constant. */
export type NumberSource = (random: RandomSource) => number;

/** Checked options with all defaults filled in. */
export interface SamplerSettings {
  /** The range of the lengths of programs. */
  readonly min: number;
  readonly max: number;
  /** All choices, with the weight of each among all of them. */
  readonly choices: readonly Choice[];
  /** Draws the payloads that a choice leaves open. */
  readonly sources: Readonly<Record<DrawnNumber, NumberSource>>;
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
/** All kinds, in the order in which they are sampled. */
const KINDS = Object.keys(DEFAULT_KINDS) as InstructionKind[];
/** Multiples of 1/16 from -4 to 4, which are exact in f32; small integers. */
const DEFAULT_CONSTANTS: Readonly<Record<ConstantType, NumberSource>> = {
  f32: (random) => (random.below(129) - 64) / 16,
  s32: (random) => random.below(33) - 16,
  u32: (random) => random.below(33),
};
const DEFAULT_META_CONSTANT: NumberSource = (random) => random.below(8);

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

/** The most instructions of a program. */
const LONGEST = 2 ** 24;
const MOST_ROUTINES = 2 ** 16;
const MOST_SLOTS = 2 ** 16;

/** @throws StackPtxError INVALID_ARGUMENT when an option is unknown or out of range, or nothing is left to draw */
export function samplerSettings(table: StackTable, options: ProgramSamplerOptions): SamplerSettings {
  checkTable(table);
  checkOptionNames(options, OPTION_NAMES);
  const { constants = {}, metaConstant = DEFAULT_META_CONSTANT } = options;
  if (typeof constants !== "object" || constants === null) throw invalid("`constants` by type", constants);
  checkNames("constant type", Object.keys(constants), Object.keys(DEFAULT_CONSTANTS));
  const sources = { ...DEFAULT_CONSTANTS, metaConstant };
  for (const [type, source] of Object.entries(constants)) {
    if (source !== undefined) sources[type as ConstantType] = source;
  }
  for (const [what, source] of Object.entries(sources)) {
    if (typeof source !== "function") throw invalid(`a function that draws \`${what}\``, source);
  }
  return { ...lengths(options.length), choices: choices(table, options), sources };
}

function lengths(length: ProgramSamplerOptions["length"] = DEFAULT_LENGTH): { min: number; max: number } {
  if (typeof length !== "object" || length === null) {
    const only = integer("`length`", length, LONGEST);
    return { min: only, max: only };
  }
  checkNames("property of `length`", Object.keys(length), Object.keys(DEFAULT_LENGTH));
  const min = integer("the shortest `length`", length.min, LONGEST);
  return { min, max: integer("the longest `length`", length.max, LONGEST, min) };
}

/** The choices of each kind, scaled so that together they have the weight of their kind. */
function choices(table: StackTable, options: ProgramSamplerOptions): readonly Choice[] {
  const { stacks, instructions = {}, routines = 0, slots = REFERENCE_LIMITS.storeSize } = options;
  const { kinds = {}, operations = {} } = options;
  const byOperation = weights("operation", operations, META_OPERATION_NAMES);
  const shares = weights("kind", kinds, KINDS);
  const stackNames = table.stackTypes.map(({ name }) => name);
  const byStack = stacks === undefined ? undefined : weights("stack", stacks, stackNames);
  const byInstruction = typeof instructions === "function" ? instructions : byName(table, instructions);

  const byKind = vocabulary(table, {
    inputs: inputs(table, options),
    routines: integer("`routines`", routines, MOST_ROUTINES),
    slots: integer("`slots`", slots, MOST_SLOTS),
    stackWeight: (stack) => (byStack === undefined ? 1 : (byStack.get(stackNames[stack]!) ?? 0)),
    operationWeight: (operation) => byOperation.get(operation) ?? 1,
    instructionWeight: (instruction) =>
      weight(`instruction \`${instruction.name}\``, byInstruction(instruction)),
  });
  const all = KINDS.flatMap((kind) => {
    const share = shares.get(kind) ?? DEFAULT_KINDS[kind];
    const sum = byKind[kind].reduce((total, choice) => total + choice.weight, 0);
    return byKind[kind].map((choice) => ({ ...choice, weight: (share * choice.weight) / sum }));
  }).filter((choice) => choice.weight > 0);
  if (all.length === 0) throw invalid("weights that leave an instruction to draw", "none");
  return all;
}

/** The registers that programs may read, with their stacks. */
function inputs(table: StackTable, options: ProgramSamplerOptions): { index: number; stackIndex: number }[] {
  const { registers = [], inputs: indices } = options;
  if (!Array.isArray(registers)) throw invalid("`registers` as an array", registers);
  if (indices !== undefined && !Array.isArray(indices)) throw invalid("`inputs` as an array", indices);
  return Array.from<number>(indices ?? registers.keys()).map((index) => {
    if (registers.length === 0) throw invalid("no `inputs` without `registers`", index);
    integer("an input", index, registers.length - 1);
    const stackIndex = registers[index]?.stackIndex;
    return {
      index,
      stackIndex: integer(`the stack of register ${index}`, stackIndex, table.stackTypes.length - 1),
    };
  });
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
  throw invalid(`a number of at least 0 as the weight of ${what}`, value);
}
