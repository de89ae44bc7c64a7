// Modules: header, functions, parameters, variables, and what is wrong in a damaged one.
import { describe, expect, test } from "vitest";
import { PtxError, readFragment, readModule } from "../src/index.js";

const HEADER = ".version 8.0\n.target sm_80\n.address_size 64\n";

/** The codes and places of the problems of a text. */
function problemsOf(read: () => unknown): [code: string, line: number, column: number][] {
  try {
    read();
  } catch (error) {
    if (!(error instanceof PtxError)) throw error;
    return error.problems.map(({ code, line, column }) => [code, line, column]);
  }
  return [];
}

describe("mistakes", () => {
  test.each([
    ["BAD_CHARACTER", "mov.u32 %r1, é;", 1, 14],
    ["BAD_NUMBER", "mov.u32 %r1, 3q;", 1, 14],
    ["SYNTAX", "mov.u32 %r1, 3", 1, 14],
    ["UNBALANCED", "{ ret;", 1, 1],
    ["UNTERMINATED", '.pragma "x;', 1, 9],
  ])("%s: %s", (code, text, line, column) => {
    expect(problemsOf(() => readFragment(text))[0]).toEqual([code, line, column]);
    expect(readFragment(text, { tolerant: true }).problems[0]!.code).toBe(code);
  });

  test.each([
    [() => readModule(3 as never), "expected PTX as text, found 3"],
    [
      () => readFragment("", { tolerate: true } as never),
      "expected an option of reading, found `tolerate`, did you mean `tolerant`?",
    ],
    [() => readModule("", { tolerant: 1 } as never), "expected `tolerant` to be true or false, found 1"],
    [() => readModule("", null as never), "expected options, found null"],
  ])("arguments of the wrong kind, %#", (read, message) => {
    expect(read).toThrow(expect.objectContaining({ code: "INVALID_INPUT", message }));
  });

  test("several at once, in their order", () => {
    expect(problemsOf(() => readModule(`${HEADER}add %a;\n.entry k() {\n\tret\n\tfoo: ret;\n`))).toEqual([
      ["SYNTAX", 4, 1],
      ["UNBALANCED", 5, 12],
      ["SYNTAX", 6, 2],
    ]);
  });
});
