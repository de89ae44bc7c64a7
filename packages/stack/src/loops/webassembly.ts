// The loops in WebAssembly: the workspace's arrays are views of its memory, and what the loops read besides is copied
// there when it changes. When an array has outgrown the memory, the TypeScript loops take over for that compile.
import type { OperandTexts } from "../emit/operand-texts.js";
import type { TextTable } from "../emit/text-table.js";
import type { InputRegisters } from "../inputs.js";
import { MAIN_PROGRAM, Packed } from "../layout.js";
import type { MachineTable } from "../machine/table.js";
import { Node, type Workspace } from "../workspace.js";
import type { Loops, Progress } from "./loops.js";
import { Control, type LoopMemory, Room } from "./memory.js";

export class WebAssemblyLoops implements Loops {
  private readonly routineStarts: number[] = [];
  private readonly programStart: number;
  /** What of the operand texts and the inputs is in the memory. */
  private textsVersion = -1;
  private inputsVersion = -1;

  constructor(
    private readonly memory: LoopMemory,
    private readonly work: Workspace,
    private readonly machine: MachineTable,
    private readonly text: TextTable,
    private readonly operands: OperandTexts,
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
  static fits(machine: MachineTable, routines: readonly Uint32Array[]): boolean {
    const words = routines.reduce((sum, { length }) => sum + length, 0);
    return (
      machine.stackCount <= Room.stacks &&
      machine.instructionCount <= Room.instructions &&
      words <= Room.programWords / 2
    );
  }

  begin(program: Uint32Array): void {
    const { memory, work, inputs } = this;
    const { control } = memory;
    const fits =
      this.programStart + program.length <= Room.programWords &&
      inputs.count <= Room.inputs &&
      this.textsFit();
    if (!fits) work.leaveMemory();
    if (!work.inMemory) return;
    if (memory.owner !== this) this.install();
    if (this.inputsVersion !== inputs.version) {
      memory.inputStacks.set(inputs.stacks.subarray(0, inputs.count));
      control[Control.inputCount] = inputs.count;
      this.inputsVersion = inputs.version;
    }
    memory.words.set(program, this.programStart);
    control[Control.stride] = work.stride;
  }

  run(words: Uint32Array, routine: number, start: number, end: number): number {
    const { memory, work } = this;
    if (!work.inMemory) return this.otherwise.run(words, routine, start, end);
    const room = (((work.nodes.length - work.nodeEnd) / Node.shapedWords) | 0) * Packed.wordsPerInstruction;
    const stop = Math.min(end, start + room);
    const { control } = memory;
    const first = routine === MAIN_PROGRAM ? this.programStart : this.routineStarts[routine]!;
    const base = control[Control.words]! + first * 4;
    control[Control.nodeEnd] = work.nodeEnd;
    control[Control.astUsed] = work.astUsed;
    const at = memory.functions.runCommon(base + start * 4, base + stop * 4);
    work.nodeEnd = control[Control.nodeEnd]!;
    work.astUsed = control[Control.astUsed]!;
    return (at - base) / 4;
  }

  walk(): void {
    const { memory, operands, work } = this;
    if (!this.textsFit()) work.leaveMemory();
    if (!work.inMemory) {
      this.otherwise.walk();
      return;
    }
    if (this.textsVersion !== operands.version) this.installTexts();
    const { control } = memory;
    control[Control.visitDepth] = work.visitDepth;
    control[Control.orderCount] = work.orderCount;
    memory.functions.walkCommon();
    work.visitDepth = control[Control.visitDepth]!;
    work.orderCount = control[Control.orderCount]!;
  }

  print(view: DataView, endLine: number, progress: Progress): void {
    const { memory, operands, work } = this;
    if (!work.inMemory) {
      this.otherwise.print(view, endLine, progress);
      return;
    }
    if (this.textsVersion !== operands.version) this.installTexts();
    const { control } = memory;
    const base = memory.bytes.byteOffset;
    control[Control.line] = progress.line;
    progress.at = memory.functions.printCommon(base + progress.at, endLine) - base;
    progress.line = control[Control.line]!;
  }

  private textsFit(): boolean {
    return this.operands.count <= Room.texts;
  }

  /** Puts this compiler's tables in place of the last one's. */
  private install(): void {
    const { machine, memory, text, work } = this;
    const { control } = memory;
    memory.shape.set(machine.shape);
    memory.mnemonics.set(text.mnemonics.words);
    memory.mnemonicLengths.set(text.mnemonics.lengths);
    memory.constants.set(text.constants);
    this.routines.forEach((routine, index) => {
      memory.words.set(routine, this.routineStarts[index]!);
    });
    control[Control.instructionCount] = machine.instructionCount;
    control[Control.stackCount] = machine.stackCount;
    control[Control.lastAst] = work.limits.maxAstSize - Node.shapedEntries;
    control[Control.lastDepth] =
      Math.min(memory.visit.length, work.limits.maxVisitDepth) - Node.shapedArgs - 1;
    control[Control.lastOrdered] = memory.order.length - 1;
    this.inputsVersion = -1;
    this.installTexts();
    memory.owner = this;
  }

  private installTexts(): void {
    const { memory, operands } = this;
    memory.texts.set(operands.words.subarray(0, 2 * operands.count));
    memory.lengths.set(operands.lengths.subarray(0, operands.count));
    memory.chunks.set(operands.chunks);
    this.textsVersion = operands.version;
  }
}
