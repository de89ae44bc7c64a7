// Semantic backpropagation: what would a part of a formula have to be for the whole to be the target?
import { type Check, isAnything, isBoolean, isList, isNumber, isWhole } from "@mm-ptx/types/internal";
import { type Candidates, NO_OPERATOR } from "../../candidates.js";
import type { Draws } from "../../draws.js";
import { invalid, readOptions } from "../../options.js";
import { numberOf } from "../../parts.js";
import type { PartState, Plain } from "../../plain.js";
import { AstSpace } from "../../spaces/ast.js";
import { AstWord } from "../../spaces/ast-layout.js";
import type { Genome, Space } from "../../spaces/space.js";
import type { Emission, Emitter } from "../emitter.js";
import type { ChainKind } from "./chain.js";
import { NodeValues } from "./node-values.js";
import { INVERSES } from "./operations.js";
import { inputLeaves, Problem, reducedProblems } from "./problem.js";
import { unscale } from "./vectors.js";

/** The data that formulas are made for. */
export interface BackpropagateOptions {
  /** One column for each input of the space. */
  readonly columns: readonly ArrayLike<number>[];
  readonly target: ArrayLike<number>;
  /** The number of rows that are used; 32 by default, or more if there are many inputs. */
  readonly rows?: number;
  /** The most small formulas in the library, which is complete after some thousand candidates; 60,000 by default. */
  readonly library?: number;
  /** Whether formulas count as equal up to a scale and an offset, as with the loss `nmse`. The default is `false`. */
  readonly scaled?: boolean;
  /** The share of candidates that are not made from elites but from formulas of the library alone; 0.3 by default. */
  readonly chains?: number;
}

const OPTIONS: Readonly<Record<keyof BackpropagateOptions, Check>> = {
  columns: isList(isAnything),
  target: isAnything,
  rows: isWhole(2, 1024),
  library: isWhole(1, 1_000_000),
  scaled: isBoolean,
  chains: isNumber(0, 1),
};
const LEAST_ROWS = 32;
const ROWS = { first: 16, ofEachInput: 8 };
const SIZE = 60_000;
/** After how many candidates which part of the small formulas is known: most searches for simple formulas need few. */
const STAGES = [
  { candidates: 0, part: 1 / 15 },
  { candidates: 100, part: 1 / 3 },
  { candidates: 3000, part: 1 },
];
const CHAIN_SHARE = 0.3;
/** How many chains are drawn for a candidate, which take about as long as its evaluation, and which ones. */
const CHAINS = { least: 100, ofEachRow: 0.4, most: 300 };
const CHAIN: ChainKind = { mostSteps: 4, unary: 0.3, powers: 0.1, mostSize: 8 };
const SHORT_CHAIN: ChainKind = { mostSteps: 2, unary: 0.3, powers: 0, mostSize: 8 };
/** Chains of sums and products. */
const SUM_CHAIN: ChainKind = { mostSteps: 2, unary: 0.5, powers: 0.4, mostSize: 3 };
/** How many nodes of an elite are tried for a candidate. */
const NODES = 3;
/** How often a candidate is a sum or a product of formulas, of those that are not made from elites, and of how many of them at most. */
const SUMS = 0.2;
const MOST_TERMS = 4;
/** How many chains are tried for quadratic polynomials. */
const QUADRATICS = 50;
/** How often the formulas of a product are looked up in pairs, and how many pairs are begun. */
const PAIRED = 0.5;
const PAIRS = 300;
const PAIR_CHAIN: ChainKind = { mostSteps: 1, unary: 0.3, powers: 0, mostSize: 3 };

/**
 * Makes candidates by semantic backpropagation (Pawlak, Wieloch and Krawiec, "Semantic Backpropagation for Designing Search Operators in
 * Genetic Programming", IEEE TEVC 19(3), 2015): it inverts the operators of an elite from its root down to some node, which gives the values
 * that this node needs for the elite to be exact, and replaces the node with the nearest small formula, or by a product of one with powers of
 * inputs. Other candidates begin with a chain of operators in place of the elite, or are sums and products of several small formulas; they
 * are made for the whole target, and for what is left of it without powers of inputs that seem to be factors. Only for AST spaces.
 * @throws SearchError INVALID_ARGUMENT
 */
export function backpropagate(options: BackpropagateOptions): Emitter {
  return new Backpropagate(
    readOptions<BackpropagateOptions>(options, OPTIONS, {
      required: ["columns", "target"],
      of: "backpropagate",
    }),
  );
}

