// The memory of the WebAssembly loops, which all compilers of a thread share. A compile finishes before another one
// starts, so compiles can use the same parts; the tables of the last compiler stay loaded. A part that a compile
// outgrows moves to the end and is twice as large from then on, until the whole memory is too large to be kept.

import { bytesOfHex, compilesWebAssembly, LITTLE_ENDIAN } from "@mm-ptx/types/internal";
import { firstRegisters } from "../emit/operand-texts.js";
import { Word } from "../emit/words.js";
import { Text } from "../nodes.js";
import { type GrowingPart, ROOM, roomFor } from "../room.js";
import { MODULE } from "../wasm/module.js";
import type { WorkspaceArrays } from "../workspace.js";

/** Words of the control block at address 0; assembly/layout.ts has the same. */
export const enum Control {
  nodes,
  stacks,
  stride,
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
  unlisted,
  line,
  /** The number of parts, which is not a part itself. */
  count,
}

/** The number of table entries that there is room for. */
export const enum Room {
  stacks = 1024,
  instructions = 16384,
}

/** Addresses of the parts that never move; assembly/layout.ts has the same. */
export const enum Place {
  digits = 0x100,
  state = 0x200,
  forms = 0x400,
  sizes = 0x1000,
  registerCounts = 0x2000,
  registerTexts = 0x4000,
  constants = 0x8000,
  shape = 0x10000,
  mnemonicLengths = 0x20000,
  mnemonics = 0x30000,
  mnemonicWords = 0x90000,
  operations = 0xb0000,
  constantOperations = 0xc0000,
  /** The first address after them. */
  parts = 0xc1000,
}

const PAGE_BYTES = 65536;
/** 2 GB, so that addresses stay positive as i32. */
const MOST_PAGES = 32768;

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
  writeCommonCode(
    state: number,
    nodes: number,
    order: number,
    operations: number,
    constants: number,
    stop: number,
  ): void;
  runObserved(state: number, start: number, stop: number, origin: number): number;
  markLive(state: number): void;
}

export class LoopMemory implements WorkspaceArrays {
  functions!: Functions;
  control!: Int32Array;
  sizes!: Int32Array;
  registerCounts!: Int32Array;
  registerTexts!: Int32Array;
  /** The characters around the digits of constants, as a text for each stack, and the forms of the constants. */
  constants!: Int32Array;
  forms!: Uint8Array;
  shape!: Int32Array;
  mnemonicLengths!: Int32Array;
  mnemonics!: Float64Array;
  inputStacks!: Int32Array;
  stacks!: Int32Array;
  words!: Uint32Array;
  visit!: Int32Array;
  order!: Int32Array;
  nodes!: Int32Array;
  bytes!: Uint8Array;
  /** Increases whenever the arrays are replaced. */
  version = 0;
  /** The compiler whose tables are loaded. */
  owner: object | undefined;
  /** Data of analyses, signatures and codes: their state, and two words for each mnemonic. */
  state!: Int32Array;
  mnemonicWords!: Int32Array;
  /** The compiler whose mnemonics these are. */
  mnemonicWordsOwner: object | undefined;
  /** The operation of each instruction, and that of the constants of each stack. */
  operations!: Int32Array;
  constantOperations!: Uint32Array;
  /** The compiler whose operations these are. */
  operationsOwner: object | undefined;

  readonly #module = new WebAssembly.Module(bytesOfHex(MODULE));
  #memory!: WebAssembly.Memory;
  readonly #parts = {} as Record<GrowingPart, { at: number; bytes: number }>;
  #end = 0;

  constructor() {
    this.#start();
  }

