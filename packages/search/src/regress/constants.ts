// The constants in an equation, with as few digits as they need.
import { AstWord } from "../spaces/ast-layout.js";

const LEAST_DIGITS = 2;
const MOST_DIGITS = 6;
/** How much greater a loss may become for fewer digits, and the rise that never matters. */
const RISE = 1e-6;
const NOTHING = 1e-14;
const FLOAT = new Float32Array(1);
const BITS = new Uint32Array(FLOAT.buffer);

/**
 * An equation with all its constants rounded to the fewest digits with which it is as good; the same words if it needs all of them.
 * @param lossOf the loss of an equation with the best scale and offset; undefined if it can't be computed
 */
export function withReadableConstants(
  words: Uint32Array,
  lossOf: (words: Uint32Array) => number | undefined,
): Uint32Array {
  const places: number[] = [];
  for (let at = 0; at < words.length; at += AstWord.perInstruction) {
    if ((words[at]! & AstWord.typeMask) === AstWord.constant) places.push(at + 1);
  }
  const loss = places.length === 0 ? undefined : lossOf(words);
  if (loss === undefined) return words;
  for (let digits = LEAST_DIGITS; digits <= MOST_DIGITS; digits++) {
    const rounded = words.slice();
    for (const place of places) {
      BITS[0] = words[place]!;
      FLOAT[0] = Number(FLOAT[0]!.toPrecision(digits));
      rounded[place] = BITS[0]!;
    }
    const other = lossOf(rounded);
    if (other !== undefined && other <= loss * (1 + RISE) + NOTHING) return rounded;
  }
  return words;
}
