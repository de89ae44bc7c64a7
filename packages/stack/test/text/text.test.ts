// The text form of programs: what it looks like, and that it reads back as the same words.
import { describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import {
  assemble,
  constantBits,
  constantF32,
  constantS32,
  disassemble,
  float32Bits,
  input,
  load,
  meta,
  metaConstant,
  type ProgramLabels,
  ptxInstruction,
  register,
  returnInstruction,
  routine,
  StackProgram,
  special,
  store,
} from "../../src/index.js";
import { Random, runSeed } from "../support/random.js";
import { ADD, complaint, F32, NEG, SMALL_TABLE, U32 } from "../support/small-table.js";
import { anyWords, hardLabels, hardTable, LABELS, S32_AND_BITS } from "../support/texts.js";

/** The timeout for full counts. */
const LONG = { timeout: 900_000 };
/** `-0.00001234567891`: nine digits, or ten if their number was estimated, after five zeros. */
const LONGEST_DECIMAL = 18;

describe("the text", () => {
  const program = StackProgram.of(
    input(0),
    input(2),
    constantF32(F32, 1.5),
    ptxInstruction(ADD),
    ptxInstruction(NEG),
    ptxInstruction(9),
    constantBits(U32, 0xffffffff),
    constantS32(2, -7),
    constantBits(3, 1),
    constantBits(4, 0xabcdef),
    special(1),
    special(7),
    meta(F32, "dup"),
    metaConstant(3),
    meta(U32, "yankDup"),
    meta(9, "reverse"),
    routine(0),
    routine(1),
    store(F32, 2),
    load(2),
    { head: 0x70003, payload: 1 },
    { head: 5, payload: 9 },
    { head: 0, payload: 0 },
    { head: 10, payload: 1 },
    returnInstruction,
  );
  const text = `.registers x y
.routines square
input x
input 2
const F32 1.5
add
neg
ptx 9
const U32 4294967295
const S32 -7
const PRED 0x00000001
const 4 0x00ABCDEF
special tid
special 7
dup F32
meta 3
yank_dup U32
reverse 9
routine square
routine 1
store F32 2
load 2
.word 0x00070003 0x00000001
.word 0x00000005 0x00000009
.word 0x00000000 0x00000000
.word 0x0000000A 0x00000001
return
`;

  it("has one instruction per line, by name if there is one", () => {
    expect(disassemble(program, S32_AND_BITS, LABELS)).toBe(text);
    expect(assemble(text, S32_AND_BITS).words).toEqual(program.words);
  });

  it("may have comments, blank lines, blanks, carriage returns and no newline at the end", () => {
    const spread = `\r\n; ünicode comment\r\n${text.replaceAll(" ", " \t ").replaceAll("\n", "   ; x y\r\n\n\t\n")}\tload 3`;
    expect(assemble(spread, S32_AND_BITS).words).toEqual(program.concat(load(3)).words);
    expect(assemble("\ufeffload 3", SMALL_TABLE).words).toEqual(StackProgram.of(load(3)).words);
    expect(assemble("", SMALL_TABLE).length).toBe(0);
    expect(assemble(";", SMALL_TABLE).length).toBe(0);
    expect(disassemble(StackProgram.of(), SMALL_TABLE)).toBe("");
  });

  it("accepts labels from the caller, such as the registers of a job", () => {
    const registers = [register("x", F32), register("y", U32)];
    expect(disassemble(StackProgram.of(input(1)), SMALL_TABLE, { registers })).toBe(
      ".registers x y\ninput y\n",
    );
    expect(assemble("input y", SMALL_TABLE, { registers }).at(0)).toEqual(input(1));
    expect(assemble("routine r\ninput y", SMALL_TABLE, { registers, routines: ["q", "r"] }).at(0)).toEqual(
      routine(1),
    );
    // The same label may be declared again, and a text may add others.
    expect(assemble(".registers x _ z\ninput z", SMALL_TABLE, { registers }).at(0)).toEqual(input(2));
  });

  it("uses indices where a name is a keyword, not a word, or ambiguous", () => {
    const table = {
      ...SMALL_TABLE,
      instructions: ["dup", "a b", "17", "x", "x", ".word"].map((name) => ({
        ...SMALL_TABLE.instructions[0]!,
        name,
      })),
    };
    const each = StackProgram.of(...table.instructions.map((_, index) => ptxInstruction(index)));
    expect(disassemble(each, table)).toBe("ptx dup\nptx 1\nptx 2\nx\nptx 4\nptx .word\n");
    expect(assemble(disassemble(each, table), table).words).toEqual(each.words);
  });
});

describe("constants", () => {
  const written = (bits: number) =>
    disassemble(StackProgram.of(constantBits(F32, bits)), SMALL_TABLE).slice("const F32 ".length, -1);
  const read = (constant: string, stack = "F32") =>
    assemble(`const ${stack} ${constant}`, S32_AND_BITS).at(0).payload;

  it.each<[number, string]>([
    [0, "0"],
    [-0, "-0"],
    [1, "1"],
    [-1.5, "-1.5"],
    [0.1, "0.1"],
    [1 / 3, "0.33333334"],
    [Math.PI, "3.1415927"],
    [100000, "100000"],
    [1e7, "1e7"],
    [16777215, "16777215"],
    [1.5e20, "1.5e20"],
    [0.00001, "0.00001"],
    [1e-10, "1e-10"],
    [1.2345678e-9, "1.2345678e-9"],
    [3e38, "0f7F61B1E6"],
    [2 ** -149, "0f00000001"],
    [Number.POSITIVE_INFINITY, "0f7F800000"],
    [Number.NaN, "0f7FC00000"],
  ])("write %d as %s", (value, constant) => {
    expect(written(float32Bits(value))).toBe(constant);
    expect(read(constant)).toBe(float32Bits(value));
  });

  it.each<[string, string, number]>([
    ["1.", "F32", 0x3f800000],
    [".5", "F32", 0x3f000000],
    ["+2E+1", "F32", 0x41a00000],
    ["1e-60", "F32", 0],
    ["3.4028235e38", "F32", 0x7f7fffff],
    [`1${"0".repeat(30)}e-30`, "F32", 0x3f800000],
    ["0fffc12345", "F32", 0xffc12345],
    ["0x1", "F32", 1],
    ["007", "U32", 7],
    ["0xfF", "U32", 255],
    ["-2147483648", "S32", 0x80000000],
    ["2147483647", "S32", 0x7fffffff],
    ["0x7", "PRED", 7],
  ])("read %s on %s", (constant, stack, bits) => {
    expect(read(constant, stack)).toBe(bits);
  });

  it("restore the bits of any f32, with decimals as JavaScript reads them", LONG, () => {
    const seed = runSeed();
    const random = new Random(seed);
    const anyBits = () =>
      random.once(2) ? random.word() : float32Bits(random.between(-5000, 5000) / 10 ** random.below(8));
    for (let batch = 0; batch < smoke(1000); batch++) {
      const bits = random.list(1000, anyBits);
      const program = StackProgram.of(...bits.map((each) => constantBits(F32, each)));
      const text = disassemble(program, SMALL_TABLE);
      expect(assemble(text, SMALL_TABLE).equals(program), `seed ${seed}`).toBe(true);
      const constants = text.trimEnd().replaceAll("const F32 ", "").split("\n");
      const wrong = constants.filter(
        (constant, index) =>
          !constant.startsWith("0f") &&
          (float32Bits(Number(constant)) !== bits[index] || constant.length > LONGEST_DECIMAL),
      );
      expect(wrong, `seed ${seed}`).toEqual([]);
    }
  });
});

it("decimals of any length are read as JavaScript reads them, and rounded to f32", LONG, () => {
  const seed = runSeed();
  const random = new Random(seed);
  const digits = (most: number) => random.list(random.below(most + 1), () => random.below(10)).join("");
  const anyDecimal = () => {
    const [whole, fraction] = [digits(random.pick([2, 9, 24])), digits(random.pick([2, 9, 24]))];
    const power = random.once(2) ? "" : `${random.pick(["e", "E", "e+", "e-"])}${random.below(60)}`;
    return `${random.pick(["", "-", "+"])}${whole || fraction ? "" : "0"}${whole}.${fraction}${power}`;
  };
  /** The midpoint of two f32, with all digits: the slightest error in between changes the result. */
  const halfway = () =>
    ((2 ** 23 + random.below(2 ** 23) + 0.5) * 2 ** random.between(-30, 0))
      .toPrecision(60)
      .replace(/0+$/, "");
  for (let round = 0; round < smoke(100_000); round++) {
    const text = random.once(2) ? anyDecimal() : halfway();
    const bits = float32Bits(Number(text));
    const line = `const F32 ${text}`;
    const fits = (bits & 0x7fffffff) !== 0x7f800000;
    if (fits) expect(assemble(line, SMALL_TABLE).at(0).payload, `seed ${seed}, ${text}`).toBe(bits);
    else expect(complaint(() => assemble(line, SMALL_TABLE))).toMatch(/^SYNTAX: /);
  }
});

describe("any words", () => {
  it("read back from their text, whatever the names are", LONG, () => {
    const seed = runSeed();
    const random = new Random(seed);
    let table = hardTable(random);
    for (let round = 0; round < smoke(20_000); round++) {
      if (round % 8 === 0) table = hardTable(random);
      const given: ProgramLabels = random.once(2)
        ? { registers: hardLabels(random), routines: hardLabels(random) }
        : {};
      const program = StackProgram.fromWords(anyWords(random, random.below(40)));
      const text = disassemble(program, table, given);
      const again = assemble(text, table, random.once(2) ? given : {});
      expect(again.equals(program), `seed ${seed}, round ${round}\n${text}`).toBe(true);
    }
  });

  it("read back when there are many", () => {
    const program = StackProgram.fromWords(anyWords(new Random(5), 200_000));
    expect(assemble(disassemble(program, SMALL_TABLE), SMALL_TABLE).equals(program)).toBe(true);
    const registers = Array.from({ length: 5000 }, (_, index) => `register${index}`);
    const inputs = StackProgram.of(...registers.map((_, index) => input(index)));
    expect(assemble(disassemble(inputs, SMALL_TABLE, { registers }), SMALL_TABLE).equals(inputs)).toBe(true);
  });
});

describe("arguments", () => {
  const program = StackProgram.of();
  it.each<[string, () => unknown]>([
    ["expected the text of a program, found null", () => assemble(null as never, SMALL_TABLE)],
    [
      "expected a StackProgram, found an object of Uint32Array",
      () => disassemble(program.words as never, SMALL_TABLE),
    ],
    ["expected a Stack PTX table, found undefined", () => assemble("", undefined as never)],
    ["expected a Stack PTX table, found an object", () => disassemble(program, {} as never)],
    ["expected options as an object, found null", () => assemble("", SMALL_TABLE, null as never)],
    [
      "unknown option `register`, did you mean `registers`?",
      () => disassemble(program, SMALL_TABLE, { register: [] } as never),
    ],
    [
      "expected `routines` as an array, found `r`",
      () => disassemble(program, SMALL_TABLE, { routines: "r" as never }),
    ],
    [
      "expected a name as `registers[1]`, found null",
      () => assemble("", SMALL_TABLE, { registers: ["x", null as never] }),
    ],
  ])("refuse: %s", (message, run) => {
    expect(complaint(run)).toBe(`INVALID_ARGUMENT: ${message}`);
  });
});
