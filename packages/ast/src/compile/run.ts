// Runs a program: its values are on one stack, and each PTX instruction is written as soon as it runs. The common
// instructions run in a loop of their own (loop.ts); this file defines what each instruction means, one by one.
import { AstPtxError, type AstPtxErrorCode, counted, type InstructionPlace } from "../error.js";
import type { InputNames } from "../inputs.js";
import { InstructionType, Packed } from "../layout.js";
import { type AstLimits, REFERENCE_LIMITS } from "../limits.js";
import { Control, Line, Region, Value } from "./addresses.js";
import type { Arena } from "./arena.js";
import { Frames, MAIN_PROGRAM } from "./frames.js";
import { Stub } from "./stub.js";
import type { Tables } from "./tables.js";
import { copyValue, setConstant, setInput } from "./text.js";
import { type Workplace, workplace } from "./workplace.js";

/** The number of instructions for which the loop gets room at a time. */
const BATCH = 1024;
/** The room for their text, unless a single instruction needs more, since names may be of any length. */
const BATCH_BYTES = 2 ** 20;

/** The place of a stub among bytes. */
export interface Written {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

export class Run {
  #place!: Workplace;
  readonly #frames = new Frames();
  readonly #stub = new Stub();
  /** The number of values on the stack. */
  #size = 0;
  /** The number of those values that have no text; the loop only runs while this is 0. */
  #textless = 0;
  /** The number of instructions in repeated runs of routines. */
  #inlined = 0;
  /** 1 for each routine that has run. */
  readonly #hasRun: Uint8Array;

  readonly #tables: Tables;
  readonly #inputs: InputNames;
  readonly #limits: AstLimits;
  readonly #webAssembly: boolean;

  constructor(tables: Tables, inputs: InputNames, limits: AstLimits, webAssembly: boolean) {
    this.#tables = tables;
    this.#inputs = inputs;
    this.#limits = limits;
    this.#webAssembly = webAssembly;
    this.#hasRun = new Uint8Array(tables.routineCount);
  }

