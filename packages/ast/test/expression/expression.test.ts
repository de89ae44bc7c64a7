// Expressions and the programs that they become.
import { describe, expect, it } from "vitest";
import { SOAK } from "../../../../tests/support/counts.js";
import { table } from "../../src/generated/f32.js";
import * as ast from "../../src/index.js";
import {
  AstCompiler,
  type Expression,
  literal,
  literalBits,
  type Operand,
  operation,
  parseExpression,
  printExpression,
  type ToProgramOptions,
  toProgram,
  variables,
} from "../../src/index.js";
import { complaint } from "../support/small-table.js";

const { x, y } = variables("x", "y");
const CATALOGUE = {
  add: 2,
  sub: 2,
  mul: 2,
  div: 2,
  fma: 3,
  neg: 1,
  abs: 1,
  min: 2,
  max: 2,
  copysign: 2,
  rcp: 1,
  sqrt: 1,
  rsqrt: 1,
  sin: 1,
  cos: 1,
  lg2: 1,
  ex2: 1,
  tanh: 1,
} as const;

/** The instructions of an expression's stub. */
function stubOf(expression: Operand, options?: ToProgramOptions): string {
  const { program, inputs, routines } = toProgram(expression, table, options);
  return new AstCompiler(table, { routines }).compile(program, { inputs, output: "z" });
}

/** The lines of a stub without braces and declarations. */
const linesOf = (expression: Operand, options?: ToProgramOptions): string[] =>
  stubOf(expression, options)
    .split("\n")
    .filter((line) => !/^[{}.]/.test(line));

/** More than a recursive function could handle. */
const LONG = SOAK ? 100_000 : 20_000;

/** Values that are all passed on to the end; the instructions that pass them on are as many as their square. */
const MANY = SOAK ? 3000 : 1000;

