// Describes what a program does, as plain data, including everything that its stub does not show.
import type { SavedRegisters } from "../emit/copies.js";
import type { FilledRequests } from "../emit/requests.js";
import { InstructionType, Packed } from "../layout.js";
import type { LiveFinder } from "./live.js";

/** Instructions that make values (those of types ptx, constant, input and special), by index. */
export interface ValueInstructions {
  /** Instructions with a value in the stub: printed, or copied to a requested register. */
  readonly live: readonly number[];
  /** All others: their values were dropped, discarded or left over, or they were skipped or never fetched. */
  readonly dead: readonly number[];
}

/** Instructions that did nothing because something was missing, by type. */
export interface IgnoredInstructions {
  /** PTX instructions, because the stacks held too few arguments. */
  readonly ptx: number;
  /** Meta operations, because the stack held too few values or was full, or the meta stack was empty. */
  readonly meta: number;
  /** Meta constants, because the meta stack was full. */
  readonly metaConstant: number;
  /** Routine calls, because no frame was left (`maxFrameDepth`). */
  readonly routine: number;
  /** Stores, because the stack was empty. */
  readonly store: number;
  /** Loads, because the slot was empty. */
  readonly load: number;
}

/** What remains after all requests were filled. */
export interface Leftovers {
  /** The number of values on each stack. */
  readonly stacks: readonly number[];
  /** The number of entries on the meta stack. */
  readonly meta: number;
  /** Slots that hold a value, ascending. */
  readonly slots: readonly number[];
}

/** The result of `StackCompiler.analyze`. */
export interface StackAnalysis extends ValueInstructions {
  /** The same for each routine. An instruction is live when a value of any of its runs is live. */
  readonly routines: readonly ValueInstructions[];
  /**
   * The number of lines of the stub that compute: PTX instructions and moves of special registers, but not the final
   * copies.
   */
  readonly lines: number;
  /** The length of the longest chain of lines in which each line reads the one before it. */
  readonly depth: number;
  /** The number of registers that the stub declares for each stack. */
  readonly registers: readonly number[];
  /** How many of these registers save one of your registers before the copies overwrite it. */
  readonly savedRegisters: number;
  /** Indices of your registers that the stub reads, ascending. */
  readonly inputs: readonly number[];
  /**
   * The number of constant values that the stub reads. An instruction that ran several times counts once for each run.
   * `live` says which instructions these are: those that `StackProgram.decode` calls constants.
   */
  readonly constants: number;
  /** Indices of the special registers that the stub reads, ascending. */
  readonly specials: readonly number[];
  /** Indices of the requests that found their stack empty; the stub does not write their registers. */
  readonly unfilledRequests: readonly number[];
  /** The number of instructions that were fetched, returns included. */
  readonly fetched: number;
  /**
   * The number of instructions at the end of the program that were never fetched, because a return or the execution
   * limit came before them.
   */
  readonly unreached: number;
  /** Whether the execution limit stopped the program before it returned. */
  readonly executionLimitHit: boolean;
  /** AST entries that the program used; `maxAstSize` limits them. */
  readonly astEntries: number;
  /** For each stack, the number of values that were pushed while it was full and were lost. */
  readonly droppedPushes: readonly number[];
  /** The number of instructions that did nothing, by type. */
  readonly ignored: IgnoredInstructions;
  /** The number of meta stack entries that were popped by meta operations that then did nothing. */
  readonly lostNumbers: number;
  /** Values, numbers and slots that remain. */
  readonly leftovers: Leftovers;
}

/** What the compiler knows about an analyzed program. */
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

/** Without routines, each instruction of the program is fetched at most once, and in order. */
function valuesOfProgram({ finder, program }: Observation): ValueInstructions {
  const dead = list(finder.found, finder.deadStart, finder.deadEnd);
  const count = program.length / Packed.wordsPerInstruction;
  for (let index = finder.observer.reached; index < count; index++)
    if (makesValues(program, index)) dead.push(index);
  return { live: list(finder.found, finder.liveStart, finder.liveEnd), dead };
}

/** The instructions of each routine, by its index, then those of the program. */
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

/** Copies a part of an array into a plain array of known length. */
function list(numbers: Int32Array, start: number, end: number): number[] {
  const copy = new Array<number>(end - start);
  for (let at = start; at < end; at++) copy[at - start] = numbers[at]!;
  return copy;
}

/** The places of the nonzero entries among `count` numbers, starting at `first`. */
function positions(numbers: Int32Array, first: number, count: number): number[] {
  const found: number[] = [];
  for (let index = 0; index < count; index++) if (numbers[first + index] !== 0) found.push(index);
  return found;
}
