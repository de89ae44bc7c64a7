// All programs by increasing number of operations: each has different operations, all of which are used.

/** An operation. Sorts are numbers: an operand has to be of its sort. */
export interface EnumeratedOperation {
  readonly args: readonly number[];
  readonly result: number;
  /** Whether the first two operands can be swapped. */
  readonly commutes: boolean;
}

/** What programs consist of. */
export interface ProgramParts {
  readonly operations: readonly EnumeratedOperation[];
  /** The sort of each leaf. */
  readonly leaves: readonly number[];
  /** The number of leaves that are inputs, which come first; operations on constants alone are left out. */
  readonly inputs: number;
  /** The sort of the output. */
  readonly output: number;
  /** Whether the result of an operation can be used more than once. */
  readonly shares: boolean;
}

/** An operation of a program: its index, and the numbers of its operands: leaves, and after them the operations before. */
export type EnumeratedNode = readonly [operation: number, ...operands: number[]];

/** Numbers for each operation of a program: its index and up to four operands. */
const WIDTH = 5;
const MOST_OPERANDS = 4;
/** The most operations of a program. */
export const MOST_OPERATIONS = 12;

/** Walks through all programs. What it has come to is a few numbers. */
export class ProgramWalk {
  readonly #parts: ProgramParts;
  /** The number of operations of programs, and those of the current one, `WIDTH` numbers each. */
  #length = 0;
  #path: number[] = [];
  /** Among programs without operations: the next leaf. */
  #leaf = 0;
  readonly #joins: number;
  readonly #most: number;

  /** @param most the most operations of a program */
  constructor(parts: ProgramParts, most: number) {
    this.#parts = parts;
    this.#most = most;
    this.#joins = Math.max(0, ...parts.operations.map(({ args }) => args.length - 1));
  }

  /** The number of operations of the program that `next` returned last. */
  get length(): number {
    return this.#length;
  }

