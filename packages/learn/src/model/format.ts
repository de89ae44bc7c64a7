// Saved models: a head of eight words, numbers, and blocks of words.
//   magic, version, kind, count of numbers, count of words, reserved, reserved, checksum of everything else
// All words are little-endian. The same model always has the same bytes.
import { bytesOf, type Check, LITTLE_ENDIAN, takeOptions, wordsOf } from "@mm-ptx/types/internal";
import { LearnError } from "../error.js";
import { invalid } from "../options.js";

/** "mmLN" */
const MAGIC = 0x4e4c6d6d;
const VERSION = 1;
const HEAD = 8;
const NUMBER_WORDS = 2;

/** Kinds of models, as they are saved. */
const KINDS = { trees: 1, linear: 2, pca: 3, mlp: 4 } as const;
export type SavedKind = keyof typeof KINDS;

/** What is saved: numbers, which say how long the blocks are among other things, and blocks of whole words. */
export interface SavedParts {
  readonly numbers: readonly number[];
  readonly blocks: readonly Uint32Array[];
}

/** How many bytes a model takes. */
export const savedBytes = (numbers: number, words: number): number =>
  4 * (HEAD + numbers * NUMBER_WORDS + words);

/** The bytes of a model. */
export function packModel(kind: SavedKind, { numbers, blocks }: SavedParts): Uint8Array<ArrayBuffer> {
  const total = blocks.reduce((sum, block) => sum + block.length, 0);
  const words = new Uint32Array(HEAD + numbers.length * NUMBER_WORDS + total);
  words.set([MAGIC, VERSION, KINDS[kind], numbers.length, total]);
  const halves = new Uint32Array(Float64Array.from(numbers).buffer);
  for (let index = 0; index < halves.length; index++) words[HEAD + index] = halves[ordered(index)]!;
  let at = HEAD + halves.length;
  for (const block of blocks) {
    words.set(block, at);
    at += block.length;
  }
  words[HEAD - 1] = checksum(words);
  return bytesOf(words) as Uint8Array<ArrayBuffer>;
}

/** Reads the parts of a saved model in the order in which they were packed. */
export class SavedReader {
  readonly #words: Uint32Array;
  #at: number;
  readonly numbers: readonly number[];

  /**
   * @param numbersOf how many numbers a model has, given the first
   * @throws LearnError INVALID_ARGUMENT, BAD_MODEL
   */
  constructor(kind: SavedKind, bytes: unknown, numbersOf: (first: number) => number) {
    if (!(bytes instanceof Uint8Array)) throw invalid("the bytes of a model as a Uint8Array", bytes);
    if (bytes.length % 4 !== 0 || bytes.length < HEAD * 4) {
      throw damaged("at least 32 bytes, and a multiple of 4", bytes.length);
    }
    const words = wordsOf(bytes);
    if (words[0] !== MAGIC) throw damaged("the first word of a saved model", words[0]!);
    if (words[1] !== VERSION) throw damaged(`version ${VERSION}`, words[1]!);
    if (words[2] !== KINDS[kind]) throw damaged(`a model of kind ${KINDS[kind]} (\`${kind}\`)`, words[2]!);
    const length = HEAD + words[3]! * NUMBER_WORDS + words[4]!;
    if (words.length !== length) throw damaged(`${length} words`, words.length);
    if (words[HEAD - 1] !== checksum(words)) throw damaged("the checksum of the model", "another one");
    const halves = Uint32Array.from(
      { length: words[3]! * NUMBER_WORDS },
      (_, index) => words[HEAD + ordered(index)]!,
    );
    this.numbers = Array.from(new Float64Array(halves.buffer));
    const expected = numbersOf(this.numbers[0] ?? 0);
    if (words[3] !== expected) throw damaged(`${expected} numbers`, words[3]!);
    this.#words = words;
    this.#at = HEAD + halves.length;
  }

  /** The words of the next block. @throws LearnError BAD_MODEL */
  block(length: number): Uint32Array {
    const block = this.#words.subarray(this.#at, this.#at + length);
    if (block.length !== length) throw damaged(`a block of ${length} words`, block.length);
    this.#at += length;
    return block;
  }

  /** @throws LearnError BAD_MODEL if blocks remain */
  end(): void {
    const rest = this.#words.length - this.#at;
    if (rest > 0) throw damaged("the end of the model", `${rest} more words`);
  }
}

/** The error for bytes that are not a saved model. */
export const damaged = (expected: string, found: number | string): LearnError =>
  new LearnError("BAD_MODEL", `saved model: expected ${expected}, found ${found}`);

/** The options of a saved model, if they could be those of a new one. @throws LearnError BAD_MODEL */
export const savedOptions = <Options extends object>(
  options: Options,
  checks: Readonly<Record<keyof Options & string, Check>>,
): Options =>
  takeOptions(
    options,
    checks,
    { required: Object.keys(options) },
    (message) => new LearnError("BAD_MODEL", `saved model: ${message}`),
  );

/** An entry of a list, by its index. @throws LearnError BAD_MODEL */
export function entryOf<Entry>(what: string, list: readonly Entry[], index: number): Entry {
  const entry = list[index];
  if (entry === undefined) throw damaged(what, index);
  return entry;
}

/** @throws LearnError BAD_MODEL */
export function whole(what: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value)) throw damaged(`${what} as a whole number`, value);
  between(what, value, least, most);
}

/** @throws LearnError BAD_MODEL */
export function between(what: string, value: number, least: number, most: number): void {
  if (!(value >= least && value <= most)) throw damaged(`${what} from ${least} to ${most}`, value);
}

/** The half of a number that is saved at an index: the low one first. */
const ordered = (index: number): number => (LITTLE_ENDIAN ? index : index ^ 1);

/** FNV-1a over words, without the word of the checksum itself. */
function checksum(words: Uint32Array): number {
  let sum = 0x811c9dc5;
  for (let index = 0; index < words.length; index++) {
    if (index !== HEAD - 1) sum = Math.imul(sum ^ words[index]!, 0x01000193);
  }
  return sum >>> 0;
}
