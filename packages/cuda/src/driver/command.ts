// Records: what the thread of a device is asked to do, as bytes (the other side is `native/driver`). Little-endian, of 8
// byte words: a header of four, a word for each argument, the payload.

/** Where the fields of the header are, in bytes. */
export const Header = {
  /** u64: bytes of the whole record with its payload, a multiple of 8. */
  size: 0,
  /** u16: the operation's number. */
  operation: 8,
  /** u16: how many words of arguments follow. */
  slots: 10,
  /** u32: comes back in the reply; 0: a reply is given for a failure alone. */
  ticket: 12,
  /** u32: comes back in the reply. */
  tag: 16,
  /** u32: 1 where the process may end before there is a reply. */
  flags: 20,
  /** u64: bytes of the payload, without what fills its last word. */
  payloadBytes: 24,
  bytes: 32,
} as const;

const IDLE = 1;
const WORD = 8;
export const padded = (bytes: number): number => Math.ceil(bytes / WORD) * WORD;

/** An argument: a handle or an address, or a number. */
export type Slot = bigint | number | boolean;

/** What a record has besides its arguments. */
export interface RecordHeader {
  readonly ticket?: number;
  readonly tag?: number;
  /** Keeps nothing alive until there is a reply. */
  readonly idle?: boolean;
  readonly payloadBytes?: number;
}

/** A record without its payload, whose bytes follow, or lie in another place. */
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
