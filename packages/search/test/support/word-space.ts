// A space for tests of emitters: genomes are one to eight words, and programs are not involved.

import type { CodeBuffer } from "@mm-ptx/types/code";
import { type Draws, type Genome, SearchError, type Space, type VariationOperator } from "../../src/index.js";

const MOST = 8;
const OPERATORS: readonly VariationOperator[] = [
  { name: "replace", parents: 1 },
  { name: "grow", parents: 1 },
  { name: "shorten", parents: 1 },
  { name: "join", parents: 2 },
];

/** `replace` draws one word again, `grow` appends one, `shorten` removes the last, and `join` exchanges the tails of two genomes. */
export class WordSpace implements Space {
  readonly kind = "words";
  readonly description = { kind: "words" };
  readonly mostWords = MOST;
  readonly operators = OPERATORS;

  sample(draws: Draws, out: CodeBuffer): void {
    const length = 1 + draws.below(MOST);
    append(
      out,
      Array.from({ length }, () => draws.below(100)),
    );
  }

  vary(operator: number, parent: Genome, other: Genome, draws: Draws, out: CodeBuffer): void {
    const words = wordsOf(parent);
    if (operator === 0) words[draws.below(words.length)] = draws.below(100);
    else if (operator === 1) words.push(draws.below(100));
    else if (operator === 2 && words.length > 1) words.pop();
    else if (operator === 3) words.splice(1, MOST, ...wordsOf(other).slice(1));
    append(out, words.slice(0, MOST));
  }

  signature(genome: Genome, hash: Uint32Array): void {
    hash.fill(0);
    wordsOf(genome).forEach((word, index) => {
      hash[index % 4] = Math.imul(hash[index % 4]! ^ word, 0x85ebca6b);
    });
  }

  check({ start, end }: Genome): void {
    if (end - start < 1 || end - start > MOST)
      throw new SearchError("INVALID_ARGUMENT", `expected 1 to ${MOST} words, found ${end - start}`);
  }

  text(genome: Genome): string {
    return wordsOf(genome).join(" ");
  }

  parse(text: string): Uint32Array {
    if (!/^\d+( \d+)*$/.test(text))
      throw new SearchError("INVALID_ARGUMENT", `expected numbers, found \`${text}\``);
    return Uint32Array.from(text.split(" "), Number);
  }
}

export const wordsOf = ({ words, start, end }: Genome): number[] => [...words.subarray(start, end)];

const append = (out: CodeBuffer, words: readonly number[]): void => out.appendCopy(Uint32Array.from(words));
