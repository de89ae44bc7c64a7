// Writes the live computation as words to be hashed: words are equal if and only if the stubs are equal. Values that
// the requests depend on are numbered 1, 2, 3… in the order of a breadth-first walk; each line consists of the words of
// its mnemonic and the labels of its operands. This order, like that of printing, only depends on the computation, but
// it needs no walk back up.
import type { StackTable } from "@mm-ptx/types/core";
import type { SavedRegisters } from "../emit/copies.js";
import { inputNode } from "../emit/operand-texts.js";
import type { FilledRequests } from "../emit/requests.js";
import type { InputRegisters } from "../inputs.js";
import type { LoopMemory } from "../loops/memory.js";
import { LineState } from "../loops/state.js";
import type { MachineTable } from "../machine/table.js";
import { Node, specialElement, specialOf, Text, What } from "../nodes.js";
import { ROOM, roomFor } from "../room.js";
import type { Workspace } from "../workspace.js";
import { Label, nameLabel, type SignatureTable, signatureTable } from "./labels.js";

/** Precedes a result of an instruction with several results; no mnemonic has a 0 there. */
const RESULT = 0;

/** Precedes a text, where otherwise the number of copies would be. */
const TEXT = 0xffffffff;

/** Words that a line needs besides its operands, and the most words that an operand needs. */
const LINE_WORDS = 3;
const OPERAND_WORDS = 2;

/** What one line of `writeCommonLines` needs at most: names, and bytes. */
const COMMON_NAMES = Node.shapedArgs;
const COMMON_BYTES = 4 * (LINE_WORDS + Node.shapedArgs * OPERAND_WORDS);

/** Writes the words of one compiler's programs. Kept between calls. */
export class SignatureWriter {
  words: Uint32Array;
  /** Words written. */
  length = 0;
  #inputLabels = new Int32Array(16);
  #inputsVersion = -1;
  /** The number of values named so far; they are in `work.order`, in the order of their names. */
  #named = 0;

  readonly #table: SignatureTable;
  /** Where words are written at first: a part of the loops' memory that only printing needs. */
  #ownWords: Uint32Array;
  #memoryVersion = -1;

  readonly #work: Workspace;
  readonly #machine: MachineTable;
  readonly #inputs: InputRegisters;
  readonly #memory: LoopMemory | undefined;

  /** @param memory the memory of the compiler's loops, when they are WebAssembly */
  constructor(
    table: StackTable,
    work: Workspace,
    machine: MachineTable,
    inputs: InputRegisters,
    memory: LoopMemory | undefined,
  ) {
    this.#work = work;
    this.#machine = machine;
    this.#inputs = inputs;
    this.#memory = memory;
    this.#table = signatureTable(table, machine.shape);
    this.words = this.#ownWords = new Uint32Array(memory === undefined ? ROOM.signature : 0);
  }

  /**
   * Writes what the filled requests depend on. The nodes of the program cannot be used afterwards.
   * @returns false when words cannot distinguish the stub: a line reads a register that the copies overwrite, and it
   * has the same text as the move that saves a register. Such a line and a save may be written alike, so only the text
   * is unique.
   */
  write(filled: FilledRequests, saved: SavedRegisters): boolean {
    if (saved.inputs.length > 0) return false;
    this.clear();
    this.#labelInputs();
    this.#writeCopies(filled);
    for (let line = this.#writeCommon(0); line < this.#named; line = this.#writeCommon(line + 1)) {
      if (!this.#writeLine(this.#work.order[line]!, filled)) return false;
    }
    this.#pad();
    return true;
  }

  /** Forgets what was written. The words that remain represent the empty text and nothing else. */
  clear(): void {
    this.words = this.#ownWords;
    this.#lookAgain();
    this.length = 0;
    this.#named = 0;
  }

  /** Uses the memory's room as it is now, because it may have grown; what was written is still there. */
  #lookAgain(): void {
    const memory = this.#memory;
    if (memory === undefined || memory.version === this.#memoryVersion) return;
    const { buffer, byteOffset, length } = memory.bytes;
    const own = this.words === this.#ownWords;
    this.#ownWords = new Uint32Array(buffer, byteOffset, length / 4);
    if (own) this.words = this.#ownWords;
    this.#memoryVersion = memory.version;
  }

  /**
   * Writes the text of the stub, where words cannot distinguish it. The text is at the start of the workspace's bytes.
   */
  writeText(count: number): void {
    this.clear();
    this.#reserve(2 + count);
    const { bytes } = this.#work;
    // Backwards, because the bytes may overlap the words that are written.
    for (let at = count - 1; at >= 0; at--) this.words[1 + at] = bytes[at]!;
    this.words[0] = TEXT;
    this.length = 1 + count;
    this.#pad();
  }

  /**
   * Words are hashed in pairs. Since no sequence of words is a prefix of another, appending a zero cannot make two
   * sequences equal.
   */
  #pad(): void {
    if (this.length % 2 !== 0) this.words[this.length++] = 0;
  }

