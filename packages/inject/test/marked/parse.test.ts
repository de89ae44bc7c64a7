// What parsePtx accepts and refuses, and where it locates errors.
import { describe, expect, test } from "vitest";
import { parsePtx } from "../../src/index.js";
import { errorOf, site } from "../support/helpers.js";

const X = "_x0 i f32 F32 x";

describe("a text", () => {
  test("may have no sites", () => {
    expect(parsePtx("").injections).toEqual([]);
    expect(parsePtx("// about PTX_INJECT_START and so on\n").injections).toEqual([]);
  });

  test("may have words that begin like a marker anywhere", () => {
    const words = [
      "PTX_IN",
      "// PTX_IN",
      "// PTX_INJECT_STAR",
      "/ PTX_INJECT_START x",
      "//PTX_INJECT_START x",
    ];
    const stray = words.map((word) => `${word}\n${word}PTX_INJECT`).join("\n");
    const text = `PTX_INJECT_START${stray}${site("a", X)}${stray}${site("a", X)}${site("b")}${stray}${site("a", X)}PTX_IN`;
    const stub = "\tS";
    const expected = `PTX_INJECT_START${stray}${stub}\n${stray}${stub}\n${stub}\n${stray}${stub}\nPTX_IN`;
    expect(parsePtx(text).render({ a: stub, b: stub })).toBe(expected);
  });

  test("has operands, and sites with lines", () => {
    const text = `.version 9.0\n${site("a", X)}mid\n${site("b")}${site("a", X)}`;
    const { injections } = parsePtx(text);
    expect(injections.map(({ name, index }) => [name, index])).toEqual([
      ["a", 0],
      ["b", 1],
    ]);
    expect(injections[0]!.operands).toEqual([
      { name: "x", index: 0, direction: "in", register: "_x0", registerType: "f32", type: "F32" },
    ]);
    expect(injections[1]!.operands).toEqual([]);
    expect(injections.map(({ sites }) => sites.map(({ line }) => line))).toEqual([[2, 8], [6]]);
    const [first] = injections[0]!.sites;
    expect(text.slice(first!.span.start, first!.span.end)).toBe(site("a", X).slice(0, -1));
  });

  test("may have CRLF line ends, or a mixture", () => {
    const mixed = site("a", X) + site("a", X).replaceAll("\n", "\r\n");
    const annotated = parsePtx(mixed);
    expect(annotated.injection("a").sites).toHaveLength(2);
    expect(annotated.injection("a").operand("x").type).toBe("F32");
    expect(annotated.render({ a: "\tone\n\ttwo" })).toBe("\tone\n\ttwo\n\tone\n\ttwo\r\n");
  });

  test("may have blanks where the grammar allows them", () => {
    const text =
      "x // PTX_INJECT_START \t a name \t \n // \t_x0 m \tf32\t F32  a b \n// PTX_INJECT_END\nrest";
    const { injections } = parsePtx(text);
    expect(injections[0]!.name).toBe("a name");
    expect(injections[0]!.operands[0]).toEqual({
      name: "a b",
      index: 0,
      direction: "mod",
      register: "_x0",
      registerType: "f32",
      type: "F32",
    });
    expect(parsePtx(text).render({ "a name": "!" })).toBe("x !\nrest");
  });

  test("may have names that objects inherit", () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    const annotated = parsePtx(names.map((name) => site(name, `_x0 o f32 F32 ${name}`)).join(""));
    for (const name of names) expect(annotated.injection(name).operand(name).name).toBe(name);
    const stubs = Object.fromEntries(names.map((name, i) => [name, `${i}`]));
    expect(annotated.render(stubs)).toBe("0\n1\n2\n3\n");
    expect(errorOf(() => annotated.render({})).code).toBe("WRONG_NUM_STUBS");
  });

  test("may have 16,000 names, with one operand list or many", () => {
    for (const operand of [() => X, (i: number) => `_x0 i f32 F32 x${i}`]) {
      const text = Array.from({ length: 16_000 }, (_, i) => site(`f${i}`, operand(i))).join("");
      const annotated = parsePtx(text);
      expect(annotated.injections).toHaveLength(16_000);
      expect(annotated.injection("f15999").sites[0]!.line).toBe(15_999 * 3 + 1);
    }
  });

  test("gives immutable results", () => {
    const { injections } = parsePtx(site("f", X));
    const [{ operands, sites }] = injections as [(typeof injections)[0]];
    for (const value of [
      injections,
      operands,
      operands[0],
      sites,
      sites[0],
      sites[0]!.span,
      sites[0]!.values[0],
    ])
      expect(Object.isFrozen(value)).toBe(true);
  });

  test("loses the NULs that end the string of a C program", () => {
    const text = `${site("f", X)}\tret;\n`;
    const expected = parsePtx(text);
    for (const ended of [`${text}\0`, `${text}\0\0`]) {
      const annotated = parsePtx(ended);
      expect(annotated.text).toBe(text);
      expect(annotated.fingerprint).toBe(expected.fingerprint);
      expect(annotated.render({ f: "!" })).toBe("!\n\tret;\n");
    }
    expect(parsePtx("\0ret;\0").text).toBe("\0ret;");
  });

  test("that is not a string is refused", () => {
    for (const value of [undefined, null, 7, ["x"], new Uint8Array(3)]) {
      expect(errorOf(() => parsePtx(value as unknown as string)).code).toBe("INVALID_ARGUMENT");
    }
  });
});

