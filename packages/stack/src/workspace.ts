// The memory of a compile, kept between compiles so that none is allocated for each instruction. It stands in the memory
// of the WebAssembly loops, which all compilers of a thread share; an array that needs more room than there is becomes
// one of its own, twice as large, until the compile ends.
import { StackPtxError } from "./error.js";
import type { StackLimits } from "./limits.js";

/**
 * Offsets and sizes of nodes. Every value on a stack is a node: an offset into `nodes`, where two words stand, and for
 * instructions more:
 *   [what, text]                      an input, a constant (what: its bits) or a special register's element
 *   [instruction, text, argument...]  a PTX instruction with one result; an argument is the node of its value
 *   [instruction, 0, argument..., result nodes]  one with several results: [Node.projection - its offset, text]
 * The first node is no value: instructions of up to three scalars have room for three, and it stands for those that are
 * missing, so that the hot loops need not ask how many there are. `text` says how the value is written: see `Text`.
 */
export const enum Node {
  /** Words before the arguments. */
  head = 2,
  /** The node that stands for no argument. */
  none = 0,
  /** The node of the caller's first register; the others follow. */
  firstInput = 2,
  /** Arguments that an instruction with a shape has room for, the words of its node, and the AST entries of both. */
  shapedArgs = 3,
  shapedWords = 5,
  shapedEntries = 4,
  /** Elements that one special register can have; `what` is then `-1 - (special register * 4 + element)`. */
  specialElements = 4,
  /** `what` of one of several results: `projection - offset of the instruction's node`. */
  projection = -0x40000000,
}

/** What `text` says of a node: a constant of stack s is `-1 - s`, an operand text `index << indexShift | length`. */
export const enum Text {
  /** A result that has no register yet. */
  pending = 0,
  indexShift = 5,
  lengthMask = 31,
  /** The operand text without characters, which `Node.none` has; then those of the caller's registers, then ours. */
  emptyIndex = 1,
  firstInputIndex = 2,
  /** From here up: the register of this number, too high for a text of its own. */
  number = 0x40000000,
}

/** What a slot holds besides nodes. */
export const enum Slot {
  empty = -1,
}

/** Where stacks stand in `stacks`. */
export const enum Stack {
  /** Words before the first, so that the two below the top of any stack can be read whatever its size. */
  pad = 2,
}

/** Entries of a stack for which there is room at first. */
const DEFAULT_STRIDE = 128;
/** Words of all stacks together, 1 GB. */
const MOST_STACK_WORDS = 2 ** 28;

/** The arrays that the hot loops work on; what is on them is gone when another compile starts. */
export interface WorkspaceArrays {
  readonly sizes: Int32Array;
  readonly registerCounts: Int32Array;
  readonly stacks: Int32Array;
  readonly nodes: Int32Array;
  readonly order: Int32Array;
  readonly visit: Int32Array;
  readonly bytes: Uint8Array;
}

export class Workspace {
  /** `Stack.pad` words, then one run of `stride` nodes for each stack. */
  stacks!: Int32Array;
  stride!: number;
  readonly sizes: Int32Array;
  metaStack = new Uint32Array(16);
  metaSize = 0;
  /** The node in each slot that was ever used, and the stack that it came from. */
  slots = new Int32Array(16).fill(Slot.empty);
  slotStacks = new Int32Array(16);

  nodes!: Int32Array;
  /** Words used of `nodes`. */
  nodeEnd = 0;
  /** AST entries as the limit counts them. */
  astUsed = 0;

  /** Nodes in the order in which they are printed. */
  order!: Int32Array;
  orderCount = 0;
  /** The stack of the walk that gives registers. */
  visit!: Int32Array;
  visitDepth = 0;
  /** Registers given out on each stack. */
  readonly registerCounts: Int32Array;
  /** The stub's text. */
  bytes!: Uint8Array;
  /** Whether every array is still the one of the loops' memory. */
  inMemory: boolean;

