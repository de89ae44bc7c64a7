// Writes a stub's text as bytes: declarations, one line an instruction in emission order, the copies. Positions are
// byte offsets; every method writes at one and returns the next. Operands are written with ", " behind them, and the
// line's end is written over the last of these.

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

/** Before a vector's elements: a line of its own. */
const VECTOR_OPEN = packWord("\n\t\t{", 0);
/** Bytes around a vector. */
const GROUP_BYTES = 8;
/** Lines for which room is made at a time, and the bytes of one that `printCommon` prints. */
const BATCH_LINES = 256;
const LONGEST_COMMON_LINE = 96;
/** Bytes of the longest operand that is no register of the caller: `%_s65535_2147483647, `. */
const LONGEST_OPERAND = 24;

export class Printer {
  private view: DataView;
  private readonly progress: Progress = { line: 0, at: 0 };
  /** Bytes of the longest operand of this compile. */
  private longest = LONGEST_OPERAND;

  constructor(
    private readonly work: Workspace,
    private readonly machine: MachineTable,
    private readonly text: TextTable,
    private readonly inputs: InputRegisters,
    private readonly loops: Loops,
  ) {
    this.view = viewOf(work.bytes);
  }

  /** Writes the stub at the start of the workspace's bytes; returns its length. */
  print(filled: FilledRequests, saved: SavedRegisters): number {
    this.longest = Math.max(LONGEST_OPERAND, this.inputs.longestName + 3);
    this.lookAgain();
    let at = writeText(this.reserve(0, LONGEST_OPERAND), 0, "\t{\n");
    at = this.declarations(at);
    at = this.instructions(at);
    at = this.copies(at, filled, saved);
    return writeText(this.view, at, "\t}");
  }

  private declarations(start: number): number {
    const { stackCount } = this.work;
    const { declarations } = this.text;
    let at = start;
    for (let stack = 0; stack < stackCount; stack++) {
      const count = this.work.registerCounts[stack]!;
      if (count === 0) continue;
      const view = this.reserve(at, declarations.lengths[stack]! + LONGEST_OPERAND);
      at = writeNumber(view, declarations.write(view, at, stack), count);
      at = writeText(view, at, ">;\n");
    }
    return at;
  }

  private instructions(start: number): number {
    const { orderCount } = this.work;
    const { progress } = this;
    progress.at = start;
    progress.line = 0;
    while (progress.line < orderCount) {
      const endLine = Math.min(orderCount, progress.line + BATCH_LINES);
      const view = this.reserve(progress.at, (endLine - progress.line) * LONGEST_COMMON_LINE);
      this.loops.print(view, endLine, progress);
      if (progress.line === endLine) continue;
      const node = this.work.order[progress.line++]!;
      const what = this.work.nodes[node + Node.what]!;
      progress.at = what < 0 ? this.special(progress.at, node, what) : this.groups(progress.at, node, what);
    }
    return progress.at;
  }

  /** `\tmov.u32 %_s1_0, %tid.x;` */
  private special(start: number, node: number, what: number): number {
    const { moves, specials } = this.text;
    const element = specialElement(what);
    const stack = this.machine.specialStack[specialOf(what)]!;
    const view = this.reserve(start, moves.lengths[stack]! + specials.lengths[element]! + LONGEST_OPERAND);
    let at = moves.write(view, start, stack);
    at = this.operand(view, at, node);
    at = specials.write(view, at, element);
    view.setUint16(at - 2, Pair.endOfLine, true);
    return at;
  }

