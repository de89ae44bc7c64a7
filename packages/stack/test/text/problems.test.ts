// Problems of a text: each has its place and what was expected there.
import { describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { assemble, disassemble, StackProgram, StackPtxError } from "../../src/index.js";
import { Random, runSeed } from "../support/random.js";
import { SMALL_TABLE } from "../support/small-table.js";
import { anyWords, hardLabels, hardTable, LABELS, S32_AND_BITS } from "../support/texts.js";

/** The timeout for full counts. */
const LONG = { timeout: 900_000 };

describe("problems of a text", () => {
  it("are reported with line, column and the line itself, all at once", () => {
    const text = "add\r\n  input q ; no such label\nadd neg\n";
    let error: unknown;
    try {
      assemble(text, SMALL_TABLE, LABELS);
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

  it("have the right places in a text that is not ASCII", () => {
    const lines = ["\ufeff; 𝕏 ü", "ädd", "add ; ü", "  input ö𝕏", ".registers ü", "add neg ; 𝕏"];
    const text = lines.join("\n");
    const { problems } = caught(() => assemble(text, SMALL_TABLE, LABELS));
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

  it("have no suggestions if there are very many names", () => {
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
    [".registers a b a", "expected a label for one index only (it is 0 already), found `a`"],
    [".registers y", "expected a label for one index only (it is 1 already), found `y`"],
    ["\u0000", "expected the end of the line, found the character 0x00"],
    ["add \u0007", "expected the end of the line, found the character 0x07"],
    ["𝕏𝕏 1", "expected an instruction, found `𝕏𝕏`"],
  ])("include the one of %j", (line, message) => {
    const before = "; 𝕏\nadd\n";
    const text = `${before}${line}\nadd`;
    const error = caught(() => assemble(text, S32_AND_BITS, LABELS));
    expect(error.code).toBe("SYNTAX");
    expect(error.problems.map((problem) => problem.message)).toEqual([message]);
    const [{ span, line: number, column }] = error.problems as [StackPtxError["problems"][number]];
    expect(number).toBe(3);
    expect(span.start).toBe(before.length + column - 1);
    const found = /found `(.*?)`/.exec(message)?.[1];
    if (found !== undefined) expect(text.slice(span.start, span.end)).toBe(found);
  });

  it("are listed up to twenty", () => {
    expect(caught(() => assemble("?\n".repeat(1000), SMALL_TABLE)).problems).toHaveLength(20);
  });

  it("of long words are reported in bounded time", () => {
    const [long, other] = ["a", "b"].map((letter) => letter.repeat(300_000));
    const { problems } = caught(() => assemble(`.registers ${long}\ninput ${other}`, SMALL_TABLE));
    expect(problems).toHaveLength(1);
    expect(problems[0]!.message.length).toBeLessThan(200);
  });
});

it("of damaged texts have a place, or the text is assembled", LONG, () => {
  const seed = runSeed();
  const random = new Random(seed);
  const letters = " \n\t;.0x1f-e_FdupU3\u0000ü𝕏";
  let table = hardTable(random);
  for (let round = 0; round < smoke(50_000); round++) {
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