  /** @param memory where the arrays stand when there is room; without it they are the workspace's own */
  constructor(
    readonly stackCount: number,
    readonly limits: StackLimits,
    private readonly memory?: WorkspaceArrays,
  ) {
    const arrays: WorkspaceArrays = memory ?? {
      sizes: new Int32Array(stackCount),
      registerCounts: new Int32Array(stackCount),
      stacks: new Int32Array(Stack.pad + stackCount * Math.min(limits.stackSize, DEFAULT_STRIDE)),
      nodes: new Int32Array(4096),
      order: new Int32Array(256),
      visit: new Int32Array(256),
      bytes: new Uint8Array(16384),
    };
    this.sizes = arrays.sizes;
    this.registerCounts = arrays.registerCounts;
    this.use(arrays);
    this.inMemory = memory !== undefined;
  }

  /** Forgets the last compile. */
  reset(): void {
    if (!this.inMemory && this.memory !== undefined) {
      this.use(this.memory);
      this.inMemory = true;
    }
    const { sizes, slots, registerCounts, stackCount } = this;
    for (let stack = 0; stack < stackCount; stack++) {
      sizes[stack] = 0;
      registerCounts[stack] = 0;
    }
    for (let slot = 0; slot < slots.length; slot++) slots[slot] = Slot.empty;
    this.metaSize = 0;
    this.nodeEnd = 0;
    this.astUsed = 0;
    this.orderCount = 0;
  }

  /** Makes every stack's run longer; called when one is full and the limit allows more. */
  growStacks(): void {
    const stride = Math.min(this.limits.stackSize, Math.max(this.stride * 2, 1));
    if (this.stackCount * stride > MOST_STACK_WORDS) {
      throw new StackPtxError(
        "INVALID_VALUE",
        `expected a limit \`stackSize\` that ${this.stackCount} stacks have memory for, found ${this.limits.stackSize}`,
      );
    }
    const stacks = new Int32Array(Stack.pad + this.stackCount * stride);
    for (let stack = 0; stack < this.stackCount; stack++) {
      const from = Stack.pad + stack * this.stride;
      stacks.set(this.stacks.subarray(from, from + this.sizes[stack]!), Stack.pad + stack * stride);
    }
    this.stacks = stacks;
    this.stride = stride;
    this.leaveMemory();
  }

  /** Makes room for a slot. */
  growSlots(slot: number): void {
    const used = this.slots.length;
    this.slots = grown(this.slots, slot + 1).fill(Slot.empty, used);
    this.slotStacks = grown(this.slotStacks, slot + 1);
  }

  /** Makes room for `words` more words of nodes. */
  growNodes(words: number): void {
    this.nodes = grown(this.nodes, this.nodeEnd + words);
    this.leaveMemory();
  }

  growOrder(length: number): void {
    this.order = grown(this.order, length);
    this.leaveMemory();
  }

  growVisit(length: number): void {
    this.visit = grown(this.visit, length);
    this.leaveMemory();
  }

  growBytes(length: number): void {
    const bytes = new Uint8Array(Math.max(this.bytes.length * 2, length));
    bytes.set(this.bytes);
    this.bytes = bytes;
    this.leaveMemory();
  }

  /** From here to the end of the compile the loops that need no memory of theirs do the work. */
  leaveMemory(): void {
    this.inMemory = false;
  }

  /** Works on these from here on; nothing of the last compile is on them. */
  private use({ stacks, nodes, order, visit, bytes }: WorkspaceArrays): void {
    this.stacks = stacks;
    this.nodes = nodes;
    this.order = order;
    this.visit = visit;
    this.bytes = bytes;
    const room = Math.floor((stacks.length - Stack.pad) / Math.max(1, this.stackCount));
    this.stride = Math.min(this.limits.stackSize, DEFAULT_STRIDE, room);
  }
}

/** A copy with at least `length` elements, and at least twice as many as before. */
export function grown(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(array.length * 2, length));
  larger.set(array);
  return larger;
}
