// The memory of the WebAssembly loops: one for all compilers of a thread, divided once. Compiles run to their end
// before another starts, so they share what a compile uses; of tables, those of the last compiler stay in place.

import { HEX_PAIRS } from "../emit/constants.js";
import { LITTLE_ENDIAN } from "../layout.js";
import { MODULE } from "../wasm/module.js";

/** Words of the control block, at address 0; assembly/index.ts has the same. */
export const enum Control {
  nodes,
  sizes,
  stacks,
  stride,
  shape,
  instructionCount,
  stackCount,
  inputStacks,
  inputCount,
  lastAst,
  nodeEnd,
  astUsed,
  visit,
  visitDepth,
  lastDepth,
  order,
  orderCount,
  lastOrdered,
  registerCounts,
  chunks,
  lengths,
  mnemonics,
  mnemonicLengths,
  texts,
  constants,
  hexPairs,
  line,
  words,
}

/** Elements that each part of the memory holds. Pages that are never touched cost no memory. */
export const enum Room {
  stacks = 1024,
  instructions = 16384,
  inputs = 16384,
  texts = 32768,
  stackWords = 0x40000,
  programWords = 0x100000,
  nodeWords = 0x200000,
  visit = 0x80000,
  order = 0x80000,
  bytes = 0xb00000,
}

const PAGE_BYTES = 65536;
const PAGES = 512;

/** What assembly/index.ts exports. Addresses are bytes. */
interface Functions {
  runCommon(start: number, stop: number): number;
  walkCommon(): void;
  printCommon(start: number, endLine: number): number;
  writeCommonLines(
    state: number,
    nodes: number,
    order: number,
    mnemonics: number,
    forms: number,
    lastNamed: number,
    lastEnd: number,
  ): void;
}

export class LoopMemory {
  readonly functions: Functions;
  readonly control: Int32Array;
  readonly sizes: Int32Array;
  readonly registerCounts: Int32Array;
  readonly shape: Int32Array;
  readonly mnemonicLengths: Int32Array;
  readonly inputStacks: Int32Array;
  readonly chunks: Int32Array;
  readonly stacks: Int32Array;
  readonly words: Uint32Array;
  readonly nodes: Int32Array;
  readonly visit: Int32Array;
  readonly order: Int32Array;
  readonly mnemonics: Float64Array;
  readonly texts: Float64Array;
  readonly lengths: Uint8Array;
  readonly constants: Uint8Array;
  readonly bytes: Uint8Array;
  /** Whose tables are in place. */
  owner: object | undefined;
  /** What analyses and signatures have of their own: counters, and two words for each mnemonic. */
  readonly state: Int32Array;
  readonly mnemonicWords: Int32Array;
  /** Whose mnemonics these are. */
  mnemonicWordsOwner: object | undefined;

  constructor() {
    const memory = new WebAssembly.Memory({ initial: PAGES, maximum: PAGES });
    const { buffer } = memory;
    let end = 0;
    const take = (bytes: number): number => {
      const at = end;
      end = (end + bytes + 7) & ~7;
      return at;
    };
    const i32 = (length: number): Int32Array => new Int32Array(buffer, take(length * 4), length);
    const u8 = (length: number): Uint8Array => new Uint8Array(buffer, take(length), length);
    this.control = i32(64);
    const hexPairs = new Uint16Array(buffer, take(512), 256);
    hexPairs.set(HEX_PAIRS);
    this.sizes = i32(Room.stacks);
    this.registerCounts = i32(Room.stacks);
    this.shape = i32(Room.instructions);
    this.mnemonicLengths = i32(Room.instructions);
    this.inputStacks = i32(Room.inputs);
    this.chunks = i32(Room.stacks * 16);
    this.lengths = u8(Room.texts);
    this.constants = u8(Room.stacks);
    this.mnemonics = new Float64Array(buffer, take(Room.instructions * 24), Room.instructions * 3);
    this.texts = new Float64Array(buffer, take(Room.texts * 16), Room.texts * 2);
    this.stacks = i32(Room.stackWords);
    this.words = new Uint32Array(buffer, take(Room.programWords * 4), Room.programWords);
    this.nodes = i32(Room.nodeWords);
    this.visit = i32(Room.visit);
    this.order = i32(Room.order);
    this.bytes = u8(Room.bytes);
    this.state = i32(16);
    this.mnemonicWords = i32(Room.instructions * 2);
    // A mistake of ours, not a reason for the other loops.
    if (end > PAGES * PAGE_BYTES)
      throw new Error(`expected parts of ${PAGES * PAGE_BYTES} bytes, found ${end}`);

    const { control } = this;
    control[Control.nodes] = this.nodes.byteOffset;
    control[Control.sizes] = this.sizes.byteOffset;
    control[Control.stacks] = this.stacks.byteOffset;
    control[Control.shape] = this.shape.byteOffset;
    control[Control.inputStacks] = this.inputStacks.byteOffset;
    control[Control.visit] = this.visit.byteOffset;
    control[Control.order] = this.order.byteOffset;
    control[Control.registerCounts] = this.registerCounts.byteOffset;
    control[Control.chunks] = this.chunks.byteOffset;
    control[Control.lengths] = this.lengths.byteOffset;
    control[Control.mnemonics] = this.mnemonics.byteOffset;
    control[Control.mnemonicLengths] = this.mnemonicLengths.byteOffset;
    control[Control.texts] = this.texts.byteOffset;
    control[Control.constants] = this.constants.byteOffset;
    control[Control.hexPairs] = hexPairs.byteOffset;
    control[Control.words] = this.words.byteOffset;

    const binary = Uint8Array.from(atob(MODULE), (character) => character.charCodeAt(0));
    const instance = new WebAssembly.Instance(new WebAssembly.Module(binary), { env: { memory } });
    this.functions = instance.exports as unknown as Functions;
  }
}

let shared: LoopMemory | null | undefined;

/** The memory of this thread; `undefined` where WebAssembly is not there or not allowed. */
export function loopMemory(): LoopMemory | undefined {
  if (shared === undefined) {
    try {
      shared = LITTLE_ENDIAN && typeof WebAssembly === "object" ? new LoopMemory() : null;
    } catch (error) {
      // A content security policy without 'wasm-unsafe-eval', or no memory to reserve: the other loops serve.
      if (!(error instanceof WebAssembly.CompileError) && !(error instanceof RangeError)) throw error;
      shared = null;
    }
  }
  return shared ?? undefined;
}
