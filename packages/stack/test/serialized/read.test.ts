// Blobs of the C serializer: all conformance cases, damage, and machines whose blobs are not read.
import { describe, expect, it } from "vitest";
import { readSerialized, type SerializedKind, type SerializedPart, StackPtxError } from "../../src/index.js";
import { Random, runSeed } from "../support/random.js";
import { blobOf, SAME_KINDS, SERIALIZED_VECTORS, size, text0 } from "../support/serialized.js";
import { complaint, thrownBy } from "../support/small-table.js";

const good = SERIALIZED_VECTORS.filter(({ error }) => error === undefined);

describe("the conformance vectors", () => {
  it("are complete", () => {
    expect(SERIALIZED_VECTORS.length).toBe(108);
    expect(new Set(good.map(({ kind, version }) => `${kind} ${version}`)).size).toBe(16);
  });

  it.each(good)("case $id, $kind of $version, is read", (vector) => {
    const { version, value } = readSerialized(blobOf(vector), vector.kind);
    expect(value).toEqual(vector.decoded);
    const isSame =
      SAME_KINDS.includes(vector.kind) || (Array.isArray(vector.decoded) && vector.decoded.length === 0);
    expect(version).toBe(isSame ? "1.1" : vector.version);
  });

  it.each(SERIALIZED_VECTORS.filter(({ error }) => error === true))(
    "case $id, $kind, is refused",
    (vector) => {
      const bytes = blobOf(vector);
      const { code, file } = thrownBy(() => readSerialized(bytes, vector.kind));
      expect(code).toMatch(/^FILE_(FORMAT|TRUNCATED)$/);
      expect(file!.offset).toBeLessThanOrEqual(bytes.length);
    },
  );

  it.each(good)("case $id, $kind of $version, is refused if it is cut or continued", (vector) => {
    const bytes = blobOf(vector);
    const step = Math.max(1, Math.floor(bytes.length / 50));
    for (let length = 0; length < bytes.length; length += step) {
      try {
        // The beginning of programs, which here are random words, can be a whole blob of the other version.
        expect(readSerialized(bytes.subarray(0, length), vector.kind).version).not.toBe(vector.version);
        expect(vector.kind).toBe("instructions");
      } catch (error) {
        expect((error as StackPtxError).code, `${length} bytes`).toMatch(/^FILE_(FORMAT|TRUNCATED)$/);
      }
    }
    for (const more of [0, 1, 65]) {
      const longer = Uint8Array.of(...bytes, more);
      expect(thrownBy(() => readSerialized(longer, vector.kind)).code).toBe("FILE_FORMAT");
    }
  });

  it("with any altered bytes are read or refused with a typed error", () => {
    const random = new Random(runSeed());
    for (const vector of good) {
      const bytes = blobOf(vector);
      for (let round = 0; round < 20; round++) {
        const altered = bytes.slice();
        altered[random.below(bytes.length)]! ^= random.between(1, 255);
        try {
          readSerialized(altered, vector.kind);
        } catch (error) {
          expect(error).toBeInstanceOf(StackPtxError);
        }
      }
    }
  });
});

