// The compiler: the passes of a compile in order, and the memory that they share.
import { CodeBuffer, constantOperation, describeCode } from "@mm-ptx/types/code";
import type { StackTable } from "@mm-ptx/types/core";
import { completeLimits, hex128, murmur128Into } from "@mm-ptx/types/internal";
import { describe, type StackAnalysis } from "./analysis/analyze.js";
import { LiveFinder } from "./analysis/live.js";
import { Observer } from "./analysis/observer.js";
import { SignatureWriter } from "./analysis/signature.js";
import { type StackTrace, type TraceOptions, Tracer } from "./analysis/trace.js";
import {
  checkBytes,
  checkCodeBuffer,
  checkCodeType,
  checkFeatures,
  checkHash,
  checkOptions,
  longestTextOf,
  partsOf,
} from "./checks.js";
import { keepLive } from "./code/live.js";
import { unsupported } from "./code/missing.js";
import { findConstants } from "./code/places.js";
import { CodeWriter } from "./code/writer.js";
import { SavedRegisters } from "./emit/copies.js";
import { Printer } from "./emit/printer.js";
import { assignRegisters } from "./emit/registers.js";
import { FilledRequests, fillRequests } from "./emit/requests.js";
import { latin1 } from "./emit/string.js";
import { textTable } from "./emit/text-table.js";
import { StackPtxError } from "./error.js";
import { InputRegisters } from "./inputs.js";
import type { StackCompileJob, StackCompilerOptions } from "./job.js";
import { DEFAULT_LIMITS, DEFAULT_TRACE_LIMIT, REFERENCE_LIMITS, type StackLimits } from "./limits.js";
import type { FetchLoop, Loops } from "./loops/loops.js";
import { type LoopMemory, loopMemory } from "./loops/memory.js";
import { TypeScriptLoops } from "./loops/typescript.js";
import { WebAssemblyLoops } from "./loops/webassembly.js";
import { execute, type MachineParts } from "./machine/execute.js";
import { Frames } from "./machine/frames.js";
import { type MachineTable, machineTable } from "./machine/table.js";
import { checkProgram, type StackProgram } from "./program.js";
import { Workspace } from "./workspace.js";

/**
 * Compiles Stack PTX programs to PTX stubs.
 *
 * A compiler reuses its memory but keeps no state between compiles: the same program and job always give the same text.
 */
export class StackCompiler {
  readonly table: StackTable;
  readonly limits: StackLimits;
  readonly #routines: readonly Uint32Array[];
  readonly #parallelCopies: boolean;
  readonly #machine: MachineTable;
  readonly #work: Workspace;
  readonly #parts: MachineParts;
  readonly #frames = new Frames();
  readonly #inputs = new InputRegisters();
  readonly #filled: FilledRequests;
  readonly #saved = new SavedRegisters();
  readonly #memory: LoopMemory | undefined;
  readonly #loops: Loops;
  readonly #printer: Printer;
  /** Made for the first signature, because each mnemonic has to be hashed for it and many compilers never need one. */
  #signatures: SignatureWriter | undefined;
  /** Made for the first code. */
  #codes: CodeWriter | undefined;
  /** Holds the code of one program; made for the first description. */
  #described: CodeBuffer | undefined;
  /** Made for the first analysis. */
  #finder: LiveFinder | undefined;
  readonly #hash = new Uint32Array(4);
  /** The number of jobs read so far. */
  #jobs = 0;

