// The compiler: the passes of a compile in order, and the memory they share.
import type { StackTable } from "@mm-ptx/types/core";
import { describe, type StackAnalysis } from "./analysis/analyze.js";
import { LiveFinder } from "./analysis/live.js";
import { Observer } from "./analysis/observer.js";
import { SignatureWriter } from "./analysis/signature.js";
import { type StackTrace, type TraceOptions, Tracer } from "./analysis/trace.js";
import { checkBytes, checkHash, checkOptions, longestTextOf, partsOf } from "./checks.js";
import { SavedRegisters } from "./emit/copies.js";
import { Printer } from "./emit/printer.js";
import { assignRegisters } from "./emit/registers.js";
import { FilledRequests, fillRequests } from "./emit/requests.js";
import { latin1 } from "./emit/string.js";
import { textTable } from "./emit/text-table.js";
import { StackPtxError } from "./error.js";
import { hex128, murmur128Into } from "./hash.js";
import { type CompileInputs, InputRegisters } from "./inputs.js";
import { DEFAULT_TRACE_LIMIT, resolveLimits, type StackLimits } from "./limits.js";
import type { FetchLoop, Loops } from "./loops/loops.js";
import { type LoopMemory, loopMemory } from "./loops/memory.js";
import { TypeScriptLoops } from "./loops/typescript.js";
import { WebAssemblyLoops } from "./loops/webassembly.js";
import { execute, type MachineParts } from "./machine/execute.js";
import { Frames } from "./machine/frames.js";
import { type MachineTable, machineTable } from "./machine/table.js";
import { checkProgram, type StackProgram } from "./program.js";
import { Workspace } from "./workspace.js";

/** `parallel`: requests keep their values whatever the order of the copies. `sequential`: the reference's text. */
export type RequestCopies = "parallel" | "sequential";

/** What a compiler is made with, besides its table. */
export interface StackCompilerOptions {
  /** Programs that routine instructions run, by index. */
  readonly routines?: readonly StackProgram[];
  /** Limits to change, or `"reference"` for those of mm-ptx 1.1.1. */
  readonly limits?: Partial<StackLimits> | "reference";
  /** Default: `parallel`. */
  readonly requestCopies?: RequestCopies;
  /** `false` keeps the hot loops in JavaScript, which they are anyway where WebAssembly is not allowed. */
  readonly webAssembly?: boolean;
}

/** What one compile reads and writes. */
export interface StackCompileJob extends CompileInputs {
  /** Indices of the registers that the stub writes, each with the next value of its stack. */
  readonly requests: ArrayLike<number>;
  /** Instructions fetched before the program is cut; default 2^24. */
  readonly executionLimit?: number;
}

/**
 * Compiles Stack PTX programs to PTX stubs.
 *
 * A compiler keeps its memory between compiles and holds no state of them: the same program and job give the same text.
 */
export class StackCompiler {
  readonly table: StackTable;
  readonly limits: StackLimits;
  private readonly routines: readonly Uint32Array[];
  private readonly parallelCopies: boolean;
  private readonly machine: MachineTable;
  private readonly work: Workspace;
  private readonly parts: MachineParts;
  private readonly frames = new Frames();
  private readonly inputs = new InputRegisters();
  private readonly filled = new FilledRequests();
  private readonly saved = new SavedRegisters();
  private readonly memory: LoopMemory | undefined;
  private readonly loops: Loops;
  private readonly printer: Printer;
  /** Made for the first signature: not every compiler is asked for one, and each mnemonic is hashed for it. */
  private signatures: SignatureWriter | undefined;
  /** Made for the first analysis. */
  private finder: LiveFinder | undefined;
  private readonly hash = new Uint32Array(4);
  /** Jobs read so far. */
  private jobs = 0;

