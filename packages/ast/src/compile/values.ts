// Values as instructions write them: `%x, `, `%ast12, `, `0f3f800000, `. Each has sixteen bytes, the last of which is
// the length of the text before, and is copied whole, without a loop. An input that has no such text, because its name
// is long or it does not exist, has length 0, and the first four bytes are its index.
import { HEX_PAIRS, Pair, Word } from "./words.js";

export const enum Value {
  bytes = 16,
  /** From an index of a value to its offset. */
  shift = 4,
  lengthAt = 15,
  mostCharacters = 15,
  constantLength = 12,
}

export class Values {
  view: DataView;

  constructor(public room: number) {
    this.view = new DataView(new ArrayBuffer(room << Value.shift));
  }

  /** Makes room for `count` values; those that are there stay. */
  reserve(count: number): void {
    if (count <= this.room) return;
    const { buffer } = this.view;
    this.room = Math.max(count, 2 * this.room);
    const bytes = new Uint8Array(this.room * Value.bytes);
    bytes.set(new Uint8Array(buffer));
    this.view = new DataView(bytes.buffer);
  }

  /** A text of up to fifteen characters. */
  setText(at: number, text: string): void {
    const offset = at * Value.bytes;
    for (let i = 0; i < Value.lengthAt; i++) {
      this.view.setUint8(offset + i, i < text.length ? text.charCodeAt(i) : 0);
    }
    this.view.setUint8(offset + Value.lengthAt, text.length);
  }

  setConstant(at: number, bits: number): void {
    writeConstant(this.view, at * Value.bytes, bits, HEX_PAIRS);
  }

  /** An input without a text. */
  setInput(at: number, index: number): void {
    this.view.setUint32(at * Value.bytes, index, true);
    this.view.setUint8(at * Value.bytes + Value.lengthAt, 0);
  }

  /** The length of a value's text, 0 when it has none. */
  lengthOf(at: number): number {
    return this.view.getUint8(at * Value.bytes + Value.lengthAt);
  }

  /** Which input a value without a text is. */
  inputOf(at: number): number {
    return this.view.getUint32(at * Value.bytes, true);
  }

  /** Takes over `count` values from others. */
  copy(at: number, from: Values, start: number, count: number): void {
    const bytes = new Uint8Array(from.view.buffer, start * Value.bytes, count * Value.bytes);
    new Uint8Array(this.view.buffer).set(bytes, at * Value.bytes);
  }
}

/** Makes the value at a byte offset the constant of these bits. */
export function writeConstant(view: DataView, at: number, bits: number, hexPairs: Uint16Array): void {
  view.setUint16(at, Pair.zeroF, true);
  view.setUint16(at + 2, hexPairs[bits >>> 24]!, true);
  view.setUint16(at + 4, hexPairs[(bits >>> 16) & 0xff]!, true);
  view.setUint16(at + 6, hexPairs[(bits >>> 8) & 0xff]!, true);
  view.setUint16(at + 8, hexPairs[bits & 0xff]!, true);
  view.setUint16(at + 10, Pair.comma, true);
  view.setUint8(at + Value.lengthAt, Value.constantLength);
}

/** Makes the value at a byte offset the one at another. */
export function copyValue(view: DataView, at: number, from: DataView, start: number): void {
  view.setFloat64(at, from.getFloat64(start, true), true);
  view.setFloat64(at + Word.bytes, from.getFloat64(start + Word.bytes, true), true);
}
