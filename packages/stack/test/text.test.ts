// The text form of programs: what it looks like, that it gives back the same words, and what is wrong in a bad one.
import { describe, expect, it } from "vitest";
import { cases } from "../../../tests/support/counts.js";
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
  StackPtxError,
  special,
  store,
} from "../src/index.js";
import { Random, runSeed } from "./support/random.js";
import { ADD, complaint, F32, NEG, SMALL_TABLE, U32 } from "./support/small-table.js";
import { anyWords, hardLabels, hardTable } from "./support/texts.js";

const S32_AND_BITS = {
  ...SMALL_TABLE,
  stackTypes: [
    ...SMALL_TABLE.stackTypes,
    { name: "S32", literalPrefix: "s32", constantType: "s32" as const },
    { name: "PRED", literalPrefix: "pred" },
  ],
};
/** What full counts may take. */
const LONG = { timeout: 900_000 };
/** `-0.00001234567891`: nine digits, or ten where their number was guessed, and five zeros before them. */
const LONGEST_DECIMAL = 18;
const labels = { registers: ["x", "y"], routines: ["square"] };

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

  it("has one instruction a line, by name where there is one", () => {
    expect(disassemble(program, S32_AND_BITS, labels)).toBe(text);
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

  it("takes labels from the caller, such as the registers of a job", () => {
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

  it("gives way to keywords, and to indices where a name is no word or stands twice", () => {
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

  it("give back the bits of any f32, and decimals what JavaScript reads in them", LONG, () => {
    const seed = runSeed();
    const random = new Random(seed);
    const anyBits = () =>
      random.once(2) ? random.word() : float32Bits(random.between(-5000, 5000) / 10 ** random.below(8));
    for (let batch = 0; batch < cases(1000); batch++) {
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
  /** Halfway between two f32, in all its digits: the least error on the way changes the result. */
  const halfway = () =>
    ((2 ** 23 + random.below(2 ** 23) + 0.5) * 2 ** random.between(-30, 0))
      .toPrecision(60)
      .replace(/0+$/, "");
  for (let round = 0; round < cases(100_000); round++) {
    const text = random.once(2) ? anyDecimal() : halfway();
    const bits = float32Bits(Number(text));
    const line = `const F32 ${text}`;
    const fits = (bits & 0x7fffffff) !== 0x7f800000;
    if (fits) expect(assemble(line, SMALL_TABLE).at(0).payload, `seed ${seed}, ${text}`).toBe(bits);
    else expect(caught(() => assemble(line, SMALL_TABLE)).code).toBe("SYNTAX");
  }
});

describe("any words", () => {
  it("come back from their text, whatever the names are", LONG, () => {
    const seed = runSeed();
    const random = new Random(seed);
    let table = hardTable(random);
    for (let round = 0; round < cases(20_000); round++) {
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

  it("come back when there are many", () => {
    const program = StackProgram.fromWords(anyWords(new Random(5), 200_000));
    expect(assemble(disassemble(program, SMALL_TABLE), SMALL_TABLE).equals(program)).toBe(true);
    const registers = Array.from({ length: 5000 }, (_, index) => `register${index}`);
    const inputs = StackProgram.of(...registers.map((_, index) => input(index)));
    expect(assemble(disassemble(inputs, SMALL_TABLE, { registers }), SMALL_TABLE).equals(inputs)).toBe(true);
  });
});

describe("problems of a text", () => {
  it("are told with line, column and the line itself, all at once", () => {
    const text = "add\r\n  input q ; no such label\nadd neg\n";
    let error: unknown;
    try {
      assemble(text, SMALL_TABLE, labels);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(StackPtxError);
    const { code, message, problems } = error as StackPtxError;
    expect(code).toBe("SYNTAX");
    expect(message).toBe(`line 2, column 9: expected a register, found \`q\`, did you mean \`x\`?
    2 |   input q ; no such label
      |         ^
line 3, column 5: expected the end of the line, found \`neg\`
    3 | add neg
      |     ^^^`);
    expect(problems).toEqual([
      {
        message: "expected a register, found `q`, did you mean `x`?",
        span: { start: 13, end: 14 },
        line: 2,
        column: 9,
      },
      {
        message: "expected the end of the line, found `neg`",
        span: { start: 35, end: 38 },
        line: 3,
        column: 5,
      },
    ]);
  });

  it("are told with their places in a text that is not ASCII", () => {
    const lines = ["\ufeff; 𝕏 ü", "ädd", "add ; ü", "  input ö𝕏", ".registers ü", "add neg ; 𝕏"];
    const text = lines.join("\n");
    const { problems } = caught(() => assemble(text, SMALL_TABLE, labels));
    const words = ["ädd", "ö𝕏", "ü", "neg"];
    expect(problems.map(({ span }) => text.slice(span.start, span.end))).toEqual(words);
    expect(problems.map(({ line, column }) => [line, column])).toEqual([
      [2, 1],
      [4, 9],
      [5, 12],
      [6, 5],
    ]);
    expect(problems.map(({ span }) => span.start)).toEqual([
      text.indexOf("ädd"),
      text.indexOf("ö𝕏"),
      text.indexOf(".registers") + ".registers ".length,
      text.indexOf("neg"),
    ]);
  });

  it("have no guesses among more names than anyone reads", () => {
    const registers = Array.from({ length: 2 ** 14 }, (_, index) => `register${index}`);
    const message = (labelled: string[]): string =>
      caught(() => assemble("input regist0", SMALL_TABLE, { registers: labelled })).problems[0]!.message;
    expect(message(registers)).toBe("expected a register, found `regist0`, did you mean `register0`?");
    expect(message([...registers, "one_more"])).toBe("expected a register, found `regist0`");
  });

  it.each<[string, string]>([
    ["ad", "expected an instruction, found `ad`, did you mean `add`?"],
    ["yankdup F32", "expected an instruction, found `yankdup`, did you mean `yank_dup`?"],
    [".register x", "expected an instruction, found `.register`, did you mean `.registers`?"],
    ["17", "expected an instruction, found `17`"],
    ["dup", "expected a stack, found the end of the line"],
    ["dup ; F32", "expected a stack, found the end of the line"],
    ["dup F3", "expected a stack, found `F3`, did you mean `F32`?"],
    ["dup 65536", "expected a stack from 0 to 65535, found `65536`"],
    ["dup 1x", "expected a stack from 0 to 65535, found `1x`"],
    ["ptx", "expected a PTX instruction, found the end of the line"],
    ["ptx ad", "expected a PTX instruction, found `ad`, did you mean `add`?"],
    ["special tdi", "expected a special register, found `tdi`, did you mean `tid`?"],
    ["routine sqare", "expected a routine, found `sqare`, did you mean `square`?"],
    ["routine -1", "expected a routine, found `-1`"],
    ["meta 4294967296", "expected a number from 0 to 4294967295, found `4294967296`"],
    ["load x", "expected a number, found `x`"],
    ["store F32", "expected a number, found the end of the line"],
    ["return 0", "expected the end of the line, found `0`"],
    ["const F32", "expected an f32 such as `1.5` or `0f3FC00000`, found the end of the line"],
    ["const F32 1.5f", "expected an f32 such as `1.5` or `0f3FC00000`, found `1.5f`"],
    ["const F32 0f3FC0000", "expected an f32 such as `1.5` or `0f3FC00000`, found `0f3FC0000`"],
    ["const F32 1e39", "expected an f32 such as `1.5` or `0f3FC00000`, found `1e39`"],
    ["const F32 1e", "expected an f32 such as `1.5` or `0f3FC00000`, found `1e`"],
    ["const F32 -", "expected an f32 such as `1.5` or `0f3FC00000`, found `-`"],
    ["const F32 1.2.3", "expected an f32 such as `1.5` or `0f3FC00000`, found `1.2.3`"],
    ["const F32 NaN", "expected an f32 such as `1.5` or `0f3FC00000`, found `NaN`"],
    ["const U32 -1", "expected a u32 such as `7` or `0x00000007`, found `-1`"],
    ["const U32 0x100000000", "expected a u32 such as `7` or `0x00000007`, found `0x100000000`"],
    ["const U32 0x", "expected a u32 such as `7` or `0x00000007`, found `0x`"],
    ["const U32 0f3FC00000", "expected a u32 such as `7` or `0x00000007`, found `0f3FC00000`"],
    ["const S32 2147483648", "expected an s32 such as `-7` or `0xFFFFFFF9`, found `2147483648`"],
    ["const S32 -", "expected an s32 such as `-7` or `0xFFFFFFF9`, found `-`"],
    ["const PRED 1", "expected bits such as `0x3F800000`, as the stack has no constants, found `1`"],
    ["const 9 1", "expected bits such as `0x3F800000`, as the stack has no constants, found `1`"],
    [".word 0x1", "expected a word such as `0x00000001`, found the end of the line"],
    [".word 1 2", "expected a word such as `0x00000001`, found `1`"],
    [".word 0x1 0x2 0x3", "expected the end of the line, found `0x3`"],
    [".registers a 5", "expected a label for a register, found `5`"],
    [".registers ü", "expected a label for a register, found `ü`"],
    [".registers a b a", "expected a label that stands for one index only (it is 0 already), found `a`"],
    [".registers y", "expected a label that stands for one index only (it is 1 already), found `y`"],
    ["\u0000", "expected the end of the line, found the character 0x00"],
    ["add \u0007", "expected the end of the line, found the character 0x07"],
    ["𝕏𝕏 1", "expected an instruction, found `𝕏𝕏`"],
  ])("name %j", (line, message) => {
    const before = "; 𝕏\nadd\n";
    const text = `${before}${line}\nadd`;
    const error = caught(() => assemble(text, S32_AND_BITS, labels));
    expect(error.code).toBe("SYNTAX");
    expect(error.problems.map((problem) => problem.message)).toEqual([message]);
    const [{ span, line: number, column }] = error.problems as [StackPtxError["problems"][number]];
    expect(number).toBe(3);
    expect(span.start).toBe(before.length + column - 1);
    const found = /found `(.*?)`/.exec(message)?.[1];
    if (found !== undefined) expect(text.slice(span.start, span.end)).toBe(found);
  });

  it("end after twenty", () => {
    expect(caught(() => assemble("?\n".repeat(1000), SMALL_TABLE)).problems).toHaveLength(20);
  });

  it("are told of long words in bounded time", () => {
    const [long, other] = ["a", "b"].map((letter) => letter.repeat(300_000));
    const { problems } = caught(() => assemble(`.registers ${long}\ninput ${other}`, SMALL_TABLE));
    expect(problems).toHaveLength(1);
    expect(problems[0]!.message.length).toBeLessThan(200);
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
    expect(complaint(run)).toBe(`INVALID_VALUE: ${message}`);
  });
});

it("damaged texts are assembled or refused with their place", LONG, () => {
  const seed = runSeed();
  const random = new Random(seed);
  const letters = " \n\t;.0x1f-e_FdupU3\u0000ü𝕏";
  let table = hardTable(random);
  for (let round = 0; round < cases(50_000); round++) {
    if (round % 8 === 0) table = hardTable(random);
    const given = { registers: hardLabels(random), routines: hardLabels(random) };
    let text = disassemble(StackProgram.fromWords(anyWords(random, random.below(8))), table, given);
    for (let damage = random.between(1, 4); damage > 0; damage--) {
      const at = random.below(text.length + 1);
      const inserted = random.once(3) ? "" : letters[random.below(letters.length)]!;
      text = text.slice(0, at) + inserted + text.slice(at + random.below(3));
    }
    try {
      const program = assemble(text, table);
      expect(assemble(disassemble(program, table), table).equals(program), `seed ${seed}`).toBe(true);
    } catch (error) {
      const { code, problems } = error as StackPtxError;
      expect(code, `seed ${seed}\n${text}\n${error}`).toBe("SYNTAX");
      const places = problems.map(({ span }) => text.slice(0, span.start).split("\n").length);
      expect(places, `seed ${seed}`).toEqual(problems.map(({ line }) => line));
      expect(
        problems.every(({ span }) => span.end <= text.length),
        `seed ${seed}`,
      ).toBe(true);
    }
  }
});

function caught(run: () => unknown): StackPtxError {
  try {
    run();
  } catch (error) {
    if (error instanceof StackPtxError) return error;
    throw error;
  }
  throw new Error("expected a StackPtxError, nothing was thrown");
}
