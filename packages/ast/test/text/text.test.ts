// Math text: what it means, how it is printed, and where its errors are.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import {
  AstPtxError,
  type Constant,
  float32FromBits,
  literal,
  literalBits,
  parseExpression,
  printExpression,
  variables,
} from "../../src/index.js";
import { complaint, raised } from "../support/small-table.js";

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
    ["+x", "x"],
    ["x - +2", "x - 2"],
    ["-+2", "-(2)"],
    ["+(x*y)+ +1", "x * y + 1"],
    ["tid.x * ntid.w", "tid.x * ntid.w"],
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

describe("decimals are rounded once", () => {
  const bitsOf = (text: string) => (parseExpression(text) as Constant).bits.toString(16).padStart(8, "0");

  it.each<[string, string]>([
    // The midpoint of 1 and the next f32, next to it by less than f64 can distinguish, and exactly on it with
    // many digits.
    ["1.000000059604644775390625", "3f800000"],
    ["1.000000059604644775390625000001", "3f800001"],
    ["1.000000059604644775390624999999", "3f800000"],
    ["100000005960464477539062500000000000001e-38", "3f800001"],
    [`1000000059604644775390625${"0".repeat(400)}e-424`, "3f800000"],
    [`.${"0".repeat(400)}1000000059604644775390625000001e401`, "3f800001"],
    // The midpoint above an odd number rounds up, the one below it rounds down.
    ["1.000000178813934326171875", "3f800002"],
    ["1.000000178813934326171874999999", "3f800001"],
    ["3.141592621803283691406250001", "40490fdb"],
    // Half of the least f32, and the largest number that does not round to infinity.
    ["7.006492321624085354618e-46", "00000000"],
    [
      "7.00649232162408535461864791644958065640130970938257885878534141944895541342930300743319094181060791015625e-46",
      "00000000",
    ],
    [
      "7.00649232162408535461864791644958065640130970938257885878534141944895541342930300743319094181060791015626e-46",
      "00000001",
    ],
    ["340282356779733661637539395458142568447.99", "7f7fffff"],
  ])("%s is %s", (text, bits) => {
    expect(bitsOf(text)).toBe(bits);
  });

  it("as exact arithmetic says, near the midpoint of any two adjacent f32", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0x7f7ffffe }), fc.constantFrom(-1n, 0n, 1n), (bits, side) => {
        const [low, high] = [bits, bits + 1].map((each) => BigInt(float32FromBits(each) * 2 ** 149));
        // Twice the midpoint in units of 2^-150 is their sum; 10^150 makes 2^-150 a whole number.
        const digits = (low! + high!) * 5n ** 150n * 10n ** 20n + side;
        const even = bits % 2 === 0 ? bits : bits + 1;
        const expected = side === 0n ? even : side < 0n ? bits : bits + 1;
        expect(bitsOf(`${digits}e-170`)).toBe(expected.toString(16).padStart(8, "0"));
      }),
      { numRuns: smoke(20_000) },
    );
  });

  it("and refused if they would round to infinity", () => {
    expect(raised(() => parseExpression("340282356779733661637539395458142568448")).code).toBe("SYNTAX");
    expect(raised(() => parseExpression("1e400")).code).toBe("SYNTAX");
  });
});

describe("errors in a text", () => {
  it.each<[string, string, number, number]>([
    ["", "expected an operand, found the end of the text", 0, 1],
    ["x +", "expected an operand, found the end of the text", 3, 4],
    ["x y", "expected an operator or the end of the text, found `y`", 2, 3],
    ["2x", "expected an operator or the end of the text, found `x`", 1, 2],
    ["(x y)", "expected an operator or `)`, found `y`", 3, 4],
    ["(x, y)", "expected an operator or `)`, found `,`", 2, 3],
    ["min(x y)", "expected an operator, `,` or `)`, found `y`", 6, 7],
    ["x, y", "expected an operator or the end of the text, found `,`", 1, 2],
    ["x)", "expected an operator or the end of the text, found an unmatched `)`", 1, 2],
    ["()", "expected an operand, found `)`", 1, 2],
    ["*x", "expected an operand, found `*`", 0, 1],
    ["+", "expected an operand, found the end of the text", 1, 2],
    ["a.b", "expected a number, a name or an operator, found `.`", 1, 2],
    ["x.", "expected a number, a name or an operator, found `.`", 1, 2],
    ["tid.xy", "expected a number, a name or an operator, found `.`", 3, 4],
    ["tid.x.y", "expected a number, a name or an operator, found `.`", 3, 4],
    ["min(x,,y)", "expected an operand, found `,`", 6, 7],
    ["min(x, y", "expected a `)` for this `(`, found the end of the text", 3, 4],
    ["1 + (2 * (3", "expected a `)` for this `(`, found the end of the text", 9, 10],
    ["1 + sine(x)", "unknown function `sine`, did you mean `sin`?", 4, 8],
    ["toString(x)", "unknown function `toString`", 0, 8],
    ["min(x)", "expected 2 operands of `min`, found 1", 0, 3],
    ["sin()", "expected 1 operand of `sin`, found 0", 0, 3],
    ["sin(x, y)", "expected 1 operand of `sin`, found 2", 0, 3],
    ["1e99", "expected a number that f32 can hold, found `1e99`", 0, 4],
    ["0f3f80", "expected eight hex digits after `0f`, found `0f3f80`", 0, 6],
    ["0f3f8000000", "expected eight hex digits after `0f`, found `0f3f8000000`", 0, 11],
    ["x ^ 2", "expected an operator, found `^`; write `x * x`, or `ex2(y * lg2(x))` for positive `x`", 2, 3],
    [
      "x ** 2",
      "expected an operator, found `**`; write `x * x`, or `ex2(y * lg2(x))` for positive `x`",
      2,
      4,
    ],
    ["1 + log(x)", "unknown function `log`; write `lg2(x) * 0.6931472`", 4, 7],
    ["pow(x, y)", "unknown function `pow`; write `ex2(y * lg2(x))` for positive `x`", 0, 3],
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

  it("name unknown variables if the variables are declared", () => {
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
      "option `variables`: expected a list of names, found `x`",
      () => parseExpression("x", { variables: "x" as never }),
    ],
    [
      "option `variables[0]`: expected names, found null",
      () => parseExpression("x", { variables: [null] as never }),
    ],
    [
      "option `variables[1]`: expected names, found a symbol",
      () => parseExpression("y", { variables: ["x", Symbol("x")] as never }),
    ],
    ["expected options as an object, found an array", () => parseExpression("x", [] as never)],
  ])("refuse: %s", (message, act) => {
    expect(complaint(act)).toBe(`INVALID_ARGUMENT: ${message}`);
  });

  it("have a place however deep the text is", () => {
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