describe("expressions", () => {
  it("become programs in postorder, with inputs in order of appearance", () => {
    const { program, inputs, routines } = toProgram(ast.mul(y, x).add(1), table);
    expect(inputs).toEqual(["y", "x"]);
    expect(routines).toEqual([]);
    const { ptx, input, constant } = { ptx: ast.ptxInstruction, input: ast.input, constant: ast.constant };
    expect(program.equals(ast.AstProgram.of(input(0), input(1), ptx(3, 2), constant(1), ptx(1, 2)))).toBe(
      true,
    );
    expect(stubOf(ast.mul(y, x).add(1))).toBe(
      "{\n.reg .f32 %ast<2>;\nmul.ftz.f32 %ast0, %y, %x;\nadd.ftz.f32 %ast1, %ast0, 0f3f800000;\nmov.f32 %z, %ast1;\n}",
    );
  });

  it.each(Object.entries(CATALOGUE))("have %s as a function, as a method and by name", (name, args) => {
    const operands = [x, y, literal(2)].slice(0, args);
    const [first, ...rest] = operands;
    const call = (ast as unknown as Record<string, (...all: Operand[]) => Expression>)[name]!;
    const method = (first as unknown as Record<string, (...all: Operand[]) => Expression>)[name]!;
    const expected = [
      expect.stringMatching(
        new RegExp(
          `^${name}\\b[a-z.]*\\.f32 %ast0, ${["%x", "%y", "0f40000000"].slice(0, args).join(", ")};$`,
        ),
      ),
      "mov.f32 %z, %ast0;",
    ];
    expect(linesOf(call(...operands))).toEqual(expected);
    expect(linesOf(method.apply(first, rest))).toEqual(expected);
    expect(linesOf(operation(name as ast.OperationName, ...operands))).toEqual(expected);
    expect(printExpression(parseExpression(`${name}(${["x", "y", "2"].slice(0, args).join(", ")})`))).toBe(
      printExpression(call(...operands)),
    );
  });

  it("accept numbers anywhere, rounded to f32", () => {
    expect(linesOf(ast.sub(1, x).mul(0.1))).toEqual([
      "sub.ftz.f32 %ast0, 0f3f800000, %x;",
      "mul.ftz.f32 %ast1, %ast0, 0f3dcccccd;",
      "mov.f32 %z, %ast1;",
    ]);
    expect(linesOf(3)).toEqual(["mov.f32 %z, 0f40400000;"]);
    expect(literal(-0).bits).toBe(0x80000000);
    expect(literalBits(0x40400000).value).toBe(3);
  });

  it("are immutable", () => {
    for (const node of [x, literal(1), x.add(1), x.add(1).args]) expect(Object.isFrozen(node)).toBe(true);
  });

  it("keep a given order of inputs, unused ones included", () => {
    const { inputs } = toProgram(x.add(y), table, { inputs: ["w", "y", "x"] });
    expect(inputs).toEqual(["w", "y", "x"]);
    expect(stubOf(x.add(y), { inputs: ["w", "y", "x"] })).toContain("%ast0, %x, %y;");
  });

  it("of many operations in a chain, on either side, are written, printed and read", () => {
    let left: Expression = x;
    let right: Expression = x;
    for (let i = 0; i < LONG; i++) {
      left = left.sub(y);
      right = ast.sub(y, right);
    }
    for (const [expression, first, last] of [
      [left, "x - y - y", "y - y"],
      [right, "y - (y - (", "))))"],
    ] as const) {
      expect(toProgram(expression, table).program.length).toBe(2 * LONG + 1);
      const shared = toProgram(expression, table, { share: true, fold: "all" });
      expect(shared.program.length).toBe(2 * LONG + 1);
      const text = printExpression(expression);
      expect(text.startsWith(first) && text.endsWith(last)).toBe(true);
      const read = toProgram(parseExpression(text), table, { inputs: ["x", "y"] });
      expect(read.program.equals(toProgram(expression, table, { inputs: ["x", "y"] }).program)).toBe(true);
    }
  });

  it.each<[string, () => unknown]>([
    ["expected the name of a variable, which starts with a letter, found `1x`", () => variables("1x")],
    ["expected the name of a variable, which starts with a letter, found ``", () => variables("")],
    ...["x.", "a..b", "a.b", "tid.x.y", ".x"].map((name): [string, () => unknown] => [
      `expected the name of a variable, which starts with a letter, found \`${name}\``,
      () => variables(name),
    ]),
    ["expected a number or an expression, found `x`", () => x.add("x" as never)],
    ["expected a number or an expression, found undefined", () => ast.add(x, undefined as never)],
    ["expected the bits of an f32 as u32, found -1", () => literalBits(-1)],
    ["expected 3 operands of `fma`, found 2", () => operation("fma", x, y)],
    ["expected 1 operand of `sin`, found 2", () => operation("sin", x, y)],
    [
      "expected the name of an operation, found `sine`, did you mean `sin`?",
      () => operation("sine" as never, x),
    ],
    ["expected the name of an operation, found an array", () => operation([Symbol("x")] as never, x)],
    ["expected an AST PTX table, found undefined", () => toProgram(x, undefined as never)],
    ["unknown option `shares`, did you mean `share`?", () => toProgram(x, table, { shares: true } as never)],
    [
      "option `fold`: expected `exact`, `all`, found true",
      () => toProgram(x, table, { fold: true as never }),
    ],
    ["option `share`: expected a boolean, found 1", () => toProgram(x, table, { share: 1 as never })],
    [
      "option `inputs`: expected a list of names, found `x`",
      () => toProgram(x, table, { inputs: "x" as never }),
    ],
    ["option `inputs[0]`: expected names, found 1", () => toProgram(x, table, { inputs: [1 as never] })],
    ["expected each input once, found `x` twice", () => toProgram(x, table, { inputs: ["x", "x"] })],
    ["expected variables among `inputs`, found `x`", () => toProgram(x, table, { inputs: [] })],
  ])("refuse: %s", (message, act) => {
    expect(complaint(act)).toBe(`INVALID_ARGUMENT: ${message}`);
  });

  it("refuse an operation that the table lacks, or has with another number of arguments", () => {
    const instructions = [
      { ptx: "add.f32", name: "a", args: 3 },
      { ptx: "add.f16", name: "b", args: 2 },
      { ptx: "mul.rn.f32", name: "c", args: 2 },
    ];
    const small = { ...table, instructions };
    expect(complaint(() => toProgram(x.add(y), small))).toBe(
      "UNSUPPORTED_INSTRUCTION: expected an f32 instruction for `add`, found none in the table",
    );
    expect(toProgram(x.mul(y), small).program.words[5]).toBe(2);
  });
});

