// What the words of a workspace mean: nodes, their texts, stacks and slots.

/**
 * Offsets and sizes of nodes. Every value on a stack is a node: an offset into `nodes`, where its text stands, what it is,
 * and for some more:
 *   [text, what]                      an input of the caller, a special register's element
 *   [text, what, bits]                a constant
 *   [text, instruction, argument...]  a PTX instruction with one result; an argument is the node of its value
 *   [nothing, instruction, argument..., result nodes]  one with several results, each [text, what]
 * The first node is no value: instructions of up to three scalars have room for three, and it stands for those that are
 * missing, so that the hot loops need not ask how many there are. How texts are packed: see `Text`.
 */
export const enum Node {
  /** The word of a node that says what it is, behind its text, and the first behind that. */
  what = 4,
  /**
   * The lists of the WebAssembly loops: what is emitted after a node, and what first for an instruction and all that it is
   * made of; `none` where nothing is emitted. They hold while every value is read once.
   */
  next = 5,
  leaf = 6,
  args = 7,
  bits = 7,
  /** Words of a node without arguments. */
  words = 8,
  /** The node that stands for no argument. */
  none = 0,
  /** The node of the caller's first register; the others follow. */
  firstInput = 8,
  /** Arguments that an instruction with a shape has room for, the words of its node, and the AST entries of both. */
  shapedArgs = 3,
  shapedWords = 10,
  shapedEntries = 4,
  /** Elements that one special register can have. */
  specialElements = 4,
}

/**
 * `what` of a node: the index of a PTX instruction, or a number below 0. Each kind begins at one of these and goes down
 * to the next.
 */
export const enum What {
  /** Less special register * `Node.specialElements` + element. */
  special = -1,
  /** Less the index of the caller's register. */
  input = -0x10000000,
  /** Less its stack. */
  constant = -0x20000000,
  /** Less the offset of the instruction that it is one of several results of. */
  projection = -0x40000000,
}

/**
 * How an operand is written, as 16 bytes that are copied whole: up to 15 characters with ", " at their end, such as
 * `%_s0_12, `, and their number in the last byte.
 */
export const enum Text {
  /** In the last word of a result that has no register yet. */
  pending = 0,
  /** In the last word of `Node.none`: no character, yet not pending. */
  empty = 1,
  words = 4,
  bytes = 16,
  /** The last word, and where in it the number of characters stands. */
  lengthWord = 3,
  lengthShift = 24,
  mostCharacters = 15,
  /** In the last word of a text that does not fit, which makes it negative; a register's number is then in the first. */
  long = -0x80000000,
}

/** What a slot holds besides nodes. */
export const enum Slot {
  empty = -1,
  /** Slots below this number stand at it; the others are looked up, since a limit may allow millions and few are used. */
  near = 4096,
}

/** Where stacks stand in `stacks`. */
export const enum Stack {
  /** Words before the first, so that the two below the top of any stack can be read whatever its size. */
  pad = 2,
}

/** Which element of which special register a node is, by its `what`: an index into tables of all elements. */
export function specialElement(what: number): number {
  return What.special - what;
}

/** The special register of a node, by its `what`. */
export function specialOf(what: number): number {
  return (specialElement(what) / Node.specialElements) | 0;
}
