// Mutations of programs for evolutionary search. Each returns a new program that is in range when its parents are, and
// leaves the parents unchanged. A final return stays at the end.
import type { StackTable } from "@mm-ptx/types/core";
import { type Checks, isNumber, isOneOf, isWhole } from "@mm-ptx/types/internal";
import { checkOptionValues, checkTable, integer, invalid } from "../arguments.js";
import { float32Bits, float32FromBits } from "../float32.js";
import { InstructionType, Packed } from "../layout.js";
import { checkProgram, StackProgram } from "../program.js";
import { checkRandom, type RandomSource } from "./generator.js";
import { ProgramSampler } from "./sampler.js";

const WORDS = Packed.wordsPerInstruction;
const MOST_INSTRUCTIONS = 2 ** 24;
const CROSSOVER_OPTIONS: Checks = { points: isWhole(1, 2), cuts: isOneOf(["same", "free"]) };
/** A change by more would not fit into 32 bits. */
const LARGEST_SCALE = 2 ** 31 - 1;
const PERTURBATION_OPTIONS: Checks = { rate: isNumber(0, 1), scale: isNumber(0, LARGEST_SCALE) };
/** The range of integer constants. */
const RANGES = { s32: { least: -(2 ** 31), most: 2 ** 31 - 1 }, u32: { least: 0, most: 2 ** 32 - 1 } };

/**
 * Replaces `count` instructions at random places by random ones.
 * @throws StackPtxError INVALID_ARGUMENT when an argument is of the wrong kind, or `count` is not an integer from 0 to
 * 2^24
 */
export function replaceInstructions(
  program: StackProgram,
  sampler: ProgramSampler,
  random: RandomSource,
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
 * Inserts a run of `count` random instructions at a random place.
 * @throws StackPtxError INVALID_ARGUMENT like `replaceInstructions`
 */
export function insertInstructions(
  program: StackProgram,
  sampler: ProgramSampler,
  random: RandomSource,
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
 * Deletes a run of `count` instructions, or all instructions when there are fewer.
 * @throws StackPtxError INVALID_ARGUMENT like `replaceInstructions`
 */
export function deleteInstructions(program: StackProgram, random: RandomSource, count = 1): StackProgram {
  const length = bodyLength(program);
  checkRandom(random);
  checkCount(count);
  const deleted = Math.min(count, length);
  const at = random.below(length - deleted + 1);
  return program.splice(at, deleted);
}

/**
 * Swaps two random instructions, which may be the same one.
 * @throws StackPtxError INVALID_ARGUMENT when an argument is of the wrong kind
 */
export function swapInstructions(program: StackProgram, random: RandomSource): StackProgram {
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

/** Options of `crossover`. */
export interface CrossoverOptions {
  /**
   * 1 takes the start of the first program and the end of the second; 2 (the default) replaces a run of the first by a
   * run of the second.
   */
  readonly points?: 1 | 2;
  /**
   * `same` (the default) cuts both programs at the same places, so the child is as long as one of them. `free` draws
   * the cuts separately for each, so children can be longer or shorter.
   */
  readonly cuts?: "same" | "free";
}

/**
 * Crosses two programs over: the child is the first program with a part of the second in place of its own.
 * @throws StackPtxError INVALID_ARGUMENT when an argument is of the wrong kind or an option is unknown
 */
export function crossover(
  first: StackProgram,
  second: StackProgram,
  random: RandomSource,
  options: CrossoverOptions = {},
): StackProgram {
  const [ofFirst, ofSecond] = [bodyLength(first), bodyLength(second)];
  checkRandom(random);
  checkOptionValues(options, CROSSOVER_OPTIONS);
  const { points = 2, cuts = "same" } = options;
  /** The run that is replaced, or the run that replaces it. With a single cut, it extends to the end of the program. */
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

/** Options of `perturbConstants`. */
export interface PerturbationOptions {
  /** The probability that a constant changes, from 0 to 1. The default is 1. */
  readonly rate?: number;
  /** The maximum change of a constant, relative to its magnitude (or to 1 if that is larger). The default is 0.25. */
  readonly scale?: number;
}

/**
 * Changes constants slightly: an f32 by any amount within the scale, an integer by at least 1 (unless the scale is 0).
 * Small changes are more likely than large ones. No constant leaves the range of its type: an integer at the end of its
 * range changes in the other direction. Constants on stacks without a `constant_type`, infinities and NaNs stay as they
 * are.
 * @throws StackPtxError INVALID_ARGUMENT when an argument is of the wrong kind, or an option is unknown or out of range
 */
export function perturbConstants(
  program: StackProgram,
  table: StackTable,
  random: RandomSource,
  options: PerturbationOptions = {},
): StackProgram {
  const end = bodyLength(program) * WORDS;
  checkTable(table);
  checkRandom(random);
  checkOptionValues(options, PERTURBATION_OPTIONS);
  const { rate = 1, scale = 0.25 } = options;
  const words = program.words.slice();
  for (let at = 0; at < end; at += WORDS) {
    const head = words[at]!;
    if ((head & Packed.typeMask) !== InstructionType.constant) continue;
    const type = table.stackTypes[head >>> Packed.auxShift]?.constantType;
    if (type === undefined || random.fraction() >= rate) continue;
    const bits = words[at + 1]!;
    // The product of two random numbers is between -1 and 1, and usually small.
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
