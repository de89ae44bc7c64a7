// Which of the values that a program made are live: all that the requested ones are made of. Values stand in the order in
// which they were made, arguments first, so one way back over them finds all.
import { inputNode } from "../emit/operand-texts.js";
import type { FilledRequests } from "../emit/requests.js";
import type { LoopMemory } from "../loops/memory.js";
import { ObservedState } from "../loops/state.js";
import type { MachineTable } from "../machine/table.js";
import { Node, specialOf } from "../nodes.js";
import type { Workspace } from "../workspace.js";
import { Observed } from "./observed.js";
import type { Observer } from "./observer.js";

/** Finds what of an observed program is live. Kept between calls. */
export class LiveFinder {
  /** Instructions and moves of special registers: each is a line of the stub. */
  lines = 0;
  /** Lines of the longest chain in which each reads the one before it. */
  depth = 0;
  /** Special registers that are read. */
  readonly specials = new Set<number>();
  /**
   * How often live values count, as `Observed.counted` says. Behind that the instructions that could make values, by
   * their number and in the order in which they were fetched: those of which a value is live from `liveStart` to
   * `liveEnd`, all others from `deadStart` to `deadEnd`.
   */
  found: Int32Array = new Int32Array(0);
  liveStart = 0;
  liveEnd = 0;
  deadStart = 0;
  deadEnd = 0;
  private readonly work: Workspace;
  private readonly machine: MachineTable;

  constructor(
    readonly observer: Observer,
    private readonly memory: LoopMemory | undefined,
  ) {
    this.work = observer.work;
    this.machine = observer.machine;
  }

  /** Counts and lists what the filled requests reach. Requested inputs are then their registers' own nodes, as ever. */
  find(filled: FilledRequests): void {
    const { memory, observer, work } = this;
    let { made } = observer;
    this.begin(made, filled);
    for (;;) {
      if (memory !== undefined && work.inMemory) made = this.markCommon(memory, made);
      if (made === 0) break;
      const entry = work.order[--made]!;
      const live = entry < 0 ? this.markGeneral(~entry) : this.mark(entry);
      const origin = work.visit[made]!;
      if (live) this.found[--this.liveStart] = origin;
      else this.found[--this.deadStart] = origin;
    }
    const { stackCount } = this.machine;
    for (let stack = 0; stack < stackCount; stack++) this.lines += this.found[stack]!;
    const { nodes } = work;
    for (let request = 0; request < filled.count; request++) {
      const value = filled.values[request]!;
      const input = nodes[value + Observed.counted]! - stackCount - 1;
      // Only inputs and constants have no line behind them.
      const isLeaf = (nodes[value + Observed.depth]! & Observed.depthMask) === 0;
      if (isLeaf && input >= 0) filled.values[request] = inputNode(input);
    }
  }

  private begin(made: number, filled: FilledRequests): void {
    const { machine, observer, work } = this;
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

  /** Marks from the entry before `made` on back, as far as WebAssembly can; returns how many are left. */
  private markCommon({ functions, state }: LoopMemory, made: number): number {
    const base = this.found.byteOffset;
    state[ObservedState.nodes] = this.work.nodes.byteOffset;
    state[ObservedState.order] = this.work.order.byteOffset;
    state[ObservedState.origins] = this.work.visit.byteOffset;
    state[ObservedState.counts] = base;
    state[ObservedState.made] = made;
    state[ObservedState.liveEnd] = base + this.liveStart * 4;
    state[ObservedState.deadEnd] = base + this.deadStart * 4;
    functions.markLive(state.byteOffset);
    this.liveStart = (state[ObservedState.liveEnd]! - base) / 4;
    this.deadStart = (state[ObservedState.deadEnd]! - base) / 4;
    return state[ObservedState.made]!;
  }

  private mark(node: number): boolean {
    const { nodes } = this.work;
    if (nodes[node + Observed.depth]! >= 0) return false;
    this.found[nodes[node + Observed.counted]!]!++;
    this.markArguments(node, Node.shapedArgs);
    return true;
  }

  private markGeneral(node: number): boolean {
    const what = this.work.nodes[node + Node.what]!;
    return what < 0 ? this.markSpecial(node, what) : this.markInstruction(node, what);
  }

  /** The elements of a special register stand one behind the other, and each live one is a line. */
  private markSpecial(first: number, what: number): boolean {
    const { machine, work } = this;
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

  /** All results of an instruction are printed when one is live. */
  private markInstruction(node: number, instruction: number): boolean {
    const { machine, work } = this;
    const { operands } = machine;
    const args = machine.argCount[instruction]!;
    const results = machine.resultCount[instruction]!;
    const firstResult = node + Node.args + args;
    const end = firstResult + Node.words * (results > 1 ? results : 0);
    let live = work.nodes[node + Observed.depth]! < 0;
    for (let at = firstResult; at < end; at += Node.words) live ||= work.nodes[at + Observed.depth]! < 0;
    if (!live) return false;
    this.markArguments(node, args);
    const stacks = machine.resultsAt[instruction]!;
    for (let result = 0; result < results; result++) this.found[operands[stacks + result]!]!++;
    // Each result counts, but they share a line.
    this.lines -= results - 1;
    return true;
  }

  private markArguments(node: number, count: number): void {
    const { nodes } = this.work;
    for (let at = node + Node.args; at < node + Node.args + count; at++) {
      nodes[nodes[at]! + Observed.depth]! |= Observed.live;
    }
  }
}
