// The operations that remain of straight-line code when it becomes machine code: without negations and copies, each different one once.
import { CodeName, CodeWord, OperationField } from "@mm-ptx/types/internal";
import {
  FLUSH,
  MachineKind,
  type MachineOperation,
  machineOperation,
  POWER,
  RECIPROCAL,
} from "./operations.js";

/** A value with its modifiers: `node << 2 | absolute << 1 | negative`. */
export type Reference = number;
export const NONE = -1;
export const NEGATIVE = 1;
export const ABSOLUTE = 2;
export const MODIFIERS = 3;

/** The bits of 1. */
const ONE = 0x3f800000;

/** The operation of nodes that are not instructions. */
export const INPUT = null;
export const CONSTANT = undefined;

/** Reads codes; the same object reads one after the other and reuses its memory. */
export class MachineGraph {
  /** For each item of the code: what it is. */
  references = new Int32Array(64);
  /** For each node: its operation and operands, and the key of an operation or the bits of a constant without its sign. */
  readonly operations: (MachineOperation | typeof INPUT | typeof CONSTANT)[] = [];
  words = new Uint32Array(64);
  a = new Int32Array(64);
  b = new Int32Array(64);
  c = new Int32Array(64);
  /** The number of nodes. */
  count = 0;
  /** The number of constants whose values are not known. */
  #unknown = 0;

  /** Reads the code that starts at a word, and returns the index of the word after its items. */
  read(words: Uint32Array, start: number): number {
    const items = words[start + CodeWord.itemCount]!;
    if (this.references.length < items) this.references = new Int32Array(2 * items);
    this.count = 0;
    this.#unknown = 0;
    const references = this.references;
    let at = start + CodeWord.header;
    for (let item = 0; item < items; item++) {
      const word = words[at]!;
      const name = word & OperationField.nameMask;
      if (name === CodeName.input) {
        references[item] = this.#input(words[at + 1]!);
        at += 2;
        continue;
      }
      const operation = machineOperation(word);
      const count = operation.operands;
      if (name === CodeName.constant) references[item] = this.constant(words[at + 1]!, count > 1);
      else {
        const a = references[words[at + 1]!]!;
        const b = count > 1 ? references[words[at + 2]!]! : NONE;
        const c = count > 2 ? references[words[at + 3]!]! : NONE;
        references[item] = this.#operation(operation, word, a, b, c);
      }
      at += 1 + count;
    }
    return at;
  }

