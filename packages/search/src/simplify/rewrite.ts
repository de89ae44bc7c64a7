// A random walk over equal programs: values are replaced by others, by one operation or two, or by the shortest program for a part.
import type { Draws } from "../draws.js";
import { ExactSearch } from "./exact.js";
import type { Graph, GraphNode } from "./graph.js";
import type { Neighborhood, Replacement } from "./neighborhood.js";
import type { WordOperation } from "./operations.js";

/** Triples of operands that are tried at most for each operation. */
const MOST_TRIPLES = 20000;
/** Pairs of operations that are tried for each value. */
const PAIRS = 20000;
/** Values that the search for a shorter part computes. */
const PART_EVALUATIONS = 4e6;
const LONGEST_PART = 5;
/** What a step counts as, besides the search for a shorter part. */
const STEP_WORK = 5e5;
const MOST_LEAVES = 3;
const MOST_PART_CONSTANTS = 4;
/** The most operations of a part. */
const MOST_INSIDE = 14;
/** Rows at the beginning that the search for a shorter part leaves out, until a program is compared. */
const SPARED_ROWS = 12;
const MOST_COINCIDENCES = 16;

interface Cut {
  readonly leaves: readonly number[];
  readonly inside: number;
  readonly constants: number[];
}

/** Proposes programs that are equal to one on all rows. */
export class Rewriter {
  readonly #operations: readonly WordOperation[];
  readonly #short: readonly WordOperation[];
  readonly #draws: Draws;
  /** About how many values were computed. */
  work = 0;

  constructor(operations: readonly WordOperation[], draws: Draws) {
    this.#operations = operations.filter(({ args }) => args.length <= 3);
    this.#short = operations.filter(({ args }) => args.length <= 2);
    this.#draws = draws;
  }

