// Files that were made to take long to read: the work is counted, and is proportional to the size of the file.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { CubinError, diffMachineCode, inspectCubin, readCubin } from "../../src/index.js";
import { type WrittenSection, writeElf, writeLines, writeSymbols } from "../support/elf.js";
import { workOf } from "../support/work.js";

/** Reads, steps and results for each byte. */
const MOST_WORK = 40;

const [SYMTAB, STRTAB, RELA, NOBITS, REL] = [2, 3, 4, 8, 9];
const [OBJECT, FUNC] = [1, 2];

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const bytesOf = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);
const repeated = (values: readonly number[], count: number): number[] => times(count, () => values).flat();
/** A number of 7 bits a byte, in `bytes` bytes. */
const uleb = (value: number, bytes: number): number[] =>
  times(bytes, (i) => ((value >> (7 * i)) & 0x7f) | (i === bytes - 1 ? 0 : 0x80));

const attributes = (count: number): Uint8Array =>
  bytesOf(...repeated([4, 0x17, 12, 0, 0, 0, 0, 0, 1, 0, 4, 0, 0, 0, 16, 0], count));
const relocations = (count: number): Uint8Array => {
  const bytes = Buffer.alloc(24 * count);
  for (let i = 0; i < count; i++) bytes.writeBigUInt64LE(BigInt(i), 24 * i);
  return bytes;
};
/** A symbol table with its names; the section numbers of both are `table` and `table + 1`. */
const symbolTable = (table: number, names: Uint8Array, symbols: Parameters<typeof writeSymbols>[0]) => [
  { name: ".symtab", type: SYMTAB, link: table + 1, content: writeSymbols(symbols) },
  { name: ".strtab", type: STRTAB, content: names },
];
const longName = (length: number): Uint8Array => Buffer.from(`\0${"n".repeat(length)}\0`, "latin1");
/** Sections 1 to 3: code, and the symbol that relocations of line tables refer to. */
const CODE: readonly WrittenSection[] = [
  { name: ".text.k", content: new Uint8Array(16) },
  ...symbolTable(2, longName(1), [{ name: 1, type: FUNC, section: 1, size: 16 }]),
];
/** Begins a line program; the section's relocations must cover its operand. */
const SET_ADDRESS = [0, 9, 2, 0, 0, 0, 0, 0, 0, 0, 0];
/** Adds a line. */
const NEXT_LINE = 20;

/**
 * What can be made to take long, as files that are `size` times as large as the smallest ones. `k` sections share the
 * bytes of one.
 */
