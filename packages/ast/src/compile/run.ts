// Runs a program: its values stand on one stack, and each PTX instruction is written the moment it runs. The common
// instructions run in a loop of their own (common.ts); here stands what each instruction means, one by one.
import { AstPtxError, type AstPtxErrorCode, type InstructionPlace } from "../error.js";
import type { InputNames } from "../inputs.js";
import { InstructionType, Packed } from "../layout.js";
import type { AstLimits } from "../limits.js";
import { LONGEST_LINE, runCommon } from "./common.js";
import { Frames, MAIN_PROGRAM } from "./frames.js";
import { GAP, Output, writeText } from "./output.js";
import { REGISTER_NAMES } from "./registers.js";
import type { CompileTable } from "./table.js";
import { copyValue, Value, Values } from "./values.js";
import { Pair } from "./words.js";

/** Instructions of the common loop for which room is made at a time. */
const BATCH = 256;
/** Values that the common loop may read behind the last. */
const BEHIND = 2;

export class Run {
  readonly registers = REGISTER_NAMES;
  readonly values = new Values(BATCH);
  readonly output = new Output();
  private readonly frames = new Frames();
  /** Values on the stack. */
  size = 0;
  /** Registers that the stub has. */
  registerCount = 0;
  /** The byte behind the last one written. */
  end = 0;
  /** Whether every value has a text, as the common loop needs it. */
  private textual = true;
  /** Instructions of the routines that ran. */
  private inlined = 0;

  /** @param routines the words of each, without those behind its return */
  constructor(
    readonly table: CompileTable,
    readonly inputs: InputNames,
    private readonly routines: readonly Uint32Array[],
    private readonly limits: AstLimits,
  ) {}

  /**
   * Runs a program to its return: its instructions are then written behind the gap of the output, and its value is the
   * only one on the stack.
   * @throws AstPtxError with the place of the instruction that cannot be run
   */
  run(program: Uint32Array): void {
    const { frames } = this;
    frames.reset(program);
    this.size = 0;
    this.registerCount = 0;
    this.end = GAP;
    this.inlined = 0;
    this.textual = this.inputs.allShort;
    for (;;) {
      if (this.textual) this.runCommon();
      if (this.step()) return;
    }
  }

  /**
   * Adds what stands around the instructions of a program that has run: the declaration, and the copy of its value.
   * @returns where the stub begins; it ends at `end`
   */
  finish(outputName: string): number {
    this.write(`mov.f32 %${outputName}, `);
    this.writeOperand(0);
    this.endLine();
    this.write("}");
    const head = this.registerCount === 0 ? "{\n" : `{\n.reg .f32 %ast<${this.registerCount}>;\n`;
    writeText(this.output.view, GAP - head.length, head);
    return GAP - head.length;
  }

  /** Runs as many instructions of the running frame as the common loop can. */
  private runCommon(): void {
    const { frames, limits, output, registers, values } = this;
    for (;;) {
      const { at, words } = frames;
      // A push each, and then the stack may be full.
      const count = Math.min(BATCH, limits.maxStackDepth - this.size);
      const end = Math.min(
        words.length,
        at + count * Packed.wordsPerInstruction,
        limits.maxInstructions * Packed.wordsPerInstruction,
      );
      if (at >= end) return;
      output.reserve(this.end, BATCH * LONGEST_LINE);
      registers.reserve(this.registerCount + BATCH);
      values.reserve(this.size + BATCH + BEHIND);
      frames.at = runCommon(this, words, at, end);
      if (frames.at < end) return;
    }
  }

  /** Runs the next instruction; returns whether the program has ended. */
  private step(): boolean {
    const { frames, limits } = this;
    const { at, words } = frames;
    if (at >= limits.maxInstructions * Packed.wordsPerInstruction) {
      throw this.fail(
        "BAD_INSTRUCTION_MAYBE_FORGOT_RETURN",
        `expected a return within ${limits.maxInstructions} instructions (limit \`maxInstructions\`)`,
      );
    }
    const ended = at >= words.length;
    const head: number = ended ? InstructionType.return : words[at]!;
    const payload = ended ? 0 : words[at + 1]!;
    const argCount = head >>> Packed.auxShift;
    switch (head & Packed.typeMask) {
      case InstructionType.input:
        this.pushInput(payload);
        break;
      case InstructionType.constant:
        this.push();
        this.values.setConstant(this.size - 1, payload);
        break;
      case InstructionType.ptx:
        this.runInstruction(payload, argCount);
        break;
      case InstructionType.routine:
        this.enterRoutine(payload, argCount);
        return false;
      case InstructionType.routineArgument:
        this.pushArgument(payload);
        break;
      case InstructionType.return:
        this.checkReturn();
        if (frames.depth === 0) return true;
        frames.leave();
        return false;
      default:
        throw this.fail(
          "BAD_INSTRUCTION_MAYBE_FORGOT_RETURN",
          `expected a known instruction type, found ${head & Packed.typeMask}`,
        );
    }
    frames.at = at + Packed.wordsPerInstruction;
    return false;
  }

  /** Makes the stack one value longer. */
  private push(): void {
    const { maxStackDepth } = this.limits;
    if (this.size >= maxStackDepth) {
      throw this.fail(
        "STACK_OVERFLOW",
        `expected at most ${maxStackDepth} values at a time (limit \`maxStackDepth\`), found one more`,
      );
    }
    this.size++;
    this.values.reserve(this.size);
  }

  private pushInput(index: number): void {
    this.push();
    // That an input does not exist is an error only where its value is written.
    if (index < this.inputs.count) {
      this.values.copy(this.size - 1, this.inputs.values, index, 1);
    } else {
      this.values.setInput(this.size - 1, index);
      this.textual = false;
    }
  }

