// The memory of a compile, kept between compiles so that nothing is allocated per instruction. It is part of the memory
// of the WebAssembly loops, which all compilers of a thread share and which grows. Without that memory, or beyond what
// it can hold, an array that needs more room is replaced by one twice as large.
import { firstRegisters } from "./emit/operand-texts.js";
import { StackPtxError } from "./error.js";
import type { StackLimits } from "./limits.js";
import { Slot, Stack, Text } from "./nodes.js";
import { copied, type GrowingPart, grown, ROOM, roomFor } from "./room.js";

/** The most words of nodes, of their order, or of the walk: 2 GB. */
const MOST_WORDS = 2 ** 29;
/** The most words of all stacks together: 1 GB. */
const MOST_STACK_WORDS = 2 ** 28;

/** The arrays that the hot loops work on. Their contents are lost when another compile starts. */
export interface WorkspaceArrays {
  readonly sizes: Int32Array;
  readonly registerCounts: Int32Array;
  readonly registerTexts: Int32Array;
  readonly stacks: Int32Array;
  readonly nodes: Int32Array;
  readonly order: Int32Array;
  readonly visit: Int32Array;
  readonly bytes: Uint8Array;
}

/** Memory that grows and contains the arrays. */
export interface WorkspaceMemory extends WorkspaceArrays {
  /** Increases whenever the arrays are replaced. */
  readonly version: number;
  grow(part: GrowingPart, bytes: number): boolean;
  trim(): void;
}

/**
 * The workspace of a compile. Its arrays stay valid until something grows: code that may have caused growth has to read
 * them again.
 */
export class Workspace {
  /** `Stack.pad` words, then `stride` nodes for each stack. */
  stacks!: Int32Array;
  stride = 0;
  sizes!: Int32Array;
  metaStack = new Uint32Array(ROOM.entries);
  metaSize = 0;
  /** The node in each slot, or `Slot.empty`, and the stack that it came from; see `slotPlace`. */
  slots = new Int32Array(ROOM.entries);
  slotStacks = new Int32Array(ROOM.entries);
  /** The number of places of `slots` in use, and the places of slots with large numbers. */
  slotEnd = 0;
  readonly farSlots = new Map<number, number>();

  nodes!: Int32Array;
  /** The number of words of `nodes` in use. */
  nodeEnd = 0;
  /**
   * Reasons not to follow the lists of nodes: there are nodes that are in no list, or values that may be read twice.
   */
  unlisted = 0;
  /** AST entries, as the limit counts them. */
  astUsed = 0;

  /** Nodes in the order in which they are printed. */
  order!: Int32Array;
  orderCount = 0;
  /** The stack of the walk that assigns registers. */
  visit!: Int32Array;
  visitDepth = 0;
  /** The number of registers assigned on each stack. */
  registerCounts!: Int32Array;
  /** The text of each stack's next register, whose last digit is zero. */
  registerTexts!: Int32Array;
  /** The initial contents of `registerTexts`. */
  readonly #firstRegisters: Int32Array;
  /** The stub's text. */
  bytes!: Uint8Array;
  /** Whether every array is still in the loops' memory. */
  inMemory = false;
  /** The version of the memory that the arrays belong to. */
  #version = 0;

  readonly #memory: WorkspaceMemory | undefined;

  /** @param memory contains the arrays as long as there is room; without it the workspace allocates its own */
  constructor(
    readonly stackCount: number,
    readonly limits: StackLimits,
    memory?: WorkspaceMemory,
  ) {
    this.#memory = memory;
    this.#firstRegisters = firstRegisters(stackCount);
    this.#use(memory ?? this.#ownArrays());
  }

