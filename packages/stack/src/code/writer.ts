// Writes the live computation as straight-line code. The passes before have put the live instructions in order, operands
// first; inputs, constants and second results become items when they are first read, so no item is made twice.
import { type CodeBuffer, encodeOperation } from "@mm-ptx/types/code";
import type { StackTable } from "@mm-ptx/types/core";
import { CodeWord } from "@mm-ptx/types/internal";
import { invalid } from "../arguments.js";
import { inputNode } from "../emit/operand-texts.js";
import type { FilledRequests } from "../emit/requests.js";
import { StackPtxError } from "../error.js";
import type { InputRegisters } from "../inputs.js";
import type { LoopMemory } from "../loops/memory.js";
import { LineState } from "../loops/state.js";
import type { MachineTable } from "../machine/table.js";
import { Node, specialOf, Text, What } from "../nodes.js";
import { grown } from "../room.js";
import type { Workspace } from "../workspace.js";
import { type Missing, missingInstruction, missingSpecial, missingType } from "./missing.js";
import { Encoded, OperationTable } from "./operations.js";
import { RegisterContents } from "./register-contents.js";

/**
 * While a code is written, the word of a node that has the length of its text becomes the number of its value. A number
 * leaves the bits of the length 0, and no text is empty.
 */
const isNumbered = (word: number): boolean => word >>> Text.lengthShift === 0;

/** The most items that a line and the outputs can add. */
const SPARE_ITEMS = CodeWord.mostOutputs + 16;
const MOST_LINES = CodeWord.mostItems - SPARE_ITEMS;

/** Words that `writeCommonCode` writes after the last one that counts. */
const SLACK = 4;

/** Codes of more words than this are copied as a whole: for shorter ones, making a view takes longer than copying. */
const MOST_SINGLE_WORDS = 256;

const NOT = encodeOperation("not.pred", 1);

/** Writes the codes of one compiler's programs. Kept between calls. */
export class CodeWriter {
  readonly contents = new RegisterContents();
  readonly #operations: OperationTable;
  /** The code: in a part of the loops' memory that only printing needs, or in an array. */
  #words: Int32Array = new Int32Array(0);
  #ownWords: Int32Array = this.#words;
  #memoryWords: Int32Array = this.#words;
  #memoryVersion = -1;
  /** Where the next item begins, and how many there are. */
  #end = 0;
  #items = 0;
  #missing: Missing | undefined;

