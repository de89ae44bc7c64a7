// The space of hash functions with two rounds: genomes are three shifts and two odd multipliers.
import type { CodeBuffer } from "@mm-ptx/types/code";
import { murmur128Into } from "@mm-ptx/types/internal";
import type { Draws } from "../../../draws.js";
import { invalid } from "../../../options.js";
import type { Genome, Space, VariationOperator } from "../../../spaces/space.js";
import { type HashFunction, hashText, parseHash } from "./hash-function.js";

export const ROUNDS = 2;
export const SHIFTS = ROUNDS + 1;
const WORDS = SHIFTS + ROUNDS;
/** Those of nearly all functions that are known for a low bias. Beyond, few bits meet, or few remain. */
export const LEAST_SHIFT = 14;
export const MOST_SHIFT = 17;

/** How an operator changes a genome, which is a copy of the first parent. */
type Change = (words: Uint32Array, other: Uint32Array, draws: Draws) => void;

const drawMultiplier = (draws: Draws): number => SHIFTS + draws.below(ROUNDS);

/** A bit of a multiplier other than the lowest. */
const drawBit = (draws: Draws): number => 2 << draws.below(31);

const flip: Change = (words, _, draws) => {
  const place = drawMultiplier(draws);
  words[place]! ^= drawBit(draws);
};

const shift: Change = (words, _, draws) => {
  const place = draws.below(SHIFTS);
  const shifted = words[place]! + (draws.below(2) === 0 ? 1 : -1);
  words[place] = Math.min(MOST_SHIFT, Math.max(LEAST_SHIFT, shifted));
};

/** A few neighbouring bits of a multiplier become random. */
const field: Change = (words, _, draws) => {
  const place = drawMultiplier(draws);
  const mask = (1 << (3 + draws.below(6))) - 1;
  words[place]! ^= (draws.word() & mask) << (1 + draws.below(28));
};

/** A power of two is added to a multiplier, or subtracted. */
const add: Change = (words, _, draws) => {
  const place = drawMultiplier(draws);
  words[place]! += draws.below(2) === 0 ? drawBit(draws) : -drawBit(draws);
};

/** A multiplier gets its lowest bits from the other parent. */
const lowBits: Change = (words, other, draws) => {
  const place = drawMultiplier(draws);
  const mask = -1 << (1 + draws.below(31));
  words[place] = (words[place]! & mask) | (other[place]! & ~mask);
};

const take =
  (...places: readonly number[]): Change =>
  (words, other) => {
    for (const place of places) words[place] = other[place]!;
  };

const OPERATORS: readonly (VariationOperator & { readonly change: Change })[] = [
  { name: "flip a bit", parents: 1, change: flip },
  { name: "flip two bits", parents: 1, change: both(flip, flip) },
  { name: "flip three bits", parents: 1, change: both(flip, both(flip, flip)) },
  { name: "field", parents: 1, change: field },
  { name: "add a power of two", parents: 1, change: add },
  { name: "shift", parents: 1, change: shift },
  { name: "shift and flip a bit", parents: 1, change: both(shift, flip) },
  { name: "low bits of another", parents: 2, change: lowBits },
  { name: "first round of another", parents: 2, change: take(0, SHIFTS) },
  { name: "last round of another", parents: 2, change: take(SHIFTS - 1, WORDS - 1) },
];

function both(first: Change, second: Change): Change {
  return (words, other, draws) => {
    first(words, other, draws);
    second(words, other, draws);
  };
}

/** The function of a genome, which are its words alone. */
export const hashOf = (words: Uint32Array): HashFunction => ({
  shifts: [...words.subarray(0, SHIFTS)],
  multipliers: [...words.subarray(SHIFTS)],
});

/** Genomes are bits, not numbers: a vector of f32 holds no multipliers of 32 bits, and neighbours differ in bits. */
class HashSpace implements Space {
  readonly kind = "hash";
  readonly description = { kind: "hash", rounds: ROUNDS, shifts: [LEAST_SHIFT, MOST_SHIFT] };
  readonly mostWords = WORDS;
  readonly operators: readonly VariationOperator[] = OPERATORS.map(({ name, parents }) => ({
    name,
    parents,
  }));
  readonly #words = new Uint32Array(WORDS);
  readonly #other = new Uint32Array(WORDS);
  /** Hashes take an even number of words. */
  readonly #signed = new Uint32Array(WORDS + (WORDS & 1));

  sample(draws: Draws, out: CodeBuffer): void {
    for (let place = 0; place < SHIFTS; place++)
      this.#words[place] = LEAST_SHIFT + draws.below(MOST_SHIFT - LEAST_SHIFT + 1);
    for (let place = SHIFTS; place < WORDS; place++) this.#words[place] = draws.word() | 1;
    out.appendCopy(this.#words, 0, WORDS);
  }

  vary(operator: number, parent: Genome, other: Genome, draws: Draws, out: CodeBuffer): void {
    const { parents, change } = OPERATORS[operator]!;
    for (let place = 0; place < WORDS; place++) {
      this.#words[place] = parent.words[parent.start + place]!;
      if (parents === 2) this.#other[place] = other.words[other.start + place]!;
    }
    change(this.#words, this.#other, draws);
    out.appendCopy(this.#words, 0, WORDS);
  }

  signature({ words, start }: Genome, hash: Uint32Array): void {
    for (let place = 0; place < WORDS; place++) this.#signed[place] = words[start + place]!;
    murmur128Into(this.#signed, this.#signed.length, hash);
  }

  check({ words, start, end }: Genome): void {
    if (end - start !== WORDS) throw invalid(`a genome of ${WORDS} words`, end - start);
    for (let place = 0; place < WORDS; place++) {
      const word = words[start + place]!;
      if (place < SHIFTS ? word < LEAST_SHIFT || word > MOST_SHIFT : (word & 1) === 0) {
        const expected =
          place < SHIFTS ? `a shift from ${LEAST_SHIFT} to ${MOST_SHIFT}` : "an odd multiplier";
        throw invalid(`${expected} as word ${place}`, word);
      }
    }
  }

  text({ words, start, end }: Genome): string {
    return hashText(hashOf(words.slice(start, end)));
  }

  parse(text: string): Uint32Array {
    const { shifts, multipliers } = parseHash(text);
    const words = Uint32Array.of(...shifts, ...multipliers);
    this.check({ words, start: 0, end: words.length });
    return words;
  }
}

export const hashSpace = (): Space => new HashSpace();