  /**
   * Runs a program to its return and writes its stub, which stays valid until the next run of any compiler.
   * @throws AstPtxError with the place of an instruction that cannot run
   */
  run(program: Uint32Array, outputName: string): Written {
    const stub = this.#stub;
    const tables = this.#tables;
    this.#place = workplace(this.#webAssembly, program.byteLength);
    tables.install(this.#place, program, this.#inputs);
    this.#frames.begin(tables.programStart, tables.programStart + program.byteLength);
    stub.begin(this.#arena);
    this.#size = 0;
    this.#textless = 0;
    this.#inlined = 0;
    this.#hasRun.fill(0);
    do {
      if (this.#textless === 0) this.#runLoop();
    } while (!this.#step());
    stub.write(`mov.f32 %${outputName}, `);
    this.#writeOperand(0);
    stub.endLine();
    const { start, end } = stub.finish();
    return { bytes: this.#arena.bytes, start, end };
  }

  /** Runs as many instructions of the current frame as the loop can. */
  #runLoop(): void {
    const frames = this.#frames;
    const limits = this.#limits;
    const end = Math.min(frames.end, frames.start + limits.maxInstructions * Packed.bytesPerInstruction);
    const lineBytes = Line.bytes + Line.mostArgs * this.#inputs.longest;
    const most = Math.max(1, Math.min(BATCH, Math.floor(BATCH_BYTES / lineBytes)));
    while (frames.at < end) {
      const left = (end - frames.at) / Packed.bytesPerInstruction;
      // Each instruction may push a value, which may fill the stack.
      const count = Math.min(most, left, limits.maxStackDepth - this.#size);
      if (count <= 0) return;
      const stop = frames.at + count * Packed.bytesPerInstruction;
      this.#runBatch(count, lineBytes);
      if (frames.at < stop) return;
    }
  }

  /** Runs up to `count` instructions in the loop; `lineBytes` suffices for each of their lines. */
  #runBatch(count: number, lineBytes: number): void {
    const arena = this.#arena;
    const frames = this.#frames;
    const stub = this.#stub;
    // What the loop reads after the last value belongs to the next region and has no effect.
    arena.reserve(Region.values, (this.#size + count) * Value.bytes);
    arena.reserve(Region.output, stub.written + count * lineBytes);
    arena.reserveRegisters(stub.registerCount + count);
    const { view } = arena;
    const code = arena.start(Region.code);
    const values = arena.start(Region.values);
    const registers = arena.start(Region.registers);
    const output = arena.start(Region.output);
    view.setUint32(Control.argCount, frames.argCount, true);
    view.setUint32(Control.args, arena.start(Region.args) + frames.argsStart * Value.bytes, true);
    view.setUint32(Control.valuesEnd, values + this.#size * Value.bytes, true);
    view.setUint32(Control.nextRegister, registers + stub.registerCount * Value.bytes, true);
    view.setUint32(Control.outputEnd, output + stub.written, true);
    const stop = code + frames.at + count * Packed.bytesPerInstruction;
    frames.at = this.#place.runLoop(code + frames.at, stop) - code;
    this.#size = (view.getUint32(Control.valuesEnd, true) - values) / Value.bytes;
    stub.registerCount = (view.getUint32(Control.nextRegister, true) - registers) / Value.bytes;
    stub.written = view.getUint32(Control.outputEnd, true) - output;
  }

  /** Runs the next instruction; returns whether the program has ended. */
  #step(): boolean {
    const arena = this.#arena;
    const frames = this.#frames;
    const limits = this.#limits;
    if (frames.at - frames.start >= limits.maxInstructions * Packed.bytesPerInstruction) {
      throw this.#fail(
        "BAD_INSTRUCTION_MAYBE_FORGOT_RETURN",
        `expected a return within ${limits.maxInstructions} instructions (limit \`maxInstructions\`)`,
      );
    }
    const ended = frames.at >= frames.end;
    const at = arena.start(Region.code) + frames.at;
    const head: number = ended ? InstructionType.ret : arena.view.getUint32(at, true);
    const payload = ended ? 0 : arena.view.getUint32(at + 4, true);
    const argCount = head >>> Packed.auxShift;
    switch (head & Packed.typeMask) {
      case InstructionType.input:
        this.#pushInput(payload);
        break;
      case InstructionType.constant:
        setConstant(this.#view, this.#push(), payload);
        break;
      case InstructionType.ptx:
        this.#runInstruction(payload, argCount);
        break;
      case InstructionType.routine:
        this.#enterRoutine(payload, argCount);
        return false;
      case InstructionType.ret:
        this.#checkReturn();
        if (frames.depth === 0) return true;
        frames.leave();
        return false;
      case InstructionType.routineArgument:
        this.#pushArgument(payload);
        break;
      default:
        throw this.#fail(
          "BAD_INSTRUCTION_MAYBE_FORGOT_RETURN",
          `expected a known instruction type, found ${head & Packed.typeMask}`,
        );
    }
    frames.at += Packed.bytesPerInstruction;
    return false;
  }

  /** Makes the stack one value longer; returns the address of that value. */
  #push(): number {
    const { maxStackDepth } = this.#limits;
    if (this.#size >= maxStackDepth) {
      throw this.#fail(
        "STACK_OVERFLOW",
        `expected at most ${counted(maxStackDepth, "value")} at a time (limit \`maxStackDepth\`), found one more`,
      );
    }
    this.#size++;
    this.#arena.reserve(Region.values, this.#size * Value.bytes);
    return this.#valueAt(Region.values, this.#size - 1);
  }

  #pushInput(index: number): void {
    const at = this.#push();
    // An input that does not exist is an error only where its value is written.
    if (index < this.#inputs.names.length) copyValue(this.#view, at, this.#valueAt(Region.inputs, index));
    else setInput(this.#view, at, index);
    this.#textless += this.#isTextless(at);
  }

  #pushArgument(index: number): void {
    const { argCount, argsStart, routine } = this.#frames;
    if (index >= argCount) {
      const found =
        routine === MAIN_PROGRAM
          ? "the main program has none"
          : `the routine has ${counted(argCount, "argument")}`;
      throw this.#fail(
        "ROUTINE_ARG_IDX_OUT_OF_BOUNDS",
        `routine argument ${index} is out of range, ${found}`,
      );
    }
    const at = this.#push();
    copyValue(this.#view, at, this.#valueAt(Region.args, argsStart + index));
    this.#textless += this.#isTextless(at);
  }

  #runInstruction(index: number, argCount: number): void {
    const { mnemonics, args } = this.#tables;
    this.#checkArgCount(argCount);
    const mnemonic = mnemonics[index];
    if (mnemonic === undefined) {
      throw this.#fail(
        "PTX_INSTRUCTION_IDX_OUT_OF_BOUNDS",
        `ptx instruction ${index} is out of range, the table has ${counted(mnemonics.length, "instruction")}`,
      );
    }
    if (args[index] !== argCount) {
      throw this.#fail(
        "INVALID_VALUE",
        `expected ${counted(args[index]!, "argument")} for \`${mnemonic.trimEnd()}\`, found ${argCount}`,
      );
    }
    this.#checkUnderflow(argCount);
    const stub = this.#stub;
    stub.write(mnemonic);
    stub.writeValue(stub.newRegister());
    const first = this.#size - argCount;
    for (let arg = first; arg < this.#size; arg++) this.#writeOperand(arg);
    stub.endLine();
    this.#size = first;
    const at = this.#push();
    copyValue(this.#view, at, this.#valueAt(Region.registers, stub.registerCount - 1));
  }

  #enterRoutine(index: number, argCount: number): void {
    const arena = this.#arena;
    const frames = this.#frames;
    const limits = this.#limits;
    const { routineCount, routineStarts } = this.#tables;
    this.#checkArgCount(argCount);
    if (index >= routineCount) {
      throw this.#fail(
        "ROUTINE_IDX_OUT_OF_BOUNDS",
        `routine ${index} is out of range, the compiler has ${counted(routineCount, "routine")}`,
      );
    }
    this.#checkDepth();
    this.#checkUnderflow(argCount);
    const start = routineStarts[index]!;
    const end = routineStarts[index + 1]!;
    // The first run of a routine adds no more than the caller already has in memory.
    if (this.#hasRun[index] === 1) this.#inlined += (end - start) / Packed.bytesPerInstruction + 1;
    this.#hasRun[index] = 1;
    if (this.#inlined > limits.maxInlined) {
      throw this.#fail(
        "INLINE_LIMIT_EXCEEDED",
        `expected at most ${counted(limits.maxInlined, "instruction")} in routines that run again (limit \`maxInlined\`), found more`,
      );
    }
    frames.at += Packed.bytesPerInstruction;
    this.#size -= argCount;
    frames.enter(index, start, end, this.#size, argCount);
    arena.reserve(Region.args, (frames.argsStart + argCount) * Value.bytes);
    for (let arg = 0; arg < argCount; arg++) {
      const value = this.#valueAt(Region.values, this.#size + arg);
      this.#textless -= this.#isTextless(value);
      copyValue(this.#view, this.#valueAt(Region.args, frames.argsStart + arg), value);
    }
  }

  #checkDepth(): void {
    const { depth } = this.#frames;
    const { maxRoutineDepth } = this.#limits;
    if (depth >= maxRoutineDepth) {
      throw this.#fail(
        "ROUTINE_DEPTH_EXCEEDED",
        `expected at most ${counted(maxRoutineDepth, "routine")} inside each other (limit \`maxRoutineDepth\`), found one more`,
      );
    }
    // When as many routines are nested as there are, the next one is already running, so it would run itself forever.
    // Within its own depth limit mm-ptx 1.1.1 continues, and may find another error first.
    if (depth >= Math.max(this.#tables.routineCount, REFERENCE_LIMITS.maxRoutineDepth)) {
      throw this.#fail("ROUTINE_DEPTH_EXCEEDED", "expected routines that end, found one that runs itself");
    }
  }

  #checkReturn(): void {
    const { entrySize, routine } = this.#frames;
    if (this.#size === entrySize + 1) return;
    const who = routine === MAIN_PROGRAM ? "the program" : "the routine";
    const change = this.#size - entrySize;
    const found = change < 0 ? `${counted(-change, "value")} of its caller taken` : `${change}`;
    throw this.#fail("INVALID_VALUE", `expected ${who} to leave exactly one value, found ${found}`);
  }

  #checkArgCount(argCount: number): void {
    const { maxArgs } = this.#limits;
    if (argCount <= maxArgs) return;
    throw this.#fail(
      "TOO_MANY_ARGS",
      `expected at most ${maxArgs} arguments (limit \`maxArgs\`), found ${argCount}`,
    );
  }

