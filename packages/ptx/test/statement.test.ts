// Statements and scopes: where each begins and ends, even if its end is missing.
import { describe, expect, test } from "vitest";
import { type PtxCode, readFragment } from "../src/index.js";

/** The statements of a text as scope, kind and text. */
function statementsOf({ statements, text }: PtxCode): string[] {
  return Array.from({ length: statements.count }, (_, i) => {
    return `${statements.scopes[i]} ${statements.kind(i)} ${text.slice(statements.start(i), statements.end(i))}`;
  });
}

const well = (text: string) => statementsOf(readFragment(text));
const damaged = (text: string) => {
  const code = readFragment(text, { tolerant: true });
  return { statements: statementsOf(code), messages: code.problems.map(({ message }) => message) };
};

describe("well-formed text", () => {
  test("directives end by themselves, by a semicolon or by a body", () => {
    expect(
      well(
        '.version 9.0 .target sm_90a, debug .address_size 64 .file 1 "a.cu", 17, 3 .alias a, b; .pragma "x";' +
          ".extern .shared .align 16 .b8 s[]; .weak .func (.param .b32 r) f (.param .b32 x) ;",
      ),
    ).toEqual([
      "0 directive .version 9.0",
      "0 directive .target sm_90a, debug",
      "0 directive .address_size 64",
      '0 directive .file 1 "a.cu", 17, 3',
      "0 directive .alias a, b;",
      '0 directive .pragma "x";',
      "0 variable .extern .shared .align 16 .b8 s[];",
      "0 function .weak .func (.param .b32 r) f (.param .b32 x) ;",
    ]);
  });

  test("a header contains directives, including pragmas with their semicolon", () => {
    expect(well('.visible .entry k(.param .u64 p) .maxntid 1, 2 .pragma "x"; // c\n { ret; }')).toEqual([
      '0 function .visible .entry k(.param .u64 p) .maxntid 1, 2 .pragma "x";',
      "0 open {",
      "1 instruction ret;",
      "0 close }",
    ]);
  });

  test("a source location ends where the next statement begins", () => {
    expect(
      well(".loc 1 2 3 ret; .loc 1 2 3, function_name $L+4, inlined_at 1 5 6 @p ret; .loc 1 2 3 L: ret;"),
    ).toEqual([
      "0 directive .loc 1 2 3",
      "0 instruction ret;",
      "0 directive .loc 1 2 3, function_name $L+4, inlined_at 1 5 6",
      "0 instruction @p ret;",
      "0 directive .loc 1 2 3",
      "0 label L:",
      "0 instruction ret;",
    ]);
  });

  test("tables of labels and prototypes have labels", () => {
    expect(
      well("t: .branchtargets a, b; p : .callprototype (.param .b32 _) _ (.param .b32 _); brx.idx %r, t;"),
    ).toEqual([
      "0 label t:",
      "0 directive .branchtargets a, b;",
      "0 label p :",
      "0 directive .callprototype (.param .b32 _) _ (.param .b32 _);",
      "0 instruction brx.idx %r, t;",
    ]);
  });

  test("braces of operands and initial values do not open scopes", () => {
    expect(well("{ mov.v2.f32 {a, b}, {c, d}; } .global .b8 y[2][2] = {{1, 2}, {3, 4}}, z;")).toEqual([
      "0 open {",
      "1 instruction mov.v2.f32 {a, b}, {c, d};",
      "0 close }",
      "0 variable .global .b8 y[2][2] = {{1, 2}, {3, 4}}, z;",
    ]);
  });

  test("a section is one statement", () => {
    expect(well(".section .debug_info\n{\n.b32 .debug_abbrev\n.b8 1,2\n$L:\n.b64 x\n}\nret;")).toEqual([
      "0 section .section .debug_info\n{\n.b32 .debug_abbrev\n.b8 1,2\n$L:\n.b64 x\n}",
      "0 instruction ret;",
    ]);
  });

  test("scopes have a parent and braces", () => {
    const { statements } = readFragment("{ { ret; } { } } { }");
    expect(statements.scopeCount).toBe(5);
    expect([...statements.parents.subarray(0, 5)]).toEqual([-1, 0, 1, 1, 0]);
    expect([...statements.opens.subarray(0, 5)]).toEqual([-1, 0, 1, 4, 7]);
    expect([...statements.closes.subarray(0, 5)]).toEqual([-1, 6, 3, 5, 8]);
    for (let scope = 1; scope < 5; scope++) {
      expect(statements.scopeOpenedBy(statements.opens[scope]!)).toBe(scope);
    }
  });

  test("directives have values", () => {
    const code = readFragment(".loc 1 2 3, function_name $L+4 t: .branchtargets a , b; .noreturn;");
    expect([0, 2, 3].map((statement) => code.directive(statement))).toEqual([
      { name: ".loc", values: ["1", "2", "3", "function_name", "$L", "4"], span: { start: 0, end: 30 } },
      { name: ".branchtargets", values: ["a", "b"], span: { start: 34, end: 54 } },
      { name: ".noreturn", values: [], span: { start: 56, end: 65 } },
    ]);
    expect(code.label(1)).toBe("t");
  });

  test("an offset belongs to a statement and a scope", () => {
    const code = readFragment("ret; { ret;  } ret;");
    expect([-1, 0, 3, 4, 5, 12, 13, 14, 19].map((at) => code.statementAt(at))).toEqual([
      -1, 0, 0, 0, 1, 2, 3, 3, 4,
    ]);
    expect([-1, 0, 4, 5, 6, 12, 13, 14, 19].map((at) => code.scopeAt(at))).toEqual([
      0, 0, 0, 1, 1, 1, 0, 0, 0,
    ]);
  });
});