  /**
   * Tries to replace a random value. Returns a program that is not longer and equal on the rows, shorter if there is one, or undefined.
   * @param isWanted says whether a program may be returned
   */
  step(around: Neighborhood, isWanted: (graph: Graph) => boolean): Graph | undefined {
    const draws = this.#draws;
    const { graph } = around;
    const count = graph.nodes.length;
    if (count === 0) return undefined;
    const node = draws.below(count);
    around.begin(node);
    this.work += STEP_WORK;
    const own = around.ownNodes();
    const size = count;
    let neutral: Graph | undefined;
    let seen = 0;
    /** Returns whether a shorter program has been found. */
    let shorter: Graph | undefined;
    const offer = (replacement: Replacement): boolean => {
      const made = around.replaced(replacement);
      if (made.nodes.length > size) return false;
      if (made.nodes.length < size) {
        if (!isWanted(made)) return false;
        shorter = made;
        return true;
      }
      seen++;
      if (draws.below(seen) === 0 && isWanted(made)) neutral = made;
      return false;
    };
    const how = draws.below(8);
    if (how < 3) this.#offerRegrouped(around, node, offer);
    else if (how < 6 && own >= 3) this.#offerPart(around, node, offer);
    else if (this.#offerValues(around, node, offer)) return shorter;
    else if (this.#offerOperations(around, node, offer)) return shorter;
    else if (own >= 2) this.#offerPairs(around, node, offer);
    return shorter ?? neutral;
  }

  #offerValues(around: Neighborhood, node: number, offer: (replacement: Replacement) => boolean): boolean {
    const { base, classes, stride } = around;
    const kind = classes[base + node];
    for (let value = 0; value < stride; value++) {
      if (classes[value] !== kind || !around.isFree(value) || !around.fitsValue(value)) continue;
      if (offer({ nodes: [], value })) return true;
    }
    return false;
  }

  #offerOperations(
    around: Neighborhood,
    node: number,
    offer: (replacement: Replacement) => boolean,
  ): boolean {
    const { base, classes, stride, graph } = around;
    const kind = classes[base + node];
    const free = Array.from({ length: stride }, (_, value) => value).filter((value) => around.isFree(value));
    const own = graph.nodes[node]!;
    const tryOne = (operation: WordOperation, a: number, b: number, c: number): boolean => {
      if (!around.fitsOperation(operation, a, b, c)) return false;
      const args = [a, b, c].slice(0, operation.args.length);
      if (operation === own.operation && args.every((arg, index) => arg === own.args[index])) return false;
      return offer({ nodes: [{ operation, args }], value: stride });
    };
    for (const operation of this.#operations) {
      const { args, commutes, result } = operation;
      if (result !== kind) continue;
      const [of0, of1, of2] = args.map((wanted) => free.filter((value) => classes[value] === wanted));
      const triples = args.length > 2 ? of0!.length * of1!.length * of2!.length : 0;
      if (triples > MOST_TRIPLES) {
        const draw = (list: readonly number[]): number => list[this.#draws.below(list.length)]!;
        for (let turn = 0; turn < MOST_TRIPLES; turn++) {
          if (tryOne(operation, draw(of0!), draw(of1!), draw(of2!))) return true;
        }
        continue;
      }
      for (const a of of0!) {
        if (args.length === 1) {
          if (tryOne(operation, a, 0, 0)) return true;
          continue;
        }
        for (const b of of1!) {
          if (commutes && b < a) continue;
          if (args.length === 2) {
            if (tryOne(operation, a, b, 0)) return true;
            continue;
          }
          for (const c of of2!) if (tryOne(operation, a, b, c)) return true;
        }
      }
    }
    return false;
  }

  /** Other orders in which operations like sums can be made: (a + b) + c, a + (b + c) and (a + c) + b. */
  #offerRegrouped(around: Neighborhood, node: number, offer: (replacement: Replacement) => boolean): void {
    const { base, graph, stride } = around;
    const { operation, args } = graph.nodes[node]!;
    if (!operation.associates) return;
    for (const [place, arg] of args.entries()) {
      const below = arg < base ? undefined : graph.nodes[arg - base]!;
      if (below?.operation !== operation) continue;
      const [c] = [args[1 - place]!];
      const [a, b] = [below.args[0]!, below.args[1]!];
      for (const [first, second, third] of [
        [b, c, a],
        [a, c, b],
      ] as const) {
        const nodes = [
          { operation, args: [first, second] },
          { operation, args: [stride, third] },
        ];
        if (offer({ nodes, value: stride + 1 })) return;
      }
    }
  }

