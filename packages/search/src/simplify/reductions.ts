// Genomes that are one step simpler than another one: of programs in a row with some genes deleted, of formulas with a part in place of
// another one.
import type { CodeBuffer } from "@mm-ptx/types/code";
import type { Draws } from "../draws.js";
import { SearchError } from "../error.js";
import { AstWord } from "../spaces/ast-layout.js";
import type { Genome, ProgramSpace } from "../spaces/space.js";
import { GENE } from "../spaces/stack-words.js";

/** Makes simpler genomes of a space. */
export interface Reductions {
  /** Appends one that is random. */
  random(genome: Genome, draws: Draws, out: CodeBuffer): void;
  /** Appends all that are one step away. */
  all(genome: Genome, out: CodeBuffer): void;
}

/** The most genes that a random reduction deletes. */
const MOST_DELETED = 4;
/** Pairs of genes are deleted together if they are at most this far from each other. */
const REACH = 8;
/** The bits of 0 and 1 as f32. */
const SIMPLE = [0, 0x3f800000];

/** @throws SearchError UNSUPPORTED for a space whose genomes are unknown here */
export function reductionsOf({ kind }: ProgramSpace): Reductions {
  if (kind === "stack") return LINES;
  if (kind === "ast") return TREES;
  throw new SearchError(
    "UNSUPPORTED",
    `expected a space of Stack PTX or AST PTX programs, found \`${kind}\``,
  );
}

/** Appends a genome without some genes. */
function without({ words, start, end }: Genome, isDeleted: (gene: number) => boolean, out: CodeBuffer): void {
  const room = out.reserve(end - start);
  let at = out.end;
  for (let word = start; word < end; word += GENE) {
    if (isDeleted((word - start) / GENE)) continue;
    room[at++] = words[word]!;
    room[at++] = words[word + 1]!;
  }
  out.append(at);
}

const LINES: Reductions = {
  random(genome, draws, out) {
    const length = (genome.end - genome.start) / GENE;
    const deleted = new Set<number>();
    for (let count = 1 + draws.below(MOST_DELETED); count > 0; count--)
      deleted.add(draws.below(Math.max(1, length)));
    without(genome, (gene) => deleted.has(gene), out);
  },
  all(genome, out) {
    const length = (genome.end - genome.start) / GENE;
    for (let first = 0; first < length; first++) {
      without(genome, (gene) => gene === first, out);
      for (let second = first + 1; second < Math.min(length, first + REACH); second++) {
        without(genome, (gene) => gene === first || gene === second, out);
        if (second > first + 1) without(genome, (gene) => gene >= first && gene <= second, out);
      }
    }
  },
};

/** The parts of a formula, by their last instruction: where each begins, and what each has as its operands. */
function partsOf({ words, start, end }: Genome): { starts: number[]; parents: number[] } {
  const starts: number[] = [];
  const parents: number[] = [];
  const open: number[] = [];
  for (let word = start, node = 0; word < end; word += AstWord.perInstruction, node++) {
    const arity = words[word]! >>> AstWord.arityShift;
    const operands = open.splice(open.length - arity, arity);
    for (const operand of operands) parents[operand] = node;
    starts[node] = operands.length === 0 ? node : starts[operands[0]!]!;
    parents[node] = -1;
    open.push(node);
  }
  return { starts, parents };
}

/** Appends a formula with the words of `part`, which are pairs from `from` up to `to`, in place of the part that ends at `node`. */
function withPart(
  genome: Genome,
  first: number,
  node: number,
  part: ArrayLike<number>,
  from: number,
  to: number,
  out: CodeBuffer,
): void {
  const { words, start, end } = genome;
  const room = out.reserve(end - start + to - from);
  let at = out.end;
  for (let word = start; word < start + first * AstWord.perInstruction; word++) room[at++] = words[word]!;
  for (let word = from; word < to; word++) room[at++] = part[word]!;
  for (let word = start + (node + 1) * AstWord.perInstruction; word < end; word++) room[at++] = words[word]!;
  out.append(at);
}

const TREES: Reductions = {
  random(genome, draws, out) {
    const { starts, parents } = partsOf(genome);
    // A part takes the place of another one around it.
    const inner = draws.below(starts.length);
    let outer = inner;
    for (let steps = 1 + draws.below(MOST_DELETED); steps > 0 && parents[outer]! >= 0; steps--)
      outer = parents[outer]!;
    const from = genome.start + starts[inner]! * AstWord.perInstruction;
    const to = genome.start + (inner + 1) * AstWord.perInstruction;
    withPart(genome, starts[outer]!, outer, genome.words, from, to, out);
  },
  all(genome, out) {
    const { starts, parents } = partsOf(genome);
    const { words, start, end } = genome;
    const leaves = SIMPLE.map((bits) => [AstWord.constant, bits]);
    for (let word = start; word < end; word += AstWord.perInstruction) {
      const isInput = (words[word]! & AstWord.typeMask) === AstWord.input;
      const leaf = [words[word]!, words[word + 1]!];
      if (isInput && !leaves.some((each) => each.join() === leaf.join())) leaves.push(leaf);
    }
    for (let node = 0; node < starts.length; node++) {
      for (let outer = parents[node]!; outer >= 0; outer = parents[outer]!) {
        const from = start + starts[node]! * AstWord.perInstruction;
        const to = start + (node + 1) * AstWord.perInstruction;
        withPart(genome, starts[outer]!, outer, words, from, to, out);
      }
      if (starts[node] === node) continue;
      for (const leaf of leaves) withPart(genome, starts[node]!, node, leaf, 0, AstWord.perInstruction, out);
    }
  },
};