describe("readSerialized", () => {
  const read = (kind: SerializedKind, ...bytes: (number | readonly number[])[]) =>
    readSerialized(Uint8Array.from(bytes.flat()), kind).value;
  const refusal = (kind: SerializedKind, ...bytes: (number | readonly number[])[]) =>
    complaint(() => read(kind, ...bytes));

  it.each<[string, SerializedKind, (number | readonly number[])[], string]>([
    ["no bytes", "compiler_info", [], "FILE_TRUNCATED: expected `max_ast_size`, found the end (byte 0)"],
    [
      "a text without its end",
      "ptx",
      [65, 66],
      "FILE_TRUNCATED: expected PTX that ends with a NUL, found the end (byte 2)",
    ],
    [
      "a text that is not UTF-8",
      "ptx",
      [0xe9, 0],
      "FILE_FORMAT: expected PTX in UTF-8, found other bytes (byte 0)",
    ],
    ["two texts", "ptx", [65, 0, 66, 0], "FILE_FORMAT: expected the end, found 2 more bytes (byte 2)"],
    [
      "a count that cannot fit",
      "registers",
      [size(2 ** 40), 1, 0, 65, 0],
      "FILE_TRUNCATED: expected 1099511627776 registers, found 4 more bytes (byte 0)",
    ],
    [
      "a count beyond exact numbers",
      "requests",
      [size(2n ** 63n)],
      "FILE_TRUNCATED: expected 9223372036854775808 lists of requests, found 0 more bytes (byte 0)",
    ],
    [
      "lists whose sum cannot fit",
      "requests",
      [size(2), size(2n ** 63n), size(2n ** 63n)],
      "FILE_TRUNCATED: expected 18446744073709551616 requests, found 0 more bytes (byte 0)",
    ],
    [
      "registers without names",
      "registers",
      [size(2), 0, 0, 0, 0, 0, 0],
      "FILE_FORMAT: expected registers with names, found 2 without (byte 0)",
    ],
    [
      "a register with a name that none has",
      "registers",
      [size(1), 0, 0, 65, 7, 0],
      "FILE_FORMAT: expected the name of a register, found `A\\u0007` (byte 10)",
    ],
    [
      "a register of 1.0 on a stack that no table has",
      "registers",
      [size(1), size(65536), 65, 66, 67, 0],
      "FILE_FORMAT: expected the name of a register, found `\\u0001` (byte 10)",
    ],
    [
      "a program without a return",
      "instructions",
      [size(1), 3, 0, 0, 0, 0, 0, 0, 0],
      "FILE_TRUNCATED: expected an instruction, found the end (byte 16)",
    ],
  ])("refuses %s", (_, kind, bytes, message) => {
    expect(refusal(kind, ...bytes)).toBe(message);
  });

  /** A table with one instruction on one stack, with a part replaced. */
  const descriptor = [
    0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  ];
  const tableWith = (at: number, value: number, type: readonly number[] = [0, 0, 0, 0]) => [
    size(1),
    text0("neg.f32"),
    descriptor.map((byte, index) => (index === at ? value : byte)),
    size(1),
    text0("clock"),
    [0, 0],
    size(1),
    text0("f32"),
    size(1),
    type,
  ];

  it("reads a table, and refuses one whose parts do not fit each other", () => {
    expect(read("stack_info", ...tableWith(-1, 0))).toEqual({
      instructions: [
        {
          ptx: "neg.f32",
          arg_types: [0, 1, 1, 1],
          ret_types: [0, 1],
          num_unique_stacks: 1,
          is_aligned: false,
          unique_stacks: [
            [0, 1],
            [0, 0],
            [0, 0],
            [0, 0],
          ],
        },
      ],
      special_registers: [{ ptx: "clock", arg_type: 0 }],
      literal_prefixes: ["f32"],
      arg_types: [{ stack: 0, num_vec_elems: 0 }],
    });
    const cases: [number, number, string][] = [
      [0, 2, "expected the index of an argument type below 2, found 2 (byte 16)"],
      [4, 0, "expected no argument type after the end of a list, found 0 (byte 20)"],
      [12, 2, "expected the stacks of an instruction as its arguments say, found others (byte 28)"],
      [14, 2, "expected `is_aligned` as 0 or 1, found 2 (byte 30)"],
      [17, 2, "expected the stacks of an instruction as its arguments say, found others (byte 28)"],
      [19, 1, "expected the stacks of an instruction as its arguments say, found others (byte 28)"],
    ];
    for (const [at, value, message] of cases) {
      expect(refusal("stack_info", ...tableWith(at, value))).toBe(`FILE_FORMAT: ${message}`);
    }
    expect(refusal("stack_info", ...tableWith(-1, 0, [1, 0, 0, 0]))).toBe(
      "FILE_FORMAT: expected the index of a stack below 1, found 1 (byte 83)",
    );
  });

  it("says that state is that of another kind of machine", () => {
    const small = [100, 20, 128, 4, 16].flatMap((value) => size(value, 4));
    expect(refusal("compiler_info", ...small)).toBe(
      "FILE_FORMAT: expected state of a 64-bit little-endian machine, found that of a 32-bit machine (byte 0)",
    );
    expect(refusal("registers", size(1, 4), 7, 0, text0("x"))).toContain("found that of a 32-bit machine");
    const swapped = [...size(1).reverse(), ...size(1).reverse(), ...size(7).reverse()];
    expect(refusal("requests", ...swapped)).toBe(
      "FILE_FORMAT: expected state of a 64-bit little-endian machine, found that of a big-endian machine (byte 0)",
    );
  });

  it("reads several parts one after the other, in any order", () => {
    const info = size(7).concat(size(2), size(3), size(4), size(5));
    const bytes = Uint8Array.from([text0("ptx"), info, size(1), 9, 0, text0("x")].flat());
    const kinds: SerializedPart[] = ["ptx", "compiler_info", "registers"];
    expect(readSerialized(bytes, kinds)).toEqual({
      version: "1.1",
      value: {
        ptx: "ptx",
        compiler_info: {
          max_ast_size: 7,
          max_ast_to_visit_stack_depth: 2,
          stack_size: 3,
          max_frame_depth: 4,
          store_size: 5,
        },
        registers: [{ name: "x", stack: 9 }],
      },
    });
    expect(thrownBy(() => readSerialized(bytes, ["ptx", "registers"])).code).toMatch(/^FILE_/);
  });

  it.each<[string, unknown, unknown]>([
    ["a list of numbers", [1, 2], "ptx"],
    ["another kind", new Uint8Array(1), "ptxs"],
    ["no kind", new Uint8Array(1), undefined],
    ["a state among parts", new Uint8Array(1), ["compiler_state"]],
    ["a part twice", new Uint8Array(2), ["ptx", "ptx"]],
  ])("refuses %s", (_, bytes, kind) => {
    expect(thrownBy(() => readSerialized(bytes as Uint8Array, kind as "ptx")).code).toBe("INVALID_ARGUMENT");
  });
});
