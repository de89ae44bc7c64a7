// Corrupt cubins: any bytes give a result or a typed error with a place, in linear time.

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rare } from "../../../../tests/support/counts.js";
import { CubinError, inspectCubin, readCubin } from "../../src/index.js";
import { BACKENDS } from "../support/backends.js";
import { compiled, ptxFile } from "../support/cubins.js";

/** Numbers at the limits of various fields. */
const EDGES = [0, 1, 2, 7, 8, 0x7f, 0x80, 0xff, 0x100, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff];

interface Damage {
  readonly at: number;
  readonly bytes: readonly number[];
}

const word = fc.oneof(fc.constantFrom(...EDGES), fc.nat(0xffffffff));
const damage = fc.record({
  // Scaled to the length of the file. Not biased, because most biased places are at the beginning.
  at: fc.noBias(fc.nat()),
  bytes: fc.oneof(
    fc.array(fc.nat(255), { minLength: 1, maxLength: 4 }),
    word.map((value) => [value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24]),
    fc.tuple(word, word).map(([low, high]) => [...new Uint8Array(new Uint32Array([low, high]).buffer)]),
  ),
});

function damaged(cubin: Uint8Array, damages: readonly Damage[], keep: number): Uint8Array {
  const copy = cubin.slice(0, Math.ceil(cubin.length * keep));
  for (const { at, bytes } of damages) {
    const start = at % Math.max(1, copy.length);
    copy.set(bytes.slice(0, copy.length - start), start);
  }
  return copy;
}

/** Whether the bytes were read; an error of another kind fails the test. */
function isRead(bytes: Uint8Array): boolean {
  try {
    inspectCubin(bytes);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(CubinError);
    const { code, message, offset } = error as CubinError;
    expect(code).toBe("INVALID_CUBIN");
    // The log has the names as in the file, including line ends.
    expect(message).toMatch(/^expected .*, found .*/s);
    if (offset !== undefined) expect(message).toContain(`(at byte ${offset})`);
    return false;
  }
}

describe.runIf(BACKENDS.length > 0)("corrupt cubins", () => {
  const cubins: Uint8Array[] = [];
  beforeAll(async () => {
    for (const arch of ["sm_75", "sm_90", "sm_120a"]) {
      cubins.push((await compiled(ptxFile("rich"), arch)).cubin.slice());
      cubins.push((await compiled(ptxFile("inlined"), arch, { lineInfo: true })).cubin.slice());
    }
  });
  const outcomes = { read: 0, refused: 0 };
  afterAll(() => {
    // Damage in code and names does no harm, but damage in tables does: either alone would mean that nothing
    // is tested.
    expect(Math.min(outcomes.read, outcomes.refused)).toBeGreaterThan(0);
  });

  test("are read or rejected", () => {
    const damages = fc.array(damage, { minLength: 1, maxLength: 6 });
    const keep = fc.oneof(
      { weight: 9, arbitrary: fc.constant(1) },
      fc.nat(1000).map((part) => part / 1000),
    );
    fc.assert(
      fc.property(fc.nat(5), damages, keep, (which, list, part) => {
        if (isRead(damaged(cubins[which]!, list, part))) outcomes.read++;
        else outcomes.refused++;
      }),
      { numRuns: rare(200_000) },
    );
  });

  test("every byte of the headers and tables, at each edge", () => {
    const cubin = cubins[1]!;
    const view = new DataView(cubin.buffer, cubin.byteOffset, cubin.length);
    const table = Number(view.getBigUint64(40, true));
    const places = [
      ...Array(64).keys(),
      ...Array.from({ length: 64 * view.getUint16(60, true) }, (_, i) => table + i),
    ];
    for (const at of places) {
      for (const value of [0, 1, 0x80, 0xff]) {
        const copy = cubin.slice();
        copy[at] = value;
        isRead(copy);
      }
    }
  });

  test("a truncated line table, and one with a line range of 0", () => {
    const [, cubin] = cubins as [Uint8Array, Uint8Array];
    const { sections } = inspectCubin(cubin);
    const change = (name: string, edit: (bytes: Buffer, header: number, offset: number) => void): Buffer => {
      const bytes = Buffer.from(cubin);
      const index = sections.findIndex((section) => section.name === name) + 1;
      const header = Number(bytes.readBigUInt64LE(40)) + 64 * index;
      edit(bytes, header, sections[index - 1]!.offset);
      return bytes;
    };
    // Three of the four bytes of an attribute.
    const cut = change(".nv.info", (bytes, header) => bytes.writeBigUInt64LE(3n, header + 32));
    expect(() => inspectCubin(cut)).toThrow(
      /^expected 2 bytes at 2 of section `\.nv\.info`, found its end at 3 \(at byte \d+\)$/,
    );
    // Length, version, length of the header, three numbers of one byte, and then the range.
    const none = change(".debug_line", (bytes, _, offset) => bytes.writeUInt8(0, offset + 13));
    expect(() => inspectCubin(none)).toThrow(/^expected a range of lines, found 0 \(at byte \d+\)$/);
  });

  test("symbols may share a name, but not one so long that all names together exceed the file by far", () => {
    const [cubin] = cubins as [Uint8Array];
    const { symbols, sections } = inspectCubin(cubin);
    const index = sections.findIndex(({ name }) => name === ".symtab") + 1;
    // A table of 40,000 symbols at the end of the file, whose names end only with the last byte of theirs.
    const count = 40_000;
    const withNames = (length: number): Buffer => {
      const names = new Uint8Array(length).fill(0x61);
      names[names.length - 1] = 0;
      const rows = new Uint8Array(24 * count);
      const rowView = new DataView(rows.buffer);
      for (let row = 0; row < count; row++) rowView.setUint32(24 * row, row % 300, true);
      const bytes = Buffer.concat([cubin, rows, names]);
      const headers = Number(bytes.readBigUInt64LE(40));
      const place = (section: number, offset: number, size: number): void => {
        bytes.writeBigUInt64LE(BigInt(offset), headers + 64 * section + 24);
        bytes.writeBigUInt64LE(BigInt(size), headers + 64 * section + 32);
      };
      place(index, cubin.length, rows.length);
      place(bytes.readUInt32LE(headers + 64 * index + 40), cubin.length + rows.length, names.length);
      return bytes;
    };
    expect(symbols.length).toBeLessThan(count);
    const found = inspectCubin(withNames(800));
    expect(found.symbols.length).toBe(count);
    expect(found.symbols[299]!.name.length).toBe(500);
    expect(() => inspectCubin(withNames(2 ** 20))).toThrow(
      /^expected names and contents of at most 32 times the file's size in total, found more with the name of symbol \d+ \(at byte \d+\)$/,
    );
  });
});