class Backpropagate implements Emitter {
  readonly kind = "backpropagate";
  readonly description: Plain;
  readonly #all: { readonly columns: readonly Float64Array[]; readonly target: Float64Array };
  readonly #columns: readonly Float64Array[];
  readonly #target: Float64Array;
  readonly #settings: { size: number; isScaled: boolean; chains: number };
  readonly #parent: Genome = { words: new Uint32Array(0), start: 0, end: 0 };
  readonly #wanted: Float64Array;
  /** How many chains are drawn for a candidate. */
  readonly #chains: number;
  #space: AstSpace | undefined;
  #nodes: NodeValues | undefined;
  /** The whole problem, and what may be left of it without factors, with the libraries of a stage. */
  #problems: readonly Problem[] = [];
  #stage = -1;
  #made = 0;

  constructor(options: BackpropagateOptions) {
    const {
      columns,
      target,
      rows = Math.max(LEAST_ROWS, ROWS.first + ROWS.ofEachInput * columns.length),
      library: size = SIZE,
      scaled: isScaled = false,
      chains = CHAIN_SHARE,
    } = options;
    const count = Math.min(rows, target.length);
    const chosen = Array.from({ length: count }, (_, index) =>
      Math.floor(((index + 0.5) * target.length) / count),
    );
    this.#all = {
      columns: columns.map((column) => Float64Array.from(column)),
      target: Float64Array.from(target),
    };
    const pick = (column: ArrayLike<number>) => Float64Array.from(chosen, (row) => Number(column[row]));
    this.#columns = columns.map(pick);
    this.#target = pick(target);
    this.#wanted = new Float64Array(count);
    const { least, ofEachRow, most } = CHAINS;
    this.#chains = Math.min(most, Math.max(least, Math.floor(ofEachRow * target.length)));
    this.#settings = { size, isScaled, chains };
    this.description = { kind: this.kind, rows: count, library: size, scaled: isScaled, chains };
  }

  emit(count: number, emission: Emission, out: Candidates): void {
    const space = this.#prepare(emission.space);
    const { archive } = emission;
    for (let made = 0; made < count; made++) {
      const draws = emission.next();
      if (archive.count === 0 || draws.fraction() < this.#settings.chains) {
        if (this.#complete(space, draws, out)) {
          out.describe(NO_OPERATOR);
          continue;
        }
      } else {
        const elite = draws.below(archive.count);
        archive.genome(elite, this.#parent);
        if (this.#replace(space, draws, out)) {
          out.describe(NO_OPERATOR, archive.serial(elite));
          continue;
        }
      }
      space.sample(draws, out.genomes);
      out.describe(NO_OPERATOR);
    }
    this.#made += count;
  }

  state(): PartState {
    return { values: { made: this.#made }, arrays: {} };
  }

  /** @throws SearchError FILE_FORMAT */
  restore(state: PartState): void {
    this.#made = numberOf(state, "made");
  }

  /** Replaces a node of the parent. Returns whether a genome was appended. */
  #replace(space: AstSpace, draws: Draws, out: Candidates): boolean {
    const { words, start, end } = this.#parent;
    const nodes = this.#nodes!;
    const { lookup } = this.#problems[0]!;
    if (!nodes.run(words, start, end)) return false;
    for (let left = NODES; left > 0; left--) {
      const node = draws.below(nodes.count);
      if (!this.#want(nodes, node)) continue;
      const part = lookup.exact(this.#wanted) ?? (left === 1 ? lookup.nearest(this.#wanted) : undefined);
      if (part === undefined) continue;
      const from = start + AstWord.perInstruction * nodes.first[node]!;
      const to = start + AstWord.perInstruction * (node + 1);
      const isAppended = append(space, out, [
        words.subarray(start, from),
        part.words,
        words.subarray(to, end),
      ]);
      if (isAppended) return true;
    }
    return false;
  }

  /** Makes a formula of small formulas alone. Returns whether a genome was appended. */
  #complete(space: AstSpace, draws: Draws, out: Candidates): boolean {
    const problem = this.#problems[draws.below(this.#problems.length)]!;
    if (problem.lookup.library.count === 0) return false;
    const { chain, lookup } = problem;
    const isSum = lookup.isScaled && draws.fraction() < SUMS;
    const part = isSum ? this.#sum(problem, draws) : this.#end(problem, draws);
    const words = part && problem.withFactors(chain.around(part));
    return (
      words !== undefined &&
      append(space, out, [this.#settings.isScaled ? lookup.writer.unscaled(words) : words])
    );
  }

  /** Draws chains of operators until the part in one of them is known; of the last one, the part is the nearest that is known. */
  #end({ target, chain, lookup }: Problem, draws: Draws): Uint32Array | undefined {
    const wanted = this.#wanted;
    for (let left = this.#chains; left > 1; left--) {
      wanted.set(target);
      const part = chain.draw(draws, CHAIN, wanted) ? lookup.exact(wanted) : undefined;
      if (part !== undefined) return part.words;
    }
    wanted.set(target);
    return chain.draw(draws, SHORT_CHAIN, wanted) ? lookup.nearest(wanted)?.words : undefined;
  }

  /** A quadratic polynomial in a short chain, if one is exact, otherwise a sum or a product of a few formulas. */
  #sum({ target, chain, lookup, quadratics }: Problem, draws: Draws): Uint32Array | undefined {
    const wanted = this.#wanted;
    for (let left = QUADRATICS; left > 0; left--) {
      wanted.set(target);
      const words = chain.draw(draws, SUM_CHAIN, wanted) ? quadratics.find(wanted) : undefined;
      if (words !== undefined) return words;
    }
    wanted.set(target);
    if (draws.fraction() < PAIRED) {
      return chain.draw(draws, PAIR_CHAIN, wanted) ? lookup.pair(wanted, draws, PAIRS)?.words : undefined;
    }
    if (!chain.draw(draws, SUM_CHAIN, wanted)) return undefined;
    const terms = 2 + draws.below(MOST_TERMS - 1);
    return (draws.below(2) === 0 ? lookup.sum(wanted, terms) : lookup.productOf(wanted, terms))?.words;
  }

  /** Computes what a node would have to be. Returns false if it can't make the formula exact. */
  #want(nodes: NodeValues, node: number): boolean {
    const { rows, values, symbols } = nodes;
    const wanted = this.#wanted;
    const root = nodes.count - 1;
    wanted.set(this.#target);
    if (this.#settings.isScaled && !unscale(wanted, values.subarray(root * rows, (root + 1) * rows)))
      return false;
    for (let at = root; at !== node; ) {
      const inverses = INVERSES[symbols.name(nodes.symbol[at]!)];
      if (inverses === undefined) return false;
      const last = at - 1;
      const isBinary = inverses.length === 2;
      const first = isBinary ? nodes.first[last]! - 1 : last;
      const operand = isBinary && node >= nodes.first[last]! ? 1 : 0;
      const [next, other] = operand === 1 ? [last, first] : [first, last];
      const inverse = inverses[operand]!;
      for (let row = 0; row < rows; row++) {
        const value = inverse(wanted[row]!, values[next * rows + row]!, values[other * rows + row]!);
        if (!(Math.abs(value) < 1e12)) return false;
        wanted[row] = value;
      }
      at = next;
    }
    return true;
  }

  #prepare(space: Space): AstSpace {
    const stage = STAGES.findLastIndex(({ candidates }) => candidates <= this.#made);
    if (this.#space === space && this.#stage === stage) return this.#space as AstSpace;
    if (!(space instanceof AstSpace)) throw invalid("an AST space for `backpropagate`", space.kind);
    if (space.inputs.length !== this.#columns.length) {
      throw invalid(`${space.inputs.length} columns for \`backpropagate\``, this.#columns.length);
    }
    const { size, isScaled } = this.#settings;
    const [columns, target] = [this.#columns, this.#target];
    const data = { columns, target, isScaled };
    const known = Math.ceil(size * STAGES[stage]!.part);
    const whole = new Problem(space, data, inputLeaves(space, columns), [], known);
    const reduced = reducedProblems(space, whole.lookup.writer, this.#all, data, known);
    this.#problems = [whole, ...reduced];
    this.#nodes = new NodeValues(space.symbols, columns, target.length);
    this.#space = space;
    this.#stage = stage;
    return space;
  }
}

/** Appends words one after the other, if they are a genome of the space. */
function append(space: AstSpace, { genomes }: Candidates, parts: readonly Uint32Array[]): boolean {
  const { end: start } = genomes;
  let end = start;
  const room = genomes.reserve(parts.reduce((sum, part) => sum + part.length, 0));
  for (const part of parts) {
    room.set(part, end);
    end += part.length;
  }
  if (!space.fits(room, start, end)) return false;
  genomes.append(end);
  return true;
}
