// `@mm-ptx/pipeline/data`: arrays from files, and what is wrong with files that have none.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import { csv, npy, raw } from "../../src/data/index.js";
import { PipelineError } from "../../src/index.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mm-ptx-data-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

/** The bytes that `numpy.save` writes. */
function saved(
  descr: string,
  shape: readonly number[],
  data: ArrayBufferView,
  major = 1,
  fortran = "False",
): Buffer {
  const tuple = shape.length === 1 ? `${shape[0]},` : shape.join(", ");
  const text = `{'descr': ${descr}, 'fortran_order': ${fortran}, 'shape': (${tuple}), }`;
  const lengthBytes = major === 1 ? 2 : 4;
  const padded = `${text.padEnd(Math.ceil((text.length + 9 + lengthBytes) / 64) * 64 - 9 - lengthBytes)}\n`;
  const length = Buffer.alloc(lengthBytes);
  length.writeUIntLE(padded.length, 0, lengthBytes);
  const head = [
    Buffer.from("\x93NUMPY", "latin1"),
    Buffer.from([major, 0]),
    length,
    Buffer.from(padded, "latin1"),
  ];
  return Buffer.concat([...head, Buffer.from(data.buffer, data.byteOffset, data.byteLength)]);
}

/** The code and the message of an error, whose path is `FILE`. */
function failure(work: () => unknown): readonly [string, string] {
  try {
    work();
  } catch (error) {
    if (error instanceof PipelineError) return [error.code, error.message.replaceAll(folder, "")];
    throw error;
  }
  throw new Error("expected an error");
}

describe("npy", () => {
  it("has the numbers of every type", () => {
    const arrays = {
      "'|b1'": Uint8Array.of(0, 1),
      "'|u1'": Uint8Array.of(1, 255),
      "'|i1'": Int8Array.of(-1, 5),
      "'<u2'": Uint16Array.of(1, 65_535),
      "'<i2'": Int16Array.of(-1, 7),
      "'<f2'": Uint16Array.of(0x3c00, 0x4000),
      "'<u4'": Uint32Array.of(1, 4_294_967_295),
      "'<i4'": Int32Array.of(-1, 7),
      "'<f4'": Float32Array.of(0.5, Number.NaN),
      "'<u8'": BigUint64Array.of(1n, 2n ** 64n - 1n),
      "'<i8'": BigInt64Array.of(-1n, 7n),
      "'<f8'": Float64Array.of(0.1, -0),
    };
    for (const [descr, array] of Object.entries(arrays)) {
      for (const major of [1, 2, 3]) {
        const path = file("x.npy", saved(descr, [2], array, major));
        expect(npy(path)).toEqual(array);
        expect(npy(pathToFileURL(path))).toEqual(array);
      }
    }
    const matrix = file("m.npy", saved("'<f4'", [2, 3], Float32Array.of(1, 2, 3, 4, 5, 6)));
    expect(npy(matrix, Float32Array)).toEqual(Float32Array.of(1, 2, 3, 4, 5, 6));
    expect(npy(file("s.npy", saved("'<f8'", [], Float64Array.of(3))))).toEqual(Float64Array.of(3));
    expect(npy(file("v.npy", saved("'<i4'", [1, 2], Int32Array.of(3, 4), 1, "True")))).toEqual(
      Int32Array.of(3, 4),
    );
  });

  it("refuses other files", () => {
    const four = Float32Array.of(1, 2, 3, 4);
    const wrong: [string, Uint8Array | string, string][] = [
      ["a", "hello", "a NumPy array, found another kind of file"],
      ["b", "", "a NumPy array, found another kind of file"],
      ["c", saved("'<f4'", [4], four, 9), "version 1, 2 or 3 of the NumPy format, found 9"],
      [
        "d",
        saved("'>f4'", [4], four),
        'little-endian numbers, found big-endian ones: convert them with `array.astype("<f4")`',
      ],
      [
        "e",
        saved("'<c8'", [2], four),
        "numbers of a type from bool, uint8, int8, uint16, int16, float16, uint32, int32, float32, uint64, int64, float64, found `<c8`",
      ],
      [
        "f",
        saved("'|O'", [2], four),
        "numbers of a type from bool, uint8, int8, uint16, int16, float16, uint32, int32, float32, uint64, int64, float64, found `|O`",
      ],
      [
        "g",
        saved("[('x', '<f4')]", [4], four),
        "an array of numbers, found one of records: save each of its fields",
      ],
      [
        "h",
        saved("'<f4'", [2, 2], four, 1, "True"),
        "an array in C order, found one in Fortran order: save `numpy.ascontiguousarray(array)`",
      ],
      ["i", saved("'<f4'", [5], four), "20 bytes of numbers for the shape (5), found 16"],
      ["j", saved("'<f4'", [4], four).subarray(0, 20), "a header of 118 bytes, found 10 bytes"],
      ["k", saved("'<f4'", [4], four).subarray(0, 9), "the header of an array, found the end of the file"],
      [
        "l",
        saved("4", [4], four),
        "a header with `descr`, `fortran_order` and `shape`, found `{'descr': 4, 'fortran_order': False, 'shape': (4,), }`",
      ],
    ];
    for (const [name, content, expected] of wrong)
      expect(failure(() => npy(file(name, content)))).toEqual([
        "FILE_FORMAT",
        `\`/${name}\`: expected ${expected}`,
      ]);
    const doubles = file("doubles.npy", saved("'<f8'", [1], Float64Array.of(1)));
    expect(failure(() => npy(doubles, Float32Array))).toEqual([
      "FILE_FORMAT",
      '`/doubles.npy`: expected numbers of type float32, found float64: convert them with `array.astype("float32")`',
    ]);
    expect(failure(() => npy(join(folder, "missing.npy")))[0]).toBe("NOT_FOUND");
    expect(failure(() => npy("", Float32Array))[0]).toBe("INVALID_ARGUMENT");
    expect(failure(() => npy(doubles, "f4" as never))[1]).toContain("the elements of `npy`, found `f4`");
  });

  it("any bytes are an array or an error", () => {
    const good = saved("'<f4'", [2], Float32Array.of(1, 2));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 4 }),
        fc.nat(good.length),
        (changes, end) => {
          const bytes = Buffer.from(good);
          for (const [at, value] of changes) bytes[at] = value;
          try {
            expect(ArrayBuffer.isView(npy(file("any.npy", bytes.subarray(0, end))))).toBe(true);
          } catch (error) {
            expect((error as PipelineError).code).toBe("FILE_FORMAT");
          }
        },
      ),
      { numRuns: cases(2000) },
    );
  });
});

