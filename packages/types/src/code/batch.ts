// Many codes one after the other in one array of words.

/** Codes of a batch: the words of code i are those from `offsets[i]` up to `offsets[i + 1]`. */
export interface CodeBatch {
  readonly words: Uint32Array;
  /** Has one element more than there are codes; the first is 0. */
  readonly offsets: Uint32Array;
}

const FIRST_WORDS = 1024;
const FIRST_CODES = 64;

/** Grows while compilers append codes. Its memory is reused after `clear`. */
export class CodeBuffer implements CodeBatch {
  /** The memory that codes are written to; only words below `end` belong to codes. */
  room = new Uint32Array(FIRST_WORDS);
  /** The number of words of all codes. */
  end = 0;
  /** The number of codes. */
  count = 0;
  #ends = new Uint32Array(FIRST_CODES);

  /** The words of all codes, as a view: appending more codes may move the words to other memory. */
  get words(): Uint32Array {
    return this.room.subarray(0, this.end);
  }

  /** The offset of each code in `words`, and the end of the last one. */
  get offsets(): Uint32Array {
    return this.#ends.subarray(0, this.count + 1);
  }

  /** Removes all codes and keeps the memory. */
  clear(): void {
    this.end = 0;
    this.count = 0;
  }

  /** Makes room for this many words after `end`. Words of a code that is being written there are preserved. */
  reserve(words: number): Uint32Array {
    if (this.end + words > this.room.length) {
      const grown = new Uint32Array(Math.max(2 * this.room.length, this.end + words));
      grown.set(this.room);
      this.room = grown;
    }
    return this.room;
  }

  /** Appends a copy of words from `start` up to `end`, which are those of another buffer or array. */
  appendCopy(words: Uint32Array, start = 0, end: number = words.length): void {
    const room = this.reserve(end - start);
    room.set(words.subarray(start, end), this.end);
    this.append(this.end + end - start);
  }

  /** Keeps the codes whose elements of `keep` are not 0, in their order, and removes the others. */
  retain(keep: ArrayLike<number>): void {
    let kept = 0;
    let end = 0;
    for (let code = 0, from = 0; code < this.count; code++) {
      const to = this.#ends[code + 1]!;
      if (keep[code]) {
        if (from !== end) this.room.copyWithin(end, from, to);
        end += to - from;
        this.#ends[++kept] = end;
      }
      from = to;
    }
    this.end = end;
    this.count = kept;
  }

  /** Makes the words from `end` up to this index of `room` the next code. */
  append(end: number): void {
    this.end = end;
    const index = ++this.count;
    if (index >= this.#ends.length) {
      const grown = new Uint32Array(2 * this.#ends.length);
      grown.set(this.#ends);
      this.#ends = grown;
    }
    this.#ends[index] = end;
  }
}
