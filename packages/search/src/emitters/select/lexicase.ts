// Epsilon-lexicase selection.
import { type Check, isBoolean, isNumber, isWhole, unexpected } from "@mm-ptx/types/internal";
import type { Archive } from "../../archives/archive.js";
import type { Draws } from "../../draws.js";
import { readOptions, withDefaults } from "../../options.js";
import type { Plain } from "../../plain.js";
import type { Emission } from "../emitter.js";
import { bitCount } from "./bits.js";
import { CaseBuckets } from "./case-buckets.js";
import { CaseMatrix } from "./case-matrix.js";
import { DownSampling } from "./down-sampling.js";
import type { Selection } from "./selection.js";
import { FEW, SeparatingCases } from "./separating-cases.js";

/** The options of `lexicase`. */
export interface LexicaseOptions {
  /**
   * Errors that differ from the least one by this much or less are as good. `mad`, the default, takes the median absolute deviation of the
   * elites' errors in each case.
   */
  readonly epsilon?: number | "mad";
  /** The part of the cases that a batch uses, though no fewer than 10 if there are more; default 0.1. */
  readonly downSample?: number;
  /**
   * Whether the cases of a batch are chosen far apart from each other, instead of at random: two cases are apart by the number of elites
   * that are among the best in one but not in the other (Boldi et al., "Informed Down-Sampled Lexicase Selection", Evolutionary Computation
   * 2024). The default is true.
   */
  readonly informed?: boolean;
  /** How many elites are drawn for a batch, from which parents are selected; default 1000. */
  readonly pool?: number;
  /**
   * Whether elites with the same errors are compared with others only once. That does not change which elites are selected; the default is
   * true.
   */
  readonly preselect?: boolean;
}

const DEFAULTS: Required<LexicaseOptions> = {
  epsilon: "mad",
  downSample: 0.1,
  informed: true,
  pool: 1000,
  preselect: true,
};
const MOST_POOL = 65_536;
/** After many cases, those that tell apart what is left are found if this much is left, and whenever little is left. */
const NOT_MANY = 32;
const MANY_CASES = 64;
/** If more than this are left after some cases, they are kept as bits. */
const MANY = 64;
const SOME_CASES = 8;

const isEpsilon: Check = (value, name) =>
  value === "mad" || isNumber(0, Number.MAX_VALUE)(value, name) === undefined
    ? undefined
    : unexpected(name, "`mad` or a number of at least 0", value);

/**
 * Selects parents by the errors in single cases, which the evaluator must have: of all elites, those remain that are as good as the best of
 * them in one case, then in another, in a random order for each parent, until one remains or all cases were used (La Cava, Spector, Danai,
 * "Epsilon-Lexicase Selection for Regression", GECCO 2016, the semi-dynamic variant).
 *
 * @throws SearchError INVALID_ARGUMENT; `emit` throws UNSUPPORTED if elites have no errors in single cases
 */
export function lexicase(options: LexicaseOptions = {}): Selection {
  const read = readOptions<LexicaseOptions>(
    options,
    {
      epsilon: isEpsilon,
      downSample: isNumber(0, 1),
      informed: isBoolean,
      pool: isWhole(1, MOST_POOL),
      preselect: isBoolean,
    },
    { of: "lexicase" },
  );
  return new Lexicase(withDefaults(read, DEFAULTS));
}

class Lexicase implements Selection {
  readonly kind = "lexicase";
  readonly description: Plain;
  readonly #options: Required<LexicaseOptions>;
  readonly #matrix = new CaseMatrix();
  readonly #sampling: DownSampling;
  /** The elites of the archive, of which the first ones are the pool. */
  #order = new Int32Array(0);
  /** The cases of the batch in any order, and the swaps of a selection. */
  #cases = new Int32Array(0);
  #swaps = new Int32Array(0);
  /** For each case: how many classes remain of all, or -1 if not known yet; and which. */
  #firstCounts = new Int32Array(0);
  #firsts = new Int32Array(0);
  /** The classes that remain, as a list and as marks, which are all 0 between selections. */
  #left = new Int32Array(0);
  #isLeft = new Uint8Array(0);
  /** The classes that remain, as bits. */
  #set = new Uint32Array(0);
  readonly #separating = new SeparatingCases();
  readonly #buckets = new CaseBuckets();

  constructor(options: Required<LexicaseOptions>) {
    this.#options = options;
    this.#sampling = new DownSampling(options);
    // How the same elites are found is not a part of the description.
    const { preselect, ...rest } = options;
    this.description = { kind: this.kind, ...rest };
  }

  begin(_: number, { archive, batchDraws }: Emission): void {
    const { epsilon, preselect } = this.#options;
    const matrix = this.#matrix;
    const elites = this.#draw(archive, batchDraws);
    const chosen = this.#sampling.choose(archive, matrix.pool, elites, batchDraws);
    const { cases } = this.#sampling;
    matrix.load(archive, elites, chosen, cases);
    matrix.measure(epsilon);
    if (preselect) matrix.merge();
    this.#reserve(cases, matrix.count);
    this.#firstCounts.fill(-1, 0, cases);
    this.#separating.begin(matrix);
    this.#buckets.begin(matrix);
    for (let number = 0; number < cases; number++) this.#cases[number] = number;
  }

