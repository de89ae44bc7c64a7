// The layout of nodes while a program is observed.
import { Node, Text } from "../nodes.js";

/**
 * Words of the nodes of constants, inputs and instructions with a shape while a program is observed. All other nodes
 * have their usual layout plus the depth. A missing argument refers to the node itself or to `Node.none`.
 *
 * `work.order` has a node for each instruction that could make a value, in the order in which they were fetched. Nodes
 * of the general code are stored as ~node, and instructions that made no value have a node that is never live.
 * `work.visit` has the numbers of these instructions, counted over all routines and then the program.
 */
export const enum Observed {
  /** The length of the longest chain of lines that ends with this value. A negative sign marks the value as live. */
  depth = Text.lengthWord,
  /**
   * Where the value is counted when it is live: by the stack of its result, then one place for all constants, then one
   * place for each input.
   */
  counted = Node.what,
  words = Node.shapedWords,
  live = -0x80000000,
  depthMask = 0x7fffffff,
}
