// Math text: what it means, how it is printed, and where its errors are.
import { describe, expect, it } from "vitest";
import {
  AstPtxError,
  literal,
  literalBits,
  parseExpression,
  printExpression,
  variables,
} from "../src/index.js";
import { complaint, raised } from "./support/small-table.js";

const { x } = variables("x");

describe("reading and printing", () => {
  it.each<[string, string]>([
    ["x", "x"],
    ["((x))", "x"],
    ["x*y+1", "x * y + 1"],
    ["x*(y+1)", "x * (y + 1)"],
    ["a-b-c", "a - b - c"],
    ["a-(b-c)", "a - (b - c)"],
    ["a/b/c", "a / b / c"],
    ["a/(b/c)", "a / (b / c)"],
    ["a*(b/c)", "a * (b / c)"],
    ["(a*b)/c", "a * b / c"],
    ["-x*y", "-x * y"],
    ["-(x*y)", "-(x * y)"],
    ["x - -y", "x - -y"],
    ["--x", "--x"],
    ["-1", "-1"],
    ["- 1", "-1"],
    ["-(1)", "-(1)"],
    ["--1", "--1"],
    ["x-1", "x - 1"],
    ["x--1", "x - -1"],
    ["min(x,max(y , 1))", "min(x, max(y, 1))"],
    ["fma(x,y,z)+neg(x)", "fma(x, y, z) + -x"],
    ["add(x, y)", "x + y"],
    ["sin(-x)", "sin(-x)"],
    ["min*2", "min * 2"],
    ["tid.x+_a$1", "tid.x + _a$1"],
    ["1.50", "1.5"],
    [".5", "0.5"],
    ["2.", "2"],
    ["1e-3", "0.001"],
    ["1E+3", "1000"],
    ["0.1", "0.1"],
    ["16777217", "16777216"],
    ["1e-45", "1e-45"],
    ["3.4028234663852886e38", "3.4028235e+38"],
    ["0f3F800000", "1"],
    ["0F3f800000", "1"],
    ["-0f3f800000", "-1"],
    ["0", "0"],
    ["-0", "-0"],
    ["0f7f800000", "0f7f800000"],
    ["-0f7f800000", "0fff800000"],
    ["0f7fc00001", "0f7fc00001"],
    ["  x\n\t+ y ", "x + y"],
  ])("%s prints as %s", (text, printed) => {
    expect(printExpression(parseExpression(text))).toBe(printed);
    expect(printExpression(parseExpression(printed))).toBe(printed);
  });

  it("prints numbers and expressions made by hand", () => {
    expect(printExpression(0.1)).toBe("0.1");
    expect(printExpression(literal(-2).neg())).toBe("--2");
    expect(printExpression(literalBits(0xffffffff).add(x))).toBe("0fffffffff + x");
  });
});

describe("errors of a text", () => {
  it.each<[string, string, number, number]>([
    ["", "expected an operand, found the end of the text", 0, 1],
    ["x +", "expected an operand, found the end of the text", 3, 4],
    ["x y", "expected an operator or the end of the text, found `y`", 2, 3],
    ["2x", "expected an operator or the end of the text, found `x`", 1, 2],
    ["(x y)", "expected an operator or `)`, found `y`", 3, 4],
    ["(x, y)", "expected an operator or `)`, found `,`", 2, 3],
    ["min(x y)", "expected an operator, `,` or `)`, found `y`", 6, 7],
    ["x, y", "expected an operator or the end of the text, found `,`", 1, 2],
    ["x)", "expected an operator or the end of the text, found a `)` too many", 1, 2],
    ["()", "expected an operand, found `)`", 1, 2],
    ["*x", "expected an operand, found `*`", 0, 1],
    ["+x", "expected an operand, found `+`", 0, 1],
    ["min(x,,y)", "expected an operand, found `,`", 6, 7],
    ["min(x, y", "expected a `)` for this `(`, found the end of the text", 3, 4],
    ["1 + (2 * (3", "expected a `)` for this `(`, found the end of the text", 9, 10],
    ["1 + sine(x)", "unknown function `sine`, did you mean `sin`?", 4, 8],
    ["toString(x)", "unknown function `toString`", 0, 8],
    ["min(x)", "expected 2 operands of `min`, found 1", 0, 3],
    ["sin()", "expected 1 operand of `sin`, found 0", 0, 3],
    ["sin(x, y)", "expected 1 operand of `sin`, found 2", 0, 3],
    ["1e99", "expected a number that f32 can hold, found `1e99`", 0, 4],
    ["0f3f80", "expected eight hex digits behind `0f`, found `0f3f80`", 0, 6],
    ["0f3f8000000", "expected eight hex digits behind `0f`, found `0f3f8000000`", 0, 11],
    ["x ^ 2", "expected a number, a name or an operator, found `^`", 2, 3],
    ["x + 😀", "expected a number, a name or an operator, found `😀`", 4, 6],
  ])("%j: %s", (text, message, start, end) => {
    const error = raised(() => parseExpression(text)) as AstPtxError;
    expect(error.code).toBe("SYNTAX");
    expect(error.message.split("\n")[0]).toBe(`line 1, column ${start + 1}: ${message}`);
    expect(spanOf(text)).toEqual({ start, end });
  });

  it("show the line with carets", () => {
    expect(complaint(() => parseExpression("x *\n  cosine(y) + 1"))).toBe(
      "SYNTAX: line 2, column 3: unknown function `cosine`\n    2 |   cosine(y) + 1\n      |   ^^^^^^",
    );
  });

  it("name variables that there are not, where it is said which there are", () => {
    expect(printExpression(parseExpression("x + yy", { variables: ["x", "yy"] }))).toBe("x + yy");
    expect(complaint(() => parseExpression("x + yyz", { variables: ["x", "yy"] }))).toContain(
      "line 1, column 5: unknown variable `yyz`, did you mean `yy`?",
    );
  });

  it.each<[string, () => unknown]>([
    ["expected an expression as text, found undefined", () => parseExpression(undefined as never)],
    [
      "unknown option `variable`, did you mean `variables`?",
      () => parseExpression("x", { variable: [] } as never),
    ],
    [
      "expected `variables` as an array of names, found `x`",
      () => parseExpression("x", { variables: "x" as never }),
    ],
  ])("refuse: %s", (message, act) => {
    expect(complaint(act)).toBe(`INVALID_VALUE: ${message}`);
  });

  it("end in a place however deep the text", () => {
    const deep = `${"(".repeat(100_000)}x${")".repeat(100_000)}`;
    expect(printExpression(parseExpression(deep))).toBe("x");
    expect(spanOf(`${deep})`)).toEqual({ start: 200_001, end: 200_002 });
    expect(spanOf("-".repeat(100_000))).toEqual({ start: 100_000, end: 100_001 });
  });
});

function spanOf(text: string) {
  try {
    parseExpression(text);
  } catch (error) {
    if (error instanceof AstPtxError) return error.span;
    throw error;
  }
  return undefined;
}