  private pushArgument(index: number): void {
    const { args, argCount, argsStart, routine } = this.frames;
    if (index >= argCount) {
      const what =
        routine === MAIN_PROGRAM ? "the main program has none" : `the routine was given ${argCount}`;
      throw this.fail("ROUTINE_ARG_IDX_OUT_OF_BOUNDS", `routine argument ${index} is out of range, ${what}`);
    }
    this.push();
    this.values.copy(this.size - 1, args, argsStart + index, 1);
  }

  private runInstruction(index: number, argCount: number): void {
    const { table, registers, values } = this;
    this.checkArgCount(argCount);
    if (index >= table.length) {
      throw this.fail(
        "PTX_INSTRUCTION_IDX_OUT_OF_BOUNDS",
        `ptx instruction ${index} is out of range, the table has ${counted(table.length, "instruction")}`,
      );
    }
    const mnemonic = table.mnemonics[index]!;
    const expected = table.args[index]!;
    if (expected !== argCount) {
      throw this.fail(
        "INVALID_VALUE",
        `expected ${counted(expected, "argument")} for \`${mnemonic.trimEnd()}\`, found ${argCount}`,
      );
    }
    this.checkUnderflow(argCount);
    const register = this.registerCount++;
    registers.reserve(this.registerCount);
    this.write(mnemonic);
    this.writeValue(registers.values, register);
    const first = this.size - argCount;
    for (let arg = first; arg < this.size; arg++) this.writeOperand(arg);
    this.endLine();
    this.size = first;
    this.push();
    values.copy(first, registers.values, register, 1);
  }

  private enterRoutine(index: number, argCount: number): void {
    const { frames, limits, routines } = this;
    this.checkArgCount(argCount);
    const words = routines[index];
    if (words === undefined) {
      throw this.fail(
        "ROUTINE_IDX_OUT_OF_BOUNDS",
        `routine ${index} is out of range, the compiler has ${counted(routines.length, "routine")}`,
      );
    }
    this.checkDepth();
    this.checkUnderflow(argCount);
    this.inlined += words.length / Packed.wordsPerInstruction + 1;
    if (this.inlined > limits.maxInlined) {
      throw this.fail(
        "INLINE_LIMIT_EXCEEDED",
        `expected at most ${limits.maxInlined} instructions in routines (limit \`maxInlined\`), found more`,
      );
    }
    frames.at += Packed.wordsPerInstruction;
    frames.enter(index, words, this.values, this.size, argCount);
    this.size = frames.entrySize;
  }

  private checkDepth(): void {
    const { depth } = this.frames;
    const { maxRoutineDepth } = this.limits;
    if (depth >= maxRoutineDepth) {
      throw this.fail(
        "ROUTINE_DEPTH_EXCEEDED",
        `expected at most ${counted(maxRoutineDepth, "routine")} inside each other (limit \`maxRoutineDepth\`), found one more`,
      );
    }
    // With as many inside each other as there are, the next one runs already: it would run itself for ever.
    if (maxRoutineDepth === Number.POSITIVE_INFINITY && depth >= this.routines.length) {
      throw this.fail("ROUTINE_DEPTH_EXCEEDED", "expected an end, found a routine that runs itself");
    }
  }

  private checkReturn(): void {
    const { entrySize, routine } = this.frames;
    if (this.size === entrySize + 1) return;
    const who = routine === MAIN_PROGRAM ? "the program" : "the routine";
    const change = this.size - entrySize;
    const found = change < 0 ? `${counted(-change, "value")} of its caller taken` : `${change}`;
    throw this.fail("INVALID_VALUE", `expected ${who} to leave exactly one value, found ${found}`);
  }

  private checkArgCount(argCount: number): void {
    const { maxArgs } = this.limits;
    if (argCount <= maxArgs) return;
    throw this.fail(
      "TOO_MANY_ARGS",
      `expected at most ${maxArgs} arguments (limit \`maxArgs\`), found ${argCount}`,
    );
  }

  private checkUnderflow(argCount: number): void {
    if (argCount <= this.size) return;
    throw this.fail(
      "STACK_UNDERFLOW",
      `expected ${counted(argCount, "value")} to take, found ${this.size === 0 ? "none" : this.size}`,
    );
  }

  private writeOperand(at: number): void {
    if (this.values.lengthOf(at) > 0) {
      this.writeValue(this.values, at);
      return;
    }
    const input = this.values.inputOf(at);
    const { count, names } = this.inputs;
    if (input >= count) {
      throw this.fail(
        "INPUT_IDX_OUT_OF_BOUNDS",
        `input ${input} is out of range, the program has ${counted(count, "input")}`,
      );
    }
    this.write(`%${names[input]!}, `);
  }

  /** Appends a value that has a text. */
  private writeValue(values: Values, at: number): void {
    this.output.reserve(this.end, Value.bytes);
    copyValue(this.output.view, this.end, values.view, at * Value.bytes);
    this.end += values.lengthOf(at);
  }

  private write(text: string): void {
    this.output.reserve(this.end, text.length);
    this.end = writeText(this.output.view, this.end, text);
  }

  /** Writes the end of the line over the last operand's ", ". */
  private endLine(): void {
    this.output.view.setUint16(this.end - 2, Pair.endOfLine, true);
  }

  /** The error of the instruction that runs. */
  private fail(code: AstPtxErrorCode, message: string): AstPtxError {
    const { at, routine } = this.frames;
    const place: InstructionPlace = {
      routine: routine === MAIN_PROGRAM ? undefined : routine,
      instruction: at / Packed.wordsPerInstruction,
    };
    return new AstPtxError(code, message, place);
  }
}

/** `1 input`, `3 inputs`. */
function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