describe("FORMATTING", () => {
  const cases: [string, string, string][] = [
    ["no name", "// PTX_INJECT_START\n", "// PTX_INJECT_START"],
    ["a name of blanks", "// PTX_INJECT_START  \n// PTX_INJECT_END\n", "// PTX_INJECT_START  "],
    ["no blank before the name", "// PTX_INJECT_STARTED x\n", "ED x"],
    ["the end of the text after the name", "// PTX_INJECT_START f", "// PTX_INJECT_START f"],
    ["no end marker", "\t// PTX_INJECT_START f\n// _x0 i f32 F32 x\n", "// PTX_INJECT_START f"],
    ["no line end after the end marker", "// PTX_INJECT_START f\n// PTX_INJECT_END", "// PTX_INJECT_START f"],
    ["an empty line", "// PTX_INJECT_START f\n\n// PTX_INJECT_END\n", ""],
    ["an instruction", "// PTX_INJECT_START f\n\tret;\n// PTX_INJECT_END\n", "ret;"],
    ["an empty comment", "// PTX_INJECT_START f\n//\n// PTX_INJECT_END\n", "//"],
    ["no blank after the slashes", "// PTX_INJECT_START f\n//_x0 i f32 F32 x\n", "//_x0 i f32 F32 x"],
    ["two spaces after the register", "// PTX_INJECT_START f\n// _x0  i f32 F32 x\n", "  i f32 F32 x"],
    ["a tab after the register", "// PTX_INJECT_START f\n// _x0\ti f32 F32 x\n", "\ti f32 F32 x"],
    ["another direction", "// PTX_INJECT_START f\n// _x0 q f32 F32 x\n", " q f32 F32 x"],
    ["a word as direction", "// PTX_INJECT_START f\n// _x0 mod f32 x\n", " mod f32 x"],
    ["no type", "// PTX_INJECT_START f\n// _x0 i\n", "// _x0 i"],
    ["no type word", "// PTX_INJECT_START f\n// _x0 i f32\n", "// _x0 i f32"],
    ["no operand name", "// PTX_INJECT_START f\n// _x0 i f32 F32 \n", "// _x0 i f32 F32 "],
    ["a site in a site", "// PTX_INJECT_START f\n// PTX_INJECT_START main\n", " main"],
    ["more after the end marker", "// PTX_INJECT_START f\n// PTX_INJECT_END \n", "// PTX_INJECT_END "],
    ["two blanks before the end marker", "// PTX_INJECT_START f\n//  PTX_INJECT_END\n", "//  PTX_INJECT_END"],
  ];
  test.each(cases)("is thrown for %s", (_, text, place) => {
    for (const whole of [text, `\n\n${site("ok", X)}${text}`, text.replaceAll("\n", "\r\n")]) {
      const error = errorOf(() => parsePtx(whole));
      expect(error.code).toBe("FORMATTING");
      expect(whole.slice(error.span!.start, error.span!.end)).toBe(place);
    }
  });

  test("shows the line", () => {
    const error = errorOf(() => parsePtx("ret;\n// PTX_INJECT_START f\n\t// _x0 q f32 F32 x\n"));
    expect(error.message).toBe(
      "expected one space and `m`, `o` or `i` after the register, found ` q`\n" +
        "    3 | \t// _x0 q f32 F32 x\n" +
        "      | \t      ^^^^^^^^^^^^",
    );
  });
});

describe("INCONSISTENT_INJECTION", () => {
  test("is thrown where the number of operands differs", () => {
    const error = errorOf(() => parsePtx(`${site("f", X)}${site("f", X, X)}// PTX_INJECT_START\n`));
    expect(error.code).toBe("INCONSISTENT_INJECTION");
    expect(error.message).toBe(
      "expected 1 operand as at the first site of `f`, found another one\n" +
        `    6 | \t// ${X}\n` +
        `      | \t${"^".repeat(X.length + 3)}`,
    );
    const fewer = errorOf(() => parsePtx(`${site(" f ", X, X)}${site("f", X)}`));
    expect(fewer.message).toBe(
      "expected 2 operands as at the first site of `f`, found 1\n" +
        "    7 | \t// PTX_INJECT_END\n" +
        "      | \t^^^^^^^^^^^^^^^^^",
    );
  });

  test.each(["PTX_INJECT_ENDED\n", "PTX_INJECT_END \n", "PTX_INJECT_END"])(
    "comes before what follows the end marker: `// %s`",
    (end) => {
      const last = `// PTX_INJECT_START f\n// ${end}`;
      expect(errorOf(() => parsePtx(site("f", X) + last)).code).toBe("INCONSISTENT_INJECTION");
      expect(errorOf(() => parsePtx(site("f") + last)).code).toBe("FORMATTING");
    },
  );

  test.each(["_x1 i f32 F32 x", "_x0 o f32 F32 x", "_x0 i u32 F32 x", "_x0 i f32 U32 x", "_x0 i f32 F32 y"])(
    "another operand: %s",
    (other) => {
      const text = site("f", X, X) + site("g") + site("f", X, other);
      const error = errorOf(() => parsePtx(text));
      expect(error.code).toBe("INCONSISTENT_INJECTION");
      expect(text.slice(error.span!.start, error.span!.end)).toBe(`// ${other}`);
    },
  );

  test("is thrown for other operands only if there is no FORMATTING error", () => {
    const text = `${site("f", X)}${site("f", "_x0 i f32 F32 y")}// PTX_INJECT_START\n`;
    expect(errorOf(() => parsePtx(text)).code).toBe("FORMATTING");
  });

  test("is not thrown for sites that only differ in blanks", () => {
    const text = site("f", X) + site("f", " _x0 i  f32 F32 x ");
    expect(parsePtx(text).injection("f").sites).toHaveLength(2);
  });
});
