// Writes a stub's text as bytes: declarations, one line for each instruction in emission order, and the copies.
// Positions are byte offsets; every method writes at one and returns the next. Operands are written with ", " after
// them, and the end of the line overwrites the last one.

import type { InputRegisters } from "../inputs.js";
import type { Loops, Progress } from "../loops/loops.js";
import type { MachineTable } from "../machine/table.js";
import { Node, specialElement, specialOf, Text, What } from "../nodes.js";
import type { Workspace } from "../workspace.js";
import { Pair } from "./constants.js";
import type { SavedRegisters } from "./copies.js";
import { inputNode } from "./operand-texts.js";
import type { FilledRequests } from "./requests.js";
import type { TextTable } from "./text-table.js";
import { packWord, Word, writeNumber, writeText } from "./words.js";

/** Starts a new line before a vector's elements. */
const VECTOR_OPEN = packWord("\n\t\t{", 0);
/** The number of bytes around a vector. */
const GROUP_BYTES = 8;
/** The number of lines for which room is made at a time, and the length of a line that `printCommon` prints. */
const BATCH_LINES = 256;
const LONGEST_COMMON_LINE = 96;
/** The length of the longest operand that is not a register of the caller: `%_s65535_2147483647, `. */
const LONGEST_OPERAND = 24;

export class Printer {
  #view: DataView;
  readonly #progress: Progress = { line: 0, at: 0 };
  /** The length of the longest operand of this compile. */
  #longest = LONGEST_OPERAND;

  readonly #work: Workspace;
  readonly #machine: MachineTable;
  readonly #text: TextTable;
  readonly #inputs: InputRegisters;
  readonly #loops: Loops;

  constructor(work: Workspace, machine: MachineTable, text: TextTable, inputs: InputRegisters, loops: Loops) {
    this.#work = work;
    this.#machine = machine;
    this.#text = text;
    this.#inputs = inputs;
    this.#loops = loops;
    this.#view = viewOf(work.bytes);
  }

  /** Writes the stub at the start of the workspace's bytes; returns its length. */
  print(filled: FilledRequests, saved: SavedRegisters): number {
    this.#longest = Math.max(LONGEST_OPERAND, this.#inputs.longestName + 3);
    this.#lookAgain();
    let at = writeText(this.#reserve(0, LONGEST_OPERAND), 0, "\t{\n");
    at = this.#declarations(at);
    at = this.#instructions(at);
    at = this.#copies(at, filled, saved);
    return writeText(this.#view, at, "\t}");
  }

  #declarations(start: number): number {
    const { stackCount } = this.#work;
    const { declarations } = this.#text;
    let at = start;
    for (let stack = 0; stack < stackCount; stack++) {
      const count = this.#work.registerCounts[stack]!;
      if (count === 0) continue;
      const view = this.#reserve(at, declarations.lengths[stack]! + LONGEST_OPERAND);
      at = writeNumber(view, declarations.write(view, at, stack), count);
      at = writeText(view, at, ">;\n");
    }
    return at;
  }

  #instructions(start: number): number {
    const { orderCount } = this.#work;
    const progress = this.#progress;
    progress.at = start;
    progress.line = 0;
    while (progress.line < orderCount) {
      const endLine = Math.min(orderCount, progress.line + BATCH_LINES);
      const view = this.#reserve(progress.at, (endLine - progress.line) * LONGEST_COMMON_LINE);
      this.#loops.print(view, endLine, progress);
      if (progress.line === endLine) continue;
      const node = this.#work.order[progress.line++]!;
      const what = this.#work.nodes[node + Node.what]!;
      progress.at = what < 0 ? this.#special(progress.at, node, what) : this.#groups(progress.at, node, what);
    }
    return progress.at;
  }

