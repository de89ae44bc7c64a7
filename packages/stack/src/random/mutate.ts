// Variations of programs, as evolutionary searches use them. Each gives a new program that is in range when its parents
// are, and leaves them as they are; a final return stays where it is.
import type { StackTable } from "@mm-ptx/types/core";
import { checkOptionNames, checkTable, integer, invalid } from "../arguments.js";
import { float32Bits, float32FromBits } from "../float32.js";
import { InstructionType, Packed } from "../layout.js";
import { checkProgram, StackProgram } from "../program.js";
import { checkRandom, type Random } from "./generator.js";
import { ProgramSampler } from "./sampler.js";

const WORDS = Packed.wordsPerInstruction;
const MOST_INSTRUCTIONS = 2 ** 24;
const CROSSOVER_OPTIONS = ["points", "cuts"];
const PERTURBATION_OPTIONS = ["rate", "scale"];
/** What integer constants may be. */
const RANGES = { s32: { least: -(2 ** 31), most: 2 ** 31 - 1 }, u32: { least: 0, most: 2 ** 32 - 1 } };

/**
 * Replaces `count` instructions, at random places, by random ones.
 * @throws StackPtxError INVALID_VALUE when an argument is of the wrong kind, or `count` no integer from 0 to 2^24
 */
export function replaceInstructions(
  program: StackProgram,
  sampler: ProgramSampler,
  random: Random,
  count = 1,
): StackProgram {
  const length = bodyLength(program);
  checkRandom(random);
  checkSampler(sampler);
  checkCount(count);
  const words = program.words.slice();
  for (let i = 0; i < count && length > 0; i++) {
    const index = random.below(length);
    sampler.fill(words, index, index + 1, random);
  }
  return StackProgram.fromWords(words);
}

/**
 * Inserts `count` random instructions in one run at a random place.
 * @throws StackPtxError INVALID_VALUE as `replaceInstructions`
 */
export function insertInstructions(
  program: StackProgram,
  sampler: ProgramSampler,
  random: Random,
  count = 1,
): StackProgram {
  const length = bodyLength(program);
  checkRandom(random);
  checkSampler(sampler);
  checkCount(count);
  const at = random.below(length + 1);
  const words = new Uint32Array(program.words.length + count * WORDS);
  words.set(program.words.subarray(0, at * WORDS));
  sampler.fill(words, at, at + count, random);
  words.set(program.words.subarray(at * WORDS), (at + count) * WORDS);
  return StackProgram.fromWords(words);
}

/**
 * Deletes a run of `count` instructions, or all when there are fewer.
 * @throws StackPtxError INVALID_VALUE as `replaceInstructions`
 */
export function deleteInstructions(program: StackProgram, random: Random, count = 1): StackProgram {
  const length = bodyLength(program);
  checkRandom(random);
  checkCount(count);
  const deleted = Math.min(count, length);
  const at = random.below(length - deleted + 1);
  return program.splice(at, deleted);
}

/**
 * Exchanges two instructions; they may be the same.
 * @throws StackPtxError INVALID_VALUE when an argument is of the wrong kind
 */
export function swapInstructions(program: StackProgram, random: Random): StackProgram {
  const length = bodyLength(program);
  checkRandom(random);
  const words = program.words.slice();
  if (length > 0) {
    const [one, other] = [random.below(length) * WORDS, random.below(length) * WORDS];
    words.copyWithin(one, other, other + WORDS);
    words.set(program.words.subarray(one, one + WORDS), other);
  }
  return StackProgram.fromWords(words);
}

/** How two programs are crossed. */
export interface CrossoverOptions {
  /** 1: the start of one and the end of the other; 2 (the default): a run of the other inside of the one. */
  readonly points?: 1 | 2;
  /**
   * `same` (the default): the cuts stand at the same places in both, and the child is as long as one of them. `free`:
   * they are drawn for each, and children grow and shrink.
   */
  readonly cuts?: "same" | "free";
}

/**
 * A child of two programs: the first with a part of the second in place of its own.
 * @throws StackPtxError INVALID_VALUE when an argument is of the wrong kind or an option unknown
 */