describe("damaged text", () => {
  test.each<[text: string, statements: string[], messages: string[]]>([
    ["ret", ["0 instruction ret"], ["expected `;` after `ret`, found the end of the text"]],
    ["ret\n{ }", ["0 instruction ret\n{ }"], ["expected `;` after `}`, found the end of the text"]],
    [
      "add a, b\n{ }",
      ["0 instruction add a, b", "0 open {", "0 close }"],
      ["expected `;` after `b`, found `{`"],
    ],
    [
      "ret }",
      ["0 instruction ret", "0 unknown }"],
      ["expected `;` after `ret`, found `}`", "expected a `{` for this `}`, found none"],
    ],
    [
      "ret // x\nL: ret;",
      ["0 instruction ret", "0 label L:", "0 instruction ret;"],
      ["expected `;` after `ret`, found `L`"],
    ],
    [
      "add a, b\nret;",
      ["0 instruction add a, b", "0 instruction ret;"],
      ["expected `;` after `b`, found `ret`"],
    ],
    [
      "add a, [b]\n@p ret;",
      ["0 instruction add a, [b]", "0 instruction @p ret;"],
      ["expected `;` after `]`, found `@`"],
    ],
    ["add a b, 3;", ["0 instruction add a b, 3;"], ["expected `;` after `a`, found `b`"]],
    [
      "add a, 3\n.reg .b32 r;",
      ["0 instruction add a, 3", "0 variable .reg .b32 r;"],
      ["expected `;` after `3`, found `.reg`"],
    ],
    [
      ".reg .b32 a\n.reg .b32 b;",
      ["0 variable .reg .b32 a", "0 variable .reg .b32 b;"],
      ["expected `;` after `a`, found `.reg`"],
    ],
    [
      ".reg .b32 a { ret; }",
      ["0 variable .reg .b32 a", "0 open {", "1 instruction ret;", "0 close }"],
      ["expected `;` after `a`, found `{`"],
    ],
    [
      ".func f\n.func g ;",
      ["0 function .func f", "0 function .func g ;"],
      ["expected a body or `;` after `f`, found `.func`"],
    ],
    [
      ".visible ret;",
      ["0 unknown .visible", "0 instruction ret;"],
      ["expected `.entry`, `.func` or a state space after `.visible`, found `ret`"],
    ],
    [
      ".version\n.target",
      ["0 directive .version", "0 directive .target"],
      [
        "expected a value after `.version`, found `.target`",
        "expected a value after `.target`, found the end of the text",
      ],
    ],
    [
      ".section { }",
      ["0 section .section", "0 open {", "0 close }"],
      ["expected a name after `.section`, found `{`"],
    ],
    [
      ".section .x ret;",
      ["0 section .section .x", "0 instruction ret;"],
      ["expected `{` after `.x`, found `ret`"],
    ],
    [".section .x { .b8 1", ["0 section .section .x { .b8 1"], ["expected a `}` for this `{`, found none"]],
    ["@ ret", ["0 instruction @ ret"], ["expected an opcode after `ret`, found the end of the text"]],
    [
      "@ 3;",
      ["0 instruction @", "0 unknown 3;"],
      ["expected a predicate after `@`, found `3`", "expected a statement, found `3`"],
    ],
    ["+ - ret; ret;", ["0 unknown + - ret;", "0 instruction ret;"], ["expected a statement, found `+`"]],
    [
      "add (a, b;",
      ["0 instruction add (a, b;"],
      ["expected as many closing as opening brackets before `;`, found others"],
    ],
    [
      "mma {a, b; ret;",
      ["0 instruction mma {a, b;", "0 instruction ret;"],
      ["expected as many closing as opening brackets before `;`, found others"],
    ],
    [
      ".entry a() { ret; .entry b() { }",
      [
        "0 function .entry a()",
        "0 open {",
        "1 instruction ret;",
        "0 function .entry b()",
        "0 open {",
        "0 close }",
      ],
      ["expected a `}` for this `{`, found none"],
    ],
  ])("%j", (text, statements, messages) => {
    const found = damaged(text);
    expect(found.statements).toEqual(statements);
    expect(found.messages).toEqual(messages);
  });

  test("a function whose brace is missing ends before the next", () => {
    const { statements } = readFragment(".entry a() { { ret; .entry b() { }", { tolerant: true });
    expect([...statements.closes.subarray(1, statements.scopeCount)]).toEqual([3, 3, 6]);
  });

  test("lists the first of many mistakes and counts all", () => {
    expect(() => readFragment("}".repeat(1000))).toThrow(/and 980 more$/);
    expect(() => readFragment("}".repeat(1000))).toThrow(expect.objectContaining({ total: 1000 }));
    expect(readFragment("}".repeat(1000), { tolerant: true }).problems).toHaveLength(20);
  });
});