  /** @throws StackPtxError INVALID_VALUE when an option is unknown or out of range */
  constructor(table: StackTable, options: StackCompilerOptions = {}) {
    checkOptions(table, options);
    const { routines = [], limits, requestCopies = "parallel", webAssembly = true } = options;
    this.table = table;
    this.limits = resolveLimits(limits);
    // Copies: a routine means what it meant when the compiler was made.
    this.routines = routines.map(({ words }) => words.slice());
    this.parallelCopies = requestCopies === "parallel";
    this.machine = machineTable(table);
    const text = textTable(table);
    this.memory = webAssembly && WebAssemblyLoops.fits(this.machine) ? loopMemory() : undefined;
    const { memory } = this;
    this.work = new Workspace(table.stackTypes.length, this.limits, memory);
    const { frames, inputs, machine, routines: library, work } = this;
    this.parts = { frames, inputs, routines: library, table: machine, work };
    const loops = new TypeScriptLoops(this.work, this.machine, text, this.inputs);
    this.loops =
      memory === undefined
        ? loops
        : new WebAssemblyLoops(memory, this.work, this.machine, text, this.inputs, this.routines, loops);
    this.printer = new Printer(this.work, this.machine, text, this.inputs, this.loops);
  }

  /**
   * The stub as a flat string: `\t{`, declarations, instructions, copies, `\t}`; no newline at the end.
   * @throws StackPtxError with the code and the instruction that cannot be run
   */
  compile(program: StackProgram, job: StackCompileJob): string {
    const length = this.run(program, job);
    return latin1(this.work.bytes, length);
  }

  /**
   * Writes the stub as ASCII bytes at the start of `bytes`; nothing is allocated for each instruction.
   * @returns the number of bytes written
   * @throws StackPtxError as `compile`, and INSUFFICIENT_BUFFER when it does not fit: nothing is written then
   */
  compileInto(program: StackProgram, job: StackCompileJob, bytes: Uint8Array): number {
    checkBytes(bytes);
    const room = bytes.length;
    const length = this.run(program, job);
    if (length > room) {
      throw new StackPtxError("INSUFFICIENT_BUFFER", `expected room for ${length} bytes, found ${room}`);
    }
    bytes.set(this.work.bytes.subarray(0, length));
    return length;
  }

  /**
   * What becomes of a program, as plain data: which instructions are live, what they read, and all that the machine does
   * in silence. Nothing is printed.
   * @throws StackPtxError as `signature`
   */
  analyze(program: StackProgram, job: StackCompileJob): StackAnalysis {
    const { filled, inputs, parallelCopies, routines, saved, work } = this;
    this.finder ??= this.makeFinder();
    const { finder } = this;
    const { observer } = finder;
    const words = wordsOf(program);
    const executionLimit = this.load(job);
    const cut = this.runProgram(words, executionLimit, observer);
    observer.end(cut, executionLimit);
    fillRequests(work, this.machine, inputs, filled);
    finder.find(filled);
    saved.find(parallelCopies, work, filled, inputs.names);
    return describe({ finder, program: words, routines, cut, filled, saved });
  }

  /**
   * A program instruction by instruction: what each does, and all stacks behind it. Every instruction fetched makes a
   * step that takes memory, so a job without `executionLimit` is traced for 2^16 instructions only.
   * @throws StackPtxError as `signature`, and INVALID_VALUE when an option is unknown or out of range
   */
  trace(program: StackProgram, job: StackCompileJob, options: TraceOptions = {}): StackTrace {
    const longestText = longestTextOf(options);
    const { filled, frames, inputs, machine, table, work } = this;
    const words = wordsOf(program);
    const executionLimit = this.load(job, DEFAULT_TRACE_LIMIT);
    const tracer = new Tracer(table, work, machine, inputs, frames, longestText);
    const executionLimitHit = this.runProgram(words, executionLimit, tracer);
    tracer.settle();
    fillRequests(work, machine, inputs, filled);
    return { steps: tracer.steps, executionLimitHit, requests: tracer.requests(filled) };
  }

