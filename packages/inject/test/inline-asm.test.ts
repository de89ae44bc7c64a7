// Asm statements for programs that write CUDA themselves: their text, and that they mean what was described.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { smoke } from "../../../tests/support/counts.js";
import { types } from "../src/generated/default.js";
import { annotateCuda, type Direction, type InlineAsmSite, inlineAsm, parsePtx } from "../src/index.js";
import { compileAsm } from "./support/asm-model.js";
import { errorOf } from "./support/helpers.js";

const SITE: InlineAsmSite = {
  name: "func",
  operands: [
    { name: "v_x", direction: "mod", type: "F32", expression: "x" },
    { name: "v_z", direction: "out", type: "F32", expression: "z" },
    { name: "v_y", direction: "in", type: "F32", expression: "y" },
  ],
};

describe("text", () => {
  test("of a marker", () => {
    expect(inlineAsm(SITE)).toBe(
      String.raw`asm("{\n\t"
    ".reg .f32 %%_x0;\n\t"
    ".reg .f32 %%_x1;\n\t"
    ".reg .f32 %%_x2;\n\t"
    "mov.f32 %%_x0, %0;\n\t"
    "mov.f32 %%_x2, %2;\n\t"
    "// PTX_INJECT_START func\n\t"
    "// _x0 m f32 F32 v_x\n\t"
    "// _x1 o f32 F32 v_z\n\t"
    "// _x2 i f32 F32 v_y\n\t"
    "// PTX_INJECT_END\n\t"
    "mov.f32 %0, %%_x0;\n\t"
    "mov.f32 %1, %%_x1;\n\t"
    "}"
    : "+f"(x), "=f"(z)
    : "f"(y));`,
    );
  });

  test("of a stub", () => {
    const site: InlineAsmSite = { name: "clock", operands: [{ name: "t", direction: "out", type: "U32" }] };
    const stub = '\t{\r\n\tmov.u32 %_x0, %clock; // "now" \\ {|}\r\n\t}\n';
    expect(inlineAsm(site, { stub, volatile: true, memory: true })).toBe(
      String.raw`asm volatile("{\n\t"
    ".reg .u32 %%_x0;\n\t"
    "mov.u32 %%_x0, %%clock; // \"now\" \\ {|}\n\t"
    "mov.u32 %0, %%_x0;\n\t"
    "}"
    : "=r"(t)
    : 
    : "memory");`.replace("\n    : \n", "\n    :\n"),
    );
  });

  test("of a stub of mm-ptx for Python, which ends in a NUL", () => {
    const stub = "\t{\n\tneg.f32 %_x1, %_x0;\n\t}";
    expect(inlineAsm(SITE, { stub: `${stub}\0` })).toBe(inlineAsm(SITE, { stub }));
  });

  test("without operands has no percent signs doubled, because nothing is substituted", () => {
    expect(inlineAsm({ name: "a%b", operands: [] })).toBe(
      String.raw`asm("{\n\t"
    "// PTX_INJECT_START a%b\n\t"
    "// PTX_INJECT_END\n\t"
    "}");`,
    );
  });

  test.each([
    ["{ a; }", ["a;"]],
    [" {\n a;\n\tb; \n}\n", ["a;", "b;"]],
    ["{ a; } { b; }", ["{ a; } { b; }"]],
    ["{ a; }\n// }", ["{ a; }", "// }"]],
    ["{ // }\n a; }", ["// }", "a; "]],
    ["a; {b, c}", ["a; {b, c}"]],
    ["{ { a; } }", ["{ a; }"]],
    ["", [""]],
  ])("of the stub %j lacks one pair of braces", (stub, lines) => {
    const text = compileAsm(inlineAsm({ name: "f", operands: [] }, { stub })).ptx;
    expect(text.split("\n\t").slice(1, -1)).toEqual(lines.map((line) => line.trim()));
  });
});

test.each([
  ["trigraphs", "// what??/\nadd.f32 %_x0, %_x1, %_x2; // ??) ???"],
  ["line ends of other systems", "// c\radd;\vsub;\fmul;"],
  ["control characters before digits", "// \x017 \x1b0"],
])("keeps a stub with %s, in C++14 too", (_, stub) => {
  const { ptx } = compileAsm(inlineAsm({ name: "f", operands: [] }, { stub }));
  expect(ptx).toBe(`{\n\t${stub.replaceAll("\n", "\n\t")}\n\t}`);
});