describe.runIf(BACKENDS.length > 0)("other layouts", () => {
  test("that of CUDA 12, with architecture, mark of `a` and number of barriers in other places", async () => {
    const { cubin } = await compiled(ptxFile("rich"), "sm_90a");
    const old = Buffer.from(cubin);
    // Cuts off the tool's note, whose name begins here.
    const note = old.indexOf(".note.nv.tkinfo");
    old.write(".note.nv.nobody", note, "latin1");
    old[8] = 7;
    for (const [flags, arch] of [
      [0x4b055a, "sm_90"],
      [0x4b0d5a, "sm_90a"],
      [0x4b054b, "sm_75"],
      [0x4b05ee, "sm_238"],
    ] as const) {
      old.writeUInt32LE(flags, 48);
      if (arch === "sm_90") old.write(".nv.nobody", old.indexOf(".nv.compat"), "latin1");
      expect(inspectCubin(old)).toMatchObject({ arch, abi: 7 });
      expect(readCubin(old).arch).toBe(arch);
      expect(inspectCubin(old).tool).toBeUndefined();
    }
    const headers = Number(old.readBigUInt64LE(40));
    const { kernels, sections } = inspectCubin(old);
    const code = sections.findIndex(({ name }) => name === ".text.third") + 1;
    old.writeBigUInt64LE(old.readBigUInt64LE(headers + 64 * code + 8) | (5n << 20n), headers + 64 * code + 8);
    const before = kernels.map(({ name, barriers }) => [name, name === "third" ? 5 : barriers]);
    expect(inspectCubin(old).kernels.map(({ name, barriers }) => [name, barriers])).toEqual(before);
  });

  test("that of files with more than 65,279 sections, with numbers in other places", async () => {
    const { cubin } = await compiled(ptxFile("rich"), "sm_90");
    const { symbols, sections } = inspectCubin(cubin);
    const nth = (name: string): number => sections.findIndex((section) => section.name === name) + 1;
    const table = sections[nth(".symtab") - 1]!;
    const count = table.size / 24;
    const wide = Buffer.alloc(4 * count);
    const bytes = Buffer.concat([cubin, wide]);
    const headers = Number(bytes.readBigUInt64LE(40));
    const field = (section: number, at: number): number => headers + 64 * section + at;
    bytes.writeBigUInt64LE(BigInt(bytes.readUInt16LE(60)), field(0, 32));
    bytes.writeUInt16LE(0, 60);
    bytes.writeUInt32LE(bytes.readUInt16LE(62), field(0, 40));
    bytes.writeUInt16LE(0xffff, 62);
    // An unneeded section whose table has the section indices of all symbols.
    const spare = nth(".debug_frame");
    bytes.writeUInt32LE(18, field(spare, 4));
    bytes.writeBigUInt64LE(BigInt(cubin.length), field(spare, 24));
    bytes.writeBigUInt64LE(BigInt(wide.length), field(spare, 32));
    bytes.writeUInt32LE(nth(".symtab"), field(spare, 40));
    for (let symbol = 0; symbol < count; symbol++) {
      const at = table.offset + 24 * symbol + 6;
      bytes.writeUInt32LE(bytes.readUInt16LE(at), cubin.length + 4 * symbol);
      bytes.writeUInt16LE(0xffff, at);
    }
    const found = inspectCubin(bytes);
    expect(found.symbols).toEqual(symbols);
    expect(found.kernels.map(({ name, registers }) => [name, registers])).toEqual(
      inspectCubin(cubin).kernels.map(({ name, registers }) => [name, registers]),
    );
  });

  test("files that are not cubins", () => {
    for (const bytes of [new Uint8Array(), new Uint8Array(10), Buffer.from("not a cubin".repeat(20))]) {
      expect(isRead(bytes)).toBe(false);
    }
    expect(() => inspectCubin("cubin" as never)).toThrow(
      expect.objectContaining({
        code: "INVALID_ARGUMENT",
        message: "expected a cubin as a Uint8Array, found `cubin`",
      }),
    );
  });
});
