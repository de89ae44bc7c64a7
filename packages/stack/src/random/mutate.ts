// Variations of programs, as evolutionary searches use them. Each gives a new program that is in range when its parents
// are, and leaves them as they are; a final return stays where it is.
import type { StackTable } from "@mm-ptx/types/core";
import { invalid } from "../arguments.js";
import { float32Bits } from "../encode.js";
import { InstructionType, Packed } from "../layout.js";
import { StackProgram } from "../program.js";
import type { Random } from "./generator.js";
import type { ProgramSampler } from "./sampler.js";

const WORDS = Packed.wordsPerInstruction;

/** Replaces `count` instructions, at random places, by random ones. */
export function replaceInstructions(
  program: StackProgram,
  sampler: ProgramSampler,
  random: Random,
  count = 1,
): StackProgram {
  const length = bodyLength(program);
  const words = program.words.slice();
  if (length > 0) {
    for (let i = 0; i < whole("count", count); i++)
      sampler.write(words, random.below(length) * WORDS, random);
  }
  return StackProgram.fromWords(words);
}

/** Inserts `count` random instructions in one run at a random place. */
export function insertInstructions(
  program: StackProgram,
  sampler: ProgramSampler,
  random: Random,
  count = 1,
): StackProgram {
  const at = random.below(bodyLength(program) + 1) * WORDS;
  const inserted = whole("count", count) * WORDS;
  const words = new Uint32Array(program.words.length + inserted);
  words.set(program.words.subarray(0, at));
  for (let i = 0; i < inserted; i += WORDS) sampler.write(words, at + i, random);
  words.set(program.words.subarray(at), at + inserted);
  return StackProgram.fromWords(words);
}

/** Deletes a run of `count` instructions, or all when there are fewer. */
export function deleteInstructions(program: StackProgram, random: Random, count = 1): StackProgram {
  const length = bodyLength(program);
  const deleted = Math.min(whole("count", count), length);
  const at = random.below(length - deleted + 1) * WORDS;
  const words = new Uint32Array(program.words.length - deleted * WORDS);
  words.set(program.words.subarray(0, at));
  words.set(program.words.subarray(at + deleted * WORDS), at);
  return StackProgram.fromWords(words);
}

/** Exchanges two instructions; they may be the same. */
export function swapInstructions(program: StackProgram, random: Random): StackProgram {
  const length = bodyLength(program);
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

/** A child of two programs: the first with a part of the second in place of its own. */
export function crossover(
  first: StackProgram,
  second: StackProgram,
  random: Random,
  options: CrossoverOptions = {},
): StackProgram {
  const { points = 2, cuts = "same" } = options;
  if (points !== 1 && points !== 2) throw invalid("1 or 2 as `points`", points);
  if (cuts !== "same" && cuts !== "free") throw invalid("`same` or `free` as `cuts`", cuts);
  const [ofFirst, ofSecond] = [bodyLength(first), bodyLength(second)];
  const shorter = Math.min(ofFirst, ofSecond);
  const draw = (length: number): [number, number] => {
    const from = random.below(length + 1);
    if (points === 1) return [from, length];
    const to = random.below(length + 1);
    return [Math.min(from, to), Math.max(from, to)];
  };
  let [start, end] = draw(cuts === "same" ? shorter : ofFirst);
  let [from, to] = cuts === "same" ? [start, end] : draw(ofSecond);
  // Past a single cut each program goes to its own end.
  if (points === 1) [end, to] = [ofFirst, ofSecond];
  [start, end, from, to] = [start * WORDS, end * WORDS, from * WORDS, to * WORDS];
  const words = new Uint32Array(first.words.length - (end - start) + (to - from));
  words.set(first.words.subarray(0, start));
  words.set(second.words.subarray(from, to), start);
  words.set(first.words.subarray(end), start + (to - from));
  return StackProgram.fromWords(words);
}

/** How constants are perturbed. */
export interface PerturbationOptions {
  /** How likely each constant is to change, from 0 to 1; default 1. */
  readonly rate?: number;
  /** How far a constant moves at most, as a part of its magnitude (or of 1, where that is larger); default 0.25. */
  readonly scale?: number;
}

/**
 * Moves constants a little: f32 by any amount within the scale, integers by at least 1. Small moves are likelier than large
 * ones. Constants on stacks without a `constant_type`, infinities and NaNs stay.
 */
export function perturbConstants(
  program: StackProgram,
  table: StackTable,
  random: Random,
  options: PerturbationOptions = {},
): StackProgram {
  const { rate = 1, scale = 0.25 } = options;
  if (!(typeof rate === "number" && rate >= 0 && rate <= 1))
    throw invalid("a number from 0 to 1 as `rate`", rate);
  if (!(typeof scale === "number" && scale >= 0 && scale < 2 ** 31)) {
    throw invalid("a number from 0 up to 2^31 as `scale`", scale);
  }
  const words = program.words.slice();
  for (let at = 0; at < bodyLength(program) * WORDS; at += WORDS) {
    const head = words[at]!;
    if ((head & Packed.typeMask) !== InstructionType.constant) continue;
    const type = table.stackTypes[head >>> Packed.auxShift]?.constantType;
    if (type === undefined || random.fraction() >= rate) continue;
    const bits = words[at + 1]!;
    // The product of two: from -1 to 1, and mostly small.
    const move = (random.fraction() * 2 - 1) * random.fraction() * scale;
    if (type === "f32") words[at + 1] = movedFloat(bits, move);
    else words[at + 1] = movedInteger(type === "s32" ? bits | 0 : bits, move);
  }
  return StackProgram.fromWords(words);
}

function movedFloat(bits: number, move: number): number {
  const value = float32FromBits(bits);
  const moved = Math.fround(value + move * Math.max(Math.abs(value), 1));
  return Number.isFinite(moved) ? float32Bits(moved) : bits;
}

function movedInteger(value: number, move: number): number {
  const step = Math.ceil(Math.abs(move) * Math.max(Math.abs(value), 1));
  // Words wrap around, as the machine's integers do.
  return (value + Math.sign(move) * Math.max(step, 1)) >>> 0;
}

const scratch = new DataView(new ArrayBuffer(4));

function float32FromBits(bits: number): number {
  scratch.setUint32(0, bits);
  return scratch.getFloat32(0);
}

/** The number of instructions before a final return. */
function bodyLength(program: StackProgram): number {
  if (!(program instanceof StackProgram)) throw invalid("a StackProgram", program);
  return program.endsWithReturn ? program.length - 1 : program.length;
}

function whole(what: string, value: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= 2 ** 24) return value;
  throw invalid(`an integer from 0 to ${2 ** 24} as \`${what}\``, value);
}