test("keeps a name with trigraphs, in C++14 too", () => {
  const { text } = annotateCuda("/* PTX_INJECT f??/\n in f32 x??(0??) as x\n out f32 z*/");
  expect(text).toContain("START f\\?\\?/\\n");
  expect(inlineAsm({ name: "f??/", operands: [] })).not.toContain("??");
});

describe("meaning", () => {
  const name = fc
    .string({
      unit: fc.constantFrom("a", "B", "_", "0", "%", '"', "\\", " ", "\t", "[", "]", "|", "ö", "$", "?", "/"),
      minLength: 1,
      maxLength: 8,
    })
    .filter((text) => text.trim() === text);
  const operands = fc.uniqueArray(
    fc.record({
      name,
      direction: fc.constantFrom<Direction>("in", "out", "mod"),
      type: fc.constantFrom(...types.types.map((type) => type.name)),
    }),
    { selector: (operand) => operand.name, maxLength: 12 },
  );

  /** Checks that a compiled statement has the described operands, bound to the right expressions. */
  function expectMeaning(statement: string, site: InlineAsmSite): void {
    const { ptx, bound } = compileAsm(statement);
    const [injection] = parsePtx(ptx).injections;
    expect(injection!.name).toBe(site.name);
    const order = ["mod", "out", "in"];
    const canonical = site.operands.toSorted(
      (a, b) => order.indexOf(a.direction) - order.indexOf(b.direction),
    );
    expect(injection!.operands).toEqual(
      canonical.map((operand, index) => ({
        name: operand.name,
        index,
        direction: operand.direction,
        register: `_x${index}`,
        registerType: typeNamed(operand.type).registerType,
        type: operand.type,
      })),
    );
    expect(bound).toHaveLength(canonical.length);
    canonical.forEach(({ direction, type: word, expression }, i) => {
      const type = typeNamed(word);
      const sign = { in: "", out: "=", mod: "+" }[direction];
      const value = type.registerCast === "" ? expression : `${type.registerCast}(${expression})`;
      const number = bound.findIndex((operand) => operand.expression === value);
      expect(bound[number]!.constraint).toBe(sign + type.registerChar);
      const [before, after] = ptx.split(/\/\/ PTX_INJECT_START.*PTX_INJECT_END/s) as [string, string];
      expect(before).toContain(`.reg .${type.registerType} %_x${i};\n`);
      expect(before.includes(`mov.${type.movPostfix} %_x${i}, %b${number};`)).toBe(direction !== "out");
      expect(after.includes(`mov.${type.movPostfix} %b${number}, %_x${i};`)).toBe(direction !== "in");
    });
  }

  test("the marker of any site reads as it was described", () => {
    fc.assert(
      fc.property(name, operands, (own, list) => {
        const site = {
          name: own,
          operands: list.map((operand, i) => ({ ...operand, expression: `e[${i}]` })),
        };
        expectMeaning(inlineAsm(site), site);
      }),
      { numRuns: smoke(5_000) },
    );
  });

  test("the statement of any annotation reads as it was annotated", () => {
    const word = name.filter((text) => !/\s|\/\/|\*\/|\\/.test(text));
    fc.assert(
      fc.property(word, operands, fc.boolean(), (own, list, crlf) => {
        const site = {
          name: own,
          operands: list.map((operand, i) => ({ ...operand, name: `n${i}`, expression: `e[${i}]` })),
        };
        const lines = site.operands.map(
          (operand) => `  ${operand.direction}\t${operand.type} ${operand.expression} as ${operand.name}`,
        );
        const source = [`/* PTX_INJECT ${own}`, ...lines, "*/"].join(crlf ? "\r\n" : "\n");
        const { text, injections } = annotateCuda(source);
        const statement = text.replace(/\(void\)sizeof\(\(void\)\(e\[\d+\]\), 0\);/g, "").trim();
        expectMeaning(statement.replace(/^\{\s*(.*) \}$/s, "$1"), site);
        const [injection] = parsePtx(compileAsm(statement.replace(/^\{\s*(.*) \}$/s, "$1")).ptx).injections;
        expect(injections[0]!.operands.map(({ expression: _, span: __, ...operand }) => operand)).toEqual(
          injection!.operands,
        );
      }),
      { numRuns: smoke(5_000) },
    );
  });
});