  #checkUnderflow(argCount: number): void {
    if (argCount <= this.#size) return;
    throw this.#fail(
      "STACK_UNDERFLOW",
      `expected ${counted(argCount, "value")} to take, found ${this.#size === 0 ? "none" : this.#size}`,
    );
  }

  /** Writes the value on top of the stack and pops it. */
  #writeOperand(index: number): void {
    const at = this.#valueAt(Region.values, index);
    if (!this.#isTextless(at)) {
      this.#stub.writeValue(at);
      return;
    }
    const input = this.#view.getUint32(at, true);
    throw this.#fail(
      "INPUT_IDX_OUT_OF_BOUNDS",
      `input ${input} is out of range, the program has ${counted(this.#inputs.names.length, "input")}`,
    );
  }

  /** Returns 1 for a value without text, otherwise 0. */
  #isTextless(address: number): 0 | 1 {
    return this.#view.getUint8(address + Value.lengthAt) === 0 ? 1 : 0;
  }

  get #arena(): Arena {
    return this.#place.arena;
  }

  get #view(): DataView {
    return this.#arena.view;
  }

  /** The address of a value. */
  #valueAt(region: Region, index: number): number {
    return this.#arena.start(region) + index * Value.bytes;
  }

  /** The error for the current instruction. */
  #fail(code: AstPtxErrorCode, message: string): AstPtxError {
    const { at, routine, start } = this.#frames;
    const place: InstructionPlace = {
      routine: routine === MAIN_PROGRAM ? undefined : routine,
      instruction: (at - start) / Packed.bytesPerInstruction,
    };
    return new AstPtxError(code, message, place);
  }
}
