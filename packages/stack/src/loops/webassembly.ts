// The loops in WebAssembly. The workspace's arrays are views of its memory, and everything else that the loops read is
// copied there when it changes. When the memory cannot grow any further, the TypeScript loops take over for the rest of
// that compile.
import { CONSTANT_FORMS } from "../emit/constants.js";
import { packText } from "../emit/operand-texts.js";
import type { TextTable } from "../emit/text-table.js";
import type { InputRegisters } from "../inputs.js";
import { MAIN_PROGRAM, Packed } from "../layout.js";
import type { MachineTable } from "../machine/table.js";
import { Node, Text } from "../nodes.js";
import type { Workspace } from "../workspace.js";
import type { Loops, Progress } from "./loops.js";
import { Control, type LoopMemory, Room } from "./memory.js";

/** The number of instructions for which room is made at a time. */
const BATCH = 0x10000;

export class WebAssemblyLoops implements Loops {
  readonly #routineStarts: number[] = [];
  readonly #programStart: number;
  /** The version of the inputs that is in the memory. */
  #inputsVersion = -1;

  readonly #memory: LoopMemory;
  readonly #work: Workspace;
  readonly #machine: MachineTable;
  readonly #text: TextTable;
  readonly #inputs: InputRegisters;
  readonly #routines: readonly Uint32Array[];
  readonly #otherwise: Loops;

  constructor(
    memory: LoopMemory,
    work: Workspace,
    machine: MachineTable,
    text: TextTable,
    inputs: InputRegisters,
    routines: readonly Uint32Array[],
    otherwise: Loops,
  ) {
    this.#memory = memory;
    this.#work = work;
    this.#machine = machine;
    this.#text = text;
    this.#inputs = inputs;
    this.#routines = routines;
    this.#otherwise = otherwise;
    let end = 0;
    for (const routine of routines) {
      this.#routineStarts.push(end);
      end += routine.length;
    }
    this.#programStart = end;
  }

  /** Whether a compiler's tables fit in the memory. */
  static fits({ stackCount, instructionCount }: MachineTable): boolean {
    return stackCount <= Room.stacks && instructionCount <= Room.instructions;
  }

  begin(program: Uint32Array): void {
    const memory = this.#memory;
    const work = this.#work;
    const inputs = this.#inputs;
    const words = this.#programStart + program.length;
    if (words > memory.words.length) work.reserve("words", 4 * words);
    if (inputs.count > memory.inputStacks.length) work.reserve("inputStacks", 4 * inputs.count);
    if (!work.inMemory) return;
    if (memory.owner !== this) this.#install();
    if (this.#inputsVersion !== inputs.version) {
      memory.inputStacks.set(inputs.stacks.subarray(0, inputs.count));
      memory.control[Control.inputCount] = inputs.count;
      this.#inputsVersion = inputs.version;
    }
    memory.words.set(program, this.#programStart);
  }

  run(words: Uint32Array, start: number, end: number, routine: number): number {
    const memory = this.#memory;
    const work = this.#work;
    if (!work.inMemory) return this.#otherwise.run(words, start, end, routine);
    const instructions = Math.min(Math.ceil((end - start) / Packed.wordsPerInstruction), BATCH);
    work.growNodes(instructions * Node.shapedWords);
    if (!work.inMemory) return this.#otherwise.run(words, start, end, routine);
    const stop = start + instructions * Packed.wordsPerInstruction;
    const { control } = memory;
    const base = this.addressOf(routine);
    control[Control.stride] = work.stride;
    control[Control.nodeEnd] = work.nodeEnd;
    control[Control.astUsed] = work.astUsed;
    control[Control.unlisted] = work.unlisted;
    const at = memory.functions.runCommon(base + start * 4, base + stop * 4);
    work.nodeEnd = control[Control.nodeEnd]!;
    work.astUsed = control[Control.astUsed]!;
    work.unlisted = control[Control.unlisted]!;
    return (at - base) / 4;
  }

  /** The address of a routine's words, or of the program's, while the workspace is in the memory. */
  addressOf(routine: number): number {
    const first = routine === MAIN_PROGRAM ? this.#programStart : this.#routineStarts[routine]!;
    return this.#memory.words.byteOffset + first * 4;
  }

  walk(): void {
    const memory = this.#memory;
    const work = this.#work;
    // A list is followed to its end, so there must be room for all of it, and the walk that it replaces must not have
    // exceeded its limit.
    const most = (work.nodeEnd / Node.shapedWords) | 0;
    if (most + work.visitDepth > work.limits.maxVisitDepth) work.unlisted++;
    if (work.unlisted === 0) work.growOrder(most);
    if (!work.inMemory) {
      this.#otherwise.walk();
      return;
    }
    const { control } = memory;
    control[Control.unlisted] = work.unlisted;
    control[Control.lastDepth] = Math.min(work.visit.length, work.limits.maxVisitDepth) - Node.shapedArgs - 1;
    control[Control.visitDepth] = work.visitDepth;
    control[Control.orderCount] = work.orderCount;
    memory.functions.walkCommon();
    work.visitDepth = control[Control.visitDepth]!;
    work.orderCount = control[Control.orderCount]!;
  }

  print(view: DataView, endLine: number, progress: Progress): void {
    const memory = this.#memory;
    const work = this.#work;
    if (!work.inMemory) {
      this.#otherwise.print(view, endLine, progress);
      return;
    }
    const { control } = memory;
    const base = memory.bytes.byteOffset;
    control[Control.line] = progress.line;
    progress.at = memory.functions.printCommon(base + progress.at, endLine) - base;
    progress.line = control[Control.line]!;
  }

  /** Loads this compiler's tables in place of those of the last one. */
  #install(): void {
    const machine = this.#machine;
    const memory = this.#memory;
    const text = this.#text;
    const work = this.#work;
    const { control } = memory;
    memory.shape.set(machine.shape);
    memory.mnemonics.set(text.mnemonics.words);
    memory.mnemonicLengths.set(text.mnemonics.lengths);
    memory.forms.set(machine.constants);
    machine.constants.forEach((form, stack) => {
      packText(memory.constants, stack * Text.words, CONSTANT_FORMS[form]!);
    });
    this.#routines.forEach((routine, index) => {
      memory.words.set(routine, this.#routineStarts[index]!);
    });
    control[Control.instructionCount] = machine.instructionCount;
    control[Control.stackCount] = machine.stackCount;
    control[Control.lastAst] = work.limits.maxAstSize - Node.shapedEntries;
    this.#inputsVersion = -1;
    memory.owner = this;
  }
}