  /** `\tmov.u32 %_s1_0, %tid.x;` */
  #special(start: number, node: number, what: number): number {
    const { moves, specials } = this.#text;
    const element = specialElement(what);
    const stack = this.#machine.specialStack[specialOf(what)]!;
    const view = this.#reserve(start, moves.lengths[stack]! + specials.lengths[element]! + LONGEST_OPERAND);
    let at = moves.write(view, start, stack);
    at = this.#operand(view, at, node);
    at = specials.write(view, at, element);
    view.setUint16(at - 2, Pair.endOfLine, true);
    return at;
  }

  /** An instruction with vectors or several results: `%a|%b`, `\n\t\t{%a, %b}`. */
  #groups(start: number, node: number, instruction: number): number {
    const { groups, groupsAt, mnemonics } = this.#text;
    const { argCount, resultCount } = this.#machine;
    const operands = argCount[instruction]! + resultCount[instruction]!;
    const view = this.#reserve(
      start,
      mnemonics.lengths[instruction]! + operands * (this.#longest + GROUP_BYTES),
    );
    const { nodes } = this.#work;
    let at = mnemonics.write(view, start, instruction);
    let next = groupsAt[instruction]!;
    const several = resultCount[instruction]! > 1;
    let result = several ? node + Node.args + argCount[instruction]! : node;
    for (let group = groups[next++]!; group > 0; group--) {
      const elements = groups[next++]!;
      at = openGroup(view, at, elements);
      for (let element = Math.max(1, elements); element > 0; element--, result += Node.words) {
        at = this.#operand(view, at, result);
      }
      at = closeGroup(view, at, elements);
      if (group > 1) view.setUint8(--at - 1, 0x7c);
    }
    let arg = node + Node.args;
    for (let group = groups[next++]!; group > 0; group--) {
      const elements = groups[next++]!;
      at = openGroup(view, at, elements);
      for (let element = Math.max(1, elements); element > 0; element--) {
        at = this.#operand(view, at, nodes[arg++]!);
      }
      at = closeGroup(view, at, elements);
    }
    view.setUint16(at - 2, Pair.endOfLine, true);
    return at;
  }

  #copies(start: number, filled: FilledRequests, saved: SavedRegisters): number {
    const { moves } = this.#text;
    let at = start;
    for (let save = 0; save < saved.inputs.length; save++) {
      const stack = saved.stacks[save]!;
      const view = this.#reserve(at, moves.lengths[stack]! + 2 * this.#longest);
      at = moves.write(view, at, stack);
      at = writeRegister(view, at, stack, saved.numbers[save]!);
      at = this.#operand(view, at, saved.inputs[save]!);
      view.setUint16(at - 2, Pair.endOfLine, true);
    }
    for (let copy = 0; copy < filled.count; copy++) {
      const stack = filled.stacks[copy]!;
      const view = this.#reserve(at, moves.lengths[stack]! + 2 * this.#longest);
      at = moves.write(view, at, stack);
      at = this.#operand(view, at, inputNode(filled.registers[copy]!));
      const save = saved.sources[copy]!;
      if (save < 0) at = this.#operand(view, at, filled.values[copy]!);
      else at = writeRegister(view, at, stack, saved.numbers[save]!);
      view.setUint16(at - 2, Pair.endOfLine, true);
    }
    // What follows the last line is shorter than the room reserved for it.
    this.#reserve(at, LONGEST_OPERAND);
    return at;
  }

  /** Writes any operand, given its node. */
  #operand(view: DataView, at: number, node: number): number {
    const { nodes } = this.#work;
    const end = nodes[node + Text.lengthWord]!;
    if (end < 0) return this.#longOperand(view, at, node);
    for (let word = 0; word < Text.words; word++) view.setInt32(at + 4 * word, nodes[node + word]!, true);
    return at + (end >>> Text.lengthShift);
  }

  /**
   * Writes an operand whose text does not fit its node, piece by piece, because a concatenated string would become
   * garbage immediately.
   */
  #longOperand(view: DataView, at: number, node: number): number {
    const { nodes } = this.#work;
    const what = nodes[node + Node.what]!;
    if (what > What.input || what <= What.constant) {
      return writeRegister(view, at, this.#stackOf(node, what), nodes[node]!);
    }
    view.setUint8(at, 0x25);
    const end = writeText(view, at + 1, this.#inputs.names[What.input - what]!);
    view.setUint16(end, Pair.comma, true);
    return end + 2;
  }

  /** The stack of the result of an instruction or special register. */
  #stackOf(node: number, what: number): number {
    const { argCount, operands, resultsAt, resultStack, specialStack } = this.#machine;
    if (what >= 0) return resultStack[what]!;
    if (what > What.input) return specialStack[specialOf(what)]!;
    const parent = What.projection - what;
    const instruction = this.#work.nodes[parent + Node.what]!;
    const result = (node - parent - Node.args - argCount[instruction]!) / Node.words;
    return operands[resultsAt[instruction]! + result]!;
  }

  /**
   * Makes room for `length` more bytes and for the bytes that pieces write beyond their end; returns the view to write
   * through.
   */
  #reserve(at: number, length: number): DataView {
    const end = at + length + Word.slack;
    if (end > this.#work.bytes.length) {
      this.#work.growBytes(end);
      this.#lookAgain();
    }
    return this.#view;
  }

  /** Uses the workspace's bytes as they are now. */
  #lookAgain(): void {
    const { bytes } = this.#work;
    if (this.#view.buffer !== bytes.buffer || this.#view.byteOffset !== bytes.byteOffset)
      this.#view = viewOf(bytes);
  }
}

/** `%_s1_23, ` */
function writeRegister(view: DataView, start: number, stack: number, number: number): number {
  let at = writeNumber(view, writeText(view, start, "%_s"), stack);
  view.setUint8(at++, 0x5f);
  at = writeNumber(view, at, number);
  view.setUint16(at, Pair.comma, true);
  return at + 2;
}

function openGroup(view: DataView, at: number, elements: number): number {
  if (elements === 0) return at;
  view.setFloat64(at, VECTOR_OPEN, true);
  return at + 4;
}

function closeGroup(view: DataView, at: number, elements: number): number {
  if (elements === 0) return at;
  view.setUint8(at - 2, 0x7d);
  view.setUint16(at - 1, Pair.comma, true);
  return at + 1;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
