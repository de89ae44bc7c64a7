// Writes the straight-line code of a program: what its stub would compute, as words. A program that does not compile is left to
// the compiler, whose error says why.
import {
  type CodeBuffer,
  codeType,
  constantOperation,
  encodeOperation,
  inputOperation,
} from "@mm-ptx/types/code";
import type { AstTable } from "@mm-ptx/types/core";
import { CodeWord } from "@mm-ptx/types/internal";
import type { InstructionPlace } from "../error.js";
import { InstructionType, Packed } from "../layout.js";
import { type AstLimits, REFERENCE_LIMITS } from "../limits.js";

const F32 = codeType("f32");
const INPUT = inputOperation(F32);
const CONSTANT = constantOperation(F32);
/** Stands for an input that does not exist, which is an error only where its value is read. */
const MISSING = -1;
/** An item has its operation and at most this many operands, unless its instruction has more arguments. */
const USUAL_WORDS = 5;

/** A run of a routine. */
interface Frame {
  readonly words: Uint32Array;
  readonly at: number;
  readonly routine: number | undefined;
  /** The size of the stack when it began. */
  readonly entrySize: number;
  /** The numbers of the values of its arguments. */
  readonly args: readonly number[];
}

export class CodeWriter {
  /** The operation of each instruction of the table, 0 if it has none, and its number of arguments. */
  readonly #operations: Uint32Array;
  readonly #args: Uint32Array;
  readonly #table: AstTable;
  readonly #routines: readonly Uint32Array[];
  readonly #limits: AstLimits;
  /** 1 for each routine that has run. */
  readonly #hasRun: Uint8Array;
  #stack = new Int32Array(64);
  /** The instruction without an operation that ended the last code, if that is what ended it. */
  unsupported: { readonly ptx: string; readonly place: InstructionPlace } | undefined;

  /** @param routines the words of each routine, up to its return */
  constructor(table: AstTable, routines: readonly Uint32Array[], limits: AstLimits) {
    this.#table = table;
    this.#operations = Uint32Array.from(table.instructions, ({ ptx, args }) => encodeOperation(ptx, args));
    this.#args = Uint32Array.from(table.instructions, ({ args }) => args);
    this.#routines = routines;
    this.#limits = limits;
    this.#hasRun = new Uint8Array(routines.length);
  }

  /**
   * Appends the code of a program with this many inputs.
   * @returns whether the program has a code; if not, nothing has been appended
   */
  write(program: Uint32Array, inputs: number, out: CodeBuffer): boolean {
    const { maxStackDepth, maxInstructions, maxArgs, maxInlined, maxRoutineDepth } = this.#limits;
    // When as many routines are nested as there are, the next one runs itself.
    const mostFrames = Math.min(
      maxRoutineDepth,
      Math.max(this.#routines.length, REFERENCE_LIMITS.maxRoutineDepth),
    );
    const operations = this.#operations;
    const argCounts = this.#args;
    const frames: Frame[] = [];
    let words = program;
    let at = 0;
    let args: readonly number[] = [];
    let routine: number | undefined;
    let inlined = 0;
    let entrySize = 0;
    this.#hasRun.fill(0);
    let stack = this.#stack;
    let size = 0;
    let items = 0;
    const start = out.end;
    let end = start + CodeWord.header;
    this.unsupported = undefined;
    let room = out.reserve(CodeWord.header + (words.length / Packed.wordsPerInstruction) * USUAL_WORDS + 1);
    for (;;) {
      if (at >= maxInstructions * Packed.wordsPerInstruction) return false;
      const ended = at >= words.length;
      const head = ended ? InstructionType.ret : words[at]!;
      const payload = ended ? 0 : words[at + 1]!;
      at += Packed.wordsPerInstruction;
      if (size + 1 >= stack.length) {
        const grown = new Int32Array(2 * stack.length);
        grown.set(stack);
        stack = this.#stack = grown;
      }
      const type = head & Packed.typeMask;
      const count = head >>> Packed.auxShift;
      if (end + USUAL_WORDS + count > room.length) room = out.reserve(end - start + USUAL_WORDS + count);
      if (type === InstructionType.input) {
        if (payload >= inputs) stack[size++] = MISSING;
        else {
          room[end] = INPUT;
          room[end + 1] = payload;
          end += 2;
          stack[size++] = items++;
        }
      } else if (type === InstructionType.constant) {
        room[end] = CONSTANT;
        room[end + 1] = payload;
        end += 2;
        stack[size++] = items++;
      } else if (type === InstructionType.ptx) {
        const operation = operations[payload] ?? 0;
        if (argCounts[payload] !== count || count > maxArgs || size < count) return false;
        if (operation === 0) {
          const place = { routine, instruction: at / Packed.wordsPerInstruction - 1 };
          this.unsupported = { ptx: this.#table.instructions[payload]!.ptx, place };
          return false;
        }
        room[end++] = operation;
        size -= count;
        for (let arg = size; arg < size + count; arg++) {
          const value = stack[arg]!;
          if (value === MISSING) return false;
          room[end++] = value;
        }
        stack[size++] = items++;
      } else if (type === InstructionType.ret) {
        if (size !== entrySize + 1) return false;
        const frame = frames.pop();
        if (frame === undefined) break;
        ({ words, at, args, routine, entrySize } = frame);
      } else if (type === InstructionType.routineArgument) {
        const value = args[payload];
        if (value === undefined) return false;
        stack[size++] = value;
      } else if (type === InstructionType.routine) {
        const called = this.#routines[payload];
        if (called === undefined || count > maxArgs || size < count || frames.length >= mostFrames)
          return false;
        if (this.#hasRun[payload] === 1) inlined += called.length / Packed.wordsPerInstruction + 1;
        this.#hasRun[payload] = 1;
        if (inlined > maxInlined) return false;
        frames.push({ words, at, args, routine, entrySize });
        size -= count;
        args = Array.from(stack.subarray(size, size + count));
        words = called;
        at = 0;
        routine = payload;
        entrySize = size;
      } else return false;
      if (size > maxStackDepth) return false;
    }
    if (stack[0] === MISSING) return false;
    room[start] = CodeWord.magic;
    room[start + CodeWord.itemCount] = items;
    room[start + CodeWord.arity] = inputs | (1 << CodeWord.outputShift);
    room[end++] = stack[0]! | (F32 << CodeWord.typeShift);
    out.append(end);
    return true;
  }
}
