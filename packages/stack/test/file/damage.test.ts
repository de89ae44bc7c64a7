// Corrupt program files are refused: altered, truncated, and well-formed ones with wrong content.
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { openProgramFile, readProgramFile, StackPtxError, writeProgramFile } from "../../src/index.js";
import {
  arrivals,
  FILE_TABLE,
  fileOf,
  HEADER,
  handmade,
  inChunks,
  joined,
  randomPrograms,
  refusal,
  wordsOf,
} from "../support/files.js";
import { Random, runSeed } from "../support/random.js";

const programs = randomPrograms(new Random(7), 40, 30);

describe("damage", () => {
  const small = fileOf(programs.slice(0, 4));

  it("of any bit is detected", () => {
    for (let bit = 0; bit < small.length * 8; bit++) {
      const altered = small.slice();
      altered[bit >> 3]! ^= 1 << (bit & 7);
      const { code, file } = refusal(altered);
      expect(code, `bit ${bit}`).toBe(bit < 12 * 8 ? "FILE_FORMAT" : "FILE_CHECKSUM");
      expect(file!.offset, `bit ${bit}`).toBeLessThanOrEqual(bit >> 3);
    }
  });

  it("by truncation anywhere is detected, with the place where the file ends", () => {
    for (let length = 0; length < small.length; length++) {
      const { code, file } = refusal(small.subarray(0, length));
      expect(code, `${length} bytes`).toBe("FILE_TRUNCATED");
      expect(file!.offset).toBe(length);
    }
  });

  it("by extra bytes at the end is detected", () => {
    expect(refusal(joined([small, Uint8Array.of(0)]))).toMatchObject({
      code: "FILE_FORMAT",
      message: `expected the end of the file, found more bytes (byte ${small.length})`,
    });
  });

  it("by blocks that are missing, repeated, exchanged or of another file is detected", () => {
    const many = randomPrograms(new Random(3), 3000, 40);
    const [head, first, second, ...rest] = [...writeProgramFile(FILE_TABLE, HEADER, many)];
    const others = [...writeProgramFile(FILE_TABLE, HEADER, many.toReversed())];
    expect(rest.length).toBeGreaterThan(1);
    for (const chunks of [
      [head!, second!, ...rest],
      [head!, first!, first!, second!, ...rest],
      [head!, second!, first!, ...rest],
      [head!, first!, others[2]!, ...rest],
      [head!, first!, second!, ...rest.slice(0, -1), others.at(-1)!],
    ]) {
      expect(refusal(joined(chunks)).code).toBe("FILE_CHECKSUM");
    }
  });

  it("never yields an altered program, however the bytes arrive", { timeout: 900_000 }, async () => {
    const seed = runSeed();
    const random = new Random(seed);
    const many = randomPrograms(random, 1500, 60);
    const bytes = fileOf(many);
    for (let round = 0; round < smoke(400); round++) {
      const altered = bytes.slice();
      for (let flips = random.between(1, 3); flips > 0; flips--) {
        altered[random.below(bytes.length)]! ^= random.between(1, 255);
      }
      const cut = random.once(3) ? random.below(bytes.length) : bytes.length;
      const source = inChunks(altered.subarray(0, cut), () => random.between(1, 50_000));
      const { programs: arrived, error } = await arrivals(source);
      if (!(error instanceof StackPtxError)) {
        // Several changes may cancel each other out.
        expect(error, `seed ${seed}`).toBe(undefined);
        expect(altered.subarray(0, cut), `seed ${seed}`).toEqual(bytes);
        continue;
      }
      expect(error.code, `seed ${seed}`).toMatch(/^FILE_/);
      expect(error.file!.program ?? 0, `seed ${seed}`).toBe(arrived.length);
      expect(
        arrived.every((program, index) => program.equals(many[index]!)),
        `seed ${seed}`,
      ).toBe(true);
    }
  });

  it("by random bytes is detected", () => {
    const random = new Random(runSeed());
    for (let round = 0; round < smoke(2000); round++) {
      const bytes = Uint8Array.from(random.list(random.below(100), () => random.below(256)));
      if (random.once(2)) bytes.set(small.subarray(0, Math.min(12, bytes.length)));
      expect(refusal(bytes).code).toMatch(/^FILE_/);
    }
  });
});

