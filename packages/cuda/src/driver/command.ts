// Records: requests to a device's thread, encoded as bytes (decoded in `native/driver`). They are little-endian and
// made of 8-byte words: a header of four words, a word for each argument, and the payload.

/** Byte offsets of the header's fields. */
export const Header = {
  /** u64: the size of the whole record in bytes, including its payload; a multiple of 8. */
  size: 0,
  /** u16: the operation's number. */
  operation: 8,
  /** u16: the number of argument words that follow. */
  slots: 10,
  /** u32: returned in the reply; with 0, only a failure is replied to. */
  ticket: 12,
  /** u32: returned in the reply. */
  tag: 16,
  /** u32: 1 if the process may exit before the reply. */
  flags: 20,
  /** u64: the payload's size in bytes, without the padding of its last word. */
  payloadBytes: 24,
  bytes: 32,
} as const;

const IDLE = 1;
const WORD = 8;
export const padded = (bytes: number): number => Math.ceil(bytes / WORD) * WORD;

/** An argument: a handle or an address, or a number. */
export type Slot = bigint | number | boolean;

/** The fields of a record besides its arguments. */
export interface RecordHeader {
  readonly ticket?: number;
  readonly tag?: number;
  /** The process may exit before the reply. */
  readonly idle?: boolean;
  readonly payloadBytes?: number;
}

/** A record without its payload; the payload's bytes follow it or are passed separately. */
export function encodeRecord(
  operation: number,
  slots: readonly Slot[],
  header: RecordHeader = {},
): Uint8Array {
  const { ticket = 0, tag = 0, idle = false, payloadBytes = 0 } = header;
  const bytes = Header.bytes + slots.length * WORD;
  const view = new DataView(new ArrayBuffer(bytes));
  view.setBigUint64(Header.size, BigInt(bytes + padded(payloadBytes)), true);
  view.setUint16(Header.operation, operation, true);
  view.setUint16(Header.slots, slots.length, true);
  view.setUint32(Header.ticket, ticket, true);
  view.setUint32(Header.tag, tag, true);
  view.setUint32(Header.flags, idle ? IDLE : 0, true);
  view.setBigUint64(Header.payloadBytes, BigInt(payloadBytes), true);
  for (const [i, slot] of slots.entries()) {
    view.setBigUint64(Header.bytes + i * WORD, BigInt(slot), true);
  }
  return new Uint8Array(view.buffer);
}

/** A record with its payload. */
export function withPayload(record: Uint8Array, payload: Uint8Array): Uint8Array {
  const all = new Uint8Array(record.length + padded(payload.length));
  all.set(record);
  all.set(payload, record.length);
  return all;
}
