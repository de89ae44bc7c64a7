// A frame: what a message of the farm contains.
//
//   offset  size  what, little-endian
//        0     4  "MMFJ" jobs, "MMFR" outcomes
//        4     2  format: 1
//        6     2  1 if the content is deflated, otherwise 0
//        8     4  bytes of the head
//       12     4  bytes of the content before it was deflated
//       16        the content: the head as JSON, then the bytes that it describes
//      end    32  SHA-256 of everything before

import { hash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { FarmError } from "../error.js";

export type FrameKind = "jobs" | "outcomes";

const MAGIC: Readonly<Record<FrameKind, string>> = { jobs: "MMFJ", outcomes: "MMFR" };
const FORMAT = 1;
const DEFLATED = 1;
const START = 16;
const TAIL = 32;
/** The largest content that is read, so that a small message can't make this process run out of memory. */
const LARGEST = 256 * 2 ** 20;
/** Content below this size is not deflated. */
const WORTH = 512;

export interface Frame {
  readonly head: unknown;
  readonly bytes: Buffer;
}

/**
 * The message with this head and these bytes.
 *
 * @param deflates whether it is deflated if that is smaller, which saves time unless the other end is on this machine
 */
export function encodeFrame(
  kind: FrameKind,
  head: object,
  parts: readonly Uint8Array[],
  deflates = true,
): Buffer {
  const text = Buffer.from(JSON.stringify(head));
  const length = parts.reduce((sum, part) => sum + part.length, text.length);
  const frame = Buffer.allocUnsafe(START + length + TAIL);
  const content = frame.subarray(START, START + length);
  content.set(text);
  let at = text.length;
  for (const part of parts) {
    content.set(part, at);
    at += part.length;
  }
  frame.write(MAGIC[kind], 0, "latin1");
  frame.writeUInt16LE(FORMAT, 4);
  frame.writeUInt16LE(0, 6);
  frame.writeUInt32LE(text.length, 8);
  frame.writeUInt32LE(length, 12);
  const sent = deflates && length >= WORTH ? deflated(frame, content) : frame;
  digest(sent).copy(sent, sent.length - TAIL);
  return sent;
}

/** The frame with its content deflated, or itself if that is not smaller. */
function deflated(frame: Buffer, content: Buffer): Buffer {
  const smaller = deflateRawSync(content, { level: 1 });
  if (smaller.length >= content.length) return frame;
  const sent = Buffer.allocUnsafe(START + smaller.length + TAIL);
  frame.copy(sent, 0, 0, START);
  sent.writeUInt16LE(DEFLATED, 6);
  smaller.copy(sent, START);
  return sent;
}

/** @throws FarmError `FRAME` */
export function decodeFrame(kind: FrameKind, message: Uint8Array): Frame {
  const frame = Buffer.from(message.buffer, message.byteOffset, message.length);
  if (frame.length < START + TAIL) throw wrong("a whole frame", `${frame.length} bytes`);
  const magic = frame.toString("latin1", 0, 4);
  if (magic !== MAGIC[kind]) throw wrong(`a frame of ${kind}`, "something else");
  const format = frame.readUInt16LE(4);
  if (format !== FORMAT) throw wrong(`format ${FORMAT}`, `format ${format}`);
  if (!digest(frame).equals(frame.subarray(frame.length - TAIL)))
    throw wrong("the bytes that were sent", "a damaged frame");
  const flags = frame.readUInt16LE(6);
  const headLength = frame.readUInt32LE(8);
  const length = frame.readUInt32LE(12);
  if (flags > DEFLATED) throw wrong("known flags", `${flags}`);
  if (length > LARGEST) throw wrong(`at most ${LARGEST} bytes`, `${length}`);
  const kept = frame.subarray(START, frame.length - TAIL);
  const content = flags === DEFLATED ? inflated(kept, length) : kept;
  if (content.length !== length || headLength > length)
    throw wrong(`${length} bytes of content`, `${content.length}`);
  return { head: headOf(content.toString("utf8", 0, headLength)), bytes: content.subarray(headLength) };
}

function inflated(kept: Buffer, length: number): Buffer {
  try {
    return inflateRawSync(kept, { maxOutputLength: Math.max(1, length) });
  } catch (cause) {
    throw wrong("deflated content", (cause as Error).message);
  }
}

function headOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrong("a head in JSON", "another text");
  }
}

const digest = (frame: Buffer): Buffer => hash("sha256", frame.subarray(0, frame.length - TAIL), "buffer");

/** The error for content that is not as expected. */
export function wrong(expected: string, found: string): FarmError {
  return new FarmError("FRAME", `expected ${expected}, found ${found}`);
}

/** Reads bytes in pieces of given lengths. */
export class Pieces {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** @throws FarmError `FRAME` if fewer are left */
  take(length: unknown): Buffer {
    const left = this.#bytes.length - this.#at;
    if (!Number.isSafeInteger(length) || (length as number) < 0 || (length as number) > left)
      throw wrong(`at most ${left} bytes`, String(length));
    this.#at += length as number;
    return this.#bytes.subarray(this.#at - (length as number), this.#at);
  }

  /** @throws FarmError `FRAME` if some are left */
  end(): void {
    if (this.#at !== this.#bytes.length) throw wrong("no more bytes", `${this.#bytes.length - this.#at}`);
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;
