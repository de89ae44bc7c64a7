// Modules: header, functions, parameters, variables, and the problems of damaged ones.
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

describe("header", () => {
  test("has a version, a target with options, and other directives", () => {
    const module = readModule(
      '// .version 1.0\n/* .target a */ .version /* x */ 7.5\n.target // y\n sm_75, debug\n.address_size 64 .file 1 "a.cu" .pragma "p";',
    );
    expect(module).toMatchObject({ version: "7.5", target: "sm_75", targetOptions: ["debug"] });
    expect(
      module.directives.map(({ name, values, span }) => [name, values, module.text[span.end - 1]]),
    ).toEqual([
      [".version", ["7.5"], "5"],
      [".target", ["sm_75", "debug"], "g"],
      [".address_size", ["64"], "4"],
      [".file", ["1", '"a.cu"'], '"'],
      [".pragma", ['"p"'], '"'],
    ]);
  });

  test.each(["", "hello", ".version", ".entry /*", '"', ".entry_point x .versions 2 .target.y z"])(
    "a text that is not a module has nothing: %j",
    (text) => {
      const module = readModule(text, { tolerant: true });
      expect(module).toMatchObject({ version: undefined, target: undefined, targetOptions: [], entries: [] });
      expect(module.functions).toEqual([]);
    },
  );
});

describe("functions", () => {
  const text = `${HEADER}.extern .func (.param .b32 r) f (.param .b32 x, .param .b64 y) .noreturn ;
.weak .func (.reg .b32 r) f (.reg .b32 x)
{ { ret; } }
.visible .entry $k()
.maxntid 128, 1, 1
.minnctapersm 2
.pragma "x";
{
}
.global .u32 g, h[2];
.entry declared ;
.section .debug_x { .b8 1 }`;
  const module = readModule(text);
  const at = ({ start, end }: { start: number; end: number }) => text.slice(start, end);

  test("have linkage, results, parameters and directives", () => {
    expect(
      module.functions.map(({ kind, linkage, name, results, parameters: params, directives }) => [
        kind,
        linkage,
        name,
        results.map((one) => `${one.space} ${one.name}`),
        params.map((one) => `${one.space} ${one.name}`),
        directives.map((one) => [one.name, ...one.values].join(" ")),
      ]),
    ).toEqual([
      ["func", "extern", "f", ["param r"], ["param x", "param y"], [".noreturn"]],
      ["func", "weak", "f", ["reg r"], ["reg x"], []],
      ["entry", "visible", "$k", [], [], [".maxntid 128 1 1", ".minnctapersm 2", '.pragma "x"']],
      ["entry", undefined, "declared", [], [], []],
    ]);
  });

  test("are found by name: the one with a body, wherever it is, or else the last", () => {
    const declared = readModule(".func f ; .func f { ret; } .func f ; .func g ; .func g ;");
    expect(declared.functions.indexOf(declared.function("f")!)).toBe(1);
    expect(declared.functions.indexOf(declared.function("g")!)).toBe(4);
  });

  test("may have attributes before the results", () => {
    const [f] = readModule(".func .attribute(.unified(1, 2)) (.param .b32 r) f .noreturn ;").functions;
    expect(f).toMatchObject({ name: "f", results: [{ name: "r" }], parameters: [] });
    expect(f!.directives.map(({ name }) => name)).toEqual([".noreturn"]);
  });

  test("have spans", () => {
    const [declared, f, k] = module.functions;
    expect(declared!.bodySpan).toBeUndefined();
    expect(at(declared!.span)).toMatch(/^\.extern .*;$/);
    expect([at(f!.bodySpan!), f!.scope]).toEqual(["{ { ret; } }", 1]);
    expect(at(k!.headerSpan)).toMatch(/^\.visible[\s\S]*"x";$/);
    expect(at(k!.span)).toBe(`${at(k!.headerSpan)}\n${at(k!.bodySpan!)}`);
    expect(module.spanOf(k!.statement)).toEqual(k!.headerSpan);
  });

  test("are found by name and by offset, and kernels are listed", () => {
    expect(module.function("f")).toBe(module.functions[1]);
    expect(module.function("declared")).toBe(module.functions[3]);
    expect(module.function("g")).toBeUndefined();
    expect(module.entries).toEqual([module.functions[2]]);
    expect(module.functionAt(text.indexOf("ret;"))).toBe(module.functions[1]);
    expect(module.functionAt(text.indexOf(".noreturn"))).toBe(module.functions[0]);
    expect(module.functionAt(text.indexOf("$k"))).toBe(module.functions[2]);
    expect(module.functionAt(text.indexOf(".global"))).toBeUndefined();
    expect(module.functionAt(text.length)).toBeUndefined();
  });

  test("are beside globals and sections", () => {
    expect(module.globals.map(({ name, bytes }) => [name, bytes])).toEqual([
      ["g", 4],
      ["h", 8],
    ]);
    expect(module.sections.map((statement) => at(module.spanOf(statement)))).toEqual([
      ".section .debug_x { .b8 1 }",
    ]);
  });
});

describe("mistakes", () => {
  test.each([
    ["BAD_CHARACTER", "mov.u32 %r1, é;", 1, 14],
    ["BAD_NUMBER", "mov.u32 %r1, 3q;", 1, 14],
    ["SYNTAX", "mov.u32 %r1, 3", 1, 14],
    ["UNBALANCED", "{ ret;", 1, 1],
    ["UNTERMINATED", '.pragma "x;', 1, 9],
  ])("have a code and a place: %s for `%s`", (code, text, line, column) => {
    expect(problemsOf(() => readFragment(text))[0]).toEqual([code, line, column]);
    expect(readFragment(text, { tolerant: true }).problems[0]!.code).toBe(code);
  });

  test.each([
    [() => readModule(3 as never), "expected PTX as text, found 3"],
    [
      () => readFragment("", { tolerate: true } as never),
      "unknown option `tolerate`, did you mean `tolerant`?",
    ],
    [() => readModule("", { tolerant: 1 } as never), "option `tolerant`: expected a boolean, found 1"],
    [() => readModule("", null as never), "expected options as an object, found null"],
  ])("include arguments of the wrong kind: %#", (read, message) => {
    expect(read).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT", message }));
  });

  test("are reported all at once, in order", () => {
    expect(problemsOf(() => readModule(`${HEADER}add %a;\n.entry k() {\n\tret\n\tfoo: ret;\n`))).toEqual([
      ["SYNTAX", 4, 1],
      ["UNBALANCED", 5, 12],
      ["SYNTAX", 6, 2],
    ]);
  });

  test.each([
    ["ret;", 4, 1],
    ["L:", 4, 1],
    ["{ }", 4, 1],
    [".func f() { } { }", 4, 15],
    [".func () { }", 4, 1],
  ])("include %s outside of functions", (text, line, column) => {
    expect(problemsOf(() => readModule(HEADER + text))).toEqual([["SYNTAX", line, column]]);
  });
});