  /** Two operations, of which the second one uses the first. */
  #offerPairs(around: Neighborhood, node: number, offer: (replacement: Replacement) => boolean): boolean {
    const { base, classes, stride } = around;
    const draws = this.#draws;
    const kind = classes[base + node];
    const free = Array.from({ length: stride }, (_, value) => value).filter((value) => around.isFree(value));
    const short = this.#short;
    const outers = short.filter(({ result }) => result === kind);
    if (outers.length === 0) return false;
    for (let turn = 0; turn < PAIRS; turn++) {
      const inner = short[draws.below(short.length)]!;
      const outer = outers[draws.below(outers.length)]!;
      const place = outer.args.length === 1 ? 0 : draws.below(2);
      if (outer.args[place] !== inner.result) continue;
      const a = free[draws.below(free.length)]!;
      const b = free[draws.below(free.length)]!;
      const other = free[draws.below(free.length)]!;
      if (classes[a] !== inner.args[0] || (inner.args.length > 1 && classes[b] !== inner.args[1])) continue;
      if (outer.args.length > 1 && classes[other] !== outer.args[1 - place]) continue;
      if (!around.fitsTwo(inner, a, b, outer, other, place)) continue;
      const first = { operation: inner, args: [a, b].slice(0, inner.args.length) };
      const second = outer.args.length === 1 ? [stride] : place === 0 ? [stride, other] : [other, stride];
      if (offer({ nodes: [first, { operation: outer, args: second }], value: stride + 1 })) return true;
    }
    return false;
  }

  /** The shortest program for a value, made of a few values that it depends on. */
  #offerPart(around: Neighborhood, node: number, offer: (replacement: Replacement) => boolean): boolean {
    const draws = this.#draws;
    const { base, classes, graph, rows, stride, values } = around;
    const cut = this.#cut(around, node);
    if (cut === undefined) return false;
    const { leaves, inside } = cut;
    const constants = graph.constants.map((_, index) => graph.inputs.length + index);
    // Either the constants of the part, or any.
    const chosen = draws.below(2) === 0 ? cut.constants.slice(0, MOST_PART_CONSTANTS) : [];
    const wanted = chosen.length > 0 ? chosen.length : Math.min(MOST_PART_CONSTANTS, constants.length);
    while (chosen.length < wanted) {
      const constant = constants[draws.below(constants.length)]!;
      if (!chosen.includes(constant)) chosen.push(constant);
    }
    const all = [...leaves, ...chosen];
    // The first rows have the edge cases, the last ones what refused other programs.
    const from = Math.min(SPARED_ROWS, rows.count - 1);
    const count = rows.count - from;
    const leafValues = new Int32Array(all.length * count);
    const target = new Int32Array(count);
    for (let row = 0; row < count; row++) {
      const at = (from + row) * stride;
      target[row] = values[at + base + node]!;
      all.forEach((value, leaf) => {
        leafValues[leaf * count + row] = values[at + value]!;
      });
    }
    const problem = {
      operations: this.#operations,
      classes: all.map((value) => classes[value]!),
      isConstant: all.map((_, leaf) => leaf >= leaves.length),
      leaves: leafValues,
      rows: count,
      target,
      targetClass: classes[base + node]!,
    };
    const number = (arg: number): number => (arg < all.length ? all[arg]! : stride + arg - all.length);
    let found = false;
    let coincidences = 0;
    const search = new ExactSearch(problem, (program) => {
      const nodes: GraphNode[] = program.map(({ operation, args }) => ({
        operation,
        args: args.map(number),
      }));
      const value = stride + nodes.length - 1;
      found = offer({ nodes, value });
      return found || ++coincidences >= MOST_COINCIDENCES;
    });
    const longest = Math.min(inside, LONGEST_PART);
    let left = PART_EVALUATIONS;
    for (let length = 1; length <= longest && left > 0; length++) {
      const state = search.run(length, left);
      left = search.left;
      if (state !== "none") break;
    }
    this.work += PART_EVALUATIONS - left;
    return found;
  }

  /** A few values that a node's value can be computed from, what is between, and the constants there. */
  #cut({ graph, base }: Neighborhood, node: number): Cut | undefined {
    const draws = this.#draws;
    const { inputs, nodes } = graph;
    const frontier = new Set<number>([base + node]);
    const constants = new Set<number>();
    const inside = new Set<number>();
    const cuts: Cut[] = [];
    for (let turn = 0; turn < MOST_INSIDE; turn++) {
      // The latest value is opened, mostly, so that no value of the part depends on a leaf and on what is below it.
      const open = [...frontier].filter((value) => value >= base).sort((a, b) => b - a);
      if (open.length === 0) break;
      const value = open[draws.below(4) === 0 ? draws.below(open.length) : 0]!;
      frontier.delete(value);
      inside.add(value);
      for (const arg of nodes[value - base]!.args) {
        if (arg >= inputs.length && arg < base) constants.add(arg);
        else if (!inside.has(arg)) frontier.add(arg);
      }
      if (inside.size >= 3 && frontier.size >= 1 && frontier.size <= MOST_LEAVES) {
        cuts.push({ leaves: [...frontier], inside: inside.size, constants: [...constants] });
      }
    }
    return cuts[draws.below(Math.max(1, cuts.length))];
  }
}
