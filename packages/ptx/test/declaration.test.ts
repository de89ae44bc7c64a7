// Declarations: types, sizes, alignments and places of variables and parameters.
import { describe, expect, test } from "vitest";
import { type PtxVariable, readFragment, readModule } from "../src/index.js";

const declared = (text: string, options = {}): PtxVariable[] => readFragment(text, options).variables(0);

describe("variables", () => {
  test.each<[text: string, expected: Partial<PtxVariable>]>([
    [".global .u32 a;", { space: "global", type: "u32", bytes: 4, align: 4, vector: 1, dimensions: [] }],
    [
      ".visible .const .align 16 .b8 a[12];",
      { space: "const", linkage: "visible", bytes: 12, align: 16, dimensions: [12] },
    ],
    [".extern .shared .b8 a[];", { linkage: "extern", bytes: undefined, align: 1, dimensions: [undefined] }],
    [
      ".common .global .v4 .f32 a[0x2][3];",
      { linkage: "common", vector: 4, bytes: 96, align: 16, dimensions: [2, 3] },
    ],
    [".local.align 8 .f64 a;", { space: "local", type: "f64", bytes: 8, align: 8 }],
    [".global .texref a;", { type: "texref", bytes: undefined, align: undefined }],
    [".tex .u32 a;", { space: "tex", bytes: 4 }],
    [".global .attribute(.managed, .unified(1, 2)) .align 8 .u64 a;", { type: "u64", align: 8 }],
    [".reg .pred a;", { space: "reg", type: "pred", bytes: undefined }],
    [".reg .v2 .b32 a<0x10>;", { count: 16, vector: 2 }],
    [".shared .b128 a;", { bytes: 16, align: 16 }],
    [".global a;", { type: undefined, bytes: undefined }],
  ])("of `%s`", (text, expected) => {
    const [variable] = declared(text, { tolerant: true });
    expect(variable).toMatchObject({ name: "a", statement: 0, ...expected });
    expect(text.slice(variable!.nameSpan.start, variable!.nameSpan.end)).toBe("a");
  });

  test("several in one statement, with initial values", () => {
    const text = ".global .u32 a, b[2] = { 1, f(x, 2) } , c = 0xff(a) + 3;";
    const spans = declared(text).map(({ name, span, initializer, dimensions }) => [
      name,
      text.slice(span.start, span.end),
      initializer === undefined ? undefined : text.slice(initializer.start, initializer.end),
      dimensions.length,
    ]);
    expect(spans).toEqual([
      ["a", "a", undefined, 0],
      ["b", "b[2] = { 1, f(x, 2) }", "{ 1, f(x, 2) }", 1],
      ["c", "c = 0xff(a) + 3", "0xff(a) + 3", 0],
    ]);
  });

  test.each([
    [".reg .b32 %a, %b<3>, %c;", ["%a", "%b", "%c"]],
    [".reg .b32 , 3, %c<;", ["%c"]],
    [".reg .b32 %a", ["%a"]],
    [".reg", []],
  ])("the names that `%s` declares", (text, names) => {
    expect(declared(text, { tolerant: true }).map(({ name }) => name)).toEqual(names);
  });
});

describe("parameters", () => {
  const parametersOf = (list: string) => readModule(`.entry k(${list}) { ret; }`).functions[0]!.parameters;

  test.each<[list: string, expected: Partial<PtxVariable>]>([
    [".param .u64 p", { space: "param", type: "u64", bytes: 8, align: 8 }],
    [".param .align 4 .b8 p[12]", { bytes: 12, align: 4, dimensions: [12] }],
    [".param .u64 .ptr p", { pointer: { space: undefined, align: undefined }, align: 8 }],
    [".param .u64 .ptr .global .align 16 p", { pointer: { space: "global", align: 16 }, align: 8, bytes: 8 }],
    [".reg .pred p", { space: "reg", type: "pred", bytes: undefined }],
    [".param .f32 p[]", { bytes: undefined, dimensions: [undefined] }],
  ])("%s", (list, expected) => {
    expect(parametersOf(list)).toHaveLength(1);
    expect(parametersOf(list)[0]).toMatchObject({ name: "p", ...expected });
  });

  test("spans reach from the state space to the last dimension", () => {
    const text = ".entry k( .param .u32 a ,\n\t.param .b8 b[2] /* c */ ) { ret; }";
    const { parameters: params } = readModule(text).functions[0]!;
    expect(params.map(({ span }) => text.slice(span.start, span.end))).toEqual([
      ".param .u32 a",
      ".param .b8 b[2]",
    ]);
    expect(parametersOf("")).toEqual([]);
    expect(parametersOf("\n")).toEqual([]);
  });
});