  readonly #table: StackTable;
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
    this.#table = table;
    this.#work = work;
    this.#machine = machine;
    this.#inputs = inputs;
    this.#memory = memory;
    this.#operations = new OperationTable(table);
  }

  /**
   * Appends the code that computes the contents of the requests' registers after the stub, which `contents` has found.
   * The instructions that they need are in order. The nodes of the program cannot be used afterwards.
   * @param whole whether constants keep the bits that their registers have no room for
   * @returns the value that straight-line code cannot express, if there is one; nothing is appended then
   * @throws StackPtxError INVALID_ARGUMENT, INSUFFICIENT_AST_SIZE when the code would exceed a limit of the format
   */
  append(filled: FilledRequests, whole: boolean, out: CodeBuffer): Missing | undefined {
    const { values } = this.contents;
    const inputs = this.#inputs;
    const count = filled.wantedCount;
    if (count > CodeWord.mostOutputs) throw invalid(`at most ${CodeWord.mostOutputs} requests`, count);
    if (inputs.count > CodeWord.mostInputs)
      throw invalid(`at most ${CodeWord.mostInputs} registers`, inputs.count);
    if (this.#work.orderCount > MOST_LINES) throw tooLarge();
    this.#begin(count);
    if (!this.#writeLines(whole)) return this.#missing;
    for (let request = 0; request < count; request++) this.#number(values[request]!, whole);
    this.#writeOutputs(filled);
    if (this.#missing !== undefined) return this.#missing;
    const words = this.#words;
    words[0] = CodeWord.magic;
    words[CodeWord.itemCount] = this.#items;
    words[CodeWord.arity] = this.#inputsRead() | (count << CodeWord.outputShift);
    this.#copyTo(out);
    return undefined;
  }

  /** Makes room for a code, and puts the operations of inputs into their nodes. */
  #begin(outputs: number): void {
    const work = this.#work;
    const { inputs: operations } = this.#operations;
    const { count, stacks } = this.#inputs;
    const { nodes } = work;
    // Every node has more words than its item.
    this.#findRoom(CodeWord.header + work.nodeEnd + outputs + SLACK);
    this.#end = CodeWord.header;
    this.#items = 0;
    this.#missing = undefined;
    for (let input = 0; input < count; input++) {
      const node = inputNode(input);
      // A register of a stack that does not exist is no operand.
      nodes[node] = operations[stacks[input]!] ?? 0;
      nodes[node + Node.bits] = input;
    }
  }

  #findRoom(length: number): void {
    const memory = this.#memory;
    if (memory !== undefined && this.#work.inMemory && memory.bytes.length >= length * 4) {
      if (memory.version !== this.#memoryVersion) {
        const { buffer, byteOffset, length: bytes } = memory.bytes;
        this.#memoryWords = new Int32Array(buffer, byteOffset, bytes >> 2);
        this.#memoryVersion = memory.version;
      }
      this.#words = this.#memoryWords;
      return;
    }
    if (length > this.#ownWords.length) this.#ownWords = grown(this.#ownWords, length);
    this.#words = this.#ownWords;
  }

  /**
   * Writes the items of the live instructions, each after those of its operands.
   * @returns whether straight-line code has all of them
   */
  #writeLines(whole: boolean): boolean {
    const { orderCount } = this.#work;
    for (let line = this.#writeCommon(0); line < orderCount; line = this.#writeCommon(line + 1)) {
      if (!this.#writeLine(this.#work.order[line]!, whole)) return false;
    }
    return true;
  }

  /** Writes lines from `line` on, as far as WebAssembly can; returns the first line that it did not write. */
  #writeCommon(line: number): number {
    const memory = this.#memory;
    const operations = this.#operations;
    const work = this.#work;
    const words = this.#words;
    if (memory === undefined || words !== this.#memoryWords) return line;
    if (memory.operationsOwner !== this) {
      memory.operations.set(operations.words);
      memory.constantOperations.set(operations.commonConstants);
      memory.operationsOwner = this;
    }
    const { state } = memory;
    state[LineState.line] = line;
    state[LineState.named] = this.#items;
    state[LineState.end] = words.byteOffset + this.#end * 4;
    memory.functions.writeCommonCode(
      state.byteOffset,
      memory.nodes.byteOffset,
      memory.order.byteOffset,
      memory.operations.byteOffset,
      memory.constantOperations.byteOffset,
      work.orderCount,
    );
    this.#items = state[LineState.named]!;
    this.#end = (state[LineState.end]! - words.byteOffset) / 4;
    return state[LineState.line]!;
  }

  /** Writes the items of any line. @returns whether straight-line code has it */
  #writeLine(node: number, whole: boolean): boolean {
    const operations = this.#operations;
    const { nodes } = this.#work;
    const words = this.#words;
    const what = nodes[node + Node.what]!;
    if (what < 0) {
      const special = specialOf(what);
      this.#missing = missingSpecial(this.#table.specialRegisters[special]!.ptx, special);
      return false;
    }
    const first = node + Node.args;
    const last = first + this.#machine.argCount[what]!;
    let operation = operations.words[what]!;
    let result = node;
    if (operation === Encoded.unknown) operation = this.#encode(what);
    if (operation === Encoded.none) {
      operation = operations.comparison(what);
      if (operation === 0) {
        this.#missing = missingInstruction(this.#table, what);
        return false;
      }
      result = last;
      // The second result is no input.
      nodes[result + Node.words] = 0;
    }
    for (let at = first; at < last; at++) this.#number(nodes[at]!, whole);
    let end = this.#end;
    words[end++] = operation;
    for (let at = first; at < last; at++) words[end++] = nodes[nodes[at]! + Text.lengthWord]!;
    this.#end = end;
    nodes[result + Text.lengthWord] = this.#items++;
    if (this.#items > MOST_LINES) throw tooLarge();
    return this.#missing === undefined;
  }

  #encode(instruction: number): number {
    const operation = this.#operations.encode(instruction);
    const memory = this.#memory;
    if (memory?.operationsOwner === this) memory.operations[instruction] = operation;
    return operation;
  }

  /** The number of a value, whose item is written now unless it has been. */
  #number(node: number, whole: boolean): number {
    const number = this.#work.nodes[node + Text.lengthWord]!;
    return isNumbered(number) ? number : this.#writeLeaf(node, whole);
  }

  /** Writes the item of an input, of a constant, or of the second result of a comparison; returns its number. */
  #writeLeaf(node: number, whole: boolean): number {
    const operations = this.#operations;
    const { nodes } = this.#work;
    const words = this.#words;
    const what = nodes[node + Node.what]!;
    let end = this.#end;
    if (what > What.constant) {
      this.#checkType(this.#inputs.stacks[What.input - what]!);
      words[end++] = nodes[node]!;
      words[end++] = nodes[node + Node.bits]!;
    } else if (what > What.projection) {
      const stack = What.constant - what;
      const bits = nodes[node + Node.bits]!;
      this.#checkType(stack);
      words[end++] = operations.constants[stack]!;
      words[end++] = whole ? bits : operations.constantBits(stack, bits);
      if (operations.wide[stack] !== 0) words[end++] = 0;
    } else {
      words[end++] = NOT;
      words[end++] = nodes[node - Node.words + Text.lengthWord]!;
    }
    this.#end = end;
    const number = this.#items++;
    nodes[node + Text.lengthWord] = number;
    return number;
  }

  #writeOutputs({ wanted, wantedCount }: FilledRequests): void {
    const { values } = this.contents;
    const { types } = this.#operations;
    const { nodes } = this.#work;
    const { stacks } = this.#inputs;
    const words = this.#words;
    for (let request = 0; request < wantedCount; request++) {
      const stack = stacks[wanted[request]!]!;
      this.#checkType(stack);
      words[this.#end++] = nodes[values[request]! + Text.lengthWord]! | (types[stack]! << CodeWord.typeShift);
    }
  }

  #checkType(stack: number): void {
    if (this.#operations.types[stack] === 0) this.#missing ??= missingType(this.#table, stack);
  }

  /** One more than the last input that is read. */
  #inputsRead(): number {
    const { nodes } = this.#work;
    let count = this.#inputs.count;
    while (count > 0 && !isNumbered(nodes[inputNode(count - 1) + Text.lengthWord]!)) count--;
    return count;
  }

  #copyTo(out: CodeBuffer): void {
    const words = this.#words;
    const length = this.#end;
    const room = out.reserve(length);
    const start = out.end;
    if (length > MOST_SINGLE_WORDS) room.set(words.subarray(0, length), start);
    else for (let word = 0; word < length; word++) room[start + word] = words[word]!;
    out.append(start + length);
  }
}

const tooLarge = (): StackPtxError =>
  new StackPtxError("INSUFFICIENT_AST_SIZE", `expected at most ${MOST_LINES} live values, found more`);
