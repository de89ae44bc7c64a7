// The layout of a workspace's words: nodes, their texts, stacks and slots.

/**
 * Offsets and sizes of nodes. Every value on a stack is a node: an offset into `nodes`, where its text is stored, then
 * what it is, and further words that depend on its kind:
 *   [text, what]                      an input of the caller, a special register's element
 *   [text, what, bits]                a constant
 *   [text, instruction, argument...]  a PTX instruction with one result; an argument is the node of its value
 *   [nothing, instruction, argument..., result nodes]  one with several results, each [text, what]
 * The first node is not a value. Instructions with up to three scalar arguments have room for three, and the first node
 * fills the unused places, so that the hot loops need not count arguments. `Text` describes how texts are packed.
 */
export const enum Node {
  /** The word of a node that says what it is (after its text), and the word after that. */
  what = 4,
  /**
   * The lists that the WebAssembly loops build: the node that is emitted after a node, and the node that is emitted
   * first for an instruction and everything it depends on. `none` means that nothing is emitted. The lists are valid as
   * long as every value is read only once.
   */
  next = 5,
  leaf = 6,
  args = 7,
  bits = 7,
  /** The number of words in a node without arguments. */
  words = 8,
  /** The node that represents a missing argument. */
  none = 0,
  /** The node of the caller's first register; the nodes of the others follow it. */
  firstInput = 8,
  /**
   * The number of arguments that an instruction with a shape has room for, the words of its node, and the AST entries
   * of both.
   */
  shapedArgs = 3,
  shapedWords = 10,
  shapedEntries = 4,
  /** The most elements that a special register can have. */
  specialElements = 4,
}

/**
 * The `what` of a node: the index of a PTX instruction, or a negative number. Each kind of negative number starts at
 * one of these values and continues down to the next.
 */
export const enum What {
  /** Minus (special register * `Node.specialElements` + element). */
  special = -1,
  /** Minus the index of the caller's register. */
  input = -0x10000000,
  /** Minus the stack of the constant. */
  constant = -0x20000000,
  /** Minus the offset of the instruction whose result it is, for instructions with several results. */
  projection = -0x40000000,
}

/**
 * The text of an operand, as 16 bytes that are copied as a whole: up to 15 characters that end with ", ", such as
 * `%_s0_12, `, and their number in the last byte.
 */
export const enum Text {
  /** In the last word of a result that has no register yet. */
  pending = 0,
  /** In the last word of `Node.none`: no characters, but not pending either. */
  empty = 1,
  words = 4,
  bytes = 16,
  /** The last word, and the position of the number of characters in it. */
  lengthWord = 3,
  lengthShift = 24,
  mostCharacters = 15,
  /**
   * In the last word of a text that does not fit; it makes that word negative. The first word of a register then holds
   * its number.
   */
  long = -0x80000000,
}

/** The values of a slot that holds no node. */
export const enum Slot {
  empty = -1,
  /**
   * Slots below this number are stored at their own index. The others are looked up, because a limit may allow
   * millions, few of which are used.
   */
  near = 4096,
}

/** The layout of `stacks`. */
export const enum Stack {
  /**
   * The number of words before the first stack, so that the two words below the top of any stack can be read whatever
   * its size.
   */
  pad = 2,
}

/** The element of a special register that a node with this `what` is: an index into tables of all elements. */
export function specialElement(what: number): number {
  return What.special - what;
}

/** The special register of a node with this `what`. */
export function specialOf(what: number): number {
  return (specialElement(what) / Node.specialElements) | 0;
}