describe("files with valid checksums", () => {
  const magic = [0x504d4d89, 0x0a0d5854, 1];
  const fingerprint = new Array<number>(8).fill(0xbbbbbbbb);
  const empty: [string, number[]] = ["HEAD", [...fingerprint, 0, 0, 0]];
  const headed = (...words: number[]) => handmade(magic, ["HEAD", [...fingerprint, ...words]]);

  it("may be made by hand", () => {
    const made = handmade(magic, empty, ["PROG", [1, 1, 3, 5]], ["PROG", [0]], ["DONE", [1, 0]]);
    expect(wordsOf(readProgramFile(made, FILE_TABLE).programs)).toEqual([[3, 5]]);
  });

  it.each<[string, Uint8Array]>([
    ["expected a program file, found other bytes (byte 0)", handmade([1, 2, 3], empty)],
    ["expected a program file, found other bytes (byte 0)", new TextEncoder().encode("hello")],
    ["expected version 1, found 2 (byte 8)", handmade([...magic.slice(0, 2), 2], empty)],
    ["expected a block of a header, found kind 0x474f5250 (byte 12)", handmade(magic, ["PROG", [0]])],
    [
      "expected a block of programs or the end, found kind 0x44414548 (byte 72, program 0)",
      handmade(magic, empty, empty),
    ],
    ["expected 8 more words in the block, found 3 (byte 24)", handmade(magic, ["HEAD", [1, 2, 3]])],
    ["expected 1 more words in the block, found 0 (byte 64)", headed(0, 0)],
    ["expected 1 more words in the block, found 0 (byte 60)", headed(0x10000)],
    ["expected at most 65536 registers, found 65537 (byte 56)", headed(0x10001, 0, 0)],
    ["expected at most 65536 requests, found 4294967295 (byte 60)", headed(0, 0xffffffff, 0)],
    ["expected at most 65536 routines, found 65537 (byte 64)", headed(0, 0, 0x10001, 0)],
    ["expected 16384 more words in the block, found 2 (byte 64)", headed(1, 0xffff0000, 0, 0)],
    ["expected a stack below 2, found 2 (byte 60)", headed(1, 0x10002, 0x78, 0, 0)],
    ["expected a register name without `%`, found `%` (byte 60)", headed(1, 0x10000, 0x25, 0, 0)],
    [
      "expected zeros after the name of a register, found other bytes (byte 60)",
      headed(1, 0x10000, 0x7878, 0, 0),
    ],
    ["expected the index of a register below 0, found 0 (byte 64)", headed(0, 1, 0, 0)],
    ["expected 65536 more words in the block, found 0 (byte 68)", headed(0, 0, 0x10000)],
    ["expected the end of the block, found 1 more words (byte 68)", headed(0, 0, 0, 7)],
    [
      "expected 8589934590 more words in the block, found 2 (byte 92, program 0)",
      handmade(magic, empty, ["PROG", [1, 0xffffffff, 3, 5]]),
    ],
    [
      "expected the end of the block, found 2 more words (byte 92, program 0)",
      handmade(magic, empty, ["PROG", [1, 0, 3, 5]]),
    ],
    [
      "expected 2 programs, found 1 (byte 116, program 1)",
      handmade(magic, empty, ["PROG", [1, 1, 3, 5]], ["DONE", [2, 0]]),
    ],
    [
      "expected 4294967297 programs, found 1 (byte 116, program 1)",
      handmade(magic, empty, ["PROG", [1, 1, 3, 5]], ["DONE", [1, 1]]),
    ],
  ])("are refused: %s", (message, bytes) => {
    expect(refusal(bytes)).toMatchObject({ code: "FILE_FORMAT", message });
  });

  /** The start of a file, up to the header of a block with a given length, without its content. */
  const startOf = (length: number) => {
    const words = Uint32Array.of(...magic, 0x44414548, length, 0);
    words[5] = crc32(new Uint8Array(words.buffer, 0, 20));
    return new Uint8Array(words.buffer);
  };

  it.each([3, 2 ** 28 + 4, 0xfffffffc])("are refused for %d bytes as the length of a block", (length) => {
    expect(refusal(startOf(length))).toMatchObject({
      code: "FILE_FORMAT",
      message: `expected a multiple of 4 up to 268435456 as the length of a block, found ${length} (byte 16)`,
    });
  });

  it("take memory only for the bytes that arrive, however long their blocks claim to be", async () => {
    expect(refusal(startOf(2 ** 28)).code).toBe("FILE_TRUNCATED");
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    async function* source(): AsyncGenerator<Uint8Array> {
      yield startOf(2 ** 28);
      for (let chunk = 0; chunk < 20; chunk++) {
        yield new Uint8Array(1000);
        most = Math.max(most, process.memoryUsage().arrayBuffers - before);
      }
    }
    expect((await arrivals(source())).error).toMatchObject({
      code: "FILE_TRUNCATED",
      file: { offset: 20_024 },
    });
    expect(most).toBeLessThan(2 ** 22);
  });

  it("create the programs of a block on demand, not all at once", async () => {
    const count = 2 ** 20;
    const block: [string, number[]] = ["PROG", [count, ...new Array<number>(count).fill(0)]];
    const bytes = handmade(magic, empty, block, ["DONE", [count, 0]]);
    const loop = (await openProgramFile([bytes], FILE_TABLE))[Symbol.asyncIterator]();
    const before = process.memoryUsage().heapUsed;
    await loop.next();
    // A view takes some 200 bytes.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(50 * count);
    let rest = 0;
    while (!(await loop.next()).done) rest++;
    expect(rest).toBe(count - 1);
  });
});
