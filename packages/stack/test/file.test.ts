// Program files: what goes in comes out, in memory and in chunks, and no other file is taken for one.
import { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { cases } from "../../../tests/support/counts.js";
import {
  type ByteSource,
  input,
  openProgramFile,
  readProgramFile,
  register,
  StackCompiler,
  StackProgram,
  StackPtxError,
  streamProgramFile,
  writeProgramFile,
} from "../src/index.js";
import {
  BASE_TABLE,
  FILE_TABLE,
  fileOf,
  fingerprintOf,
  HEADER,
  handmade,
  joined,
  OTHER_TABLE,
  randomPrograms,
} from "./support/files.js";
import { Random, runSeed } from "./support/random.js";
import { complaint, F32, SMALL_TABLE } from "./support/small-table.js";

const programs = randomPrograms(new Random(7), 40, 30);
const wordsOf = (list: Iterable<StackProgram>) => Array.from(list, ({ words }) => Array.from(words));

async function* inChunks(bytes: Uint8Array, size: () => number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(bytes.length, at + size());
    yield bytes.subarray(at, end);
    at = end;
  }
}

/** The programs that arrive, and the error that ends them. */
async function arrivals(source: ByteSource): Promise<{ programs: StackProgram[]; error: unknown }> {
  const arrived: StackProgram[] = [];
  try {
    for await (const program of await openProgramFile(source, FILE_TABLE)) arrived.push(program);
  } catch (error) {
    return { programs: arrived, error };
  }
  return { programs: arrived, error: undefined };
}

function refusal(bytes: Uint8Array, table = FILE_TABLE): StackPtxError {
  try {
    readProgramFile(bytes, table);
  } catch (error) {
    if (error instanceof StackPtxError) return error;
    throw error;
  }
  throw new Error("expected the file to be refused");
}

describe("a program file", () => {
  const bytes = fileOf(programs);

  it("gives back header and programs", () => {
    const file = readProgramFile(bytes, FILE_TABLE);
    expect(file.fingerprint).toBe(FILE_TABLE.fingerprint);
    expect(file.registers).toEqual(HEADER.registers);
    expect(file.requests).toEqual(HEADER.requests);
    expect(wordsOf(file.routines)).toEqual(wordsOf(HEADER.routines));
    expect(wordsOf(file.programs)).toEqual(wordsOf(programs));
  });

  it("gives what a compile takes", () => {
    const made = fileOf([StackProgram.of(input(0))], { ...HEADER, requests: [2] });
    const { registers, requests, routines, programs } = readProgramFile(made, FILE_TABLE);
    const compiler = new StackCompiler(FILE_TABLE, { routines });
    expect(compiler.compile(programs[0]!, { registers, requests })).toBe(
      "\t{\n\tmov.f32 %a_long_name, %x;\n\t}",
    );
  });

  it("may be empty", () => {
    expect(readProgramFile(joined([...writeProgramFile(FILE_TABLE, {}, [])]), FILE_TABLE)).toEqual({
      fingerprint: FILE_TABLE.fingerprint,
      registers: [],
      requests: [],
      routines: [],
      programs: [],
    });
  });

  it("is laid out as the document says", () => {
    const { routines, ...header } = HEADER;
    const one = StackProgram.of(input(5));
    expect(fileOf([one, StackProgram.of()], { ...header, routines: [one] })).toEqual(
      handmade(
        [0x504d4d89, 0x0a0d5854, 1],
        [
          "HEAD",
          [
            ...[
              0x67452301, 0xefcdab89, 0x67452301, 0xefcdab89, 0x67452301, 0xefcdab89, 0x67452301, 0xefcdab89,
            ],
            ...[3, 0x10000, 0x78, 0x50001, 0x2e646974, 0x78, 0xb0000, 0x6f6c5f61, 0x6e5f676e, 0x656d61],
            ...[3, 2, 0, 2],
            ...[1, 1, 3, 5],
          ],
        ],
        ["PROG", [2, 1, 0, 3, 5]],
        ["DONE", [2, 0]],
      ),
    );
    expect(Buffer.from(bytes.subarray(0, 8)).toString("latin1")).toBe("\x89MMPTX\r\n");
  });

  it("is read where it lies, as views when it is aligned", () => {
    expect(readProgramFile(bytes, FILE_TABLE).programs[3]!.words.buffer).toBe(bytes.buffer);
    for (let offset = 1; offset < 4; offset++) {
      const moved = new Uint8Array(bytes.length + 4).subarray(offset, offset + bytes.length);
      moved.set(bytes);
      expect(wordsOf(readProgramFile(moved, FILE_TABLE).programs)).toEqual(wordsOf(programs));
    }
  });

  it("is accepted by the table it was made for and by those that extend it", () => {
    const made = fileOf(programs, HEADER, BASE_TABLE);
    expect(readProgramFile(made, BASE_TABLE).programs).toHaveLength(programs.length);
    expect(readProgramFile(made, FILE_TABLE).fingerprint).toBe(BASE_TABLE.fingerprint);
    const { code, message, file } = refusal(made, OTHER_TABLE);
    expect(code).toBe("FILE_TABLE");
    expect(message).toBe(
      `expected a file for table ${fingerprintOf("c")} or one that it extends, found one for ${fingerprintOf("b")} (byte 24)`,
    );
    expect(file).toEqual({ offset: 24, program: undefined });
  });

  it("is written in blocks that do not hold the programs they were made of", () => {
    const words = new Uint32Array(2000);
    let made = 0;
    function* changing(): Generator<StackProgram> {
      for (; made < 100; made++) yield StackProgram.fromWords(words.fill(made));
    }
    const chunks = writeProgramFile(FILE_TABLE, HEADER, changing());
    const first = chunks.next().value!;
    expect(made).toBe(0);
    const second = chunks.next().value!;
    expect(made).toBeLessThan(20);
    const file = readProgramFile(joined([first, second, ...chunks]), FILE_TABLE);
    file.programs.forEach((program, index) => {
      expect(new Set(program.words)).toEqual(new Set([index]));
    });
    expect(file.programs).toHaveLength(100);
  });

  it("holds long programs, and many short ones, in several blocks", () => {
    const long = StackProgram.fromWords(new Uint32Array(200_000).fill(3));
    const many = [long, ...Array.from({ length: 40_000 }, () => StackProgram.of()), long, ...programs];
    const chunks = [...writeProgramFile(FILE_TABLE, HEADER, many)];
    expect(chunks.length).toBeGreaterThan(4);
    const read = readProgramFile(joined(chunks), FILE_TABLE);
    expect(read.programs).toHaveLength(many.length);
    expect(read.programs.every((program, index) => program.equals(many[index]!))).toBe(true);
  });
});

