// Programs as values: slicing, joining, comparing and hashing them, and decoding their instructions.
import { describe, expect, it } from "vitest";
import { cases } from "../../../tests/support/counts.js";
import {
  constantBits,
  type DecodedInstruction,
  decodeInstruction,
  encodeInstruction,
  type Instruction,
  input,
  load,
  MetaOperation,
  type MetaOperationName,
  meta,
  metaConstant,
  ptxInstruction,
  returnInstruction,
  routine,
  StackProgram,
  special,
  store,
} from "../src/index.js";
import { Random, runSeed } from "./support/random.js";
import { complaint } from "./support/small-table.js";

const counted = (count: number) => StackProgram.of(...Array.from({ length: count }, (_, i) => input(i)));
const inputs = (program: StackProgram) => Array.from(program, ({ payload }) => payload);

describe("slices", () => {
  const program = counted(5);

  it("are views of the same words", () => {
    const slice = program.slice(1, 4);
    expect(inputs(slice)).toEqual([1, 2, 3]);
    expect(slice.words.buffer).toBe(program.words.buffer);
    expect(inputs(slice.slice(1))).toEqual([2, 3]);
    expect(inputs(program.slice())).toEqual([0, 1, 2, 3, 4]);
    expect(program.slice(5).length).toBe(0);
    expect(program.slice(0, 0).length).toBe(0);
    program.words[5] = 77;
    expect(inputs(slice)).toEqual([1, 77, 3]);
    program.words[5] = 2;
  });

  it.each<[string, () => unknown]>([
    ["expected an integer from 0 to 5 as `end`, found 6", () => program.slice(0, 6)],
    ["expected an integer from 0 to 2 as `start`, found 3", () => program.slice(3, 2)],
    ["expected an integer from 0 to 5 as `start`, found -1", () => program.slice(-1)],
    ["expected an integer from 0 to 5 as `start`, found 0.5", () => program.slice(0.5)],
    ["expected an integer from 0 to 5 as `start`, found `1`", () => program.slice("1" as never)],
    ["expected an integer from 0 to 5 as `end`, found NaN", () => program.slice(0, Number.NaN)],
    ["expected an integer from 0 to 4 as `instruction`, found 5", () => program.at(5)],
    ["expected no `instruction` for an empty program, found 0", () => StackProgram.of().decode(0)],
    ["expected an integer from 0 to 5 as `start`, found 6", () => program.splice(6, 0)],
    ["expected an integer from 0 to 2 as `deleteCount`, found 3", () => program.splice(3, 3)],
    ["expected an encoded instruction at index 1, found null", () => program.splice(0, 0, input(1), null!)],
    ["expected an encoded instruction at index 0, found an object", () => program.concat({} as never)],
    ["expected a StackProgram, found undefined", () => program.equals(undefined as never)],
  ])("refuse: %s", (message, run) => {
    expect(complaint(run)).toBe(`INVALID_ARGUMENT: ${message}`);
  });
});

describe("splicing and joining", () => {
  it("return new programs", () => {
    const program = counted(4);
    expect(inputs(program.splice(1, 2))).toEqual([0, 3]);
    expect(inputs(program.splice(4, 0, input(9)))).toEqual([0, 1, 2, 3, 9]);
    expect(inputs(program.splice(0, 4, counted(2), input(7), counted(1)))).toEqual([0, 1, 7, 0]);
    expect(inputs(program.concat(program, input(8)))).toEqual([0, 1, 2, 3, 0, 1, 2, 3, 8]);
    expect(inputs(program)).toEqual([0, 1, 2, 3]);
    expect(program.concat().words.buffer).not.toBe(program.words.buffer);
    expect(program.splice(0, 0).words.buffer).not.toBe(program.words.buffer);
  });

  it("agree with arrays", () => {
    const seed = runSeed();
    const random = new Random(seed);
    for (let round = 0; round < cases(2000); round++) {
      const list = random.list(random.below(9), () => random.word());
      const program = StackProgram.of(...list.map(input));
      const start = random.between(0, list.length);
      const end = random.between(start, list.length);
      expect(inputs(program.slice(start, end)), `seed ${seed}`).toEqual(list.slice(start, end));
      const added = random.list(random.below(4), () => random.word());
      const pieces = random.once(2) ? added.map(input) : [StackProgram.of(...added.map(input))];
      const spliced = program.splice(start, end - start, ...pieces);
      expect(inputs(spliced), `seed ${seed}`).toEqual(list.toSpliced(start, end - start, ...added));
      const again = StackProgram.of(...program.slice(0, start), ...added.map(input), ...program.slice(end));
      expect(again.equals(spliced), `seed ${seed}`).toBe(true);
      expect(again.hash(), `seed ${seed}`).toBe(spliced.hash());
    }
  });
});

