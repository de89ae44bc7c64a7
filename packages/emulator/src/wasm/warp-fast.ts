// Shuffles and votes without bigints: the most common warp operations, on the words in which registers are saved. Their
// results are defined by ../interpreter/warp-operations.js.
import { registerOf } from "../control/graph.js";
import type { Step } from "../control/step.js";
import type { Operand } from "../program/operand.js";
import type { Areas } from "./areas.js";
import type { Translation } from "./translation.js";
import { type Choose, SHUFFLES } from "./warp/source-lane.js";
import { constantOf } from "./warp/values.js";

const WARP = 32;
const ALL_LANES = -1;

/**
 * Where a word of each thread is: a constant, or after an index into memory as words; undefined for a discarded result.
 */
type Word = { readonly constant: number } | { readonly at: number; readonly negated: boolean } | undefined;

/** Carries out an operation for the lanes of a mask in the warp that begins with a thread. */
type Operate = (words: Int32Array, first: number, mask: number) => void;

interface FastWait {
  readonly operate: Operate;
  readonly mask: Word;
}

/** Maps the lanes whose predicate is true, and those that take part, to the result. */
const VOTES: Readonly<Record<string, (holds: number, mask: number) => number>> = {
  all: (holds, mask) => Number(holds === mask),
  any: (holds) => Number(holds !== 0),
  uni: (holds, mask) => Number(holds === mask || holds === 0),
  ballot: (holds) => holds,
};

/** The fast paths of a kernel's waits, where there are any. */
export class FastWarps {
  readonly #waits: readonly (FastWait | undefined)[];
  readonly #threads: number;

  constructor(translation: Translation, areas: Areas) {
    this.#waits = translation.graph.waits.map(({ step }) => fastWait(step, translation, areas));
    this.#threads = areas.threads;
  }

  /** Carries out an operation for which all threads of the block wait, if it uses all lanes; returns whether it did. */
  block(words: Int32Array, wait: number): boolean {
    const fast = this.#waits[wait];
    if (fast === undefined) return false;
    for (let thread = 0; thread < this.#threads; thread++) {
      if (wordAt(words, fast.mask, thread) !== ALL_LANES) return false;
    }
    for (let first = 0; first < this.#threads; first += WARP) {
      fast.operate(words, first, lanesBelow(this.#threads - first));
    }
    return true;
  }

  /** The lanes for which a thread waits; undefined when there is no fast path. */
  mask(words: Int32Array, wait: number, thread: number): number | undefined {
    const fast = this.#waits[wait];
    return fast && wordAt(words, fast.mask, thread);
  }

  /** Carries out the operation for the lanes of a mask that all wait at this place; returns whether it did. */
  warp(words: Int32Array, wait: number, first: number, mask: number): boolean {
    this.#waits[wait]?.operate(words, first, mask);
    return this.#waits[wait] !== undefined;
  }
}

const lanesBelow = (count: number): number => (count >= WARP ? ALL_LANES : (1 << count) - 1);

function wordAt(words: Int32Array, word: Word, thread: number): number {
  if (word === undefined) return 0;
  if ("constant" in word) return word.constant;
  const value = words[word.at + thread]!;
  return word.negated ? Number(value === 0) : value;
}

function fastWait(step: Step, translation: Translation, areas: Areas): FastWait | undefined {
  const { operands } = step.source;
  const { results, words } = step.operation;
  const wordOf = (operand: Operand | undefined): Word => {
    const constant = constantOf(step, operand, translation.constants);
    if (constant !== undefined) return { constant: Number(BigInt.asIntN(WARP, constant)) };
    if (operand?.kind !== "register") return undefined;
    const register = registerOf(step, operand);
    return { at: (areas.frame + translation.slots.get(register)!) >> 2, negated: operand.negated };
  };
  const sources = operands.slice(results).map(wordOf);
  const targets = operands.slice(0, results).map(wordOf);
  return QUICK[step.operation.name]?.(words, sources, targets);
}

const modeIn = (table: Readonly<Record<string, unknown>>, words: ReadonlySet<string>): string =>
  [...words].find((word) => word in table)!;

/** The operations with a fast path, by name. */
const QUICK: Readonly<
  Record<string, (words: ReadonlySet<string>, sources: readonly Word[], targets: readonly Word[]) => FastWait>
> = {
  shfl: (words, sources, targets) => ({
    operate: shuffle(SHUFFLES[modeIn(SHUFFLES, words)]!, sources, targets),
    mask: sources[3],
  }),
  vote: (words, sources, targets) => ({
    operate: vote(VOTES[modeIn(VOTES, words)]!, sources, targets),
    mask: sources[1],
  }),
};

const put = (words: Int32Array, word: Word, thread: number, value: number) => {
  if (word !== undefined && "at" in word) words[word.at + thread] = value;
};

function shuffle(choose: Choose, [a, b, c]: readonly Word[], [result, inRange]: readonly Word[]): Operate {
  const values = new Int32Array(WARP);
  return (words, first, mask) => {
    for (let lane = 0; lane < WARP; lane++)
      if ((mask >>> lane) & 1) values[lane] = wordAt(words, a, first + lane);
    for (let lane = 0; lane < WARP; lane++) {
      if (((mask >>> lane) & 1) === 0) continue;
      const thread = first + lane;
      const limits = wordAt(words, c, thread);
      const segment = (limits >>> 8) & 31;
      const from = choose(
        lane,
        wordAt(words, b, thread) & 31,
        segment,
        (lane & segment) | (limits & 31 & ~segment),
      );
      const isAbsent = from >= 0 && ((mask >>> from) & 1) === 0;
      put(words, result, thread, isAbsent ? 0 : values[from >= 0 ? from : lane]!);
      put(words, inRange, thread, Number(from >= 0));
    }
  };
}

function vote(
  count: (holds: number, mask: number) => number,
  [predicate]: readonly Word[],
  [result]: readonly Word[],
): Operate {
  return (words, first, mask) => {
    let holds = 0;
    for (let lane = 0; lane < WARP; lane++) {
      if ((mask >>> lane) & 1 && wordAt(words, predicate, first + lane) !== 0) holds |= 1 << lane;
    }
    const value = count(holds, mask);
    for (let lane = 0; lane < WARP; lane++) if ((mask >>> lane) & 1) put(words, result, first + lane, value);
  };
}
