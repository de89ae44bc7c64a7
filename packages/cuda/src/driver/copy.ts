// Copies between buffers and host memory. Pageable memory is copied through the device thread's pinned staging memory;
// pinned memory is copied directly by its address.

import type { CudaBuffer } from "./buffer.js";
import { refuse } from "./check.js";
import type { CudaDevice } from "./device.js";
import { type CudaHostMemory, pinnedOf } from "./host.js";
import { checkNotCaptured, type Queue, use } from "./queue.js";
import type { CudaStream } from "./stream.js";

/** The payload limit of one record in bytes, which keeps records below the size limit of buffers. */
const PIECE = 2 ** 28;

/** Host memory that a copy reads or writes. */
export interface HostEnd {
  readonly bytes: Uint8Array;
  /** The device's pinned memory that contains it. */
  readonly pinned: CudaHostMemory | undefined;
  /**
   * Its bytes when the copy runs.
   * @throws CudaError INVALID_ARGUMENT if the memory was transferred or resized meanwhile
   */
  readonly still: () => Uint8Array;
}

/** A buffer, and an address in it. */
export interface DeviceEnd {
  readonly buffer: CudaBuffer;
  readonly address: bigint;
}

/** @throws CudaError INVALID_ARGUMENT for detached memory */
export function hostEnd(what: string, value: ArrayBufferView | ArrayBuffer, device: CudaDevice): HostEnd {
  const bytes = hostBytes(what, value);
  const { length } = bytes;
  return {
    bytes,
    pinned: pinnedOf(bytes.buffer, device),
    still: () => {
      const now = hostBytes(what, value);
      if (now.length === length) return now;
      throw refuse(`expected a ${what} of ${length} bytes still, found ${now.length}`);
    },
  };
}

/** Copies to a device; fulfilled when the bytes have arrived. */
export async function copyIn(to: DeviceEnd, host: HostEnd, stream: CudaStream): Promise<void> {
  const { bytes, pinned } = host;
  if (bytes.length === 0) return;
  const { queue } = stream;
  if (pinned !== undefined) {
    const address = pinned.address + BigInt(bytes.byteOffset);
    const slots = [to.address, address, bytes.length, queue.handle];
    await copyPinned("cuMemcpyHtoDAsync", slots, to, pinned, stream);
    return;
  }
  await inPieces(to, bytes.length, queue, (address, at, length) => {
    const payload = bytes.subarray(at, at + length);
    return queue.connection.request("copyIn", [address, queue.handle], { payload, queue });
  });
}

/** Copies from a device; fulfilled when the bytes are in host memory. */
export async function copyOut(from: DeviceEnd, host: HostEnd, stream: CudaStream): Promise<void> {
  const { bytes, pinned } = host;
  if (bytes.length === 0) return;
  const { queue } = stream;
  if (pinned !== undefined) {
    const address = pinned.address + BigInt(bytes.byteOffset);
    const slots = [address, from.address, bytes.length, queue.handle];
    await copyPinned("cuMemcpyDtoHAsync", slots, from, pinned, stream);
    return;
  }
  await inPieces(from, bytes.length, queue, async (address, at, length) => {
    const { payload } = await queue.connection.request("copyOut", [address, length, queue.handle], { queue });
    host.still().set(payload!, at);
  });
}

/** Copies in pieces through the device's thread; fulfilled when all pieces are done. */
async function inPieces(
  { buffer, address }: DeviceEnd,
  byteLength: number,
  queue: Queue,
  copy: (address: bigint, at: number, length: number) => Promise<unknown>,
): Promise<void> {
  checkNotCaptured(queue);
  const pieces: Promise<unknown>[] = [];
  for (let at = 0; at < byteLength; at += PIECE) {
    pieces.push(copy(address + BigInt(at), at, Math.min(PIECE, byteLength - at)));
    queue.begin();
  }
  const work = queue.last;
  buffer.useOn(queue);
  await Promise.all(pieces);
  queue.reached(work);
  queue.throwFailure();
}

async function copyPinned(
  operation: string,
  slots: readonly (bigint | number)[],
  { buffer }: DeviceEnd,
  pinned: CudaHostMemory,
  stream: CudaStream,
): Promise<void> {
  const { queue } = stream;
  queue.connection.post(operation, slots, queue.begin());
  use(buffer, queue);
  use(pinned, queue);
  if (queue.capture !== undefined) return;
  await queue.passed();
  queue.throwFailure();
}

/** @throws CudaError INVALID_ARGUMENT */
function hostBytes(what: string, value: ArrayBufferView | ArrayBuffer): Uint8Array {
  try {
    return ArrayBuffer.isView(value)
      ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
      : new Uint8Array(value);
  } catch (cause) {
    throw refuse(`expected a ${what} with memory, found a detached one`, cause);
  }
}