const ATTACKS: Readonly<Record<string, (size: number) => Uint8Array>> = {
  "attributes in many sections": (size) => {
    const content = attributes(8 * size);
    return writeElf([
      { name: ".nv.info.k", content },
      ...times(2 * size, () => ({ name: ".nv.info.k", content: 1 })),
    ]);
  },
  "attributes in many sections that begin one after another": (size) => {
    const bytes = writeElf([
      { name: ".nv.info.k", content: attributes(8 * size) },
      ...times(2 * size, () => ({ name: ".nv.info.k", content: 1 })),
    ]);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const table = Number(view.getBigUint64(40, true));
    for (let i = 0; i < 2 * size; i++) {
      const row = table + 64 * (i + 2);
      view.setBigUint64(row + 24, view.getBigUint64(row + 24, true) + BigInt(16 * (i % (8 * size))), true);
      view.setBigUint64(row + 32, view.getBigUint64(row + 32, true) - BigInt(16 * (i % (8 * size))), true);
    }
    return bytes;
  },
  "line tables in many sections": (size) =>
    writeElf([
      { name: ".debug_line", content: writeLines("d", ["f"], repeated([NEXT_LINE], 64 * size)) },
      ...times(size, () => ({ name: ".debug_line", content: 1 })),
    ]),
  "relocations of many sections for one line table": (size) =>
    writeElf([
      ...CODE,
      { name: ".rela", type: RELA, info: size + 5, content: relocations(size) },
      ...times(size, () => ({ name: ".rela", type: REL, info: size + 5, content: 4 })),
      { name: ".debug_line", content: writeLines("d", ["f"], [NEXT_LINE]) },
    ]),
  "relocations of many sections for the same two line tables": (size) =>
    writeElf([
      ...CODE,
      { name: ".debug_line", content: writeLines("d", ["f"], [NEXT_LINE]) },
      { name: ".debug_line", content: writeLines("d", ["f"], [NEXT_LINE]) },
      ...times(size, (i) => ({ name: ".rela", type: RELA, info: 4 + (i % 2), content: relocations(2) })),
    ]),
  "many line tables with relocations each": (size) =>
    writeElf([
      ...CODE,
      ...times(8 * size, () => ({ name: ".debug_line", content: writeLines("d", ["f"], [NEXT_LINE]) })),
      ...times(8 * size, (i) => ({ name: ".rela", type: RELA, info: i + 4, content: relocations(1) })),
    ]),
  "symbols in one table of many": (size) =>
    writeElf([
      ...symbolTable(
        1,
        longName(3),
        times(3 * size, () => ({ name: 1, type: FUNC, section: 0, size: 0 })),
      ),
      ...times(size, () => ({ name: ".symtab", type: SYMTAB, link: 2, content: 1 })),
    ]),
  "one long name for all sections": (size) =>
    writeElf(
      [
        { name: "n".repeat(64 * size), content: new Uint8Array(1) },
        ...times(size, () => ({ name: "", type: NOBITS, content: 1 })),
      ],
      { namesOverlap: true },
    ),
  "one long name for all symbols": (size) =>
    writeElf(
      symbolTable(
        1,
        longName(64 * size),
        times(2 * size, (i) => ({ name: 1 + (i % 9), type: 0, section: 0, size: 0 })),
      ),
    ),
  "many functions and variables with the same bytes": (size) =>
    writeElf([
      { name: ".text.k", content: new Uint8Array(64 * size) },
      { name: ".nv.global.init", content: new Uint8Array(64 * size) },
      ...symbolTable(
        3,
        longName(1),
        times(4 * size, (i) => ({
          name: 1,
          type: i % 2 === 0 ? FUNC : OBJECT,
          section: 1 + (i % 2),
          size: 64 * size,
        })),
      ),
    ]),
  "a long folder for many files": (size) => {
    const files = times(size, () => "f");
    const program = files.flatMap((_, i) => [4, ...uleb(i + 1, 3), NEXT_LINE]);
    const content = writeLines("d".repeat(64 * size), files, [...SET_ADDRESS, ...program]);
    const relocation = {
      name: ".rela.debug_line",
      type: RELA,
      info: 4,
      content: relocations(70 * size + 99),
    };
    return writeElf([...CODE, { name: ".debug_line", content }, relocation]);
  },
  "opcodes that define a file whose name goes on after them": (size) => {
    const program = repeated([0, 1, 3, 0x6e, 0x6e, 0x6e], 16 * size);
    return writeElf([
      ...CODE,
      { name: ".debug_line", content: writeLines("d", ["f"], [...program, 0, 0, 0, 0]) },
    ]);
  },
  "opcodes with a number that goes on after them": (size) => {
    const program = repeated([0, 1, 0x90, 0x80, 0x80, 0x80], 16 * size);
    return writeElf([...CODE, { name: ".debug_line", content: writeLines("d", ["f"], [...program, 0, 0]) }]);
  },
  "lines that are each inlined into the one before": (size) => {
    const program = times(16 * size, (i) => [0, 4, 0x90, ...uleb(i, 3), NEXT_LINE]).flat();
    return writeElf([
      ...CODE,
      { name: ".debug_line", content: writeLines("d", ["f"], [...SET_ADDRESS, ...program]) },
      { name: ".rela.debug_line", type: RELA, info: 4, content: relocations(64) },
    ]);
  },
  "more sections than the file has room for": (size) =>
    writeElf([{ name: ".text.k", content: new Uint8Array(64 * size) }], { count: 2 ** 40 }),
  "as many sections as the file has room for": (size) =>
    writeElf([{ name: ".text.k", content: new Uint8Array(64 * size) }], { count: 3 }),
  "sections of any size without content": (size) =>
    writeElf([
      { name: ".text.k", content: new Uint8Array(1) },
      ...times(size, () => ({ name: ".nv.shared.k", type: NOBITS, info: 1, content: 1, size: 2 ** 52 })),
    ]),
  "notes whose strings are the rest of the file": (size) => {
    const note = Buffer.alloc(64 * size + 64, 0x6e);
    note.writeUInt32LE(note.length - 24, 4);
    for (let field = 0; field < 6; field++) note.writeUInt32LE(4 * field, 24 + 4 * field);
    note[note.length - 1] = 0;
    return writeElf([
      { name: ".note.nv.tkinfo", type: 7, content: note },
      ...times(size, () => ({ name: ".note.nv.cuinfo", type: 7, content: 1 })),
    ]);
  },
};

