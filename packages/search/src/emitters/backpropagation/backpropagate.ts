// Semantic backpropagation: what would a part of a formula have to be for the whole to be the target?
import { type Check, isAnything, isBoolean, isList, isNumber, isWhole } from "@mm-ptx/types/internal";
import { type Candidates, NO_OPERATOR } from "../../candidates.js";
import type { Draws } from "../../draws.js";
import { invalid, readOptions } from "../../options.js";
import type { Plain } from "../../plain.js";
import { AstSpace } from "../../spaces/ast.js";
import { AstWord } from "../../spaces/ast-layout.js";
import type { Genome, Space } from "../../spaces/space.js";
import type { Emission, Emitter } from "../emitter.js";
import { Library, type Match } from "./library.js";
import { NodeValues } from "./node-values.js";
import { INVERSES } from "./operations.js";

/** The data that formulas are made for. */
export interface BackpropagateOptions {
  /** One column for each input of the space. */
  readonly columns: readonly ArrayLike<number>[];
  readonly target: ArrayLike<number>;
  /** How many rows are used; 32 by default. */
  readonly rows?: number;
  /** How many small formulas are known; 20,000 by default. */
  readonly library?: number;
  /** Whether any `offset + scale * formula` is as good, as with the loss `nmse`. The default is `false`. */
  readonly scaled?: boolean;
  /** The share of candidates that are not made from elites but from two formulas of the library; 0.3 by default. */
  readonly pairs?: number;
}

const OPTIONS: Readonly<Record<keyof BackpropagateOptions, Check>> = {
  columns: isList(isAnything),
  target: isAnything,
  rows: isWhole(2, 1024),
  library: isWhole(1, 1_000_000),
  scaled: isBoolean,
  pairs: isNumber(0, 1),
};
const ROWS = 32;
const SIZE = 20_000;
const PAIRS = 0.3;
/** The most formulas that a lookup compares. */
const VISITS = 2000;
const CLOSE = 1e-5;