describe("sharing", () => {
  it("computes common subexpressions once", () => {
    const s = x.add(y);
    expect(linesOf(s.mul(s).sub(s.sin()), { share: true })).toEqual([
      "add.ftz.f32 %ast0, %x, %y;",
      "mul.ftz.f32 %ast1, %ast0, %ast0;",
      "sin.approx.ftz.f32 %ast2, %ast0;",
      "sub.ftz.f32 %ast3, %ast1, %ast2;",
      "mov.f32 %z, %ast3;",
    ]);
  });

  it("finds equal subexpressions, and leaves inputs and constants alone", () => {
    const expression = parseExpression("(x + 1) * (x + 1) + x * 1 * x");
    expect(linesOf(expression, { share: true })).toEqual([
      "add.ftz.f32 %ast0, %x, 0f3f800000;",
      "mul.ftz.f32 %ast1, %ast0, %ast0;",
      "mul.ftz.f32 %ast2, %x, 0f3f800000;",
      "mul.ftz.f32 %ast3, %ast2, %x;",
      "add.ftz.f32 %ast4, %ast1, %ast3;",
      "mov.f32 %z, %ast4;",
    ]);
    const { routines } = toProgram(parseExpression("x * x + 1 * x * 1"), table, { share: true });
    expect(routines).toEqual([]);
  });

  it("passes on many values at a time", () => {
    let value: Expression = x.add(1);
    let sum = value;
    for (let i = 0; i < MANY; i++) {
      value = value.mul(value).add(1);
      sum = sum.add(value);
    }
    expect(linesOf(sum, { share: true })).toHaveLength(3 * MANY + 2);
  });

  it("keeps programs short that would never end if written out", () => {
    let doubled: Expression = x;
    for (let i = 0; i < 1000; i++) doubled = doubled.mul(doubled);
    expect(linesOf(doubled, { share: true })).toHaveLength(1001);
    expect(complaint(() => toProgram(doubled, table))).toMatch(
      /^INVALID_ARGUMENT: expected at most 16777216 nodes when each is written wherever it is used, found /,
    );
    expect(complaint(() => printExpression(doubled))).toMatch(
      /^INVALID_ARGUMENT: expected at most 16777216 nodes/,
    );
  });
});

describe("folding", () => {
  it.each<[string, string]>([
    ["x * (2 + 3)", "x * 5"],
    ["1 / 3 + x", "1 / 3 + x"],
    ["sqrt(4) + x", "sqrt(4) + x"],
    ["fma(3, 4, -2) * -(1)", "-10"],
    ["min(1, 2) - abs(-3)", "-2"],
    ["copysign(-1, 2)", "-2"],
    ["1e-45 + 0", "0"],
    ["3e38 * 10", "0f7f800000"],
    ["0f7fc00000 + 1", "0f7fc00000 + 1"],
    ["copysign(0fffc00000, 2)", "copysign(0fffc00000, 2)"],
    ["0f7f800000 - 0f7f800000", "0f7f800000 - 0f7f800000"],
  ])("%s is %s as far as it is exact", (text, folded) => {
    const [found, expected] = [
      toProgram(parseExpression(text), table, { fold: "exact" }),
      toProgram(parseExpression(folded), table),
    ];
    expect(found.program.equals(expected.program)).toBe(true);
  });

  it("includes approximations if requested", () => {
    const { program } = toProgram(parseExpression("sqrt(4) + 1 / 4 + x"), table, { fold: "all" });
    expect(program.equals(toProgram(parseExpression("2.25 + x"), table).program)).toBe(true);
  });

  it.each(["add.rz.f32", "add.sat.f32"])("leaves unknown operations alone: %s", (ptx) => {
    const strange = { ...table, instructions: [{ ptx, name: "add", args: 2 }] };
    const { program } = toProgram(ast.add(1, 2), strange, { fold: "exact" });
    expect(program.equals(toProgram(ast.add(1, 2), strange).program)).toBe(true);
  });
});