describe("a stream", () => {
  it("is the same bytes, and gives the same programs", async () => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of streamProgramFile(FILE_TABLE, HEADER, Readable.from(programs))) {
      chunks.push(chunk);
    }
    expect(joined(chunks)).toEqual(fileOf(programs));
    for (const size of [1, 3, 8, 1000, 1e6]) {
      const { programs: arrived, error } = await arrivals(inChunks(joined(chunks), () => size));
      expect(error).toBe(undefined);
      expect(wordsOf(arrived)).toEqual(wordsOf(programs));
    }
  });

  it.each<[string, (bytes: Uint8Array) => ByteSource]>([
    ["Node streams", (bytes) => Readable.from([bytes.subarray(0, 50), bytes.subarray(50)])],
    ["web streams", (bytes) => new Blob([bytes as BlobPart]).stream()],
    ["arrays of chunks", (bytes) => [bytes.subarray(0, 50), new Uint8Array(0), bytes.subarray(50)]],
    [
      "web streams that cannot be iterated",
      (bytes) => {
        const stream = new Blob([bytes as BlobPart]).stream();
        return { getReader: () => stream.getReader() } as ByteSource;
      },
    ],
  ])("comes from %s", async (_, source) => {
    const { programs: arrived, error } = await arrivals(source(fileOf(programs)));
    expect(error).toBe(undefined);
    expect(wordsOf(arrived)).toEqual(wordsOf(programs));
  });

  it("tells its header first, and ends its source when a loop is left or it is closed", async () => {
    let closed = 0;
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        yield* inChunks(fileOf(programs), () => 64);
      } finally {
        closed++;
      }
    }
    const file = await openProgramFile(source(), FILE_TABLE);
    expect(file.registers).toEqual(HEADER.registers);
    for await (const program of file) {
      expect(program.equals(programs[0]!)).toBe(true);
      break;
    }
    expect(closed).toBe(1);
    await expect(file[Symbol.asyncIterator]().next()).rejects.toThrow("expected one loop over the programs");
    await (await openProgramFile(source(), FILE_TABLE)).close();
    expect(closed).toBe(2);
    await expect(openProgramFile(source(), OTHER_TABLE)).rejects.toMatchObject({ code: "FILE_TABLE" });
    expect(closed).toBe(3);
  });

  it("keeps its own copy of what arrives", async () => {
    const bytes = fileOf(programs);
    const buffer = new Uint8Array(100);
    async function* reused(): AsyncGenerator<Uint8Array> {
      for await (const chunk of inChunks(bytes, () => 100)) {
        buffer.set(chunk);
        yield buffer.subarray(0, chunk.length);
      }
    }
    expect(wordsOf((await arrivals(reused())).programs)).toEqual(wordsOf(programs));
  });

  it("says that it was closed, before a loop and in one", async () => {
    const closed = await openProgramFile([fileOf(programs)], FILE_TABLE);
    await closed.close();
    await closed.close();
    await expect(closed[Symbol.asyncIterator]().next()).rejects.toThrow(
      "expected a stream that is open, found one that was closed",
    );
    const stream = await openProgramFile(
      inChunks(fileOf(randomPrograms(new Random(3), 4000, 20)), () => 100),
      FILE_TABLE,
    );
    const loop = stream[Symbol.asyncIterator]();
    await loop.next();
    await stream.close();
    const rest = async (): Promise<void> => {
      while (!(await loop.next()).done);
    };
    await expect(rest()).rejects.toThrow("found one that was closed");
  });

  it("cancels a web stream that cannot be iterated, when the loop is left", async () => {
    const bytes = fileOf(programs);
    let cancelled = 0;
    let at = 0;
    const source: ByteSource = {
      getReader: () => ({
        read: async () => ({ done: at >= bytes.length, value: bytes.subarray(at, ++at) }),
        cancel: async () => cancelled++,
      }),
    };
    for await (const _ of await openProgramFile(source, FILE_TABLE)) break;
    expect(cancelled).toBe(1);
  });

  it("tells the first error, not that of a source that will not end", async () => {
    const bytes = fileOf(randomPrograms(new Random(3), 4000, 20));
    const altered = (at: number): ByteSource => {
      const chunks = inChunks(
        bytes.map((byte, index) => (index === at ? byte ^ 1 : byte)),
        () => 1000,
      );
      const return_ = async (): Promise<never> => {
        throw new Error("will not end");
      };
      return { [Symbol.asyncIterator]: () => ({ next: () => chunks.next(), return: return_ }) };
    };
    expect((await arrivals(altered(20))).error).toMatchObject({ code: "FILE_CHECKSUM" });
    const { programs: arrived, error } = await arrivals(altered(bytes.length - 2000));
    expect(arrived.length).toBeGreaterThan(100);
    expect(error).toMatchObject({ code: "FILE_CHECKSUM" });
    // Where the file is not to blame the source's own error is told, and after the last byte there is nothing to end.
    const left = async (): Promise<void> => {
      for await (const _ of await openProgramFile(altered(-1), FILE_TABLE)) break;
    };
    await expect(left()).rejects.toThrow("will not end");
    expect((await arrivals(altered(-1))).error).toBeUndefined();
  });

  it("passes on what its source throws", async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield fileOf(programs).subarray(0, 100);
      throw new Error("the disk is gone");
    }
    expect((await arrivals(failing())).error).toEqual(new Error("the disk is gone"));
  });
});