const typeNamed = (word: string) => types.types.find((type) => type.name === word)!;

describe("refused statements", () => {
  const [x] = SITE.operands as [InlineAsmSite["operands"][number]];
  const refuse = (site: unknown, options: object = {}) => {
    const { code, message } = errorOf(() => inlineAsm(site as InlineAsmSite, options));
    return `${code}: ${message}`;
  };
  const operand = (changes: object) => ({ name: "f", operands: [{ ...x, ...changes }] });

  test.each([
    ["no site", undefined, {}, "INVALID_ARGUMENT: expected a site with name and operands, found undefined"],
    [
      "a text as an option",
      { name: "f", operands: [] },
      { volatile: "no" },
      "INVALID_ARGUMENT: option `volatile`: expected a boolean, found `no`",
    ],
    [
      "no operands",
      { name: "f" },
      {},
      "INVALID_ARGUMENT: expected a site with name and operands, found an object",
    ],
    [
      "no name",
      { name: "", operands: [] },
      {},
      "INVALID_ARGUMENT: name of a site: expected a name of one line, without blanks around it, found none",
    ],
    [
      "a name of two lines",
      { name: "a\nb", operands: [] },
      {},
      "INVALID_ARGUMENT: name of a site: expected a name of one line, without blanks around it, found `a\\nb`",
    ],
    [
      "a name that ends in a blank",
      operand({ name: "x " }),
      {},
      "INVALID_ARGUMENT: name of an operand: expected a name of one line, without blanks around it, found `x `",
    ],
    [
      "no operand",
      { name: "f", operands: [3] },
      {},
      "INVALID_ARGUMENT: expected an operand with name, direction and type, found 3",
    ],
    [
      "a direction",
      operand({ direction: "inout" }),
      {},
      "INVALID_ARGUMENT: expected `in`, `out` or `mod` as direction of operand `v_x`, found `inout`",
    ],
    [
      "a type",
      operand({ type: "F23" }),
      {},
      "UNKNOWN_TYPE: expected a type of the description of operand `v_x`, found `F23`, did you mean `F32`?",
    ],
    [
      "an expression",
      operand({ expression: "x[" }),
      {},
      "INVALID_ARGUMENT: expression of operand `v_x`: expected `]` for this bracket, found the end of the operand",
    ],
    [
      "no expression",
      operand({ expression: " " }),
      {},
      "INVALID_ARGUMENT: expression of operand `v_x`: expected an expression, found none",
    ],
    [
      "a comment",
      operand({ expression: "x // y" }),
      {},
      "INVALID_ARGUMENT: expression of operand `v_x`: expected an expression, found `// y` after it",
    ],
    [
      "a line end",
      operand({ expression: "x\n+ y" }),
      {},
      "INVALID_ARGUMENT: expression of operand `v_x`: expected an expression of one line, found a line end",
    ],
    [
      "a number",
      operand({ expression: 3 }),
      {},
      "INVALID_ARGUMENT: expected C++ text as expression of operand `v_x`, found 3",
    ],
    [
      "names",
      { name: "f", operands: [x, x] },
      {},
      "DUPLICATE_OPERAND: expected operands of `f` of different names, found a second `v_x`",
    ],
    [
      "options",
      SITE,
      { stubs: "" },
      "INVALID_ARGUMENT: unknown option `stubs` of inlineAsm, did you mean `stub`?",
    ],
    ["a stub", SITE, { stub: 3 }, "INVALID_INPUT: expected PTX text as stub, found 3"],
  ])("with %s", (_, site, options, message) => {
    expect(refuse(site, options)).toBe(message);
  });

  test("with a stub that contains NUL", () => {
    const error = errorOf(() => inlineAsm(SITE, { stub: "add;\0sub;" }));
    expect(error.code).toBe("INVALID_STUB");
    expect(error.message).toMatch(/^stub of `func`: expected no NUL, found one\n/);
    expect(error.span).toEqual({ start: 4, end: 5 });
  });

  test("with a stub that would end the statement's scope", () => {
    expect(errorOf(() => inlineAsm(SITE, { stub: "} {" })).code).toBe("INVALID_STUB");
  });
});
