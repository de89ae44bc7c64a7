// The messages between a program and the emulator: the numbers and layouts of native/cudart/wire.h.
import type { HostFrame } from "../run/finding.js";

export const WIRE_VERSION = 4;

export const OPERATION = {
  HELLO: 1,
  LOAD_MODULE: 2,
  FIND_KERNEL: 3,
  FIND_VARIABLE: 4,
  ALLOCATE: 5,
  FREE: 6,
  WRITE_BYTES: 7,
  COPY: 8,
  FILL: 9,
  LAUNCH: 10,
  SYNCHRONIZE: 11,
  RECORD: 12,
  ELAPSED: 13,
  RESET: 14,
  RECEIVE_BYTES: 16,
  FREE_BYTES: 17,
  RESIZE_HEAP: 18,
  CREATE_IMAGE: 19,
  DESTROY_IMAGE: 20,
  RESIZE_STACK: 21,
  REPORT_ERROR: 22,
} as const;

/** The information that the emulator requests from the program. */
export const WISH = { CALLS: 1, ERRORS: 2 } as const;

/** Set in the operation of a message whose sender waits for an answer. */
export const WANTS_ANSWER = 0x80000000;
export const MESSAGE_HEADER_BYTES = 8;
const ANSWER_HEADER_BYTES = 16;

/** Reads the fields of a message in their order. */
export class Fields {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  u32(): number {
    this.#at += 4;
    return this.#bytes.readUInt32LE(this.#at - 4);
  }

  f32(): number {
    this.#at += 4;
    return this.#bytes.readFloatLE(this.#at - 4);
  }

  /** An address or a size; both are below 2^53. */
  u64(): number {
    this.#at += 8;
    return Number(this.#bytes.readBigUInt64LE(this.#at - 8));
  }

  bytes(length: number): Buffer {
    this.#at += length;
    if (this.#at > this.#bytes.length) throw new RangeError("expected more bytes in a message");
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  /** A length and as many bytes. */
  text(): string {
    return this.bytes(this.u32()).toString("utf8");
  }

  /** The calls of the program, which end a message. */
  calls(): readonly HostFrame[] {
    const frames: HostFrame[] = [];
    while (this.#at < this.#bytes.length) {
      const offset = this.u64();
      frames.push({ file: this.text(), offset });
    }
    return frames;
  }

  rest(): Buffer {
    return this.bytes(this.#bytes.length - this.#at);
  }
}

/** The body of an answer: numbers of 32 and, as bigint, of 64 bits. */
export function fieldsOf(...values: readonly (number | bigint)[]): Buffer {
  const bytes = Buffer.alloc(
    values.reduce((sum: number, value) => sum + (typeof value === "bigint" ? 8 : 4), 0),
  );
  let at = 0;
  for (const value of values) {
    at = typeof value === "bigint" ? bytes.writeBigUInt64LE(value, at) : bytes.writeUInt32LE(value, at);
  }
  return bytes;
}

/** The answer to a message. */
export interface Answer {
  /** A number of the CUDA runtime's errors; 0 for success. */
  readonly error: number;
  /** Whether every later call fails with it. */
  readonly sticky: boolean;
  readonly printed: string;
  readonly body: Uint8Array;
}

export function encodeAnswer({ error, sticky, printed, body }: Answer): Buffer {
  const text = Buffer.from(printed, "latin1");
  const header = Buffer.alloc(ANSWER_HEADER_BYTES);
  header.writeInt32LE(error, 0);
  header.writeUInt32LE(text.length, 4);
  header.writeUInt32LE(body.length, 8);
  header.writeUInt32LE(sticky ? 1 : 0, 12);
  return Buffer.concat([header, text, body]);
}
