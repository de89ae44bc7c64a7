// Program files in memory: reading returns what was written, and nothing wrong is written.
import { describe, expect, it } from "vitest";
import {
  type ByteSource,
  input,
  openProgramFile,
  readProgramFile,
  register,
  StackCompiler,
  StackProgram,
  writeProgramFile,
} from "../../src/index.js";
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
  refusal,
  wordsOf,
} from "../support/files.js";
import { Random } from "../support/random.js";
import { complaint, F32, SMALL_TABLE } from "../support/small-table.js";

const programs = randomPrograms(new Random(7), 40, 30);

describe("a program file", () => {
  const bytes = fileOf(programs);

  it("returns header and programs", () => {
    const file = readProgramFile(bytes, FILE_TABLE);
    expect(file.fingerprint).toBe(FILE_TABLE.fingerprint);
    expect(file.registers).toEqual(HEADER.registers);
    expect(file.requests).toEqual(HEADER.requests);
    expect(wordsOf(file.routines)).toEqual(wordsOf(HEADER.routines));
    expect(wordsOf(file.programs)).toEqual(wordsOf(programs));
  });

  it("returns what a compile needs", () => {
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

  it("has the layout that the document describes", () => {
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

  it("is read in place, as views if it is aligned", () => {
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

  it("is written in blocks that are independent of the programs they were made of", () => {
    const words = new Uint32Array(2000);
    let made = 0;
    function* changing(): Generator<StackProgram> {
      for (; made < 100; made++) yield StackProgram.fromWords(words.fill(3 + 65536 * made));
    }
    const chunks = writeProgramFile(FILE_TABLE, HEADER, changing());
    const first = chunks.next().value!;
    expect(made).toBe(0);
    const second = chunks.next().value!;
    expect(made).toBeLessThan(20);
    const file = readProgramFile(joined([first, second, ...chunks]), FILE_TABLE);
    file.programs.forEach((program, index) => {
      expect(new Set(program.words)).toEqual(new Set([3 + 65536 * index]));
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
    [
      "expected an integer from 0 to 65536 as the number of `routines`, found 65537",
      () => drain({ routines: new Array(2 ** 16 + 1).fill(StackProgram.of()) }),
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
      "expected register names of at most 65535 characters, found 65536",
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
    ["expected an iterable of programs, found an object of StackProgram", () => drain({}, programs[0])],
    ["expected an iterable of programs, found null", () => drain({}, null)],
    [
      "expected a program file as a Uint8Array, found an array",
      () => readProgramFile([] as never, FILE_TABLE),
    ],
  ])("refuse: %s", (message, run) => {
    expect(complaint(run)).toBe(`INVALID_ARGUMENT: ${message}`);
  });

  it.each<[string, unknown]>([
    ["expected an iterable of chunks, found `text`", "text"],
    ["expected an iterable of chunks, found null", null],
    ["expected an iterable of chunks, found an object of Uint8Array", new Uint8Array(3)],
    ["expected chunks that are Uint8Arrays, found `text`", ["text"]],
    ["expected chunks that are Uint8Arrays, found 7", [7]],
  ])("refuse a source: %s", async (message, source) => {
    await expect(openProgramFile(source as ByteSource, FILE_TABLE)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message,
    });
  });
});