describe("damage", () => {
  const small = fileOf(programs.slice(0, 4));

  it("of any bit is found", () => {
    for (let bit = 0; bit < small.length * 8; bit++) {
      const altered = small.slice();
      altered[bit >> 3]! ^= 1 << (bit & 7);
      const { code, file } = refusal(altered);
      expect(code, `bit ${bit}`).toBe(bit < 12 * 8 ? "FILE_FORMAT" : "FILE_CHECKSUM");
      expect(file!.offset, `bit ${bit}`).toBeLessThanOrEqual(bit >> 3);
    }
  });

  it("by a cut anywhere is found, with the place where the file ends", () => {
    for (let length = 0; length < small.length; length++) {
      const { code, file } = refusal(small.subarray(0, length));
      expect(code, `${length} bytes`).toBe("FILE_TRUNCATED");
      expect(file!.offset).toBe(length);
    }
  });

  it("by more bytes at the end is found", () => {
    expect(refusal(joined([small, Uint8Array.of(0)]))).toMatchObject({
      code: "FILE_FORMAT",
      message: `expected the end of the file, found more bytes (byte ${small.length})`,
    });
  });

  it("by blocks that are left out, repeated, exchanged or of another file is found", () => {
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

  it("never lets an altered program through, however the bytes arrive", { timeout: 900_000 }, async () => {
    const seed = runSeed();
    const random = new Random(seed);
    const many = randomPrograms(random, 1500, 60);
    const bytes = fileOf(many);
    for (let round = 0; round < cases(400); round++) {
      const altered = bytes.slice();
      for (let flips = random.between(1, 3); flips > 0; flips--) {
        altered[random.below(bytes.length)]! ^= random.between(1, 255);
      }
      const cut = random.once(3) ? random.below(bytes.length) : bytes.length;
      const source = inChunks(altered.subarray(0, cut), () => random.between(1, 50_000));
      const { programs: arrived, error } = await arrivals(source);
      if (!(error instanceof StackPtxError)) {
        // Changes of one byte may cancel each other out.
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

  it("of random bytes is found", () => {
    const random = new Random(runSeed());
    for (let round = 0; round < cases(2000); round++) {
      const bytes = Uint8Array.from(random.list(random.below(100), () => random.below(256)));
      if (random.once(2)) bytes.set(small.subarray(0, Math.min(12, bytes.length)));
      expect(refusal(bytes).code).toMatch(/^FILE_/);
    }
  });
});

describe("files whose checksums fit", () => {
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
    ["expected 1 more words in the block, found 0 (byte 60)", headed(0xffffffff)],
    ["expected 16384 more words in the block, found 2 (byte 64)", headed(1, 0xffff0000, 0, 0)],
    ["expected a stack below 2, found 2 (byte 60)", headed(1, 0x10002, 0x78, 0, 0)],
    ["expected a register name without `%`, found `%` (byte 60)", headed(1, 0x10000, 0x25, 0, 0)],
    [
      "expected zeros behind the name of a register, found other bytes (byte 60)",
      headed(1, 0x10000, 0x7878, 0, 0),
    ],
    ["expected the index of a register below 0, found 0 (byte 64)", headed(0, 1, 0, 0)],
    ["expected 4294967295 more words in the block, found 0 (byte 68)", headed(0, 0, 0xffffffff)],
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

  /** A file that begins with a header block of a given length, of which nothing follows. */
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

  it("take no more memory than arrives, however long their blocks claim to be", async () => {
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

  it("make programs of a block when they are asked for, not all at once", async () => {
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

describe("arguments", () => {
  const drain = (header: object, list: unknown = [], table = FILE_TABLE) =>
    [...writeProgramFile(table, header, list as StackProgram[])].length;

  it.each<[string, () => unknown]>([
    ["expected a Stack PTX table, found null", () => drain({}, [], null as never)],
    ["expected a table with a fingerprint of 64 hex digits, found ``", () => drain({}, [], SMALL_TABLE)],
    [
      "expected a table with a fingerprint of 64 hex digits, found ``",
      () => readProgramFile(fileOf([]), SMALL_TABLE),
    ],
    ["expected options as an object, found null", () => drain(null as never)],
    [
      "expected at most 33554431 instructions as program 0, found 33554432",
      () => drain({}, [StackProgram.fromWords(new Uint32Array(2 ** 26))]),
    ],
    ["unknown option `request`, did you mean `requests`?", () => drain({ request: [] })],
    ["expected `registers` as an array, found 5", () => drain({ registers: 5 })],
    ["expected the index of a register as `requests[0]`, found 0", () => drain({ requests: [0] })],
    [
      "expected the index of a register as `requests[1]`, found 0.5",
      () => drain({ registers: [register("x", F32)], requests: [0, 0.5] }),
    ],
    [
      "expected a stack of the table for register `x`, found 2",
      () => drain({ registers: [register("x", 2)] }),
    ],
    [
      "expected register names of at most 65535 letters, found 65536",
      () => drain({ registers: [register("x".repeat(65536), F32)] }),
    ],
    ["expected a register name without `%`, found undefined", () => drain({ registers: [null] })],
    ["expected a register name without `%`, found undefined", () => drain({ registers: new Array(2) })],
    [
      "expected the index of a register as `requests[0]`, found undefined",
      () => drain({ registers: [register("x", F32)], requests: new Array(2) }),
    ],
    ["expected a StackProgram as routine 0, found undefined", () => drain({ routines: new Array(1) })],
    ["expected a StackProgram as routine 0, found an array", () => drain({ routines: [[]] })],
    ["expected a StackProgram as program 1, found undefined", () => drain({}, [programs[0], undefined])],
    ["expected programs one after the other, found an object of StackProgram", () => drain({}, programs[0])],
    ["expected programs one after the other, found null", () => drain({}, null)],
    [
      "expected a program file as a Uint8Array, found an array",
      () => readProgramFile([] as never, FILE_TABLE),
    ],
  ])("refuse: %s", (message, run) => {
    expect(complaint(run)).toBe(`INVALID_VALUE: ${message}`);
  });

  it.each<[string, unknown]>([
    ["expected chunks of a file one after the other, found `text`", "text"],
    ["expected chunks of a file one after the other, found null", null],
    ["expected chunks of a file one after the other, found an object of Uint8Array", new Uint8Array(3)],
    ["expected chunks that are Uint8Arrays, found `text`", ["text"]],
    ["expected chunks that are Uint8Arrays, found 7", [7]],
  ])("refuse a source: %s", async (message, source) => {
    await expect(openProgramFile(source as ByteSource, FILE_TABLE)).rejects.toMatchObject({
      code: "INVALID_VALUE",
      message,
    });
  });
});