  /** An instruction with vectors or several results: `%a|%b`, `\n\t\t{%a, %b}`. */
  private groups(start: number, node: number, instruction: number): number {
    const { groups, groupsAt, mnemonics } = this.text;
    const { argCount, resultCount } = this.machine;
    const operands = argCount[instruction]! + resultCount[instruction]!;
    const view = this.reserve(
      start,
      mnemonics.lengths[instruction]! + operands * (this.longest + GROUP_BYTES),
    );
    const { nodes } = this.work;
    let at = mnemonics.write(view, start, instruction);
    let next = groupsAt[instruction]!;
    const several = resultCount[instruction]! > 1;
    let result = several ? node + Node.args + argCount[instruction]! : node;
    for (let group = groups[next++]!; group > 0; group--) {
      const elements = groups[next++]!;
      at = openGroup(view, at, elements);
      for (let element = Math.max(1, elements); element > 0; element--, result += Node.words) {
        at = this.operand(view, at, result);
      }
      at = closeGroup(view, at, elements);
      if (group > 1) view.setUint8(--at - 1, 0x7c);
    }
    let arg = node + Node.args;
    for (let group = groups[next++]!; group > 0; group--) {
      const elements = groups[next++]!;
      at = openGroup(view, at, elements);
      for (let element = Math.max(1, elements); element > 0; element--) {
        at = this.operand(view, at, nodes[arg++]!);
      }
      at = closeGroup(view, at, elements);
    }
    view.setUint16(at - 2, Pair.endOfLine, true);
    return at;
  }

  private copies(start: number, filled: FilledRequests, saved: SavedRegisters): number {
    const { moves } = this.text;
    let at = start;
    for (let save = 0; save < saved.inputs.length; save++) {
      const stack = saved.stacks[save]!;
      const view = this.reserve(at, moves.lengths[stack]! + 2 * this.longest);
      at = moves.write(view, at, stack);
      at = writeRegister(view, at, stack, saved.numbers[save]!);
      at = this.operand(view, at, saved.inputs[save]!);
      view.setUint16(at - 2, Pair.endOfLine, true);
    }
    for (let copy = 0; copy < filled.count; copy++) {
      const stack = filled.stacks[copy]!;
      const view = this.reserve(at, moves.lengths[stack]! + 2 * this.longest);
      at = moves.write(view, at, stack);
      at = this.operand(view, at, inputNode(filled.registers[copy]!));
      const save = saved.sources[copy]!;
      if (save < 0) at = this.operand(view, at, filled.values[copy]!);
      else at = writeRegister(view, at, stack, saved.numbers[save]!);
      view.setUint16(at - 2, Pair.endOfLine, true);
    }
    // What follows the last line is shorter than what was reserved for it.
    this.reserve(at, LONGEST_OPERAND);
    return at;
  }

  /** Any operand, by its node. */
  private operand(view: DataView, at: number, node: number): number {
    const { nodes } = this.work;
    const end = nodes[node + Text.lengthWord]!;
    if (end < 0) return this.longOperand(view, at, node);
    for (let word = 0; word < Text.words; word++) view.setInt32(at + 4 * word, nodes[node + word]!, true);
    return at + (end >>> Text.lengthShift);
  }

  /** An operand whose text its node has no room for, piece by piece: a text put together would be garbage at once. */
  private longOperand(view: DataView, at: number, node: number): number {
    const { nodes } = this.work;
    const what = nodes[node + Node.what]!;
    if (what > What.input || what <= What.constant) {
      return writeRegister(view, at, this.stackOf(node, what), nodes[node]!);
    }
    view.setUint8(at, 0x25);
    const end = writeText(view, at + 1, this.inputs.names[What.input - what]!);
    view.setUint16(end, Pair.comma, true);
    return end + 2;
  }

  /** The stack of an instruction's or special register's result. */
  private stackOf(node: number, what: number): number {
    const { argCount, operands, resultsAt, resultStack, specialStack } = this.machine;
    if (what >= 0) return resultStack[what]!;
    if (what > What.input) return specialStack[specialOf(what)]!;
    const parent = What.projection - what;
    const instruction = this.work.nodes[parent + Node.what]!;
    const result = (node - parent - Node.args - argCount[instruction]!) / Node.words;
    return operands[resultsAt[instruction]! + result]!;
  }

  /** Makes room for `length` more bytes and what pieces write beyond them; returns the view to write through. */
  private reserve(at: number, length: number): DataView {
    const end = at + length + Word.slack;
    if (end > this.work.bytes.length) {
      this.work.growBytes(end);
      this.lookAgain();
    }
    return this.view;
  }

  /** Takes the workspace's bytes as they are now. */
  private lookAgain(): void {
    const { bytes } = this.work;
    if (this.view.buffer !== bytes.buffer || this.view.byteOffset !== bytes.byteOffset)
      this.view = viewOf(bytes);
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