  /** @throws StackPtxError INVALID_ARGUMENT when an option is unknown or out of range */
  constructor(table: StackTable, options: StackCompilerOptions = {}) {
    checkOptions(table, options);
    const { routines = [], limits, requestCopies = "parallel", webAssembly = true } = options;
    this.table = table;
    this.limits = completeLimits(limits, DEFAULT_LIMITS, REFERENCE_LIMITS);
    // The routines are copied, so that changing them later does not change what the compiler does.
    this.#routines = routines.map(({ words }) => words.slice());
    this.#parallelCopies = requestCopies === "parallel";
    // mm-ptx 1.1.1 writes copies that no assembler takes.
    this.#filled = new FilledRequests(this.#parallelCopies ? table : undefined);
    this.#machine = machineTable(table);
    const text = textTable(table);
    this.#memory = webAssembly && WebAssemblyLoops.fits(this.#machine) ? loopMemory() : undefined;
    const memory = this.#memory;
    this.#work = new Workspace(table.stackTypes.length, this.limits, memory);
    const frames = this.#frames;
    const inputs = this.#inputs;
    const machine = this.#machine;
    const library = this.#routines;
    const work = this.#work;
    this.#parts = { frames, inputs, routines: library, table: machine, work };
    const loops = new TypeScriptLoops(this.#work, this.#machine, text, this.#inputs);
    this.#loops =
      memory === undefined
        ? loops
        : new WebAssemblyLoops(memory, this.#work, this.#machine, text, this.#inputs, this.#routines, loops);
    this.#printer = new Printer(this.#work, this.#machine, text, this.#inputs, this.#loops);
  }

  /**
   * Compiles a program to a stub, as a flat string: `\t{`, declarations, instructions, copies, `\t}`, without a newline
   * at the end.
   * @throws StackPtxError with the code and place of an instruction that cannot run; INVALID_ARGUMENT for an invalid
   * job, and for a request on a stack whose `literalPrefix` is not a type of `mov`, unless copies are `sequential`
   */
  compile(program: StackProgram, job: StackCompileJob): string {
    const length = this.#run(program, job);
    return latin1(this.#work.bytes, length);
  }

  /**
   * Compiles a program to a stub and writes it as ASCII bytes at the start of `bytes`. Nothing is allocated per
   * instruction.
   * @returns the number of bytes written
   * @throws StackPtxError like `compile`, and INSUFFICIENT_BUFFER when the stub does not fit; nothing is written in
   * that case
   */
  compileInto(program: StackProgram, job: StackCompileJob, bytes: Uint8Array): number {
    checkBytes(bytes);
    const room = bytes.length;
    const length = this.#run(program, job);
    if (length > room) {
      throw new StackPtxError("INSUFFICIENT_BUFFER", `expected room for ${length} bytes, found ${room}`);
    }
    bytes.set(this.#work.bytes.subarray(0, length));
    return length;
  }

  /**
   * Describes what becomes of a program, as plain data: which instructions are live, what they read, and everything
   * that the machine skips or drops silently. No stub is printed.
   * @throws StackPtxError like `signature`
   */
  analyze(program: StackProgram, job: StackCompileJob): StackAnalysis {
    const words = wordsOf(program);
    return this.#analyze(words, this.#load(job));
  }

  #analyze(words: Uint32Array, executionLimit: number): StackAnalysis {
    const filled = this.#filled;
    const inputs = this.#inputs;
    const parallelCopies = this.#parallelCopies;
    const routines = this.#routines;
    const saved = this.#saved;
    const work = this.#work;
    this.#finder ??= this.#makeFinder();
    const finder = this.#finder;
    const { observer } = finder;
    const cut = this.#runProgram(words, executionLimit, observer);
    observer.end(cut, executionLimit);
    fillRequests(work, this.#machine, inputs, filled);
    finder.find(filled);
    saved.find(parallelCopies, work, filled, inputs.names);
    return describe({ finder, program: words, routines, cut, filled, saved });
  }

  /**
   * Traces a program instruction by instruction: what each one does, and all stacks after it. Every fetched instruction
   * makes a step that takes memory, so a job without `executionLimit` is traced for 2^16 instructions only.
   * @throws StackPtxError like `signature`, and INVALID_ARGUMENT when an option is unknown or out of range
   */
  trace(program: StackProgram, job: StackCompileJob, options: TraceOptions = {}): StackTrace {
    const longestText = longestTextOf(options);
    const filled = this.#filled;
    const frames = this.#frames;
    const inputs = this.#inputs;
    const machine = this.#machine;
    const work = this.#work;
    const { table } = this;
    const words = wordsOf(program);
    const executionLimit = this.#load(job, DEFAULT_TRACE_LIMIT);
    const tracer = new Tracer(table, work, machine, inputs, frames, longestText);
    const executionLimitHit = this.#runProgram(words, executionLimit, tracer);
    tracer.settle();
    fillRequests(work, machine, inputs, filled);
    return { steps: tracer.steps, executionLimitHit, requests: tracer.requests(filled) };
  }

  /**
   * Returns a key for the stub without printing it: 32 hex digits that are equal for equal stubs and different for
   * different stubs, on every machine and whatever the indices in the table, the registers and the program are. It is a
   * MurmurHash3_x86_128 of the live computation, in which each instruction's text is represented by 64 bits of its own
   * hash and each register's name by 62 bits. The hash is well distributed but does not protect against deliberate
   * collisions.
   * @throws StackPtxError like `compile`, except that `maxVisitDepth` limits only the number of requests, because
   * values are not walked in printing order
   */
  signature(program: StackProgram, job: StackCompileJob): string {
    this.signatureInto(program, job, this.#hash);
    return hex128(this.#hash);
  }

  /**
   * Writes the signature into `hash` as four words, in the order of its hex digits. Nothing is allocated per
   * instruction, but a stub of some hundred thousand instructions needs a buffer for its words in each call.
   * @throws StackPtxError like `signature`, and INVALID_ARGUMENT when `hash` is not a Uint32Array with at least four words
   */
  signatureInto(program: StackProgram, job: StackCompileJob, hash: Uint32Array): void {
    checkHash(hash);
    const filled = this.#filled;
    const inputs = this.#inputs;
    const parallelCopies = this.#parallelCopies;
    const saved = this.#saved;
    const work = this.#work;
    this.#signatures ??= new SignatureWriter(this.table, work, this.#machine, inputs, this.#memory);
    const signatures = this.#signatures;
    const words = wordsOf(program);
    const executionLimit = this.#load(job);
    this.#execute(words, executionLimit);
    if (this.limits.maxFrameDepth === 0) signatures.clear();
    else {
      saved.find(parallelCopies, work, filled, inputs.names);
      if (!signatures.write(filled, saved)) {
        this.#execute(words, executionLimit);
        signatures.writeText(this.#print());
      }
    }
    murmur128Into(signatures.words, signatures.length, hash);
  }

  /**
   * Appends the straight-line code of what the stub computes, without printing it: live values only, each operand
   * before the instructions that read it. Input i is register i of the job, and there is an output for each request, in
   * their order: what its register contains after the stub. The stub does not write the register of a request that
   * found its stack empty, unless a register of the same name is written; that output is the register's own input. A
   * constant keeps as many of its bits as fit its register; the upper half of a 64-bit register is zero; a predicate is
   * true unless all bits are 0. `@mm-ptx/types/code` describes the format. Nothing is allocated per program.
   * @throws StackPtxError like `compile`; UNSUPPORTED_INSTRUCTION, with the place of the first one, for live instructions
   * with vectors or with several results other than a comparison and its negation, for special registers, and for
   * registers of types that the format lacks; INVALID_ARGUMENT and INSUFFICIENT_AST_SIZE when the code would exceed a limit
   * of the format. Nothing is appended in that case
   */
  compileToCode(program: StackProgram, job: StackCompileJob, out: CodeBuffer): void {
    checkCodeBuffer(out);
    const words = wordsOf(program);
    this.#writeCode(words, this.#load(job), out, false);
  }

  /**
   * Writes the features of the stub, for models that predict its cost: the numbers that `CODE_FEATURES` of
   * `@mm-ptx/types/code` names, such as its live instructions by kind and the registers that are in use at a time. It
   * takes a little longer than `compileToCode`. Nothing is allocated per program.
   * @param features receives `CODE_FEATURES.length` numbers
   * @throws StackPtxError like `compileToCode`, and INVALID_ARGUMENT when `features` is too short; nothing is written in these cases
   */
  describeInto(program: StackProgram, job: StackCompileJob, features: Float32Array): void {
    checkFeatures(features);
    const words = wordsOf(program);
    const executionLimit = this.#load(job);
    this.#described ??= new CodeBuffer();
    this.#described.clear();
    this.#writeCode(words, executionLimit, this.#described, false);
    describeCode(this.#described.room, 0, features);
  }

  /**
   * Finds the instructions that the constants of a program's code come from: for each `constant` item of
   * `compileToCode`, in order, the index of the instruction of the program that made it, or -1 if a routine made it.
   * Each instruction makes at most one of them, so that constants which were tuned in the code can be written back to
   * the program. It takes longer than two compiles.
   *
   * @param type counts only constants of this type, as PTX names it: `f32` for those that `fitConstants` of `@mm-ptx/columns` returns
   * @throws StackPtxError like `compileToCode`; INVALID_ARGUMENT when code has no such type
   */
  constantPlaces(program: StackProgram, job: StackCompileJob, type?: string): Int32Array {
    const operation = type === undefined ? 0 : constantOperation(checkCodeType(type));
    const words = wordsOf(program);
    const executionLimit = this.#load(job);
    return findConstants(words, operation, (marked, out) =>
      this.#writeCode(marked, executionLimit, out, true),
    );
  }

  #writeCode(words: Uint32Array, executionLimit: number, out: CodeBuffer, whole: boolean): void {
    const filled = this.#filled;
    const inputs = this.#inputs;
    const machine = this.#machine;
    const work = this.#work;
    this.#codes ??= new CodeWriter(this.table, work, machine, inputs, this.#memory);
    const codes = this.#codes;
    this.#execute(words, executionLimit);
    assignRegisters(work, machine, this.#loops, filled.values, filled.count);
    const { contents } = codes;
    contents.run(work, filled, inputs, this.#parallelCopies);
    if (contents.overwrites) keepLive(work, machine, contents.values, filled.wantedCount);
    const missing = codes.append(filled, whole, out);
    if (missing === undefined) return;
    throw unsupported(missing, this.#analyze(words, executionLimit), words, this.#routines);
  }

  #makeFinder(): LiveFinder {
    const frames = this.#frames;
    const inputs = this.#inputs;
    const loops = this.#loops;
    const machine = this.#machine;
    const memory = this.#memory;
    const routines = this.#routines;
    const work = this.#work;
    const wasm = memory !== undefined && loops instanceof WebAssemblyLoops ? { memory, loops } : undefined;
    return new LiveFinder(new Observer(work, machine, inputs, frames, routines, loops, wasm), memory);
  }

  /** Runs every pass. The text is then at the start of the printer's bytes. */
  #run(program: StackProgram, job: StackCompileJob): number {
    const words = wordsOf(program);
    const executionLimit = this.#load(job);
    this.#execute(words, executionLimit);
    return this.limits.maxFrameDepth === 0 ? 0 : this.#print();
  }

  /**
   * Reads everything that belongs to the caller before the workspace is used, because other compilers share the
   * workspace.
   */
  #load(job: StackCompileJob, defaultLimit?: number): number {
    const { registers, requests, executionLimit } = partsOf(job, defaultLimit);
    const number = ++this.#jobs;
    this.#inputs.load(registers);
    this.#filled.load(requests);
    // A getter or a proxy can run arbitrary code, a compile included.
    if (this.#jobs !== number) {
      throw new StackPtxError(
        "INVALID_ARGUMENT",
        "expected a job without side effects, found one that runs the same compiler while it is read",
      );
    }
    return executionLimit;
  }

  /** Runs the program and pops the requested values off its stacks. */
  #execute(words: Uint32Array, executionLimit: number): void {
    this.#runProgram(words, executionLimit, this.#loops);
    fillRequests(this.#work, this.#machine, this.#inputs, this.#filled);
  }

  /** @returns whether the execution limit stopped the program; a program without any frame does not start at all */
  #runProgram(words: Uint32Array, executionLimit: number, loop: FetchLoop): boolean {
    const limit = this.limits.maxFrameDepth === 0 ? 0 : executionLimit;
    this.#work.reset();
    const returned = execute(this.#parts, words, loop, limit);
    return !returned && this.limits.maxFrameDepth > 0;
  }

  /** Prints what was requested; returns the length of the text. */
  #print(): number {
    const work = this.#work;
    const machine = this.#machine;
    const inputs = this.#inputs;
    const filled = this.#filled;
    const parallelCopies = this.#parallelCopies;
    const saved = this.#saved;
    assignRegisters(work, machine, this.#loops, filled.values, filled.count);
    saved.find(parallelCopies, work, filled, inputs.names);
    return this.#printer.print(filled, saved);
  }
}

/** A program's words, read before the job. @throws StackPtxError INVALID_ARGUMENT */
function wordsOf(program: StackProgram): Uint32Array {
  checkProgram(program);
  return program.words;
}