describe("equality and hash", () => {
  const program = StackProgram.fromWords(Uint32Array.of(1, 5, 0x10002, 7, 10, 0));

  it("depend on the words alone", () => {
    const copy = StackProgram.fromBytes(program.bytes.slice());
    expect(program.equals(copy)).toBe(true);
    expect(program.equals(program.slice(0, 2))).toBe(false);
    expect(program.slice(0, 2).equals(program)).toBe(false);
    for (let word = 0; word < copy.words.length; word++) {
      for (let bit = 0; bit < 32; bit++) {
        copy.words[word]! ^= 1 << bit;
        expect(program.equals(copy)).toBe(false);
        expect(program.hash()).not.toBe(copy.hash());
        copy.words[word]! ^= 1 << bit;
      }
    }
    expect(program.equals(copy)).toBe(true);
  });

  it("is MurmurHash3_x86_128 as mmh3 5.3.1 for Python computes it", () => {
    const hashed = (...words: number[]) => StackProgram.fromWords(Uint32Array.from(words)).hash();
    expect(hashed()).toBe("00000000000000000000000000000000");
    expect(hashed(1, 5)).toBe("5c7dac98ba9f8e32a23b285ca23b285c");
    expect(hashed(1, 5, 0x10002, 7)).toBe("6cea6a426e9e8e7523cd5827895cb055");
    expect(program.hash()).toBe("c00c181c9035dbc61e441e03513ac023");
    const many = Array.from({ length: 1000 }, (_, index) => Math.imul(index, 2654435761) >>> 0);
    expect(hashed(...many)).toBe("24cc820a8162d6451b77157a0ae6afed");
  });
});

describe("decoding", () => {
  it.each<[Instruction, DecodedInstruction]>([
    [ptxInstruction(5), { type: "ptx", index: 5 }],
    [constantBits(3, 0xffffffff), { type: "constant", stack: 3, bits: 0xffffffff }],
    [input(7), { type: "input", index: 7 }],
    [special(2), { type: "special", index: 2 }],
    [meta(65535, "yankDup"), { type: "meta", stack: 65535, operation: "yankDup" }],
    [metaConstant(9), { type: "metaConstant", value: 9 }],
    [routine(4), { type: "routine", index: 4 }],
    [returnInstruction, { type: "return" }],
    [store(2, 15), { type: "store", stack: 2, slot: 15 }],
    [load(14), { type: "load", slot: 14 }],
    [
      { head: 0xffff0000, payload: 3 },
      { type: "invalid", head: 0xffff0000, payload: 3 },
    ],
    [
      { head: 8, payload: 0 },
      { type: "invalid", head: 8, payload: 0 },
    ],
    [
      { head: 5, payload: 9 },
      { type: "invalid", head: 5, payload: 9 },
    ],
  ])("reads %j back", (instruction, decoded) => {
    expect(StackProgram.of(instruction).decode(0)).toEqual(decoded);
    expect(encodeInstruction(decoded)).toEqual(instruction);
  });

  it("knows every meta operation", () => {
    for (const operation of Object.keys(MetaOperation) as MetaOperationName[]) {
      expect(decodeInstruction(meta(1, operation))).toEqual({ type: "meta", stack: 1, operation });
    }
  });

  it("drops the bits that the machine ignores", () => {
    expect(decodeInstruction({ head: 0x70003, payload: 1 })).toEqual({ type: "input", index: 1 });
    expect(decodeInstruction({ head: 0x7000a, payload: 1 })).toEqual({ type: "return" });
  });

  it("is undone by encoding, for any words", () => {
    const seed = runSeed();
    const random = new Random(seed);
    for (let round = 0; round < cases(20_000); round++) {
      const aux = random.once(2) ? 0 : random.below(65536) * 65536;
      const head = random.once(4) ? random.word() : random.below(14) + aux;
      const payload = random.once(2) ? random.below(12) : random.word();
      const decoded = decodeInstruction({ head, payload });
      const encoded = encodeInstruction(decoded);
      expect(decodeInstruction(encoded), `seed ${seed}`).toEqual(decoded);
      if (decoded.type === "invalid") expect(encoded, `seed ${seed}`).toEqual({ head, payload });
      else expect(encoded.head & 0xffff, `seed ${seed}`).toBe(head & 0xffff);
    }
  });

  it.each<[string, unknown]>([
    ["expected the type of an instruction, found null", null],
    ["expected the type of an instruction, found an object", {}],
    ["expected the type of an instruction, found `toString`", { type: "toString" }],
    ["expected an integer from 0 to 4294967295 as `index` of `input`, found undefined", { type: "input" }],
    [
      "expected an integer from 0 to 65535 as `stack` of `store`, found 65536",
      { type: "store", stack: 65536, slot: 0 },
    ],
    [
      "expected a known name as meta operation, found `swp`, did you mean `swap`?",
      { type: "meta", stack: 0, operation: "swp" },
    ],
    ["expected a known name as meta operation, found undefined", { type: "meta", stack: 0 }],
    [
      "expected an integer from 0 to 4294967295 as `head` of `invalid`, found -1",
      { type: "invalid", head: -1, payload: 0 },
    ],
  ])("refuses: %s", (message, decoded) => {
    expect(complaint(() => encodeInstruction(decoded as DecodedInstruction))).toBe(
      `INVALID_ARGUMENT: ${message}`,
    );
  });
});
