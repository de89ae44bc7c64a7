import { createHash } from "node:crypto";
import { kernelCase, numbers } from "../../support/kernel-case.js";

const next = numbers(32);
const messages = Array.from({ length: 20 }, () => Uint8Array.from({ length: next(56) }, () => next(256)));
const padded = messages.flatMap((message) => {
  const block = new Uint8Array(64);
  block.set(message);
  block[message.length] = 0x80;
  new DataView(block.buffer).setUint32(60, 8 * message.length);
  return [...block];
});

export default kernelCase({
  buffers: { blocks: Uint8Array.from(padded), digests: new Uint8Array(20 * 32) },
  launches: [
    {
      kernel: "sha256",
      grid: 1,
      block: 32,
      args: [{ buffer: "blocks" }, { buffer: "digests" }, { s32: 20 }],
    },
  ],
  expected: {
    digests: Uint8Array.from(
      messages.flatMap((message) => [...createHash("sha256").update(message).digest()]),
    ),
  },
});
