// How texts are stored in the arena. A value is the text of an operand, such as `%x, `, `%ast12, ` or `0f3f800000, `,
// in sixteen bytes that are copied as a whole, without a loop; the last byte is the length of the text. A longer text
// is stored elsewhere: the first words are its address and its length, and the last byte is a value that cannot be a
// length. An input that does not exist has no text: its length is 0, and the first word is its index.

import { Pair, Value } from "./addresses.js";

/** The two lower case digits of each byte, in the byte order that `DataView.setUint16(…, true)` writes. */
export const HEX_PAIRS = Uint16Array.from({ length: 256 }, (_, byte) => {
  const digits = byte.toString(16).padStart(2, "0");
  return digits.charCodeAt(0) | (digits.charCodeAt(1) << 8);
});

/** Writes ASCII text of any length, character by character; returns the address after it. */
export function writeText(view: DataView, at: number, text: string): number {
  for (let index = 0; index < text.length; index++) view.setUint8(at + index, text.charCodeAt(index));
  return at + text.length;
}

/** Makes a value of a text of up to fifteen characters. */
export function setText(view: DataView, at: number, text: string): void {
  writeText(view, at, text);
  view.setUint8(at + Value.lengthAt, text.length);
}

export function setConstant(view: DataView, at: number, bits: number): void {
  view.setUint16(at, Pair.zeroF, true);
  view.setUint16(at + 2, HEX_PAIRS[bits >>> 24]!, true);
  view.setUint16(at + 4, HEX_PAIRS[(bits >>> 16) & 0xff]!, true);
  view.setUint16(at + 6, HEX_PAIRS[(bits >>> 8) & 0xff]!, true);
  view.setUint16(at + 8, HEX_PAIRS[bits & 0xff]!, true);
  view.setUint16(at + 10, Pair.comma, true);
  view.setUint8(at + Value.lengthAt, Value.constantLength);
}

/** Makes a value of a text that is stored at another address. */
export function setTextElsewhere(view: DataView, at: number, address: number, length: number): void {
  view.setUint32(at, address, true);
  view.setUint32(at + 4, length, true);
  view.setUint8(at + Value.lengthAt, Value.elsewhere);
}

/** Writes the text of a value that is stored elsewhere, in words of eight bytes; returns its length. */
export function copyElsewhere(view: DataView, to: number, value: number): number {
  const from = view.getUint32(value, true);
  const length = view.getUint32(value + 4, true);
  for (let at = 0; at < length; at += 8) view.setFloat64(to + at, view.getFloat64(from + at, true), true);
  return length;
}

/** The number of characters in a value's text. */
export function lengthOf(view: DataView, value: number): number {
  const length = view.getUint8(value + Value.lengthAt);
  return length === Value.elsewhere ? view.getUint32(value + 4, true) : length;
}

/** An input that does not exist. */
export function setInput(view: DataView, at: number, index: number): void {
  view.setUint32(at, index, true);
  view.setUint8(at + Value.lengthAt, 0);
}

/** Copies a value; since it is ASCII, it is never a NaN that an engine may change. */
export function copyValue(view: DataView, to: number, from: number): void {
  view.setFloat64(to, view.getFloat64(from, true), true);
  view.setFloat64(to + 8, view.getFloat64(from + 8, true), true);
}
