// Writes a stub's text as bytes: declarations, one line an instruction in emission order, the copies. Positions are
// byte offsets; every method writes at one and returns the next. Operands are written with ", " behind them, and the
// line's end is written over the last of these.
import type { MachineTable } from "../machine/table.js";
import { NODE_HEAD, PROJECTION, SPECIAL_ELEMENTS, TEXT_NUMBER, type Workspace } from "../workspace.js";
import type { SavedRegisters } from "./copies.js";
import { type OperandTexts, TEXT_BYTES } from "./operand-texts.js";
import type { FilledRequests } from "./requests.js";
import { CONSTANT_FLOAT, CONSTANT_UNSIGNED, type TextTable } from "./text-table.js";
import { PIECE_SLACK, packPair, packWord, WORD_BYTES, writeText } from "./words.js";

const HEX_PAIRS = Uint16Array.from({ length: 256 }, (_, byte) =>
  packPair(byte.toString(16).toUpperCase().padStart(2, "0")),
);
const COMMA = packPair(", ");
const END_OF_LINE = packPair(";\n");
const ZERO_F = packPair("0f");
const ZERO_X = packPair("0x");
/** Before a vector's elements: a line of its own. */
const VECTOR_OPEN = packWord("\n\t\t{", 0);
/** Bytes around a vector. */
const GROUP_BYTES = 8;
/** Bytes of the longest operand that is no register of the caller: `%_s65535_2147483647, `. */
const LONGEST_OPERAND = 24;

export class Printer {
  bytes: Uint8Array = new Uint8Array(16384);
  private view = new DataView(this.bytes.buffer);
  /** Bytes of the longest operand of this compile. */
  private longest = LONGEST_OPERAND;

  constructor(
    private readonly work: Workspace,
    private readonly machine: MachineTable,
    private readonly text: TextTable,
    private readonly operands: OperandTexts,
  ) {}

  /** Writes the stub at the start of `bytes`; returns its length. */
  print(filled: FilledRequests, saved: SavedRegisters, longestName: number): number {
    this.longest = Math.max(LONGEST_OPERAND, longestName + 3);
    let at = writeText(this.view, 0, "\t{\n");
    at = this.declarations(at);
    at = this.instructions(at);
    at = this.copies(at, filled, saved);
    return writeText(this.view, at, "\t}");
  }

  private declarations(start: number): number {
    const { registerCounts, stackCount } = this.work;
    const { declarations } = this.text;
    let at = start;
    for (let stack = 0; stack < stackCount; stack++) {
      const count = registerCounts[stack]!;
      if (count === 0) continue;
      const view = this.reserve(at, declarations.lengths[stack]! + LONGEST_OPERAND);
      at = writeText(view, declarations.write(view, at, stack), `${count}>;\n`);
    }
    return at;
  }

  private instructions(start: number): number {
    const { nodes, order, orderCount } = this.work;
    const { argCount } = this.machine;
    const { mnemonics, plain } = this.text;
    const { lengths, words } = this.operands;
    const { longest } = this;
    let view = this.view;
    let room = this.bytes.length - PIECE_SLACK;
    let at = start;
    for (let index = 0; index < orderCount; index++) {
      const node = order[index]!;
      const instruction = nodes[node]!;
      if (instruction < 0 || plain[instruction] === 0) {
        at = instruction < 0 ? this.special(at, node, -1 - instruction) : this.groups(at, node, instruction);
        view = this.view;
        room = this.bytes.length - PIECE_SLACK;
        continue;
      }
      const args = argCount[instruction]!;
      const bound = mnemonics.lengths[instruction]! + (args + 1) * longest;
      if (at + bound > room) {
        view = this.reserve(at, bound);
        room = this.bytes.length - PIECE_SLACK;
      }
      at = mnemonics.write(view, at, instruction);
      const result = nodes[node + 1]!;
      if (result < TEXT_NUMBER) {
        view.setFloat64(at, words[2 * result]!, true);
        view.setFloat64(at + WORD_BYTES, words[2 * result + 1]!, true);
        at += lengths[result]!;
      } else {
        at = this.operand(view, at, node);
      }
      const end = node + NODE_HEAD + args;
      for (let arg = node + NODE_HEAD; arg < end; arg++) {
        const value = nodes[arg]!;
        const text = nodes[value + 1]!;
        // One comparison for "a text with a length": constants are negative, numbers out of bounds.
        const length = text >= 0 && text < TEXT_NUMBER ? lengths[text]! : 0;
        if (length === 0) {
          at = this.operand(view, at, value);
          continue;
        }
        view.setFloat64(at, words[2 * text]!, true);
        view.setFloat64(at + WORD_BYTES, words[2 * text + 1]!, true);
        at += length;
      }
      view.setUint16(at - 2, END_OF_LINE, true);
    }
    return at;
  }

  /** `\tmov.u32 %_s1_0, %tid.x;` */
  private special(start: number, node: number, element: number): number {
    const { moves, specials } = this.text;
    const stack = this.machine.specialStack[(element / SPECIAL_ELEMENTS) | 0]!;
    const view = this.reserve(start, moves.lengths[stack]! + specials.lengths[element]! + LONGEST_OPERAND);
    let at = moves.write(view, start, stack);
    at = this.operand(view, at, node);
    at = specials.write(view, at, element);
    view.setUint16(at - 2, END_OF_LINE, true);
    return at;
  }

