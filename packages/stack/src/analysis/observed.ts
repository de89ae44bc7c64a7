// The form that nodes have while a program is observed.
import { Node, Text } from "../nodes.js";

/**
 * Words of the nodes that constants, inputs and instructions with a shape have while a program is observed; all others
 * are as ever, but for the depth. An argument that is not there is the node itself, or `Node.none`.
 *
 * `work.order` has a node for each instruction that could make a value, in the order in which they were fetched: the
 * general code's as ~node, and one that is never live for instructions that made none. `work.visit` has the numbers of
 * these instructions, counted over all routines and then the program.
 */
export const enum Observed {
  /** Lines of the longest chain that ends with the value. Its sign says that the value is live. */
  depth = Text.lengthWord,
  /** Where it is counted when it is live: by the stack of its result, then one place for all constants, then one for each input. */
  counted = Node.what,
  words = Node.shapedWords,
  live = -0x80000000,
  depthMask = 0x7fffffff,
}
