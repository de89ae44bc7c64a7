// Where the result of each key is in the file: records of 20 bytes in chunks, and slots of an open-addressing hash table that number
// them. A million entries take about 28 MB. Only 64 bits of a key are kept; who reads a line compares all of it.
import type { KeyHash } from "./key.js";

/** The 32-bit words of a record: two halves of the hash, the bytes of the line, and the low and the high part of its offset. */
export const RECORD_WORDS = 5;
const FIRST = 0;
const SECOND = 1;
const BYTES = 2;
const LOW = 3;
const HIGH = 4;

const CHUNK_BITS = 16;
/** Records in a chunk. Chunks are never copied, so growing costs only new slots. */
export const CHUNK_RECORDS = 1 << CHUNK_BITS;
const FIRST_SLOTS = 1024;
/** The part of the slots that may be taken. */
const FULLEST = 0.75;
const TWO_32 = 2 ** 32;

/** The records of the keys of a store. */
export class KeyTable {
  #chunks: Uint32Array[] = [];
  #records = 0;
  #size = 0;
  #slots = new Uint32Array(FIRST_SLOTS);

  /** All records, oldest first. Index files contain them as they are. */
  get chunks(): readonly Uint32Array[] {
    return this.#chunks;
  }

  /** Records, including those of removed keys. */
  get records(): number {
    return this.#records;
  }

  /** Keys that have a line. */
  get size(): number {
    return this.#size;
  }

  /** The record of a key, or -1. */
  find({ first, second }: Readonly<KeyHash>): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = first & mask; ; slot = (slot + 1) & mask) {
      const record = slots[slot]! - 1;
      if (record < 0) return -1;
      const words = this.#chunks[record >>> CHUNK_BITS]!;
      const at = (record & (CHUNK_RECORDS - 1)) * RECORD_WORDS;
      if (words[at + FIRST] === first && words[at + SECOND] === second)
        return words[at + BYTES] === 0 ? -1 : record;
    }
  }

  /** The bytes of a record's line, without its line feed. */
  bytesOf(record: number): number {
    return this.#word(record, BYTES);
  }

  /** Where a record's line begins in the file. */
  offsetOf(record: number): number {
    return this.#word(record, HIGH) * TWO_32 + this.#word(record, LOW);
  }

  /** Sets where the line of a key is, in place of an older line. */
  set(hash: Readonly<KeyHash>, offset: number, bytes: number): void {
    const { first, second } = hash;
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = first & mask; ; slot = (slot + 1) & mask) {
      const record = slots[slot]! - 1;
      if (record < 0) {
        slots[slot] = this.#add(hash, offset, bytes) + 1;
        if (this.#records > slots.length * FULLEST) this.#grow();
        return;
      }
      const words = this.#chunks[record >>> CHUNK_BITS]!;
      const at = (record & (CHUNK_RECORDS - 1)) * RECORD_WORDS;
      if (words[at + FIRST] !== first || words[at + SECOND] !== second) continue;
      if (words[at + BYTES] === 0) this.#size++;
      place(words, at, offset, bytes);
      return;
    }
  }

  /** Forgets the line of a record. */
  remove(record: number): void {
    this.#chunks[record >>> CHUNK_BITS]![(record & (CHUNK_RECORDS - 1)) * RECORD_WORDS + BYTES] = 0;
    this.#size--;
  }

  /** Takes the records of an index file in place of its own. */
  adopt(chunks: readonly Uint32Array[], records: number): void {
    this.#chunks = [...chunks];
    this.#records = records;
    this.#size = 0;
    for (let record = 0; record < records; record++) if (this.bytesOf(record) > 0) this.#size++;
    let slots = FIRST_SLOTS;
    while (records > slots * FULLEST) slots *= 2;
    this.#rehash(slots);
  }

  #word(record: number, word: number): number {
    return this.#chunks[record >>> CHUNK_BITS]![(record & (CHUNK_RECORDS - 1)) * RECORD_WORDS + word]!;
  }

  #add({ first, second }: Readonly<KeyHash>, offset: number, bytes: number): number {
    const record = this.#records++;
    if (record % CHUNK_RECORDS === 0) this.#chunks.push(new Uint32Array(CHUNK_RECORDS * RECORD_WORDS));
    const words = this.#chunks[record >>> CHUNK_BITS]!;
    const at = (record & (CHUNK_RECORDS - 1)) * RECORD_WORDS;
    words[at + FIRST] = first;
    words[at + SECOND] = second;
    place(words, at, offset, bytes);
    this.#size++;
    return record;
  }

  #grow(): void {
    this.#rehash(this.#slots.length * 2);
  }

  #rehash(length: number): void {
    // The old slots are garbage before the new ones are allocated.
    this.#slots = new Uint32Array(0);
    const slots = new Uint32Array(length);
    const mask = length - 1;
    for (let record = 0; record < this.#records; record++) {
      let slot = this.#word(record, FIRST) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = record + 1;
    }
    this.#slots = slots;
  }
}

function place(words: Uint32Array, at: number, offset: number, bytes: number): void {
  words[at + BYTES] = bytes;
  words[at + LOW] = offset >>> 0;
  words[at + HIGH] = Math.floor(offset / TWO_32);
}
