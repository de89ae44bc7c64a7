// Saved models: a head of eight words, numbers, and blocks of words.
//   magic, version, kind, count of numbers, count of words, reserved, reserved, checksum of everything else
// All words are little-endian. The same model always has the same bytes.
import { bytesOf, type Checks, isWhole, wordsOf } from "@mm-ptx/types/internal";
import { LearnError } from "../error.js";
import { invalid, readOptions } from "../options.js";

/** "mmLN" */
const MAGIC = 0x4e4c6d6d;
const VERSION = 1;
const HEAD = 8;
const NUMBER_WORDS = 2;

/** No mean and no deviation of values of f32 is larger. */
const LARGEST = 2 ** 128;

/** How much a model learned: no more than it can double before f64 cannot count it. No run learns as much. */
export const isCount = (least: number) => isWhole(least, 2 ** 52);

/** Kinds of models, as they are saved. */
const KINDS = { trees: 1, linear: 2, pca: 3, mlp: 4 } as const;

/** What a kind of models saves before its blocks: the numbers of a state. */
export interface SavedForm {
  readonly kind: keyof typeof KINDS;
  /** A check for each number, in the order in which they are saved. The first is that of the number of columns. */
  readonly checks: Checks;
  /** For each name that is a word and not a number, the list in which its index is saved. */
  readonly words?: Readonly<Record<string, readonly string[]>>;
  /** Whether a mean and a deviation of each column and of the labels follow. */
  readonly isScaled?: boolean;
}

/** How many bytes a model takes. */
export const savedBytes = ({ checks }: SavedForm, words: number): number =>
  4 * (HEAD + Object.keys(checks).length * NUMBER_WORDS + words);

/** The bytes of a model. @param scaling the means and deviations, if they are saved */
export function packModel(
  { kind, checks, words: lists = {} }: SavedForm,
  state: object,
  blocks: readonly Uint32Array[],
  scaling: Iterable<number> = [],
): Uint8Array<ArrayBuffer> {
  const values = state as Readonly<Record<string, number>>;
  const numbers = Object.keys(checks).map((name) => lists[name]?.indexOf(`${values[name]}`) ?? values[name]!);
  numbers.push(...scaling);
  const total = blocks.reduce((sum, block) => sum + block.length, 0);
  const view = new DataView(new ArrayBuffer(8 * numbers.length));
  numbers.forEach((number, index) => {
    view.setFloat64(8 * index, number, true);
  });
  let at = HEAD + numbers.length * NUMBER_WORDS;
  const words = new Uint32Array(at + total);
  words.set([MAGIC, VERSION, KINDS[kind], numbers.length, total]);
  words.set(wordsOf(new Uint8Array(view.buffer)), HEAD);
  for (const block of blocks) {
    words.set(block, at);
    at += block.length;
  }
  words[HEAD - 1] = checksum(words);
  return bytesOf(words) as Uint8Array<ArrayBuffer>;
}

/** Reads the parts of a saved model in the order in which they were packed. */
export class SavedReader<State> {
  readonly #words: Uint32Array;
  #at: number;
  readonly state: State;
  /** A mean and a deviation of each column and of the labels. */
  readonly scaling: readonly number[];

  /** @throws LearnError INVALID_ARGUMENT, BAD_MODEL */
  constructor({ kind, checks, words: lists = {}, isScaled }: SavedForm, bytes: unknown) {
    if (!(bytes instanceof Uint8Array)) throw invalid("the bytes of a model as a Uint8Array", bytes);
    if (bytes.length % 4 !== 0 || bytes.length < HEAD * 4) {
      throw damaged("at least 32 bytes, and a multiple of 4", bytes.length);
    }
    const words = wordsOf(bytes);
    const [magic, version, found, count, total] = words as unknown as readonly number[];
    if (magic !== MAGIC) throw damaged("the first word of a saved model", magic!);
    if (version !== VERSION) throw damaged(`version ${VERSION}`, version!);
    if (found !== KINDS[kind]) throw damaged(`a model of kind ${KINDS[kind]} (\`${kind}\`)`, found!);
    this.#at = HEAD + count! * NUMBER_WORDS;
    const length = this.#at + total!;
    if (words.length !== length) throw damaged(`${length} words`, words.length);
    if (words[HEAD - 1] !== checksum(words)) throw damaged("the checksum of the model", "another one");
    const view = new DataView(bytes.buffer, bytes.byteOffset + 4 * HEAD);
    const numbers = Array.from({ length: count! }, (_, index) => view.getFloat64(8 * index, true));
    const names = Object.keys(checks);
    const expected = names.length + (isScaled ? 2 * (numbers[0]! + 1) : 0);
    if (count !== expected) throw damaged(`${expected} numbers`, count!);
    const state: Record<string, unknown> = {};
    names.forEach((name, index) => {
      const number = numbers[index]!;
      state[name] = lists[name] ? lists[name][number] : number;
    });
    this.state = readOptions(state, checks, {}, "BAD_MODEL", SAVED) as State;
    this.#words = words;
    this.scaling = numbers.slice(names.length);
    this.scaling.forEach((number, index) => {
      const isMean = index % 2 === 0;
      between(isMean ? "a mean" : "a deviation", number, isMean ? -LARGEST : 0, LARGEST);
    });
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

const SAVED = "saved model: ";

/** The error for bytes that are not a saved model. */
export const damaged = (expected: string, found: number | string): LearnError =>
  new LearnError("BAD_MODEL", `${SAVED}expected ${expected}, found ${found}`);

/** @throws LearnError BAD_MODEL */
export function between(what: string, value: number, least: number, most: number): void {
  if (!(value >= least && value <= most)) throw damaged(`${what} from ${least} to ${most}`, value);
}

/** FNV-1a over words, without the word of the checksum itself. */
function checksum(words: Uint32Array): number {
  let sum = 0x811c9dc5;
  for (let index = 0; index < words.length; index++) {
    if (index !== HEAD - 1) sum = Math.imul(sum ^ words[index]!, 0x01000193);
  }
  return sum >>> 0;
}
