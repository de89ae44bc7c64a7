// Program files in chunks give the same bytes and programs, whatever the source does.
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { type ByteSource, openProgramFile, streamProgramFile } from "../../src/index.js";
import {
  arrivals,
  FILE_TABLE,
  fileOf,
  HEADER,
  inChunks,
  joined,
  OTHER_TABLE,
  randomPrograms,
  wordsOf,
} from "../support/files.js";
import { Random } from "../support/random.js";

const programs = randomPrograms(new Random(7), 40, 30);

describe("a stream", () => {
  it("has the same bytes and yields the same programs", async () => {
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

  it("has its header first, and ends its source when a loop is left or it is closed", async () => {
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

  it("throws that it was closed, before and during a loop", async () => {
    const closed = await openProgramFile([fileOf(programs)], FILE_TABLE);
    await closed.close();
    await closed.close();
    await expect(closed[Symbol.asyncIterator]().next()).rejects.toThrow(
      "expected an open stream, found a closed one",
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
    await expect(rest()).rejects.toThrow("found a closed one");
  });

  it("cancels a web stream that is not iterable when the loop is left", async () => {
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

  it("reports the first error, not that of a source that fails to end", async () => {
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
    // If the file is not to blame, the source's own error is reported, and after the last byte there is
    // nothing to end.
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
