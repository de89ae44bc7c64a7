// Runs a program as a compile does and records what a compile forgets: which instruction made each value, how long the
// chain of lines that leads to it is, and what the machine skipped or dropped. The stacks end up the same, but the
// nodes have another layout, in which every push has a node of its own.
import { InstructionType, MAIN_PROGRAM, Packed } from "../layout.js";
import type { FetchLoop } from "../loops/loops.js";
import type { LoopMemory } from "../loops/memory.js";
import { ObservedState } from "../loops/state.js";
import type { WebAssemblyLoops } from "../loops/webassembly.js";
import type { Frames } from "../machine/frames.js";
import { type MachineInputs, type MachineTable, Shape } from "../machine/table.js";
import { Node, Stack } from "../nodes.js";
import type { Workspace } from "../workspace.js";
import type { IgnoredInstructions } from "./analyze.js";
import { Observed } from "./observed.js";
import { outcomeOf, type Situation } from "./outcome.js";

/** The loops' memory, and the loops that lay out programs in it. */
export interface WebAssemblyParts {
  readonly memory: LoopMemory;
  readonly loops: WebAssemblyLoops;
}

type Ignored = { -readonly [Type in keyof IgnoredInstructions]: number };

const IGNORED_NAMES: Readonly<Record<number, keyof Ignored>> = {
  [InstructionType.ptx]: "ptx",
  [InstructionType.meta]: "meta",
  [InstructionType.metaConstant]: "metaConstant",
  [InstructionType.routine]: "routine",
  [InstructionType.store]: "store",
  [InstructionType.load]: "load",
};

/** The number of instructions for which room is made at a time. */
const BATCH = 4096;

export class Observer implements FetchLoop, Situation {
  /** The number of instructions that were fetched, returns included. */
  fetched = 0;
  /** The number of instructions of the program that were fetched, not counting an omitted return. */
  reached = 0;
  /** Entries of `work.order`. */
  made = 0;
  readonly ignored: Ignored = { ptx: 0, meta: 0, metaConstant: 0, routine: 0, store: 0, load: 0 };
  /** The number of meta stack entries that were popped by meta operations that then did nothing. */
  lostNumbers = 0;
  /** The number of values that each full stack dropped. */
  readonly dropped: Int32Array;
  /** The number of each routine's first instruction, followed by that of the program's first instruction. */
  readonly firsts: number[] = [];
  /** The node that represents instructions that made no value. */
  #dead = 0;
  /** What the machine will do on its own next, and the state that it starts from. */
  #pending: InstructionType | undefined;
  #pendingNode = 0;
  #pendingStack = 0;
  #pendingSize = 0;
  #pendingOrigin = 0;
  #pendingInput = 0;
  /** Whether the current frame has no words left: if the machine continues, it fetches a return there. */
  #atEnd = false;
  /** The version of the memory that the loop knows. */
  #toldVersion = -1;

  readonly #routines: readonly Uint32Array[];
  readonly #loops: FetchLoop;
  readonly #wasm: WebAssemblyParts | undefined;

  constructor(
    readonly work: Workspace,
    readonly machine: MachineTable,
    readonly inputs: MachineInputs,
    readonly frames: Frames,
    routines: readonly Uint32Array[],
    loops: FetchLoop,
    wasm: WebAssemblyParts | undefined,
  ) {
    this.#routines = routines;
    this.#loops = loops;
    this.#wasm = wasm;
    this.dropped = new Int32Array(machine.stackCount);
    let first = 0;
    for (const { length } of routines) {
      this.firsts.push(first);
      first += length / Packed.wordsPerInstruction;
    }
    this.firsts.push(first);
  }

  begin(program: Uint32Array): void {
    const { dropped, ignored, work } = this;
    this.#loops.begin(program);
    this.fetched = this.reached = this.made = this.lostNumbers = 0;
    for (let stack = 0; stack < dropped.length; stack++) dropped[stack] = 0;
    ignored.ptx = ignored.meta = ignored.metaConstant = ignored.routine = ignored.store = ignored.load = 0;
    this.#pending = undefined;
    this.#atEnd = false;
    this.#toldVersion = -1;
    work.nodes[Node.none + Observed.depth] = 0;
    this.#dead = work.nodeEnd;
    this.#takeWords(this.#dead);
  }