it("raw has the numbers of a file without a header", () => {
  const path = file("x.bin", new Uint8Array(Float64Array.of(1.5, -2).buffer));
  expect(raw(path, Float64Array)).toEqual(Float64Array.of(1.5, -2));
  expect(raw(file("empty.bin", ""), Float32Array)).toEqual(new Float32Array(0));
  const odd = file("odd.bin", Uint8Array.of(1, 2, 3, 4, 5));
  expect(failure(() => raw(odd, Int32Array))).toEqual([
    "FILE_FORMAT",
    "`/odd.bin`: expected a multiple of 4 bytes for Int32Array, found 5 bytes",
  ]);
  expect(failure(() => raw(odd, DataView as never))[0]).toBe("INVALID_ARGUMENT");
});

describe("csv", () => {
  it("has the numbers of a column", () => {
    const path = file("x.csv", '\ufeffx, y ,"z, too"\r\n1,2.5,"-3e2"\r\n\r\n 4 ,nan,"+.5"\r\n');
    expect(csv(path, { column: "x" })).toEqual(Float32Array.of(1, 4));
    expect(csv(path, { column: "y", elements: Float64Array })).toEqual(Float64Array.of(2.5, Number.NaN));
    expect(csv(path, { column: "z, too" })).toEqual(Float32Array.of(-300, 0.5));
    expect(csv(path, { column: 0, header: true, elements: BigInt64Array })).toEqual(BigInt64Array.of(1n, 4n));
    const bare = file("bare.csv", "1;2\n3;-inf");
    expect(csv(bare, { column: 1, delimiter: ";" })).toEqual(Float32Array.of(2, Number.NEGATIVE_INFINITY));
    expect(csv(bare, { column: 0, delimiter: ";", elements: Uint8Array })).toEqual(Uint8Array.of(1, 3));
  });

  it("says which cell is wrong", () => {
    const path = file("y.csv", "x,y,count\n1,2,3\n4,,300\n5,abc\n");
    const wrong = (options: object) => failure(() => csv(path, options as never));
    expect(wrong({ column: "y" })).toEqual([
      "FILE_FORMAT",
      "`/y.csv`: expected a number in column `y` of line 3, found an empty cell",
    ]);
    expect(wrong({ column: "total" })).toEqual([
      "FILE_FORMAT",
      "`/y.csv`: expected a column `total`, found `x`, `y`, `count`",
    ]);
    expect(wrong({ column: "cuont" })[1]).toContain("did you mean `count`?");
    expect(wrong({ column: 2, header: true })[1]).toContain("in column 2 of line 4, found 2 cells");
    expect(wrong({ column: 1 })[1]).toBe("`/y.csv`: expected a number in column 1 of line 1, found `y`");
    expect(wrong({ column: "count", elements: Uint8Array })[1]).toContain(
      "a whole number of 8 bits from 0 on in column `count` of line 3, found `300`",
    );
    expect(wrong({ column: -1 })[1]).toContain("option `column`: expected the name of a column");
    expect(wrong({ column: "x", header: false })[1]).toContain(
      "expected a number without a header, found a name",
    );
    expect(wrong({ colum: "x" })[1]).toContain("did you mean `column`?");
    expect(wrong({})[1]).toContain("option `column`");
    expect(failure(() => csv(file("e.csv", ""), { column: "x" }))[1]).toContain("found an empty file");
    expect(failure(() => csv(file("q.csv", 'x\n"1\n'), { column: "x" }))[0]).toBe("FILE_FORMAT");
  });

  it("reads what was written", () => {
    fc.assert(
      fc.property(fc.array(fc.double()), (values) => {
        const text = [
          "a,b",
          ...values.map((value, i) => `${i},${String(value).replace("Infinity", "inf")}`),
        ].join("\n");
        expect(csv(file("any.csv", text), { column: "b", elements: Float64Array })).toEqual(
          Float64Array.from(values, (value) => value + 0),
        );
      }),
      { numRuns: cases(500) },
    );
  });
});
