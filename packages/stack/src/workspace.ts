// The memory of a compile, kept between compiles so that none is allocated for each instruction. It stands in the memory
// of the WebAssembly loops, which all compilers of a thread share and which grows; without it, or beyond what it can
// hold, an array that needs more room is replaced by one twice as large.
import { firstRegisters } from "./emit/operand-texts.js";
import { StackPtxError } from "./error.js";
import type { StackLimits } from "./limits.js";
import { Slot, Stack, Text } from "./nodes.js";
import { copied, type GrowingPart, grown, ROOM, roomFor } from "./room.js";

/** Words of nodes, of their order or of the walk, 2 GB. */
const MOST_WORDS = 2 ** 29;
/** Words of all stacks together, 1 GB. */
const MOST_STACK_WORDS = 2 ** 28;

/** The arrays that the hot loops work on; what is on them is gone when another compile starts. */
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

/** Memory that grows, and that arrays stand in. */
export interface WorkspaceMemory extends WorkspaceArrays {
  /** Changes whenever the arrays do. */
  readonly version: number;
  grow(part: GrowingPart, bytes: number): boolean;
  trim(): void;
}

/**
 * What is taken from here to be used holds until something grows: whoever may have let something grow takes it again.
 */
export class Workspace {
  /** `Stack.pad` words, then one run of `stride` nodes for each stack. */
  stacks!: Int32Array;
  stride = 0;
  sizes!: Int32Array;
  metaStack = new Uint32Array(ROOM.entries);
  metaSize = 0;
  /** The node in each slot, or `Slot.empty`, and the stack that it came from; see `slotPlace`. */
  slots = new Int32Array(ROOM.entries);
  slotStacks = new Int32Array(ROOM.entries);
  /** Places of `slots` that are in use, and those of slots with large numbers. */
  slotEnd = 0;
  readonly farSlots = new Map<number, number>();

  nodes!: Int32Array;
  /** Words used of `nodes`. */
  nodeEnd = 0;
  /** What forbids to follow the lists of nodes: nodes that are in none, and values that may be read twice. */
  unlisted = 0;
  /** AST entries as the limit counts them. */
  astUsed = 0;

  /** Nodes in the order in which they are printed. */
  order!: Int32Array;
  orderCount = 0;
  /** The stack of the walk that gives registers. */
  visit!: Int32Array;
  visitDepth = 0;
  /** Registers given out on each stack. */
  registerCounts!: Int32Array;
  /** The text of each stack's next register, with a zero as its last digit. */
  registerTexts!: Int32Array;
  /** What they are at first. */
  private readonly firstRegisters: Int32Array;
  /** The stub's text. */
  bytes!: Uint8Array;
  /** Whether every array is still the one of the loops' memory. */
  inMemory = false;
  /** The memory's version of which the arrays are. */
  private version = 0;

  /** @param memory where the arrays stand when there is room; without it they are the workspace's own */
  constructor(
    readonly stackCount: number,
    readonly limits: StackLimits,
    private readonly memory?: WorkspaceMemory,
  ) {
    this.firstRegisters = firstRegisters(stackCount);
    this.use(memory ?? this.ownArrays());
  }

  /** Forgets the last compile. */
  reset(): void {
    const { memory } = this;
    if (memory !== undefined) {
      memory.trim();
      if (!this.inMemory || this.version !== memory.version) this.use(memory);
      this.inMemory = true;
    } else if (this.ownBytes() > ROOM.keptBytes) this.use(this.ownArrays());
    this.stride = Math.min(this.limits.stackSize, ROOM.stride);
    const words = Stack.pad + this.stackCount * this.stride;
    if (words > this.stacks.length) this.growTo("stacks", words);
    const { firstRegisters, registerCounts, registerTexts, sizes, stackCount } = this;
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

  /** Makes every stack's run longer; called when one is full and the limit allows more. */
  growStacks(): void {
    const stride = Math.min(this.limits.stackSize, roomFor(this.stride + 1, this.stride));
    if (this.stackCount * stride > MOST_STACK_WORDS) {
      throw new StackPtxError(
        "INVALID_VALUE",
        `expected a limit \`stackSize\` that ${this.stackCount} stacks have memory for, found ${this.limits.stackSize}`,
      );
    }
    const words = Stack.pad + this.stackCount * stride;
    if (words > this.stacks.length) this.growTo("stacks", words);
    // From the last on, so that none is written over before it has moved.
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

  /** Makes that many places for slots, empty ones behind those that are in use. */
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
    if (this.nodeEnd + words > this.nodes.length) this.growTo("nodes", this.nodeEnd + words);
  }

  growOrder(length: number): void {
    if (length > this.order.length) this.growTo("order", length);
  }

  growVisit(length: number): void {
    if (length > this.visit.length) this.growTo("visit", length);
  }

  growBytes(length: number): void {
    if (this.reserve("bytes", length)) return;
    this.bytes = copied(Uint8Array, this.bytes, length);
  }

  /**
   * Makes a part of the loops' memory at least so large.
   * @returns false when the compile does not use it, or uses it no longer because it can't grow that far: from here to its
   * end the loops that need no memory of theirs do the work
   */
  reserve(part: GrowingPart, bytes: number): boolean {
    if (!this.inMemory) return false;
    const { memory } = this;
    this.inMemory = memory!.grow(part, bytes);
    if (this.version !== memory!.version) this.use(memory!);
    return this.inMemory;
  }

  private growTo(part: "stacks" | "nodes" | "order" | "visit", length: number): void {
    if (this.reserve(part, Int32Array.BYTES_PER_ELEMENT * length)) return;
    if (length > MOST_WORDS) {
      throw new StackPtxError(
        "INSUFFICIENT_AST_SIZE",
        `expected a program that ${4 * MOST_WORDS} bytes of ${part} are enough for, found one that needs more`,
      );
    }
    this[part] = grown(this[part], length);
  }

  private ownArrays(): WorkspaceArrays {
    return {
      sizes: new Int32Array(this.stackCount),
      registerCounts: new Int32Array(this.stackCount),
      registerTexts: this.firstRegisters.slice(),
      stacks: new Int32Array(0),
      nodes: new Int32Array(ROOM.nodes),
      order: new Int32Array(ROOM.walk),
      visit: new Int32Array(ROOM.walk),
      bytes: new Uint8Array(ROOM.text),
    };
  }

  private ownBytes(): number {
    const { bytes, nodes, order, stacks, visit } = this;
    return (
      bytes.length +
      Int32Array.BYTES_PER_ELEMENT * (nodes.length + order.length + stacks.length + visit.length)
    );
  }

  /** Works on these from here on. */
  private use(arrays: WorkspaceArrays): void {
    this.sizes = arrays.sizes;
    this.registerCounts = arrays.registerCounts;
    this.registerTexts = arrays.registerTexts;
    this.stacks = arrays.stacks;
    this.nodes = arrays.nodes;
    this.order = arrays.order;
    this.visit = arrays.visit;
    this.bytes = arrays.bytes;
    this.version = this.memory?.version ?? 0;
  }
}
