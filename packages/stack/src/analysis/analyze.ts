// What a program does and what becomes of it, as plain data: everything that a stub does not show.
import type { SavedRegisters } from "../emit/copies.js";
import type { FilledRequests } from "../emit/requests.js";
import { InstructionType, Packed } from "../layout.js";
import type { LiveFinder } from "./live.js";

/** Instructions that make values, by index: of types ptx, constant, input and special. */
export interface ValueInstructions {
  /** Those of which the stub has a value: printed, or copied to a requested register. */
  readonly live: readonly number[];
  /** All others: what they made was dropped, thrown away or left, or they were skipped or never fetched. */
  readonly dead: readonly number[];
}

/** Instructions that did nothing because something was missing, by type. */
export interface IgnoredInstructions {
  /** Too few arguments. */
  readonly ptx: number;
  /** Too few values, a full stack, or no number on the meta stack. */
  readonly meta: number;
  /** A full meta stack. */
  readonly metaConstant: number;
  /** Frames were used up (`maxFrameDepth`). */
  readonly routine: number;
  /** An empty stack. */
  readonly store: number;
  /** An empty slot. */
  readonly load: number;
}

/** What is still there when all requests were filled. */
export interface Leftovers {
  /** Values on each stack. */
  readonly stacks: readonly number[];
  /** Numbers on the meta stack. */
  readonly meta: number;
  /** Slots that hold a value, ascending. */
  readonly slots: readonly number[];
}

/** What `StackCompiler.analyze` tells. */
export interface StackAnalysis extends ValueInstructions {
  /** The same for each routine; an instruction is live when a value of any of its runs is. */
  readonly routines: readonly ValueInstructions[];
  /** Lines of the stub that compute: PTX instructions and moves of special registers, not the final copies. */
  readonly lines: number;
  /** Lines of the longest chain in which each reads the one before it. */
  readonly depth: number;
  /** Registers that the stub declares, by stack. */
  readonly registers: readonly number[];
  /** Of these, the ones that save a register of the caller before the copies overwrite it. */
  readonly savedRegisters: number;
  /** The caller's registers that are read, by index, ascending. */
  readonly inputs: readonly number[];
  /**
   * Values pushed by constants that are read, one for each time that such an instruction ran. Which instructions these
   * are `live` says: those that `StackProgram.decode` calls constants.
   */
  readonly constants: number;
  /** Special registers that are read, by index, ascending. */
  readonly specials: readonly number[];
  /** Requests, by index, that found their stack exhausted: their registers are not written. */
  readonly unfilledRequests: readonly number[];
  /** Instructions fetched, returns included. */
  readonly fetched: number;
  /** Instructions at the end of the program that were never fetched: behind a return or the execution limit. */
  readonly unreached: number;
  /** Whether the execution limit stopped the program before it returned. */
  readonly executionLimitHit: boolean;
  /** AST entries used, which `maxAstSize` bounds. */
  readonly astEntries: number;
  /** Values that were pushed onto each stack while it was full, and lost. */
  readonly droppedPushes: readonly number[];
  /** Instructions that did nothing, by type. */
  readonly ignored: IgnoredInstructions;
  /** Numbers that ignored meta operations took off the meta stack all the same. */
  readonly lostNumbers: number;
  /** What nothing has taken. */
  readonly leftovers: Leftovers;
}

/** What a compiler knows of one analyzed program. */
export interface Observation {
  readonly finder: LiveFinder;
  readonly program: Uint32Array;
  readonly routines: readonly Uint32Array[];
  /** Whether the execution limit stopped the program. */
  readonly cut: boolean;
  readonly filled: FilledRequests;
  readonly saved: SavedRegisters;
}

export function describe(observation: Observation): StackAnalysis {
  const { finder, program, cut, filled, saved } = observation;
  const { observer } = finder;
  const { dropped, ignored, inputs, machine, work } = observer;
  const { found } = finder;
  const { stackCount } = machine;
  for (const stack of saved.stacks) found[stack]!++;
  const { ptx, meta, metaConstant, routine, store, load } = ignored;
  const routines = observation.routines.length === 0 ? [] : valuesOfRoutines(observation);
  const own = routines.pop() ?? valuesOfProgram(observation);
  return {
    live: own.live,
    dead: own.dead,
    routines,
    lines: finder.lines,
    depth: finder.depth,
    registers: list(found, 0, stackCount),
    savedRegisters: saved.inputs.length,
    inputs: positions(found, stackCount + 1, inputs.count),
    constants: found[stackCount]!,
    specials: finder.specials.size === 0 ? [] : [...finder.specials].sort((a, b) => a - b),
    unfilledRequests: filled.unfilled.length === 0 ? [] : filled.unfilled.slice(),
    fetched: observer.fetched,
    unreached: program.length / Packed.wordsPerInstruction - observer.reached,
    executionLimitHit: cut,
    astEntries: work.astUsed,
    droppedPushes: list(dropped, 0, stackCount),
    ignored: { ptx, meta, metaConstant, routine, store, load },
    lostNumbers: observer.lostNumbers,
    leftovers: { stacks: list(work.sizes, 0, stackCount), meta: work.metaSize, slots: work.filledSlots() },
  };
}

/** Without routines each instruction of the program is fetched once at most, and in order. */
function valuesOfProgram({ finder, program }: Observation): ValueInstructions {
  const dead = list(finder.found, finder.deadStart, finder.deadEnd);
  const count = program.length / Packed.wordsPerInstruction;
  for (let index = finder.observer.reached; index < count; index++)
    if (makesValues(program, index)) dead.push(index);
  return { live: list(finder.found, finder.liveStart, finder.liveEnd), dead };
}

/** The routines' by their index, and last the program's. */
function valuesOfRoutines({ finder, program, routines }: Observation): ValueInstructions[] {
  const { firsts } = finder.observer;
  const marks = new Uint8Array(firsts[routines.length]! + program.length / Packed.wordsPerInstruction);
  for (let at = finder.liveStart; at < finder.liveEnd; at++) marks[finder.found[at]!] = 1;
  return [...routines, program].map((words, routine) => {
    const live: number[] = [];
    const dead: number[] = [];
    for (let index = 0; index < words.length / Packed.wordsPerInstruction; index++) {
      if (marks[firsts[routine]! + index] === 1) live.push(index);
      else if (makesValues(words, index)) dead.push(index);
    }
    return { live, dead };
  });
}

/** The types of instructions that make values are the first four. */
function makesValues(words: Uint32Array, index: number): boolean {
  const type = words[index * Packed.wordsPerInstruction]! & Packed.typeMask;
  return type >= InstructionType.ptx && type <= InstructionType.special;
}

/** A part of an array as numbers. The length is known, so nothing grows while it is written. */
function list(numbers: Int32Array, start: number, end: number): number[] {
  const copy = new Array<number>(end - start);
  for (let at = start; at < end; at++) copy[at - start] = numbers[at]!;
  return copy;
}

/** Where in `count` numbers from `first` on something else than 0 stands. */
function positions(numbers: Int32Array, first: number, count: number): number[] {
  const found: number[] = [];
  for (let index = 0; index < count; index++) if (numbers[first + index] !== 0) found.push(index);
  return found;
}
