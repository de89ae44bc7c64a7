// Finds the live values of a program: those that the requested values depend on. Values are stored in the order in
// which they were made, arguments first, so a single backward pass finds all of them.
import { inputNode } from "../emit/operand-texts.js";
import type { FilledRequests } from "../emit/requests.js";
import type { LoopMemory } from "../loops/memory.js";
import { ObservedState } from "../loops/state.js";
import type { MachineTable } from "../machine/table.js";
import { Node, specialOf } from "../nodes.js";
import type { Workspace } from "../workspace.js";
import { Observed } from "./observed.js";
import type { Observer } from "./observer.js";

/** Finds the live part of an observed program. Kept between calls. */
export class LiveFinder {
  /** The number of live instructions and moves of special registers, each of which is a line of the stub. */
  lines = 0;
  /** The length of the longest chain of lines in which each line reads the one before it. */
  depth = 0;
  /** The special registers that are read. */
  readonly specials = new Set<number>();
  /**
   * Counts of live values, laid out as `Observed.counted` describes. They are followed by the numbers of the
   * instructions that could make values, in the order in which they were fetched: those with a live value from
   * `liveStart` to `liveEnd`, all others from `deadStart` to `deadEnd`.
   */
  found: Int32Array = new Int32Array(0);
  liveStart = 0;
  liveEnd = 0;
  deadStart = 0;
  deadEnd = 0;
  readonly #work: Workspace;
  readonly #machine: MachineTable;

  readonly #memory: LoopMemory | undefined;

  constructor(
    readonly observer: Observer,
    memory: LoopMemory | undefined,
  ) {
    this.#memory = memory;
    this.#work = observer.work;
    this.#machine = observer.machine;
  }

  /** Counts and lists what the filled requests depend on. As always, a requested input is the node of its register. */
  find(filled: FilledRequests): void {
    const memory = this.#memory;
    const work = this.#work;
    const { observer } = this;
    let { made } = observer;
    this.#begin(made, filled);
    for (;;) {
      if (memory !== undefined && work.inMemory) made = this.#markCommon(memory, made);
      if (made === 0) break;
      const entry = work.order[--made]!;
      const live = entry < 0 ? this.#markGeneral(~entry) : this.#mark(entry);
      const origin = work.visit[made]!;
      if (live) this.found[--this.liveStart] = origin;
      else this.found[--this.deadStart] = origin;
    }
    const { stackCount } = this.#machine;
    for (let stack = 0; stack < stackCount; stack++) this.lines += this.found[stack]!;
    const { nodes } = work;
    for (let request = 0; request < filled.count; request++) {
      const value = filled.values[request]!;
      const input = nodes[value + Observed.counted]! - stackCount - 1;
      // Only inputs and constants have no line of their own.
      const isLeaf = (nodes[value + Observed.depth]! & Observed.depthMask) === 0;
      if (isLeaf && input >= 0) filled.values[request] = inputNode(input);
    }
  }

  #begin(made: number, filled: FilledRequests): void {
    const machine = this.#machine;
    const work = this.#work;
    const { observer } = this;
    const places = machine.stackCount + 1 + observer.inputs.count;
    // Only printing needs these bytes.
    const bytes = Int32Array.BYTES_PER_ELEMENT * (places + 2 * made);
    if (bytes > work.bytes.length) work.growBytes(bytes);
    const { buffer, byteOffset, length } = work.bytes;
    if (this.found.buffer !== buffer) this.found = new Int32Array(buffer, byteOffset, length >> 2);
    for (let place = 0; place < places; place++) this.found[place] = 0;
    this.liveStart = this.liveEnd = places + made;
    this.deadStart = this.deadEnd = places + 2 * made;
    this.lines = this.depth = 0;
    if (this.specials.size > 0) this.specials.clear();
    const { nodes } = work;
    for (let request = 0; request < filled.count; request++) {
      const word = filled.values[request]! + Observed.depth;
      this.depth = Math.max(this.depth, nodes[word]! & Observed.depthMask);
      nodes[word]! |= Observed.live;
    }
  }

  /**
   * Marks values backwards, starting with the one before `made`, as far as WebAssembly can; returns how many are left.
   */
  #markCommon({ functions, state }: LoopMemory, made: number): number {
    const base = this.found.byteOffset;
    state[ObservedState.nodes] = this.#work.nodes.byteOffset;
    state[ObservedState.order] = this.#work.order.byteOffset;
    state[ObservedState.origins] = this.#work.visit.byteOffset;
    state[ObservedState.counts] = base;
    state[ObservedState.made] = made;
    state[ObservedState.liveEnd] = base + this.liveStart * 4;
    state[ObservedState.deadEnd] = base + this.deadStart * 4;
    functions.markLive(state.byteOffset);
    this.liveStart = (state[ObservedState.liveEnd]! - base) / 4;
    this.deadStart = (state[ObservedState.deadEnd]! - base) / 4;
    return state[ObservedState.made]!;
  }

  #mark(node: number): boolean {
    const { nodes } = this.#work;
    if (nodes[node + Observed.depth]! >= 0) return false;
    this.found[nodes[node + Observed.counted]!]!++;
    this.#markArguments(node, Node.shapedArgs);
    return true;
  }

  #markGeneral(node: number): boolean {
    const what = this.#work.nodes[node + Node.what]!;
    return what < 0 ? this.#markSpecial(node, what) : this.#markInstruction(node, what);
  }

  /** The elements of a special register are stored one after the other, and each live element is a line. */
  #markSpecial(first: number, what: number): boolean {
    const machine = this.#machine;
    const work = this.#work;
    const special = specialOf(what);
    const end = first + Math.max(1, machine.specialElements[special]!) * Node.words;
    let live = false;
    for (let node = first; node < end; node += Node.words) {
      if (work.nodes[node + Observed.depth]! >= 0) continue;
      live = true;
      this.found[machine.specialStack[special]!]!++;
    }
    if (live) this.specials.add(special);
    return live;
  }

  /** When one result of an instruction is live, all its results are printed. */
  #markInstruction(node: number, instruction: number): boolean {
    const machine = this.#machine;
    const work = this.#work;
    const { operands } = machine;
    const args = machine.argCount[instruction]!;
    const results = machine.resultCount[instruction]!;
    const firstResult = node + Node.args + args;
    const end = firstResult + Node.words * (results > 1 ? results : 0);
    let live = work.nodes[node + Observed.depth]! < 0;
    for (let at = firstResult; at < end; at += Node.words) live ||= work.nodes[at + Observed.depth]! < 0;
    if (!live) return false;
    this.#markArguments(node, args);
    const stacks = machine.resultsAt[instruction]!;
    for (let result = 0; result < results; result++) this.found[operands[stacks + result]!]!++;
    // Each result counts, but together they are one line.
    this.lines -= results - 1;
    return true;
  }

  #markArguments(node: number, count: number): void {
    const { nodes } = this.#work;
    for (let at = node + Node.args; at < node + Node.args + count; at++) {
      nodes[nodes[at]! + Observed.depth]! |= Observed.live;
    }
  }
}