/**
 * Makes candidates by semantic backpropagation (Pawlak, Wieloch and Krawiec, "Semantic Backpropagation for Designing Search Operators in
 * Genetic Programming", IEEE TEVC 19(3), 2015): it inverts the operators of an elite from its root to some node, which says what that node
 * would have to be for the elite to be exact, and replaces it by the small formula that is nearest. Other candidates consist of two small
 * formulas, of which the second is chosen like that. Only for AST spaces.
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
  readonly #columns: readonly Float64Array[];
  readonly #target: Float64Array;
  readonly #settings: { size: number; isScaled: boolean; pairs: number };
  readonly #parent: Genome = { words: new Uint32Array(0), start: 0, end: 0 };
  readonly #wanted: Float64Array;
  #space: AstSpace | undefined;
  #library: Library | undefined;
  #nodes: NodeValues | undefined;

  constructor(options: BackpropagateOptions) {
    const {
      columns,
      target,
      rows = ROWS,
      library: size = SIZE,
      scaled: isScaled = false,
      pairs = PAIRS,
    } = options;
    const count = Math.min(rows, target.length);
    const chosen = Array.from({ length: count }, (_, index) =>
      Math.floor(((index + 0.5) * target.length) / count),
    );
    const pick = (column: ArrayLike<number>) => Float64Array.from(chosen, (row) => Number(column[row]));
    this.#columns = columns.map(pick);
    this.#target = pick(target);
    this.#wanted = new Float64Array(count);
    this.#settings = { size, isScaled, pairs };
    this.description = { kind: this.kind, rows: count, library: size, scaled: isScaled, pairs };
  }

  emit(count: number, emission: Emission, out: Candidates): void {
    const space = this.#prepare(emission.space);
    const library = this.#library!;
    const { archive } = emission;
    for (let made = 0; made < count; made++) {
      const draws = emission.next();
      if (library.count > 0 && (archive.count === 0 || draws.fraction() < this.#settings.pairs)) {
        if (this.#pair(space, library, draws, out)) continue;
      } else if (archive.count > 0) {
        const elite = draws.below(archive.count);
        archive.genome(elite, this.#parent);
        if (this.#replace(space, library, draws, out)) {
          out.describe(NO_OPERATOR, archive.serial(elite));
          continue;
        }
      }
      space.sample(draws, out.genomes);
      out.describe(NO_OPERATOR);
    }
  }

  /** Replaces a node of the parent. Returns whether a genome was appended. */
  #replace(space: AstSpace, library: Library, draws: Draws, out: Candidates): boolean {
    const { words, start, end } = this.#parent;
    const nodes = this.#nodes!;
    if (!nodes.run(words, start, end)) return false;
    const node = draws.below(nodes.count);
    if (!this.#want(nodes, node)) return false;
    const match = library.find(this.#wanted, VISITS);
    if (match === undefined) return false;
    const from = start + AstWord.perInstruction * nodes.first[node]!;
    const to = start + AstWord.perInstruction * (node + 1);
    return append(space, out, [
      words.subarray(start, from),
      ...this.#written(space, match),
      words.subarray(to, end),
    ]);
  }

  /** Joins two formulas of the library, of which the second is what the first lacks. */
  #pair(space: AstSpace, library: Library, draws: Draws, out: Candidates): boolean {
    const { symbols } = space;
    const operators = symbols.allowed.filter(
      (number) => symbols.arity[number] === 2 && INVERSES[symbols.name(number)] !== undefined,
    );
    if (operators.length === 0) return false;
    const operator = operators[draws.below(operators.length)]!;
    const side = draws.below(2);
    // Smaller formulas come first in the library, and more often.
    const entry = draws.below(1 + draws.below(library.count));
    const inverse = INVERSES[symbols.name(operator)]![side]!;
    const values = library.values(entry);
    for (let row = 0; row < this.#target.length; row++) {
      const wanted = inverse(this.#target[row]!, 0, values[row]!);
      if (!Number.isFinite(wanted)) return false;
      this.#wanted[row] = wanted;
    }
    const match = library.find(this.#wanted, VISITS);
    if (match === undefined) return false;
    const known = [library.words(entry)];
    const found = this.#written(space, match);
    const root = Uint32Array.of(symbols.heads[operator]!, symbols.payloads[operator]!);
    const isAppended = append(space, out, [
      ...(side === 0 ? [...found, ...known] : [...known, ...found]),
      root,
    ]);
    if (isAppended) out.describe(NO_OPERATOR);
    return isAppended;
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

  /** A formula, with its scale and offset if the space has constants. */
  #written({ symbols }: AstSpace, { words, scale, offset }: Match): Uint32Array[] {
    if (!this.#settings.isScaled || symbols.isAllowed[symbols.constant] !== 1) return [words];
    const parts = [words];
    const [multiply, add] = ["*", "+"].map((name) => symbols.byName.get(name));
    if (multiply !== undefined && Math.abs(scale - 1) > CLOSE) {
      parts.push(constantWords(scale), Uint32Array.of(symbols.heads[multiply]!, symbols.payloads[multiply]!));
    }
    if (add !== undefined && Math.abs(offset) > CLOSE) {
      parts.push(constantWords(offset), Uint32Array.of(symbols.heads[add]!, symbols.payloads[add]!));
    }
    return parts;
  }

  #prepare(space: Space): AstSpace {
    if (this.#space === space) return this.#space as AstSpace;
    if (!(space instanceof AstSpace)) throw invalid("an AST space for `backpropagate`", space.kind);
    if (space.inputs.length !== this.#columns.length) {
      throw invalid(`${space.inputs.length} columns for \`backpropagate\``, this.#columns.length);
    }
    const { size, isScaled } = this.#settings;
    const rows = this.#target.length;
    this.#nodes = new NodeValues(space.symbols, this.#columns, rows);
    this.#library = new Library(space, this.#columns, rows, size, isScaled);
    this.#space = space;
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

const floats = new Float32Array(1);
const bits = new Uint32Array(floats.buffer);

function constantWords(value: number): Uint32Array {
  floats[0] = value;
  return Uint32Array.of(AstWord.constant, bits[0]!);
}

/** What the outputs would have to be, if they may be scaled as they are best scaled now. */
function unscale(target: Float64Array, outputs: Float64Array): boolean {
  const rows = target.length;
  let [x, y] = [0, 0];
  for (let row = 0; row < rows; row++) {
    x += outputs[row]! / rows;
    y += target[row]! / rows;
  }
  let [products, squares] = [0, 0];
  for (let row = 0; row < rows; row++) {
    products += (outputs[row]! - x) * (target[row]! - y);
    squares += (outputs[row]! - x) * (outputs[row]! - x);
  }
  const scale = products / squares;
  if (!(Math.abs(scale) > 1e-12 && Math.abs(scale) < 1e12)) return false;
  for (let row = 0; row < rows; row++) target[row] = x + (target[row]! - y) / scale;
  return true;
}
