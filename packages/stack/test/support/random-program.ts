// Random programs as words: mostly in range, sometimes just beyond it, rarely arbitrary.
import type { StackTable } from "@mm-ptx/types/core";
import type { Random } from "./random.js";
import type { Register } from "./reference.js";

/** The things that words can refer to. */
export interface Surroundings {
  readonly table: StackTable;
  readonly registers: readonly Register[];
  readonly routineCount: number;
  readonly storeSize: number;
}

/** How often a program leaves the range: one instruction in this number. */
export interface Wildness {
  /** Indices that are a little too large. */
  readonly beyond: number;
  /** Senseless words. */
  readonly senseless: number;
}

/** Never out of range. */
export const TAME: Wildness = { beyond: Number.POSITIVE_INFINITY, senseless: Number.POSITIVE_INFINITY };

/**
 * Instruction types with the frequencies of each kind of program: all alike, mostly computing, mostly values.
 */
const MIXTURES = [
  [1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 5, 5, 6, 7, 11, 12],
  [1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 3, 3, 3],
  [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4, 4, 5, 6, 7, 11, 12, 12],
] as const;
const INVALID_TYPES = [0, 8, 9, 13, 0xffff] as const;

/** `count` random instructions, two words each; one in a few programs returns early. */
export function randomWords(
  random: Random,
  count: number,
  around: Surroundings,
  wildness: Wildness,
): number[] {
  const words: number[] = [];
  const returning = random.once(6);
  const writer = new InstructionWriter(random, around);
  while (words.length < 2 * count) {
    if (random.once(wildness.senseless)) words.push(...senseless(random));
    else if (returning && random.once(2 * count)) words.push(10 + aux(random), random.word());
    else words.push(...writer.next(random.once(wildness.beyond) ? 1 : 0));
  }
  return words;
}

function senseless(random: Random): [number, number] {
  const type = random.once(2) ? random.pick(INVALID_TYPES) : random.pick(MIXTURES[0]);
  return random.once(2) ? [random.word(), random.word()] : [type + aux(random), random.word()];
}

/**
 * Writes instructions that mostly find their operands on the stacks, by a rough count of the values there.
 */
class InstructionWriter {
  readonly #types: readonly number[];
  readonly #sizes: number[];

  constructor(
    readonly random: Random,
    readonly around: Surroundings,
  ) {
    this.#types = random.pick(MIXTURES);
    this.#sizes = around.table.stackTypes.map(() => 0);
  }

  /** An instruction whose index may be up to `beyond` too large. */
  next(beyond: number): [number, number] {
    const { random, around } = this;
    const { table, registers, routineCount, storeSize } = around;
    const index = (count: number): number => random.below(Math.max(1, count + beyond));
    const stack = index(table.stackTypes.length);
    const type = random.pick(this.#types);
    // A type that has nothing to refer to would end every program with the same error: it becomes a constant
    // instead.
    switch (type) {
      case 1:
        if (table.instructions.length + beyond > 0) return this.#ptx(index(table.instructions.length));
        break;
      case 3:
        if (registers.length + beyond > 0) return this.#input(index(registers.length));
        break;
      case 4:
        if (table.specialRegisters.length + beyond > 0) return [4, index(table.specialRegisters.length)];
        break;
      case 5:
        // Clearing a stack (6) leaves little to compare, so it is rare.
        return [5 + stack * 65536, random.once(4) ? index(9) : random.pick([0, 1, 2, 3, 4, 7, 8])];
      case 6:
        return [6, random.once(10) ? random.word() : random.below(random.once(3) ? 40 : 4)];
      case 7:
        if (routineCount + beyond > 0) return [7, index(routineCount)];
        break;
      case 11:
      case 12:
        if (storeSize + beyond === 0) break;
        return [type + (type === 11 ? stack * 65536 : aux(random)), index(storeSize)];
    }
    this.#count(stack, 1);
    const bits = random.once(3) ? random.word() : random.pick([0, 1, 0x3f800000, 0xffffffff, 0x80000000]);
    return [2 + stack * 65536, bits];
  }

  #ptx(first: number): [number, number] {
    const { random, around } = this;
    const { argTypes, instructions } = around.table;
    const misses = (index: number): boolean =>
      (instructions[index]?.args ?? []).some(
        (type) => this.#sizes[argTypes[type]!.stackIndex]! < elements(around, type),
      );
    let index = first;
    for (let tries = random.below(8); tries > 0 && misses(index); tries--) {
      index = random.below(instructions.length);
    }
    const { args = [], results = [] } = instructions[index] ?? {};
    if (!misses(index))
      for (const type of args) this.#count(argTypes[type]!.stackIndex, -elements(around, type));
    for (const type of results) this.#count(argTypes[type]!.stackIndex, elements(around, type));
    return [1 + aux(random), index];
  }

  #input(index: number): [number, number] {
    const register = this.around.registers[index];
    if (register !== undefined) this.#count(register.stackIndex, 1);
    return [3 + aux(this.random), index];
  }

  #count(stack: number, change: number): void {
    this.#sizes[stack] = Math.max(0, (this.#sizes[stack] ?? 0) + change);
  }
}

/**
 * A chain of `count` instructions of one stack, each of which reads the result of the one before; the other
 * operands are inputs and constants, or older values of the chain.
 */
export function chainWords(random: Random, count: number, around: Surroundings): number[] {
  const { argTypes, instructions } = around.table;
  const stackOf = (type: number): number => argTypes[type]!.stackIndex;
  const chained = instructions.flatMap(({ args, results }, index) => {
    const stack = args[0] === undefined ? -1 : stackOf(args[0]);
    const fits = results.length > 0 && [...args, ...results].every((type) => stackOf(type) === stack);
    return fits ? [{ index, stack, needs: args.reduce((sum, type) => sum + elements(around, type), 0) }] : [];
  });
  if (chained.length === 0) return [];
  const { stack } = random.pick(chained);
  const usable = chained.filter((each) => each.stack === stack);
  const inputs = around.registers.flatMap(({ stackIndex }, index) => (stackIndex === stack ? [index] : []));
  const push = (): [number, number] =>
    inputs.length > 0 && random.once(2) ? [3, random.pick(inputs)] : [2 + stack * 65536, random.word()];
  const words: number[] = [...push(), ...push()];
  for (let step = 0; step < count; step++) {
    const { index, needs } = random.pick(usable);
    for (let arg = 1; arg < needs; arg++) words.push(...(random.once(4) ? [5 + stack * 65536, 0] : push()));
    words.push(1, index);
  }
  return words;
}

function elements({ table }: Surroundings, type: number): number {
  return Math.max(1, table.argTypes[type]!.vectorElements);
}

/** Bits of the first word that most instructions ignore. */
function aux(random: Random): number {
  return random.once(8) ? random.below(65536) * 65536 : 0;
}