  /**
   * A key of the stub, without its text: 32 hex digits that are equal for equal stubs and differ for different ones, on
   * every machine, whatever the indices of table, registers and program are. It is a MurmurHash3_x86_128 of the live
   * computation, which each instruction's text enters as 64 bits of its own hash, and each register's name as 62. They
   * spread well, but are no protection against collisions made on purpose.
   * @throws StackPtxError as `compile`; but `maxVisitDepth` bounds only requests here, since nothing is walked in printing order
   */
  signature(program: StackProgram, job: StackCompileJob): string {
    this.signatureInto(program, job, this.hash);
    return hex128(this.hash);
  }

  /**
   * Writes the signature as four words, in the order of its hex digits. Nothing is allocated for each instruction, but
   * room for the words of a stub of some hundreds of thousands is, each time.
   * @throws StackPtxError as `signature`, and INVALID_VALUE when `hash` is no Uint32Array of at least four
   */
  signatureInto(program: StackProgram, job: StackCompileJob, hash: Uint32Array): void {
    checkHash(hash);
    const { filled, inputs, parallelCopies, saved, work } = this;
    this.signatures ??= new SignatureWriter(this.table, work, this.machine, inputs, this.memory);
    const { signatures } = this;
    const words = wordsOf(program);
    const executionLimit = this.load(job);
    this.execute(words, executionLimit);
    if (this.limits.maxFrameDepth === 0) signatures.clear();
    else {
      saved.find(parallelCopies, work, filled, inputs.names);
      if (!signatures.write(filled, saved)) {
        this.execute(words, executionLimit);
        signatures.writeText(this.print());
      }
    }
    murmur128Into(signatures.words, signatures.length, hash);
  }

  private makeFinder(): LiveFinder {
    const { frames, inputs, loops, machine, memory, routines, work } = this;
    const wasm = memory !== undefined && loops instanceof WebAssemblyLoops ? { memory, loops } : undefined;
    return new LiveFinder(new Observer(work, machine, inputs, frames, routines, loops, wasm), memory);
  }

  /** Runs every pass; the text then stands at the start of the printer's bytes. */
  private run(program: StackProgram, job: StackCompileJob): number {
    const words = wordsOf(program);
    const executionLimit = this.load(job);
    this.execute(words, executionLimit);
    return this.limits.maxFrameDepth === 0 ? 0 : this.print();
  }

  /** Reads all that is the caller's, before the workspace is in use, which other compilers share. */
  private load(job: StackCompileJob, defaultLimit?: number): number {
    const { registers, requests, executionLimit } = partsOf(job, defaultLimit);
    const number = ++this.jobs;
    this.inputs.load(registers);
    this.filled.load(requests);
    // A getter or a proxy may do anything.
    if (this.jobs !== number) {
      throw new StackPtxError(
        "INVALID_VALUE",
        "expected a job that only is read, found one that runs the same compiler meanwhile",
      );
    }
    return executionLimit;
  }

  /** Runs the program, and takes what is requested off its stacks. */
  private execute(words: Uint32Array, executionLimit: number): void {
    this.runProgram(words, executionLimit, this.loops);
    fillRequests(this.work, this.machine, this.inputs, this.filled);
  }

  /** @returns whether the execution limit stopped the program; without any frame it does not even start */
  private runProgram(words: Uint32Array, executionLimit: number, loop: FetchLoop): boolean {
    const limit = this.limits.maxFrameDepth === 0 ? 0 : executionLimit;
    this.work.reset();
    const returned = execute(this.parts, words, loop, limit);
    return !returned && this.limits.maxFrameDepth > 0;
  }

  /** Prints what was requested; returns the length of the text. */
  private print(): number {
    const { work, machine, inputs, filled, parallelCopies, saved } = this;
    assignRegisters(work, machine, this.loops, filled.values, filled.count);
    saved.find(parallelCopies, work, filled, inputs.names);
    return this.printer.print(filled, saved);
  }
}

/** A program's words, taken before a job is read. @throws StackPtxError INVALID_VALUE */
function wordsOf(program: StackProgram): Uint32Array {
  checkProgram(program);
  return program.words;
}
