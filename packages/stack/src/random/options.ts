// What a sampler may be told: options with their defaults, checked, and the choices that they leave.
import type { ConstantType, StackInstruction, StackTable } from "@mm-ptx/types/core";
import { checkNames, checkOptionNames, checkTable, integer, invalid } from "../arguments.js";
import { META_OPERATION_NAMES, type MetaOperationName } from "../layout.js";
import { REFERENCE_LIMITS } from "../limits.js";
import type { StackRegister } from "../register.js";
import type { Random } from "./generator.js";
import { type Choice, type DrawnNumber, type InstructionKind, vocabulary } from "./vocabulary.js";

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
   * the least likely of its stacks, and as 1 when it touches none. Default: all stacks, equally.
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
  readonly constants?: Partial<Record<ConstantType, NumberSource>>;
  /** The number that a meta constant is; default from 0 to 7. */
  readonly metaConstant?: NumberSource;
}

/** Draws a number for a constant. */
export type NumberSource = (random: Random) => number;

/** Options that were checked, with all defaults. */
export interface SamplerSettings {
  /** The lengths of programs. */
  readonly min: number;
  readonly max: number;
  /** All that can be drawn, with the weight of each among all. */
  readonly choices: readonly Choice[];
  /** Where the numbers come from that a choice leaves open. */
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
/** All kinds, in the order in which they are drawn from. */
const KINDS = Object.keys(DEFAULT_KINDS) as InstructionKind[];
/** Sixteenths from -4 to 4, exact in f32; small integers. */
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

/** Most instructions of a program. */
const LONGEST = 2 ** 24;
const MOST_ROUTINES = 2 ** 16;
const MOST_SLOTS = 2 ** 16;

/** @throws StackPtxError INVALID_VALUE when an option is unknown or out of range, or leaves nothing to draw */
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

/** What is drawn, each with its part of the weight of its kind. */
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
  throw invalid(`a number from 0 up as weight of ${what}`, value);
}
