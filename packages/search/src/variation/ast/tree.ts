// Where subtrees of a program in postorder are. Nodes are numbered in the order of the program, and a subtree ends at its root.
import { AstWord } from "../../spaces/ast-layout.js";

/** The first node of the subtree whose root is `node`, of a program whose words begin at `start`. */
export function subtreeStart(words: Uint32Array, start: number, node: number): number {
  let at = start + AstWord.perInstruction * node;
  for (let open = 1; ; at -= AstWord.perInstruction) {
    open += (words[at]! >>> AstWord.arityShift) - 1;
    if (open === 0) return (at - start) / AstWord.perInstruction;
  }
}

/** The root of an operand of `node`, counted from its last operand. */
export function operandRoot(words: Uint32Array, start: number, node: number, fromLast: number): number {
  let root = node - 1;
  for (let skipped = 0; skipped < fromLast; skipped++) root = subtreeStart(words, start, root) - 1;
  return root;
}

/** The number of operands of a node. */
export function arityAt(words: Uint32Array, start: number, node: number): number {
  return words[start + AstWord.perInstruction * node]! >>> AstWord.arityShift;
}
