// Corrupt kernel files are refused: altered, truncated, and well-formed ones with wrong content.

import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import { readKernelFile, writeKernelFile } from "../../src/kernel-file/index.js";
import { FULL, handmade, refusal, stackTable, textWords } from "../support/kernel-files.js";

const { types: _, ...small } = FULL;
const bytes = writeKernelFile({ ...small, stack: { ...FULL.stack!, table: stackTable.fingerprint } });

describe("damage", () => {
  it("of any bit is detected, not after its place", () => {
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const altered = bytes.slice();
      altered[bit >> 3]! ^= 1 << (bit & 7);
      const { code, offset } = refusal(altered);
      expect(code, `bit ${bit}`).toBe(bit < 12 * 8 ? "FILE_FORMAT" : "FILE_CHECKSUM");
      expect(offset, `bit ${bit}`).toBeLessThanOrEqual(bit >> 3);
    }
  });

  it("by truncation anywhere is detected, with the place where the file ends", () => {
    for (let length = 0; length < bytes.length; length++) {
      const { code, offset } = refusal(bytes.subarray(0, length));
      expect(code, `${length} bytes`).toBe("FILE_TRUNCATED");
      expect(offset).toBe(length);
    }
  });

  it("by extra bytes at the end is detected", () => {
    for (const more of [1, 3, 4, 100]) {
      expect(refusal(Uint8Array.of(...bytes, ...new Uint8Array(more)))).toMatchObject({
        code: "FILE_FORMAT",
        message: `expected the end of the file, found more bytes (byte ${bytes.length})`,
      });
    }
  });

  it("of any bytes is detected", () => {
    let state = 1;
    const below = (count: number) => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return (state >>> 8) % count;
    };
    for (let round = 0; round < cases(2000); round++) {
      const altered = bytes.slice();
      for (let flips = 1 + below(3); flips > 0; flips--) altered[below(bytes.length)]! ^= 1 + below(255);
      if (Buffer.compare(altered, bytes) === 0) continue;
      expect(refusal(altered).code).toMatch(/^FILE_/);
    }
  });
});

describe("files with valid checksums", () => {
  const magic = [0x4b4d4d89, 0x0a0d4e52, 1];
  const file = (json: string, programs: readonly number[] = [], text: readonly number[] = textWords("ptx")) =>
    handmade(magic, ["HEAD", textWords(json)], ["TEXT", text], ["PROG", programs]);
  const part = (inner: object) => JSON.stringify({ stack: { table: "0".repeat(64), jobs: [], ...inner } });

  it("may be made by hand", () => {
    const jobs = [{ site: "f", job: { registers: [], requests: [] }, programs: [1, 0] }];
    const made = readKernelFile(
      file(part({ jobs, routines: [2], limits: { maxAstSize: null } }), [1, 2, 3, 4, 5, 6]),
    );
    expect(made.ptx).toBe("ptx");
    expect(made.stack!.limits).toEqual({ maxAstSize: Number.POSITIVE_INFINITY });
    expect(made.stack!.routines).toEqual([Uint32Array.of(1, 2, 3, 4)]);
    expect(made.stack!.jobs[0]!.programs).toEqual([Uint32Array.of(5, 6), Uint32Array.of()]);
  });

  it.each<[string, Uint8Array]>([
    ["expected a kernel file, found other bytes (byte 0)", handmade([1, 2, 3])],
    ["expected a kernel file, found other bytes (byte 0)", new TextEncoder().encode("hello")],
    ["expected version 1, found 2 (byte 8)", handmade([...magic.slice(0, 2), 2])],
    ["expected block HEAD, found kind 0x54584554 (byte 12)", handmade(magic, ["TEXT", textWords("")])],
    [
      "expected block PROG, found kind 0x54584554",
      handmade(magic, ["HEAD", textWords("{}")], ["TEXT", textWords("")], ["TEXT", []]),
    ],
    [
      "expected the length of a text that takes 0 bytes with its padding, found 1 (byte 24)",
      handmade(magic, ["HEAD", [1]], ["TEXT", textWords("")], ["PROG", []]),
    ],
    ["found undefined (byte 24)", handmade(magic, ["HEAD", []], ["TEXT", textWords("")], ["PROG", []])],
    ["expected zeros after a text, found other bytes", file("{}", [], [1, 0x6161])],
    ["expected text in UTF-8, found other bytes", file("{}", [], [1, 0xff])],
    ["expected JSON, found other text (byte 24)", file("{")],
    ["expected an object, found null (byte 24)", file("null")],
    ["unknown property `ptx`: expected one of", file('{"ptx":""}')],
    ["option `arch`: expected a string, found 7", file('{"arch":7}')],
    [
      "option `stack.routines[0]`: expected a whole number from 0 to 33554432, found -1",
      file(part({ routines: [-1] })),
    ],
    ["expected at least 4 words of programs, found 2", file(part({ routines: [2] }), [1, 0])],
    ["expected 0 words of programs, found 2", file("{}", [1, 0])],
  ])("are refused: %s", (message, made) => {
    const error = refusal(made);
    expect(error.code).toBe("FILE_FORMAT");
    expect(error.message).toContain(message);
  });

  it("are refused for a length that no block has", () => {
    for (const length of [3, 2 ** 28 + 4]) {
      const start = Uint32Array.of(...magic, 0x44414548, length, 0, 0);
      start[5] = crc32(new Uint8Array(start.buffer, 0, 20));
      expect(refusal(new Uint8Array(start.buffer)).message).toContain(
        `expected a multiple of 4 up to 268435456 as the length of a block, found ${length} (byte 16)`,
      );
    }
  });

  it("are refused unless they are bytes", () => {
    expect(() => readKernelFile("x" as never)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });
});