  /** Frees what only a very large compile needs; nothing in the memory may be in use. */
  trim(): void {
    if (this.#end > ROOM.keptBytes) this.#start();
  }

  /**
   * Makes a part at least `bytes` large and keeps its contents.
   * @returns whether the memory could grow that far; all arrays are then replaced, and the previous ones are invalid
   */
  grow(part: GrowingPart, bytes: number): boolean {
    const old = this.#parts[part];
    if (bytes <= old.bytes) return true;
    // The last part need not move, so that a part that grows repeatedly leaves no gaps.
    const at = aligned(old.at + old.bytes) === this.#end ? old.at : this.#end;
    const wanted = roomFor(bytes, old.bytes);
    const pages = Math.ceil((at + wanted - this.#memory.buffer.byteLength) / PAGE_BYTES);
    try {
      // Growing by 0 pages detaches the old arrays too, so code that keeps using them finds them empty instead of
      // reading a part that has moved.
      this.#memory.grow(Math.max(0, pages));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return false;
    }
    this.#place(part, at, wanted);
    if (at !== old.at) new Uint8Array(this.#memory.buffer).copyWithin(at, old.at, old.at + old.bytes);
    this.#makeArrays();
    return true;
  }

  /** A new memory in which every part has its initial size. */
  #start(): void {
    this.#end = Place.parts;
    for (const [part, bytes] of Object.entries(ROOM.parts))
      this.#place(part as GrowingPart, this.#end, bytes);
    this.#memory = new WebAssembly.Memory({
      initial: Math.ceil(this.#end / PAGE_BYTES),
      maximum: MOST_PAGES,
    });
    const { exports } = new WebAssembly.Instance(this.#module, { env: { memory: this.#memory } });
    this.functions = exports as unknown as Functions;
    this.owner = this.mnemonicWordsOwner = this.operationsOwner = undefined;
    this.#makeArrays();
    this.registerTexts.set(firstRegisters(Room.stacks));
    // The position of the last digit in a text of a given length.
    const digits = new Uint8Array(this.#memory.buffer, Place.digits, Text.bytes * Text.bytes);
    for (let length = 3; length <= Text.mostCharacters; length++)
      digits[length * Text.bytes + length - 3] = 0xff;
  }

  /** Places a part at the end. */
  #place(part: GrowingPart, at: number, bytes: number): void {
    this.#parts[part] = { at, bytes };
    this.#end = aligned(at + bytes);
  }

  /** Makes new arrays and tells the loops where they are. */
  #makeArrays(): void {
    const { buffer } = this.#memory;
    const { words, bytes } = this.#parts;
    const part = (name: GrowingPart): Int32Array => {
      const { at, bytes } = this.#parts[name];
      return new Int32Array(buffer, at, bytes >> 2);
    };
    this.control = new Int32Array(buffer, 0, Control.count);
    this.sizes = new Int32Array(buffer, Place.sizes, Room.stacks);
    this.registerCounts = new Int32Array(buffer, Place.registerCounts, Room.stacks);
    this.registerTexts = new Int32Array(buffer, Place.registerTexts, Room.stacks * Text.words);
    this.constants = new Int32Array(buffer, Place.constants, Room.stacks * Text.words);
    this.shape = new Int32Array(buffer, Place.shape, Room.instructions);
    this.mnemonicLengths = new Int32Array(buffer, Place.mnemonicLengths, Room.instructions);
    this.mnemonics = new Float64Array(buffer, Place.mnemonics, Room.instructions * Word.perPiece);
    this.state = new Int32Array(buffer, Place.state, (Place.forms - Place.state) >> 2);
    this.forms = new Uint8Array(buffer, Place.forms, Room.stacks);
    this.mnemonicWords = new Int32Array(buffer, Place.mnemonicWords, Room.instructions * 2);
    this.operations = new Int32Array(buffer, Place.operations, Room.instructions);
    this.constantOperations = new Uint32Array(buffer, Place.constantOperations, Room.stacks);
    this.inputStacks = part("inputStacks");
    this.stacks = part("stacks");
    this.visit = part("visit");
    this.order = part("order");
    this.nodes = part("nodes");
    this.words = new Uint32Array(buffer, words.at, words.bytes >> 2);
    this.bytes = new Uint8Array(buffer, bytes.at, bytes.bytes);
    this.version++;

    const { control } = this;
    control[Control.inputStacks] = this.inputStacks.byteOffset;
    control[Control.stacks] = this.stacks.byteOffset;
    control[Control.visit] = this.visit.byteOffset;
    control[Control.order] = this.order.byteOffset;
    control[Control.lastOrdered] = this.order.length - 1;
    control[Control.nodes] = this.nodes.byteOffset;
  }
}

function aligned(address: number): number {
  return Math.ceil(address / Text.bytes) * Text.bytes;
}

let shared: LoopMemory | null | undefined;

/** The memory of this thread; `undefined` where WebAssembly is missing or not allowed. */
export function loopMemory(): LoopMemory | undefined {
  if (shared === undefined) {
    try {
      shared = LITTLE_ENDIAN && compilesWebAssembly() ? new LoopMemory() : null;
    } catch (error) {
      // Missing 128-bit vectors, or too little memory: the TypeScript loops run instead.
      if (!(error instanceof WebAssembly.CompileError) && !(error instanceof RangeError)) throw error;
      shared = null;
    }
  }
  return shared ?? undefined;
}