  /** The next program and its output, or undefined after the last one. */
  next(): { nodes: readonly EnumeratedNode[]; output: number } | undefined {
    const { leaves, output } = this.#parts;
    while (this.#length === 0) {
      if (this.#leaf === leaves.length) this.#begin(1);
      else if (leaves[this.#leaf++] === output) return { nodes: [], output: this.#leaf - 1 };
    }
    while (this.#length <= this.#most) {
      if (this.#advance()) return { nodes: this.#nodes(), output: leaves.length + this.#length - 1 };
      this.#begin(this.#length + 1);
    }
    return undefined;
  }

  /** What `restore` takes to go on here. */
  position(): readonly number[] {
    return [this.#length, this.#leaf, ...this.#path];
  }

  /** @returns whether the numbers can be a position */
  restore([length, leaf, ...path]: readonly number[]): boolean {
    const { operations, leaves } = this.#parts;
    const isWhole = (value: unknown, most: number): boolean =>
      Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;
    const fits =
      isWhole(length, this.#most + 1) &&
      isWhole(leaf, leaves.length) &&
      path.length % WIDTH === 0 &&
      path.length <= length! * WIDTH &&
      path.every((value, index) =>
        index % WIDTH === 0
          ? isWhole(value, operations.length - 1)
          : isWhole(value, leaves.length + Math.floor(index / WIDTH) - 1),
      );
    if (!fits) return false;
    this.#length = length!;
    this.#leaf = leaf!;
    this.#path = path;
    return true;
  }

  #begin(length: number): void {
    this.#length = length;
    this.#path = [];
  }

  #nodes(): EnumeratedNode[] {
    const { operations } = this.#parts;
    return Array.from({ length: this.#length }, (_, node) => {
      const [operation = 0, ...operands] = this.#path.slice(node * WIDTH, (node + 1) * WIDTH);
      return [operation, ...operands.slice(0, operations[operation]!.args.length)] as const;
    });
  }

  /** Moves to the next program of the same length. */
  #advance(): boolean {
    const path = this.#path;
    // A complete program is left behind; an incomplete one is new.
    let depth = path.length === 0 ? 0 : this.#length - 1;
    let isNew = path.length === 0;
    while (depth >= 0) {
      if (isNew) path.push(0, ...Array<number>(MOST_OPERANDS).fill(0));
      const found = this.#moveTo(depth, isNew);
      if (!found) {
        path.length = depth * WIDTH;
        depth--;
        isNew = false;
      } else if (depth === this.#length - 1) return true;
      else {
        depth++;
        isNew = true;
      }
    }
    return false;
  }

  /** Moves one operation to the next choice that is allowed, or to the first one. */
  #moveTo(depth: number, isNew: boolean): boolean {
    const { operations, leaves } = this.#parts;
    const path = this.#path;
    const at = depth * WIDTH;
    const count = leaves.length + depth;
    let skips = !isNew;
    for (; path[at]! < operations.length; path[at]!++) {
      const arity = operations[path[at]!]!.args.length;
      do {
        if (skips) skips = false;
        else if (this.#isAllowed(depth)) return true;
      } while (step(path, at + 1, arity, count));
      path.fill(0, at + 1, at + WIDTH);
    }
    return false;
  }

  #isAllowed(depth: number): boolean {
    const { operations, leaves, inputs, output, shares } = this.#parts;
    const path = this.#path;
    const at = depth * WIDTH;
    const { args, commutes, result } = operations[path[at]!]!;
    const arity = args.length;
    const left = this.#length - depth - 1;
    if (left === 0 && result !== output) return false;
    if (commutes && this.#compare(path[at + 1]!, path[at + 2]!) > 0) return false;
    let isConstant = true;
    for (let arg = 0; arg < arity; arg++) {
      const operand = path[at + 1 + arg]!;
      const sort = operand < leaves.length ? leaves[operand]! : this.#resultOf(operand - leaves.length);
      if (sort !== args[arg]) return false;
      if (operand < inputs || operand >= leaves.length) isConstant = false;
    }
    if (isConstant && arity > 0) return false;
    const used = this.#uses(depth + 1, shares);
    if (used < 0) return false;
    // All are used in the end: each later operation joins a few.
    if (depth + 1 - used > 1 + this.#joins * left) return false;
    if (!shares) return this.#takesLast(depth);
    return !this.#repeats(depth) && (left > 0 || this.#isInOrder());
  }

  #resultOf(node: number): number {
    return this.#parts.operations[this.#path[node * WIDTH]!]!.result;
  }

  /** How many of the first operations are used by others among them; -1 if one is used twice and must not be. */
  #uses(count: number, shares: boolean): number {
    const { operations, leaves } = this.#parts;
    let seen = 0;
    let used = 0;
    for (let node = 0; node < count; node++) {
      const arity = operations[this.#path[node * WIDTH]!]!.args.length;
      for (let arg = 0; arg < arity; arg++) {
        const operand = this.#path[node * WIDTH + 1 + arg]! - leaves.length;
        if (operand < 0) continue;
        if ((seen & (1 << operand)) === 0) used++;
        else if (!shares) return -1;
        seen |= 1 << operand;
      }
    }
    return used;
  }

  /** Whether an operation is the same as one before, which makes it unnecessary if results can be shared. */
  #repeats(depth: number): boolean {
    if (!this.#parts.shares) return false;
    const at = depth * WIDTH;
    for (let node = 0; node < depth; node++) {
      let number = 0;
      while (number < WIDTH && this.#path[node * WIDTH + number] === this.#path[at + number]) number++;
      if (number === WIDTH) return true;
    }
    return false;
  }

  /** Compares what two values are made of: leaves come before operations. */
  #compare(one: number, other: number): number {
    const { operations, leaves } = this.#parts;
    if (one === other) return 0;
    if (one < leaves.length || other < leaves.length) return one - other;
    const [first, second] = [(one - leaves.length) * WIDTH, (other - leaves.length) * WIDTH];
    const path = this.#path;
    if (path[first] !== path[second]) return path[first]! - path[second]!;
    const arity = operations[path[first]!]!.args.length;
    for (let arg = 1; arg <= arity; arg++) {
      const order = this.#compare(path[first + arg]!, path[second + arg]!);
      if (order !== 0) return order;
    }
    return 0;
  }

  /** Whether the operands of an operation are the last results that no other one uses, in their order: then each tree is made once. */
  #takesLast(depth: number): boolean {
    const { operations, leaves } = this.#parts;
    const path = this.#path;
    const open: number[] = [];
    for (let node = 0; node <= depth; node++) {
      const arity = operations[path[node * WIDTH]!]!.args.length;
      for (let arg = arity; arg > 0; arg--) {
        const operand = path[node * WIDTH + arg]!;
        if (operand >= leaves.length && open.pop() !== operand) return false;
      }
      open.push(leaves.length + node);
    }
    return true;
  }

  /** Whether operations are in the order in which the output needs them: all other orders are the same program. */
  #isInOrder(): boolean {
    const { operations, leaves } = this.#parts;
    const path = this.#path;
    let next = 0;
    const visit = (node: number): boolean => {
      if (node < next) return true;
      const at = node * WIDTH;
      const arity = operations[path[at]!]!.args.length;
      for (let arg = 1; arg <= arity; arg++) {
        const operand = path[at + arg]! - leaves.length;
        if (operand >= 0 && !visit(operand)) return false;
      }
      return node === next++;
    };
    return visit(this.#length - 1);
  }
}

/** Counts operands up, the last one fastest. Returns whether there are more. */
function step(path: number[], first: number, arity: number, count: number): boolean {
  for (let arg = first + arity - 1; arg >= first; arg--) {
    if (++path[arg]! < count) return true;
    path[arg] = 0;
  }
  return false;
}