/** The work of each function that reads cubins. */
function workFor(bytes: Uint8Array): number {
  const read = (run: () => unknown) => () => {
    try {
      return run();
    } catch (error) {
      if (error instanceof CubinError && error.code === "INVALID_CUBIN") return error.message;
      throw error;
    }
  };
  return Math.max(
    workOf(read(() => inspectCubin(bytes))),
    workOf(read(() => readCubin(bytes))),
    workOf(read(() => diffMachineCode(bytes, bytes))),
  );
}

/** Sections of any kind, some of which have the bytes of an earlier one. */
const mixture = fc
  .array(
    fc.record({
      name: fc.constantFrom(
        ".text.k",
        ".debug_line",
        ".nv.info",
        ".nv.info.k",
        ".symtab",
        ".nv.global",
        ".note.nv.tkinfo",
      ),
      type: fc.constantFrom(1, SYMTAB, STRTAB, RELA, NOBITS, REL, 18),
      link: fc.nat(30),
      info: fc.nat(30),
      own: fc.constantFrom(
        attributes(40),
        relocations(40),
        longName(500),
        writeSymbols(times(20, (i) => ({ name: i, type: 1 + (i % 2), section: i, size: 16 * i }))),
        writeLines(
          "d".repeat(90),
          times(40, () => "f"),
          [...SET_ADDRESS, ...repeated([0, 2, 0x90, 1, NEXT_LINE], 90)],
        ),
        bytesOf(),
      ),
      shared: fc.option(fc.nat(29), { nil: undefined, freq: 3 }),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((parts) =>
    writeElf(
      parts.map(({ own, shared, ...section }, i) => {
        // Only sections before this one that have bytes of their own.
        const whose =
          shared === undefined
            ? -1
            : parts.findLastIndex((part, j) => j < Math.min(i, shared) && part.shared === undefined);
        return { ...section, content: whose === -1 ? own : whose + 1 };
      }),
    ),
  );

describe("sections that overlap", () => {
  const section = (content: Uint8Array | number, size?: number): WrittenSection => ({
    name: ".nv.global.init",
    content,
    ...(size === undefined ? {} : { size }),
  });

  test.each([
    [
      "three sections with the same bytes",
      [section(new Uint8Array(8)), section(1), section(1)],
      "64 to 72",
      "64 to 72",
      64,
    ],
    ["two with the same beginning", [section(new Uint8Array(8)), section(1, 4)], "64 to 68", "64 to 72", 64],
    [
      "one that ends in another",
      [section(new Uint8Array(8), 12), section(new Uint8Array(8))],
      "64 to 76",
      "72 to 80",
      72,
    ],
  ])("%s are refused with their places", (_, sections, first, second, offset) => {
    const found = `section \`.nv.global.init\` at ${first} and section \`.nv.global.init\` at ${second}`;
    expect(() => inspectCubin(writeElf(sections))).toThrow(
      expect.objectContaining({
        code: "INVALID_CUBIN",
        offset,
        message: `expected sections and tables that do not overlap, found ${found} (at byte ${offset})`,
      }),
    );
  });

  test("one over the file header or the section table is refused", () => {
    const bytes = writeElf([section(new Uint8Array(8))]);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const table = Number(view.getBigUint64(40, true));
    for (const [offset, what] of [
      [60, "the file header"],
      [table + 1, "the section table"],
    ] as const) {
      view.setBigUint64(table + 64 + 24, BigInt(offset), true);
      expect(() => inspectCubin(bytes)).toThrow(what);
    }
  });

  test("two with exactly the same bytes, empty ones and those without content are read", () => {
    const sections = [section(new Uint8Array(8)), section(1), section(1, 0), { ...section(1), type: NOBITS }];
    expect(inspectCubin(writeElf(sections)).sections).toHaveLength(5);
  });
});

describe("the work for reading a cubin is proportional to its size", () => {
  test.each(Object.keys(ATTACKS))("%s", (name) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), (size) => {
        const bytes = ATTACKS[name]!(size);
        expect(workFor(bytes) / bytes.length).toBeLessThan(MOST_WORK);
      }),
      { numRuns: smoke(20), examples: [[500]] },
    );
  });

  test("any mixture of sections", () => {
    fc.assert(
      fc.property(mixture, (bytes) => {
        expect(workFor(bytes) / bytes.length).toBeLessThan(MOST_WORK);
      }),
      { numRuns: smoke(2000) },
    );
  });
});