  select(_: Archive, draws: Draws): number {
    const matrix = this.#matrix;
    const left = this.#left;
    // Drawn first, so that the choice does not depend on how many cases are used.
    const choice = draws.fraction();
    let count = matrix.count;
    let used = 0;
    /** How many were left when the cases that tell them apart were found. */
    let known = Number.POSITIVE_INFINITY;
    while (count > 1 && used < matrix.cases) {
      const isDue =
        count <= FEW ? used >= SOME_CASES : used >= MANY_CASES && count <= NOT_MANY && known > NOT_MANY;
      if (isDue && count < known) {
        if (!this.#separating.find(left, count)) break;
        known = count;
      }
      if (used >= SOME_CASES && count > MANY) {
        used = this.#filterMany(count, used, draws);
        count = this.#listSet();
        continue;
      }
      const number = this.#nextCase(used++, draws);
      if (known <= NOT_MANY && !this.#separating.has(number)) continue;
      count = used === 1 ? this.#copyFirst(number) : this.#filter(number, left, count, left, 0);
    }
    this.#undo(used);
    return matrix.pool[this.#choose(count, choice)]!;
  }

  /** Draws one of the cases that were not used. */
  #nextCase(used: number, draws: Draws): number {
    const cases = this.#cases;
    const drawn = used + draws.below(this.#matrix.cases - used);
    const number = cases[drawn]!;
    cases[drawn] = cases[used]!;
    cases[used] = number;
    this.#swaps[used] = drawn;
    return number;
  }

  /** Puts the cases back into the order that they had before this many were drawn. */
  #undo(used: number): void {
    const cases = this.#cases;
    const swaps = this.#swaps;
    for (let index = used - 1; index >= 0; index--) {
      const drawn = swaps[index]!;
      const number = cases[drawn]!;
      cases[drawn] = cases[index]!;
      cases[index] = number;
    }
  }

  /** Uses cases until few of the classes in `#left` are left, or no case is, and leaves these in `#set`. Returns how many cases were used. */
  #filterMany(count: number, before: number, draws: Draws): number {
    const { words } = this.#buckets;
    const set = this.#set;
    const left = this.#left;
    set.fill(0, 0, words);
    for (let index = 0; index < count; index++) set[left[index]! >>> 5]! |= 1 << (left[index]! & 31);
    let used = before;
    for (let rest = count; rest > MANY && used < this.#matrix.cases; ) {
      if (!this.#buckets.filter(this.#nextCase(used++, draws), set)) continue;
      rest = 0;
      for (let word = 0; word < words; word++) rest += bitCount(set[word]!);
    }
    return used;
  }

  /** Writes the classes of `#set` to `#left`. Returns how many there are. */
  #listSet(): number {
    const set = this.#set;
    const left = this.#left;
    let count = 0;
    for (let word = 0; word < this.#buckets.words; word++) {
      for (let rest = set[word]!; rest !== 0; rest &= rest - 1) {
        left[count++] = 32 * word + 31 - Math.clz32(rest & -rest);
      }
    }
    return count;
  }

  /** Draws the pool. Returns how many elites it has. */
  #draw(archive: Archive, draws: Draws): number {
    const { count } = archive;
    if (this.#order.length < count) this.#order = new Int32Array(2 * count);
    const elites = Math.min(count, this.#options.pool);
    const order = this.#order;
    for (let elite = 0; elite < count; elite++) order[elite] = elite;
    for (let place = 0; place < elites; place++) {
      const drawn = place + draws.below(count - place);
      const elite = order[drawn]!;
      order[drawn] = order[place]!;
      order[place] = elite;
    }
    this.#matrix.pool = order;
    return elites;
  }

  #reserve(cases: number, classes: number): void {
    if (this.#cases.length < cases) {
      this.#cases = new Int32Array(cases);
      this.#swaps = new Int32Array(cases);
      this.#firstCounts = new Int32Array(cases);
    }
    if (this.#left.length < classes) {
      this.#left = new Int32Array(classes);
      this.#isLeft = new Uint8Array(classes);
      this.#set = new Uint32Array((classes + 31) >>> 5);
    }
    if (this.#firsts.length < cases * classes) this.#firsts = new Int32Array(cases * classes);
  }

  /** Makes the classes that remain of all after one case those that are left. Returns how many. */
  #copyFirst(number: number): number {
    const { count: classes } = this.#matrix;
    const firsts = this.#firsts;
    const left = this.#left;
    const start = number * classes;
    let count = this.#firstCounts[number]!;
    if (count < 0) {
      for (let each = 0; each < classes; each++) left[each] = each;
      count = this.#firstCounts[number] = this.#filter(number, left, classes, firsts, start);
    }
    for (let index = 0; index < count; index++) left[index] = firsts[start + index]!;
    return count;
  }

  /** Writes those of some classes that are as good as the best of them in a case. Returns how many. */
  #filter(number: number, from: Int32Array, count: number, to: Int32Array, start: number): number {
    const { errors, epsilons, count: classes } = this.#matrix;
    const column = number * classes;
    let least = errors[column + from[0]!]!;
    for (let index = 1; index < count; index++) {
      const error = errors[column + from[index]!]!;
      if (error < least) least = error;
    }
    const most = least + epsilons[number]!;
    let kept = start;
    for (let index = 0; index < count; index++) {
      const each = from[index]!;
      to[kept] = each;
      kept += Number(errors[column + each]! <= most);
    }
    return kept - start;
  }

  /** One of the elites of the classes that are left, by its place in the pool. */
  #choose(count: number, choice: number): number {
    const { classes, single, elites } = this.#matrix;
    const left = this.#left;
    if (count === 1 && single[left[0]!]! >= 0) return single[left[0]!]!;
    const isLeft = this.#isLeft;
    for (let index = 0; index < count; index++) isLeft[left[index]!] = 1;
    let total = 0;
    for (let place = 0; place < elites; place++) total += isLeft[classes[place]!]!;
    // The elites that are left, in the order of the pool, are those without preselection.
    let place = -1;
    for (let ahead = Math.floor(choice * total); ahead >= 0; ) ahead -= isLeft[classes[++place]!]!;
    for (let index = 0; index < count; index++) isLeft[left[index]!] = 0;
    return place;
  }
}