export function crossover(
  first: StackProgram,
  second: StackProgram,
  random: Random,
  options: CrossoverOptions = {},
): StackProgram {
  const [ofFirst, ofSecond] = [bodyLength(first), bodyLength(second)];
  checkRandom(random);
  checkOptionNames(options, CROSSOVER_OPTIONS);
  const { points = 2, cuts = "same" } = options;
  if (points !== 1 && points !== 2) throw invalid("1 or 2 as `points`", points);
  if (cuts !== "same" && cuts !== "free") throw invalid("`same` or `free` as `cuts`", cuts);
  /** The run that goes from one or comes from the other; past a single cut, it ends where the program does. */
  const run = (length: number): [start: number, end: number] => {
    const cut = random.below(length + 1);
    if (points === 1) return [cut, Number.POSITIVE_INFINITY];
    const other = random.below(length + 1);
    return [Math.min(cut, other), Math.max(cut, other)];
  };
  const [start, end] = run(cuts === "same" ? Math.min(ofFirst, ofSecond) : ofFirst);
  const [from, to] = cuts === "same" ? [start, end] : run(ofSecond);
  return first.splice(start, Math.min(end, ofFirst) - start, second.slice(from, Math.min(to, ofSecond)));
}

/** How constants are perturbed. */
export interface PerturbationOptions {
  /** How likely each constant is to change, from 0 to 1; default 1. */
  readonly rate?: number;
  /** How far a constant moves at most, as a part of its magnitude (or of 1, where that is larger); default 0.25. */
  readonly scale?: number;
}

/**
 * Moves constants a little: f32 by any amount within the scale, integers by at least 1 (unless the scale is 0). Small moves
 * are likelier than large ones. Nothing leaves the range of its type: an integer at the end of it goes the other way.
 * Constants on stacks without a `constant_type`, infinities and NaNs stay.
 * @throws StackPtxError INVALID_VALUE when an argument is of the wrong kind, or an option unknown or out of range
 */
export function perturbConstants(
  program: StackProgram,
  table: StackTable,
  random: Random,
  options: PerturbationOptions = {},
): StackProgram {
  const end = bodyLength(program) * WORDS;
  checkTable(table);
  checkRandom(random);
  checkOptionNames(options, PERTURBATION_OPTIONS);
  const { rate = 1, scale = 0.25 } = options;
  if (!(typeof rate === "number" && rate >= 0 && rate <= 1))
    throw invalid("a number from 0 to 1 as `rate`", rate);
  if (!(typeof scale === "number" && scale >= 0 && scale < 2 ** 31)) {
    throw invalid("a number from 0 up to 2^31 as `scale`", scale);
  }
  const words = program.words.slice();
  for (let at = 0; at < end; at += WORDS) {
    const head = words[at]!;
    if ((head & Packed.typeMask) !== InstructionType.constant) continue;
    const type = table.stackTypes[head >>> Packed.auxShift]?.constantType;
    if (type === undefined || random.fraction() >= rate) continue;
    const bits = words[at + 1]!;
    // The product of two: from -1 to 1, and mostly small.
    const move = (random.fraction() * 2 - 1) * random.fraction() * scale;
    words[at + 1] = type === "f32" ? movedFloat(bits, move) : movedInteger(bits, move, type);
  }
  return StackProgram.fromWords(words);
}

function movedFloat(bits: number, move: number): number {
  const value = float32FromBits(bits);
  const moved = Math.fround(value + move * Math.max(Math.abs(value), 1));
  return Number.isFinite(moved) ? float32Bits(moved) : bits;
}

function movedInteger(bits: number, move: number, type: keyof typeof RANGES): number {
  const { least, most } = RANGES[type];
  const value = type === "s32" ? bits | 0 : bits;
  const step = Math.sign(move) * Math.ceil(Math.abs(move) * Math.max(Math.abs(value), 1));
  const within = (moved: number): number => Math.min(Math.max(moved, least), most);
  const moved = within(value + step);
  return (moved === value ? within(value - step) : moved) >>> 0;
}

/** The number of instructions before a final return. */
function bodyLength(program: StackProgram): number {
  checkProgram(program);
  return program.endsWithReturn ? program.length - 1 : program.length;
}

function checkSampler(sampler: ProgramSampler): void {
  if (!(sampler instanceof ProgramSampler)) throw invalid("a ProgramSampler", sampler);
}

function checkCount(count: number): void {
  integer("`count`", count, MOST_INSTRUCTIONS);
}