  /** An instruction with vectors or several results: `%a|%b`, `\n\t\t{%a, %b}`. */
  private groups(start: number, node: number, instruction: number): number {
    const { groups, groupsAt, mnemonics } = this.text;
    const { argCount, resultCount } = this.machine;
    const { nodes } = this.work;
    const operands = argCount[instruction]! + resultCount[instruction]!;
    const view = this.reserve(start, mnemonics.lengths[instruction]! + operands * (this.longest + GROUP_BYTES));
    let at = mnemonics.write(view, start, instruction);
    let next = groupsAt[instruction]!;
    const single = resultCount[instruction] === 1;
    let result = single ? node : node + NODE_HEAD + argCount[instruction]!;
    const results = groups[next++]!;
    for (let group = 0; group < results; group++) {
      const elements = groups[next++]!;
      at = openGroup(view, at, elements);
      for (let element = 0; element < Math.max(1, elements); element++, result += NODE_HEAD) {
        at = this.operand(view, at, result);
      }
      at = closeGroup(view, at, elements);
      if (group < results - 1) view.setUint8(--at - 1, 0x7c);
    }
    let arg = node + NODE_HEAD;
    const args = groups[next++]!;
    for (let group = 0; group < args; group++) {
      const elements = groups[next++]!;
      at = openGroup(view, at, elements);
      for (let element = 0; element < Math.max(1, elements); element++) at = this.operand(view, at, nodes[arg++]!);
      at = closeGroup(view, at, elements);
    }
    view.setUint16(at - 2, END_OF_LINE, true);
    return at;
  }

  private copies(start: number, filled: FilledRequests, saved: SavedRegisters): number {
    const { moves } = this.text;
    let at = start;
    for (let save = 0; save < saved.inputs.length; save++) {
      const stack = saved.stacks[save]!;
      const view = this.reserve(at, moves.lengths[stack]! + 2 * this.longest);
      at = moves.write(view, at, stack);
      at = writeText(view, at, `%_s${stack}_${saved.numbers[save]!}, `);
      at = this.operand(view, at, saved.inputs[save]!);
      view.setUint16(at - 2, END_OF_LINE, true);
    }
    for (let copy = 0; copy < filled.count; copy++) {
      const stack = filled.stacks[copy]!;
      const view = this.reserve(at, moves.lengths[stack]! + 2 * this.longest);
      at = moves.write(view, at, stack);
      at = this.operand(view, at, filled.registers[copy]! * NODE_HEAD);
      const save = saved.sources[copy]!;
      if (save < 0) at = this.operand(view, at, filled.values[copy]!);
      else at = writeText(view, at, `%_s${stack}_${saved.numbers[save]!}, `);
      view.setUint16(at - 2, END_OF_LINE, true);
    }
    // What follows the last line is shorter than what was reserved for it.
    this.reserve(at, TEXT_BYTES);
    return at;
  }

  /** Any operand, by its node. */
  private operand(view: DataView, at: number, node: number): number {
    const text = this.work.nodes[node + 1]!;
    if (text < 0) return this.constant(view, at, -1 - text, this.work.nodes[node]!);
    if (text >= TEXT_NUMBER) return writeText(view, at, `%_s${this.stackOf(node)}_${text - TEXT_NUMBER}, `);
    const { lengths, longNames, words } = this.operands;
    const length = lengths[text]!;
    if (length === 0) return writeText(view, at, longNames.get(text)!);
    view.setFloat64(at, words[2 * text]!, true);
    view.setFloat64(at + WORD_BYTES, words[2 * text + 1]!, true);
    return at + length;
  }

  private constant(view: DataView, at: number, stack: number, bits: number): number {
    const kind = this.text.constants[stack]!;
    view.setUint16(at, kind === CONSTANT_FLOAT ? ZERO_F : ZERO_X, true);
    view.setUint16(at + 2, HEX_PAIRS[bits >>> 24]!, true);
    view.setUint16(at + 4, HEX_PAIRS[(bits >>> 16) & 0xff]!, true);
    view.setUint16(at + 6, HEX_PAIRS[(bits >>> 8) & 0xff]!, true);
    view.setUint16(at + 8, HEX_PAIRS[bits & 0xff]!, true);
    let end = at + 10;
    if (kind === CONSTANT_UNSIGNED) view.setUint8(end++, 0x55);
    view.setUint16(end, COMMA, true);
    return end + 2;
  }

  /** The stack of an instruction's or special register's result. */
  private stackOf(node: number): number {
    const { argCount, operands, operandsAt, resultStack, specialStack } = this.machine;
    const what = this.work.nodes[node]!;
    if (what >= 0) return resultStack[what]!;
    if (what > PROJECTION) return specialStack[((-1 - what) / SPECIAL_ELEMENTS) | 0]!;
    const parent = PROJECTION - what;
    const instruction = this.work.nodes[parent]!;
    const result = (node - parent) / NODE_HEAD - 1 - argCount[instruction]! / NODE_HEAD;
    const needs = operandsAt[instruction]!;
    return operands[needs + 1 + 2 * operands[needs]! + argCount[instruction]! + result]!;
  }

  /** Makes room for `length` more bytes and what pieces write beyond them; returns the view to write through. */
  private reserve(at: number, length: number): DataView {
    const end = at + length + PIECE_SLACK;
    if (end > this.bytes.length) {
      const larger = new Uint8Array(Math.max(this.bytes.length * 2, end));
      larger.set(this.bytes);
      this.bytes = larger;
      this.view = new DataView(larger.buffer);
    }
    return this.view;
  }
}

function openGroup(view: DataView, at: number, elements: number): number {
  if (elements === 0) return at;
  view.setFloat64(at, VECTOR_OPEN, true);
  return at + 4;
}

function closeGroup(view: DataView, at: number, elements: number): number {
  if (elements === 0) return at;
  view.setUint8(at - 2, 0x7d);
  view.setUint16(at - 1, COMMA, true);
  return at + 1;
}