  run(words: Uint32Array, start: number, end: number, routine: number): number {
    this.#settle();
    const first = this.firsts[routine === MAIN_PROGRAM ? this.#routines.length : routine]!;
    const origin = first + start / Packed.wordsPerInstruction;
    const at = this.#runCommon(routine, start, end, origin);
    const ran = (at - start) / Packed.wordsPerInstruction;
    this.fetched += ran;
    this.#atEnd = at === end;
    if (at < end) {
      this.fetched++;
      this.#expect(words[at]!, words[at + 1]!, origin + ran);
    }
    if (routine === MAIN_PROGRAM) this.reached = at / Packed.wordsPerInstruction + Number(at < end);
    return at;
  }

  /** Ends the observation of a program that has returned or was stopped by the execution limit. */
  end(cut: boolean, executionLimit: number): void {
    this.#settle();
    // When the program was cut at the end of some words, the last fetch is unknown, but then the limit gives the count.
    if (cut) this.fetched = Math.ceil(executionLimit);
  }

  #runCommon(routine: number, start: number, end: number, origin: number): number {
    const wasm = this.#wasm;
    const { work } = this;
    if (wasm === undefined || !work.inMemory) return start;
    const { memory } = wasm;
    const instructions = Math.min((end - start) / Packed.wordsPerInstruction, BATCH);
    work.growNodes(instructions * Observed.words);
    work.growOrder(this.made + instructions);
    work.growVisit(this.made + instructions);
    if (!work.inMemory) return start;
    if (this.#toldVersion !== memory.version) this.#tell(memory);
    const { functions, state } = memory;
    state[ObservedState.nodeEnd] = work.nodeEnd;
    state[ObservedState.astUsed] = work.astUsed;
    state[ObservedState.made] = this.made;
    state[ObservedState.skipped] = this.ignored.ptx;
    state[ObservedState.stride] = work.stride;
    const base = wasm.loops.addressOf(routine);
    const stop = start + instructions * Packed.wordsPerInstruction;
    const at = functions.runObserved(state.byteOffset, base + start * 4, base + stop * 4, origin);
    work.nodeEnd = state[ObservedState.nodeEnd]!;
    work.astUsed = state[ObservedState.astUsed]!;
    this.made = state[ObservedState.made]!;
    this.ignored.ptx = state[ObservedState.skipped]!;
    return (at - base) / 4;
  }

  /** Tells the loop what stays valid until the next program begins or the memory grows. */
  #tell(memory: LoopMemory): void {
    const { inputs, machine, work } = this;
    const { state } = memory;
    state[ObservedState.nodes] = work.nodes.byteOffset;
    state[ObservedState.sizes] = work.sizes.byteOffset;
    state[ObservedState.stacks] = work.stacks.byteOffset;
    state[ObservedState.shape] = memory.shape.byteOffset;
    state[ObservedState.order] = work.order.byteOffset;
    state[ObservedState.origins] = work.visit.byteOffset;
    state[ObservedState.dead] = this.#dead;
    state[ObservedState.instructionCount] = machine.instructionCount;
    state[ObservedState.stackCount] = machine.stackCount;
    state[ObservedState.inputStacks] = memory.inputStacks.byteOffset;
    state[ObservedState.inputCount] = inputs.count;
    state[ObservedState.lastAst] = work.limits.maxAstSize - Node.shapedEntries;
    this.#toldVersion = memory.version;
  }

  /** Records what the machine is about to do with an instruction on its own. */
  #expect(head: number, payload: number, origin: number): void {
    const { dropped, missing, lostNumber } = outcomeOf(this, head, payload);
    const type = head & Packed.typeMask;
    for (const { stack, count } of dropped) this.dropped[stack]! += count;
    if (lostNumber !== undefined) this.lostNumbers++;
    this.#pendingOrigin = origin;
    if (missing !== undefined) {
      this.ignored[IGNORED_NAMES[type]!]++;
      if (type === InstructionType.ptx) this.#note(this.#dead);
      return;
    }
    this.#pending = type;
    this.#pendingNode = this.work.nodeEnd;
    if (type !== InstructionType.input) return;
    this.#pendingStack = this.inputs.stacks[payload]!;
    this.#pendingSize = this.work.sizes[this.#pendingStack]!;
    this.#pendingInput = payload;
  }

  /** Converts what the machine has made since then to the layout of `Observed`. */
  #settle(): void {
    if (this.#atEnd) this.fetched++;
    this.#atEnd = false;
    const pending = this.#pending;
    const node = this.#pendingNode;
    const { machine, work } = this;
    this.#pending = undefined;
    switch (pending) {
      case InstructionType.ptx:
        this.#settleInstruction(node);
        return;
      case InstructionType.constant:
        this.#takeWords(node);
        this.#record(node, machine.stackCount);
        return;
      case InstructionType.input: {
        const stack = this.#pendingStack;
        const size = this.#pendingSize;
        if (work.sizes[stack] === size) {
          this.#note(this.#dead);
          return;
        }
        this.#takeWords(node);
        this.#record(node, machine.stackCount + 1 + this.#pendingInput);
        work.stacks[Stack.pad + stack * work.stride + size] = node;
        return;
      }
      case InstructionType.special:
        for (let element = node; element < work.nodeEnd; element += Node.words) {
          work.nodes[element + Observed.depth] = 1;
        }
        this.#note(~node);
    }
  }

  #settleInstruction(node: number): void {
    const { machine, work } = this;
    const { nodes } = work;
    const instruction = nodes[node + Node.what]!;
    const firstArg = node + Node.args;
    const firstResult = firstArg + machine.argCount[instruction]!;
    let depth = 0;
    for (let at = firstArg; at < firstResult; at++) {
      depth = Math.max(depth, nodes[nodes[at]! + Observed.depth]!);
    }
    nodes[node + Observed.depth] = ++depth;
    const shape = machine.shape[instruction]!;
    if (shape !== 0) {
      nodes[node + Observed.counted] = shape >> Shape.toShift;
      this.#note(node);
      return;
    }
    const several = machine.resultCount[instruction]! > 1;
    for (let at = firstResult; several && at < work.nodeEnd; at += Node.words)
      nodes[at + Observed.depth] = depth;
    this.#note(~node);
  }

  /** Makes a node of the common layout from the words at the end. */
  #takeWords(node: number): void {
    const { work } = this;
    work.nodeEnd = node;
    if (node + Observed.words > work.nodes.length) work.growNodes(Observed.words);
    work.nodeEnd = node + Observed.words;
    const { nodes } = work;
    for (let word = node; word < work.nodeEnd; word++) nodes[word] = 0;
  }

  #record(node: number, counted: number): void {
    this.work.nodes[node + Observed.counted] = counted;
    this.#note(node);
  }

  #note(entry: number): void {
    const { work, made } = this;
    work.growOrder(made + 1);
    work.growVisit(made + 1);
    work.order[made] = entry;
    work.visit[made] = this.#pendingOrigin;
    this.made = made + 1;
  }
}