  /** Writes the labels of the caller's registers over their nodes. */
  #labelInputs(): void {
    const inputs = this.#inputs;
    const work = this.#work;
    if (this.#inputsVersion !== inputs.version) {
      this.#inputLabels = Int32Array.from(inputs.names.flatMap(nameLabel));
      this.#inputsVersion = inputs.version;
    }
    const inputLabels = this.#inputLabels;
    const { nodes } = work;
    for (let input = 0; input < inputs.count; input++) {
      const node = inputNode(input);
      nodes[node + Text.lengthWord] = inputLabels[2 * input]!;
      nodes[node + Node.bits] = inputLabels[2 * input + 1]!;
    }
  }

  #writeCopies(filled: FilledRequests): void {
    const { copies } = this.#table;
    this.#reserve(1 + filled.count * (LINE_WORDS + 2 * OPERAND_WORDS));
    this.words[this.length++] = filled.count;
    for (let copy = 0; copy < filled.count; copy++) {
      this.#pair(copies, filled.stacks[copy]!);
      this.#operand(inputNode(filled.registers[copy]!));
      this.#operand(filled.values[copy]!);
    }
  }

  /** Writes lines from `line` on, as far as WebAssembly can; returns the first line that it did not write. */
  #writeCommon(line: number): number {
    const memory = this.#memory;
    const ownWords = this.#ownWords;
    const table = this.#table;
    const work = this.#work;
    const { words } = this;
    if (memory === undefined || !work.inMemory || words !== ownWords) return line;
    if (memory.mnemonicWordsOwner !== this) {
      memory.mnemonicWords.set(table.common);
      memory.mnemonicWordsOwner = this;
    }
    const { state } = memory;
    state[LineState.line] = line;
    state[LineState.named] = this.#named;
    state[LineState.end] = words.byteOffset + this.length * 4;
    memory.functions.writeCommonLines(
      state.byteOffset,
      memory.nodes.byteOffset,
      memory.order.byteOffset,
      memory.mnemonicWords.byteOffset,
      memory.forms.byteOffset,
      memory.order.length - COMMON_NAMES,
      words.byteOffset + words.byteLength - COMMON_BYTES,
    );
    this.#named = state[LineState.named]!;
    this.length = (state[LineState.end]! - words.byteOffset) / 4;
    return state[LineState.line]!;
  }

  /**
   * Writes the line of any value that has a name: an instruction, one of several results, or an element of a special
   * register.
   */
  #writeLine(node: number, filled: FilledRequests): boolean {
    const machine = this.#machine;
    const table = this.#table;
    const work = this.#work;
    const what = work.nodes[node + Node.what]!;
    if (what <= What.projection) {
      const instruction = What.projection - what;
      this.#reserve(LINE_WORDS + OPERAND_WORDS);
      this.words[this.length++] = RESULT;
      this.words[this.length++] = node - instruction;
      this.#operand(instruction);
      return true;
    }
    if (what < 0) {
      const element = specialElement(what);
      const name = table.specialNames[element]!;
      if (this.#isOverwritten(name, filled)) return false;
      this.#reserve(LINE_WORDS + OPERAND_WORDS);
      this.#pair(table.specials, specialOf(what));
      this.#pair(table.specialLabels, element);
      return true;
    }
    const args = machine.argCount[what]!;
    this.#reserve(LINE_WORDS + args * OPERAND_WORDS);
    this.#pair(table.instructions, what);
    for (let arg = 0; arg < args; arg++) this.#operand(work.nodes[node + Node.args + arg]!);
    if (table.moves[what] === 0) return true;
    const input = What.input - work.nodes[work.nodes[node + Node.args]! + Node.what]!;
    return (
      input < 0 || input >= this.#inputs.count || !this.#isOverwritten(this.#inputs.names[input]!, filled)
    );
  }

  #isOverwritten(name: string, { count, registers }: FilledRequests): boolean {
    for (let copy = 0; copy < count; copy++) {
      if (this.#inputs.names[registers[copy]!] === name) return true;
    }
    return false;
  }

  /** Writes the label of a value. A value without a label gets a name and is queued for its line. */
  #operand(node: number): void {
    const work = this.#work;
    let label = work.nodes[node + Text.lengthWord]!;
    if (label === 0) {
      work.growOrder(this.#named + 1);
      this.#lookAgain();
      work.order[this.#named++] = node;
      label = work.nodes[node + Text.lengthWord] = this.#named;
    }
    const what = work.nodes[node + Node.what]!;
    const constant = what <= What.constant && what > What.projection;
    this.words[this.length++] = constant ? Label.constant | this.#table.forms[What.constant - what]! : label;
    if (constant || label >= Label.text) this.words[this.length++] = work.nodes[node + Node.bits]!;
  }

  #pair(words: Int32Array, index: number): void {
    this.words[this.length++] = words[2 * index]!;
    this.words[this.length++] = words[2 * index + 1]!;
  }

  #reserve(count: number): void {
    if (this.length + count <= this.words.length) return;
    const words = new Uint32Array(roomFor(this.length + count, this.words.length));
    words.set(this.words);
    this.words = words;
    if (this.#memory === undefined) this.#ownWords = words;
  }
}