  /** Forgets the last compile. */
  reset(): void {
    const memory = this.#memory;
    if (memory !== undefined) {
      memory.trim();
      if (!this.inMemory || this.#version !== memory.version) this.#use(memory);
      this.inMemory = true;
    } else if (this.#ownBytes() > ROOM.keptBytes) this.#use(this.#ownArrays());
    this.stride = Math.min(this.limits.stackSize, ROOM.stride);
    const words = Stack.pad + this.stackCount * this.stride;
    if (words > this.stacks.length) this.#growTo("stacks", words);
    const firstRegisters = this.#firstRegisters;
    const { registerCounts, registerTexts, sizes, stackCount } = this;
    for (let stack = 0; stack < stackCount; stack++) {
      sizes[stack] = 0;
      if (registerCounts[stack] === 0) continue;
      registerCounts[stack] = 0;
      const text = stack * Text.words;
      for (let word = text; word < text + Text.words; word++) registerTexts[word] = firstRegisters[word]!;
    }
    this.slotEnd = 0;
    if (this.farSlots.size > 0) this.farSlots.clear();
    this.metaSize = 0;
    this.nodeEnd = 0;
    this.unlisted = 0;
    this.astUsed = 0;
    this.orderCount = 0;
  }

  /** Makes room for more values on every stack; called when a stack is full and the limit allows more. */
  growStacks(): void {
    const stride = Math.min(this.limits.stackSize, roomFor(this.stride + 1, this.stride));
    if (this.stackCount * stride > MOST_STACK_WORDS) {
      throw new StackPtxError(
        "INVALID_ARGUMENT",
        `expected a limit \`stackSize\` for which ${this.stackCount} stacks fit in memory, found ${this.limits.stackSize}`,
      );
    }
    const words = Stack.pad + this.stackCount * stride;
    if (words > this.stacks.length) this.#growTo("stacks", words);
    // Backwards, so that no stack is overwritten before it has moved.
    for (let stack = this.stackCount - 1; stack > 0; stack--) {
      const from = Stack.pad + stack * this.stride;
      this.stacks.copyWithin(Stack.pad + stack * stride, from, from + this.sizes[stack]!);
    }
    this.stride = stride;
  }

  /** The slots that hold a value, ascending. */
  filledSlots(): number[] {
    const { farSlots, slots, slotEnd } = this;
    const filled: number[] = [];
    for (let slot = 0; slot < Math.min(slotEnd, Slot.near); slot++) {
      if (slots[slot] !== Slot.empty) filled.push(slot);
    }
    return [...filled, ...[...farSlots.keys()].sort((a, b) => a - b)];
  }

  /** Makes places for this many slots; new ones are empty and follow those in use. */
  growSlots(end: number): void {
    if (end > this.slots.length) {
      this.slots = grown(this.slots, end);
      this.slotStacks = grown(this.slotStacks, end);
    }
    this.slots.fill(Slot.empty, this.slotEnd, end);
    this.slotEnd = end;
  }

  /** Makes room for `words` more words of nodes. */
  growNodes(words: number): void {
    if (this.nodeEnd + words > this.nodes.length) this.#growTo("nodes", this.nodeEnd + words);
  }

  growOrder(length: number): void {
    if (length > this.order.length) this.#growTo("order", length);
  }

  growVisit(length: number): void {
    if (length > this.visit.length) this.#growTo("visit", length);
  }

  growBytes(length: number): void {
    if (this.reserve("bytes", length)) return;
    this.bytes = copied(Uint8Array, this.bytes, length);
  }

  /**
   * Makes a part of the loops' memory at least this large.
   * @returns false when the compile does not use that memory, or stops using it because it cannot grow that far. Until
   * the compile ends, only loops that do not need that memory run.
   */
  reserve(part: GrowingPart, bytes: number): boolean {
    if (!this.inMemory) return false;
    const memory = this.#memory;
    this.inMemory = memory!.grow(part, bytes);
    if (this.#version !== memory!.version) this.#use(memory!);
    return this.inMemory;
  }

  #growTo(part: "stacks" | "nodes" | "order" | "visit", length: number): void {
    if (this.reserve(part, Int32Array.BYTES_PER_ELEMENT * length)) return;
    if (length > MOST_WORDS) {
      throw new StackPtxError(
        "INSUFFICIENT_AST_SIZE",
        `expected a program that needs at most ${4 * MOST_WORDS} bytes of ${part}, found one that needs more`,
      );
    }
    this[part] = grown(this[part], length);
  }

  #ownArrays(): WorkspaceArrays {
    return {
      sizes: new Int32Array(this.stackCount),
      registerCounts: new Int32Array(this.stackCount),
      registerTexts: this.#firstRegisters.slice(),
      stacks: new Int32Array(0),
      nodes: new Int32Array(ROOM.nodes),
      order: new Int32Array(ROOM.walk),
      visit: new Int32Array(ROOM.walk),
      bytes: new Uint8Array(ROOM.text),
    };
  }

  #ownBytes(): number {
    const { bytes, nodes, order, stacks, visit } = this;
    return (
      bytes.length +
      Int32Array.BYTES_PER_ELEMENT * (nodes.length + order.length + stacks.length + visit.length)
    );
  }

  /** Uses these arrays from now on. */
  #use(arrays: WorkspaceArrays): void {
    this.sizes = arrays.sizes;
    this.registerCounts = arrays.registerCounts;
    this.registerTexts = arrays.registerTexts;
    this.stacks = arrays.stacks;
    this.nodes = arrays.nodes;
    this.order = arrays.order;
    this.visit = arrays.visit;
    this.bytes = arrays.bytes;
    this.#version = this.#memory?.version ?? 0;
  }
}
