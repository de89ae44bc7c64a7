// The loops in WebAssembly: the workspace's arrays are views of its memory, and what the loops read besides is copied
// there when it changes. Where the memory can grow no further, the TypeScript loops take over for that compile.
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

/** Instructions for which room is made at a time. */
const BATCH = 0x10000;

export class WebAssemblyLoops implements Loops {
  private readonly routineStarts: number[] = [];
  private readonly programStart: number;
  /** Which of the inputs are in the memory. */
  private inputsVersion = -1;

  constructor(
    private readonly memory: LoopMemory,
    private readonly work: Workspace,
    private readonly machine: MachineTable,
    private readonly text: TextTable,
    private readonly inputs: InputRegisters,
    private readonly routines: readonly Uint32Array[],
    private readonly otherwise: Loops,
  ) {
    let end = 0;
    for (const routine of routines) {
      this.routineStarts.push(end);
      end += routine.length;
    }
    this.programStart = end;
  }

  /** Whether a compiler's tables fit the memory. */
  static fits({ stackCount, instructionCount }: MachineTable): boolean {
    return stackCount <= Room.stacks && instructionCount <= Room.instructions;
  }

  begin(program: Uint32Array): void {
    const { memory, work, inputs } = this;
    const words = this.programStart + program.length;
    if (words > memory.words.length) work.reserve("words", 4 * words);
    if (inputs.count > memory.inputStacks.length) work.reserve("inputStacks", 4 * inputs.count);
    if (!work.inMemory) return;
    if (memory.owner !== this) this.install();
    if (this.inputsVersion !== inputs.version) {
      memory.inputStacks.set(inputs.stacks.subarray(0, inputs.count));
      memory.control[Control.inputCount] = inputs.count;
      this.inputsVersion = inputs.version;
    }
    memory.words.set(program, this.programStart);
  }

  run(words: Uint32Array, start: number, end: number, routine: number): number {
    const { memory, work } = this;
    if (!work.inMemory) return this.otherwise.run(words, start, end, routine);
    const instructions = Math.min(Math.ceil((end - start) / Packed.wordsPerInstruction), BATCH);
    work.growNodes(instructions * Node.shapedWords);
    if (!work.inMemory) return this.otherwise.run(words, start, end, routine);
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
    const first = routine === MAIN_PROGRAM ? this.programStart : this.routineStarts[routine]!;
    return this.memory.words.byteOffset + first * 4;
  }

  walk(): void {
    const { memory, work } = this;
    // A list is followed to its end: there must be room for all, and its walk could not have failed on the way.
    const most = (work.nodeEnd / Node.shapedWords) | 0;
    if (most + work.visitDepth > work.limits.maxVisitDepth) work.unlisted++;
    if (work.unlisted === 0) work.growOrder(most);
    if (!work.inMemory) {
      this.otherwise.walk();
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
    const { memory, work } = this;
    if (!work.inMemory) {
      this.otherwise.print(view, endLine, progress);
      return;
    }
    const { control } = memory;
    const base = memory.bytes.byteOffset;
    control[Control.line] = progress.line;
    progress.at = memory.functions.printCommon(base + progress.at, endLine) - base;
    progress.line = control[Control.line]!;
  }

  /** Puts this compiler's tables in place of the last one's. */
  private install(): void {
    const { machine, memory, text, work } = this;
    const { control } = memory;
    memory.shape.set(machine.shape);
    memory.mnemonics.set(text.mnemonics.words);
    memory.mnemonicLengths.set(text.mnemonics.lengths);
    memory.forms.set(machine.constants);
    machine.constants.forEach((form, stack) => {
      packText(memory.constants, stack * Text.words, CONSTANT_FORMS[form]!);
    });
    this.routines.forEach((routine, index) => {
      memory.words.set(routine, this.routineStarts[index]!);
    });
    control[Control.instructionCount] = machine.instructionCount;
    control[Control.stackCount] = machine.stackCount;
    control[Control.lastAst] = work.limits.maxAstSize - Node.shapedEntries;
    this.inputsVersion = -1;
    memory.owner = this;
  }
}