  /** An input, which codes may read more than once. */
  #input(index: number): Reference {
    for (let node = 0; node < this.count; node++) {
      if (this.operations[node] === INPUT && this.words[node] === index) return node << 2;
    }
    return this.#node(INPUT, index, NONE, NONE, NONE) << 2;
  }

  /** A constant; those that differ in their signs alone are the same node. */
  constant(bits: number, isWide: boolean): Reference {
    if (isWide) return this.#folded();
    const magnitude = bits & 0x7fffffff;
    const sign = bits >>> 31;
    for (let node = 0; node < this.count; node++) {
      if (this.operations[node] === CONSTANT && this.words[node] === magnitude) return (node << 2) | sign;
    }
    return (this.#node(CONSTANT, magnitude, NONE, NONE, NONE) << 2) | sign;
  }

  /** A constant that the compiler computes. Its bits are those of a NaN, which no other constant of the code has. */
  #folded(): Reference {
    return this.#node(CONSTANT, 0x7fc00000 + this.#unknown++, NONE, NONE, NONE) << 2;
  }

  #operation(operation: MachineOperation, word: number, a: Reference, b: Reference, c: Reference): Reference {
    switch (operation.kind) {
      case MachineKind.alias:
        return a;
      case MachineKind.negate:
      case MachineKind.absolute:
        // With `.ftz`, only instructions with `.ftz` can have it as a modifier.
        if (operation.isFlushing && !this.#isConstant(a))
          return this.#node(operation, word, a, NONE, NONE) << 2;
        return this.#modified(operation.kind, a);
      case MachineKind.quotient:
        return this.#quotient(operation, word, a, b);
      default:
        return this.#instruction(operation, word, a, b, c);
    }
  }

  #modified(kind: MachineKind, a: Reference): Reference {
    if (kind === MachineKind.alias) return a;
    if (kind === MachineKind.negate) return a ^ NEGATIVE;
    return this.#isConstant(a) ? a & ~NEGATIVE : (a & ~NEGATIVE) | ABSOLUTE;
  }

  #quotient(operation: MachineOperation, word: number, a: Reference, b: Reference): Reference {
    const isConstant = this.#isConstant(b);
    if (isConstant && this.#isConstant(a)) return this.#folded();
    const reciprocal = isConstant
      ? this.#folded()
      : this.#instruction(machineOperation(RECIPROCAL), RECIPROCAL, b, NONE, NONE);
    return this.#instruction(operation, word, a, reciprocal, NONE);
  }

  #instruction(
    operation: MachineOperation,
    key: number,
    first: Reference,
    second: Reference,
    third: Reference,
  ): Reference {
    const { kind, isFlushing } = operation;
    const isModifying = isFlushing && kind !== MachineKind.special;
    let a = isModifying ? this.#unflushed(first) : first;
    let b = isModifying ? this.#unflushed(second) : second;
    const c = isModifying ? this.#unflushed(third) : third;
    if (operation.isFolded && this.#isConstant(a) && this.#isConstant(b) && this.#isConstant(c)) {
      return this.#folded();
    }
    if (operation.isSubtraction) b ^= NEGATIVE;
    if (kind === MachineKind.choose && a === b) return isFlushing ? this.#flushed(a) : a;
    if (key === RECIPROCAL && (a & MODIFIERS) === 0 && this.operations[a >> 2]) {
      const inner = this.a[a >> 2]!;
      if (this.words[a >> 2] === RECIPROCAL) return inner;
      if (this.words[a >> 2] === POWER) {
        return this.#instruction(machineOperation(POWER), POWER, inner ^ NEGATIVE, NONE, NONE);
      }
    }
    if (kind === MachineKind.multiply || kind === MachineKind.multiplyAdd) {
      // The sign of a product is that of one factor.
      a ^= b & NEGATIVE;
      b &= ~NEGATIVE;
      if (operation.isFusable && (this.#isOne(a) || this.#isOne(b))) {
        const other = this.#isOne(a) ? b ^ (a & NEGATIVE) : a;
        return isFlushing ? this.#flushed(other) : other;
      }
    }
    if (operation.isCommutative && a > b) {
      const greater = a;
      a = b;
      b = greater;
    }
    for (let node = this.count - 1; node >= 0; node--) {
      if (this.words[node] !== key || !this.operations[node]) continue;
      if (this.a[node] === a && this.b[node] === b && this.c[node] === c) return node << 2;
    }
    return this.#node(operation, key, a, b, c) << 2;
  }

  /** What an instruction with `.ftz` reads instead of a value that was only flushed, negated or made positive. */
  #unflushed(reference: Reference): Reference {
    if (reference === NONE) return NONE;
    const node = reference >> 2;
    const kind = this.operations[node]?.kind;
    if (kind !== MachineKind.negate && kind !== MachineKind.absolute && kind !== MachineKind.alias)
      return reference;
    let inner = this.#modified(kind, this.a[node]!);
    if (reference & ABSOLUTE) inner = this.#modified(MachineKind.absolute, inner);
    return inner ^ (reference & NEGATIVE);
  }

  /** A copy of a value without subnormals, which only instructions with `.ftz` read without another instruction. */
  #flushed(reference: Reference): Reference {
    return this.#node(machineOperation(FLUSH), FLUSH, reference, NONE, NONE) << 2;
  }

  #isOne(reference: Reference): boolean {
    return this.operations[reference >> 2] === CONSTANT && this.words[reference >> 2] === ONE;
  }

  /** Missing operands count as constants. */
  #isConstant(reference: Reference): boolean {
    return reference === NONE || this.operations[reference >> 2] === CONSTANT;
  }

  #node(
    operation: MachineOperation | typeof INPUT | typeof CONSTANT,
    word: number,
    a: Reference,
    b: Reference,
    c: Reference,
  ): number {
    const node = this.count++;
    if (node >= this.words.length) this.#grow();
    this.operations[node] = operation;
    this.words[node] = word;
    this.a[node] = a;
    this.b[node] = b;
    this.c[node] = c;
    return node;
  }

  #grow(): void {
    const larger = <Kind extends Int32Array | Uint32Array>(from: Kind, to: Kind): Kind => {
      to.set(from);
      return to;
    };
    const length = 2 * this.words.length;
    this.words = larger(this.words, new Uint32Array(length));
    this.a = larger(this.a, new Int32Array(length));
    this.b = larger(this.b, new Int32Array(length));
    this.c = larger(this.c, new Int32Array(length));
  }
}
