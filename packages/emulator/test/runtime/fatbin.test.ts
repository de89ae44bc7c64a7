// Fatbins as nvcc writes them: entries that are stored, compressed by LZ4 and by Zstandard, and what runs of them.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import { CudaError } from "../../src/runtime/cuda-errors.js";
import { readImage } from "../../src/runtime/fatbin.js";

const PTX = 1;
const MACHINE_CODE = 2;

interface Entry {
  readonly kind?: number;
  readonly capability?: number;
  readonly flags?: number;
  readonly stored: Uint8Array;
  readonly fullBytes?: number;
}

const text = (words: string): Uint8Array => new TextEncoder().encode(`${words}\0`);

/** A block of literals, which are at most 15 + 254 bytes. */
function lz4(bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  return Uint8Array.from(length < 15 ? [length << 4, ...bytes] : [0xf0, length - 15, ...bytes]);
}

/** A frame of one block that is stored (RFC 8878, 3.1.1). */
function zstd(bytes: Uint8Array): Uint8Array {
  const block = (bytes.length << 3) | 1;
  return Uint8Array.from([
    0x28,
    0xb5,
    0x2f,
    0xfd,
    0x20,
    bytes.length,
    block & 255,
    block >> 8,
    block >> 16,
    ...bytes,
  ]);
}

function fatbin(...entries: readonly Entry[]): Buffer {
  const parts = entries.map(({ kind = PTX, capability = 90, flags = 0x11, stored, fullBytes = 0 }, index) => {
    // Headers can have room for options and a name.
    const header = new DataView(new ArrayBuffer(64 + 8 * index));
    header.setUint16(0, kind, true);
    header.setUint32(4, header.byteLength, true);
    header.setBigUint64(8, BigInt((stored.length + 7) & ~7), true);
    if (fullBytes > 0) header.setUint32(16, stored.length, true);
    header.setUint32(28, capability, true);
    header.setBigUint64(40, BigInt(flags), true);
    header.setBigUint64(56, BigInt(fullBytes), true);
    const padding = new Uint8Array(((stored.length + 7) & ~7) - stored.length);
    return [...new Uint8Array(header.buffer), ...stored, ...padding];
  });
  const content = parts.flat();
  const start = new DataView(new ArrayBuffer(16));
  start.setUint32(0, 0xba55ed50, true);
  start.setUint16(4, 1, true);
  start.setUint16(6, 16, true);
  start.setBigUint64(8, BigInt(content.length), true);
  return Buffer.from([...new Uint8Array(start.buffer), ...content]);
}

describe("a fatbin", () => {
  it.each([
    ["as it is", 0, (bytes: Uint8Array) => bytes],
    ["by LZ4", 0x2000, lz4],
    ["by Zstandard", 0x8000, zstd],
  ])("has PTX that is stored %s", (_, flags, store) => {
    const words = ".version 9.0\n.target sm_90\n";
    const fullBytes = flags === 0 ? 0 : words.length + 1;
    const bytes = fatbin(
      { kind: MACHINE_CODE, stored: Uint8Array.of(1, 2, 3) },
      { flags: 0x11 | flags, stored: store(text(words)), fullBytes },
    );
    expect(readImage(bytes, 90)).toEqual({ ptx: words, machineCode: [90] });
  });

  it.each([
    [75, "75"],
    [80, "80"],
    [89, "80"],
    [90, "90a"],
    [100, "90"],
    [120, "120"],
    [70, "75"],
  ])("runs on a device of capability %i as %s", (capability, found) => {
    const plain = [75, 80, 90, 120].map((each) => ({ capability: each, stored: text(`${each}`) }));
    const special = { capability: 90, flags: 0x100011, stored: text("90a") };
    expect(readImage(fatbin(...plain, special), capability).ptx).toBe(found);
  });

  it("can have machine code alone", () => {
    const bytes = fatbin({ kind: MACHINE_CODE, capability: 86, stored: text("") });
    expect(readImage(bytes, 90)).toEqual({ ptx: undefined, machineCode: [86] });
  });

  it.each([
    [{ flags: 0x2011, stored: lz4(text("text")), fullBytes: 9 }, /that can't be decompressed/],
    [{ flags: 0x8011, stored: lz4(text("text")), fullBytes: 5 }, /that can't be decompressed/],
    [{ flags: 0x2011, stored: lz4(text("text")), fullBytes: 2 ** 28 }, /of the wrong size/],
  ])("that is corrupt is refused", (entry, message) => {
    expect(() => readImage(fatbin(entry), 90)).toThrow(message);
  });

  it("with any bytes changed is read, or refused", () => {
    const words = text(".version 9.0\n.target sm_90\n.address_size 64\n");
    const whole = [
      { stored: words },
      { flags: 0x2011, stored: lz4(words), fullBytes: words.length },
      { flags: 0x8011, stored: zstd(words), fullBytes: words.length },
    ].map((entry) => fatbin(entry));
    fc.assert(
      fc.property(
        fc.constantFrom(...whole),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1 }),
        fc.nat(),
        (original, changes, missing) => {
          const bytes = Buffer.from(original.subarray(0, original.length - (missing % original.length)));
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          try {
            readImage(bytes, 90);
          } catch (error) {
            expect(error).toBeInstanceOf(CudaError);
          }
        },
      ),
      { numRuns: cases(10_000) },
    );
  });
});
