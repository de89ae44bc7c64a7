// PTX of mm-ptx 0.x: how its sites are read, also together with sites of 1.1, and which mistakes are
// reported.

import type { InjectTypes } from "@mm-ptx/types/core";
import { describe, expect, test } from "vitest";
import { types as defaultTypes } from "../../src/generated/default.js";
import { AnnotatedPtx, parsePtx } from "../../src/index.js";
import { errorOf, site } from "../support/helpers.js";

const GUIDE = ["%f5 mod f32 y", "%f2 out f32 z", "%f7 in f32 x"];
const UNROLLED = ["%f5 mod f32 y", "%f6 out f32 z", "%f7 in f32 x"];

/** The scope of the guide's site, with the registers of the kernel. */
const scope = (y: string, z: string, x: string, stub: string) => `	{
	.reg .f32 %_x0;
	.reg .f32 %_x1;
	.reg .f32 %_x2;
	mov.f32 %_x0, ${y};
	mov.f32 %_x2, ${x};
${stub}
	mov.f32 ${y}, %_x0;
	mov.f32 ${z}, %_x1;
	}
`;

describe("a site of 0.x", () => {
  test("gets a scope, registers and moves", () => {
    const text = `head\n${site("func", ...GUIDE)}between\n${site("func", ...UNROLLED)}tail`;
    const annotated = parsePtx(text);
    expect(annotated.injection("func").operands).toEqual([
      { name: "y", index: 0, direction: "mod", register: "_x0", registerType: "f32", type: "f32" },
      { name: "z", index: 1, direction: "out", register: "_x1", registerType: "f32", type: "f32" },
      { name: "x", index: 2, direction: "in", register: "_x2", registerType: "f32", type: "f32" },
    ]);
    expect(annotated.render({ func: "\tSTUB" })).toBe(
      `head\n${scope("%f5", "%f2", "%f7", "\tSTUB")}between\n${scope("%f5", "%f6", "%f7", "\tSTUB")}tail`,
    );
  });

  test("keeps the line ends of its end marker", () => {
    const text = `a\r\n${site("func", ...GUIDE).replaceAll("\n", "\r\n")}b\n${site("func", ...UNROLLED)}`;
    expect(parsePtx(text).render({ func: "\tSTUB" })).toBe(
      `a\r\n${scope("%f5", "%f2", "%f7", "\tSTUB").replaceAll("\n", "\r\n")}b\n${scope("%f5", "%f6", "%f7", "\tSTUB")}`,
    );
  });

  test("has its register and move types from the description", () => {
    const text = site("half", "%rs1 out f16 r", "%r1 in f16X2 p", "%r2 mod s32 s");
    const { operands } = parsePtx(text).injection("half");
    expect(operands.map(({ registerType }) => registerType)).toEqual(["b16", "b32", "s32"]);
    expect(parsePtx(text).render({ half: "" })).toBe(
      "\t{\n\t.reg .b16 %_x0;\n\t.reg .b32 %_x1;\n\t.reg .s32 %_x2;\n\tmov.b32 %_x1, %r1;\n\tmov.s32 %_x2, %r2;\n\n" +
        "\tmov.b16 %rs1, %_x0;\n\tmov.s32 %r2, %_x2;\n\t}\n",
    );
  });

  test("may have a type of another description, with another type for its moves", () => {
    const own = { name: "mask", registerType: "u32", movPostfix: "b32", registerChar: "r", registerCast: "" };
    const types = { kind: "inject", types: [own], fingerprint: "", bases: [] } as const;
    expect(parsePtx(site("m", "%r1 in mask y"), { types }).render({ m: "\t;" })).toBe(
      "\t{\n\t.reg .u32 %_x0;\n\tmov.b32 %_x0, %r1;\n\t;\n\t}\n",
    );
    expect(errorOf(() => parsePtx(site("m", "%r1 in u32 y"), { types })).code).toBe("UNKNOWN_TYPE");
  });

  test("may spell types as mm-ptx 0.1 for Python does", () => {
    const text = site("half", "%r1 mod f16x2 p", "%rs1 in f16 h", "%r2 in f16X2 q");
    const { operands } = parsePtx(text).injection("half");
    expect(operands.map(({ type, registerType }) => [type, registerType])).toEqual([
      ["f16x2", "b32"],
      ["f16", "b16"],
      ["f16X2", "b32"],
    ]);
  });

  test("has the registers that stubs for 0.x use, when asked", () => {
    const text = `${site("func", ...GUIDE)}${site("f", "_x0 o f32 F32 a")}`;
    const annotated = parsePtx(text, { registerPrefix: "z" });
    expect(annotated.injection("func").operands.map(({ register }) => register)).toEqual(["z0", "z1", "z2"]);
    const stubs = { func: "\tfma.rn.f32 %z1, %z0, %z2, %z0;", f: "\tmov.f32 %_x0, 0f00000000;" };
    const rendered = `${scope("%f5", "%f2", "%f7", stubs.func).replaceAll("_x", "z")}${stubs.f}\n`;
    expect(annotated.render(stubs)).toBe(rendered);
    expect(AnnotatedPtx.fromBytes(annotated.toBytes()).render(stubs)).toBe(rendered);
    const [site0] = annotated.injection("func").sites;
    expect(site0!.values.map(({ movedIn }) => movedIn)).toEqual(["%f5", undefined, "%f7"]);
    // What is kept by fingerprint must not have the registers of another prefix.
    const prints = [undefined, "_x", "z"].map((registerPrefix) =>
      parsePtx(text, registerPrefix === undefined ? {} : { registerPrefix }),
    );
    expect(prints[0]!.fingerprint).toBe(prints[1]!.fingerprint);
    expect(prints[2]!.fingerprint).not.toBe(prints[1]!.fingerprint);
  });

  test.each([5, "", "%z", "1", "_", "a.b", "f", "rd", "r1", null])(
    "has no registers that begin with %j",
    (registerPrefix) => {
      const error = errorOf(() => parsePtx("", { registerPrefix } as never));
      expect(error.code).toBe("INVALID_ARGUMENT");
      expect(error.message).toMatch(/option `registerPrefix`.* expected the beginning of a register's name/);
    },
  );

  test("may read constants", () => {
    for (const constant of ["3", "-7", "0f40200000", "0x1F", "0d3FF0000000000000"]) {
      const text = site("c", `${constant} in s32 k`, "%r1 mod s32 s");
      expect(parsePtx(text).render({ c: "" })).toContain(`mov.s32 %_x0, ${constant};`);
    }
  });

  test("may name its operands as inline asm takes them", () => {
    const names = ["x[0]", "p.w", "a -> b", "f(i, j)[2]"];
    const text = site("n", ...names.map((name, i) => `%f${i} in f32 ${name}  `));
    expect(
      parsePtx(text)
        .injection("n")
        .operands.map(({ name }) => name),
    ).toEqual(names);
  });
});

describe("sites of both forms in a text", () => {
  const oldOne = site("f", "%f1 mod f32 y", "%f2 in f32 x");
  const newOne = site("f", "_x0 m f32 f32 y", "_x1 i f32 f32 x");

  test("have separate names", () => {
    const text = site("g", "_x0 i f32 F32 x") + oldOne;
    expect(parsePtx(text).render({ f: "A", g: "B" })).toMatch(/^B\n\t\{\n/);
  });

  test.each([
    ["1.1 first", newOne + oldOne + newOne + oldOne],
    ["0.x first", oldOne + newOne + oldOne + newOne],
  ])("may share a name when they are the same as 1.1: %s", (_, text) => {
    const annotated = parsePtx(text);
    expect(annotated.injections).toHaveLength(1);
    expect(annotated.injection("f").sites).toHaveLength(4);
    expect(annotated.render({ f: "S" }).split("S\n")).toHaveLength(5);
    expect(annotated.render({ f: "S" }).split("\t{\n")).toHaveLength(3);
  });

  test.each([
    ["another type word", site("f", "_x0 m f32 F32 y", "_x1 i f32 F32 x")],
    ["another register", site("f", "_x1 m f32 f32 y", "_x0 i f32 f32 x")],
    ["another direction", site("f", "_x0 o f32 f32 y", "_x1 i f32 f32 x")],
  ])("and are inconsistent otherwise: %s", (_, other) => {
    expect(errorOf(() => parsePtx(oldOne + other)).code).toBe("INCONSISTENT_INJECTION");
    expect(errorOf(() => parsePtx(other + oldOne)).code).toBe("INCONSISTENT_INJECTION");
  });
});

describe("0.x sites of one name", () => {
  test.each(["%f1 in f32 y", "%f1 mod u32 y", "%f1 mod f32 z"])(
    "agree on all but the register: %s",
    (line) => {
      const text = site("f", "%f1 mod f32 y") + site("f", "%f9 mod f32 y") + site("f", line);
      const error = errorOf(() => parsePtx(text));
      expect(error.code).toBe("INCONSISTENT_INJECTION");
      expect(text.slice(error.span!.start, error.span!.end)).toBe(`// ${line}`);
    },
  );
});

describe("mistakes in a 0.x site", () => {
  test.each([
    ["a register without a name", "% in f32 x", "%"],
    ["a register with other signs", "%f1; in f32 x", "%f1;"],
    ["no direction", "%f1", ""],
    ["another direction", "%f1 inout f32 x", "inout"],
    ["a direction of 1.1", "%f1 m f32 F32 x", "m"],
    ["a constant that is written", "3 out s32 x", "3"],
    ["no type", "%f1 in ", "%f1 in "],
    ["no name", "%f1 in f32 ", "%f1 in f32 "],
  ])("have a place: %s", (_, line, place) => {
    for (const text of [site("f", line), site("f", line).replaceAll("\n", "\r\n")]) {
      const error = errorOf(() => parsePtx(text));
      expect(error.code).toBe("FORMATTING");
      expect(text.slice(error.span!.start, error.span!.end)).toBe(place);
    }
  });

  test("include a line of 1.1 in it, and one of 0.x in a site of 1.1", () => {
    for (const lines of [
      ["%f1 in f32 x", "_x1 o f32 F32 y"],
      ["_x0 o f32 F32 y", "%f1 in f32 x"],
    ])
      expect(errorOf(() => parsePtx(site("f", ...lines))).code).toBe("FORMATTING");
  });

  test("include an unknown type, with the nearest one", () => {
    expect(errorOf(() => parsePtx(site("f", "%f1 in f32 x", "%f2 out f23 z"))).message).toBe(
      "expected a type of the description, found `f23`, did you mean `f32`?\n" +
        "    3 | \t// %f2 out f23 z\n" +
        "      | \t           ^^^",
    );
  });
});

test("include UNKNOWN_TYPE, which lists all types if none is near", () => {
  const types = { ...defaultTypes, types: defaultTypes.types.slice(0, 2) };
  expect(errorOf(() => parsePtx(site("f", "%f1 mod angle x"), { types })).message).toContain(
    "expected a type of the description (`F16`, `F16X2`), found `angle`\n",
  );
});

test("include a line of 0.x among those of 1.1", () => {
  const error = errorOf(() => parsePtx(site("f", "_x0 m f32 F32 a", "%_x1 m f32 F32 b")));
  expect([error.code, error.span]).toEqual(["FORMATTING", { start: 47, end: 51 }]);
  expect(error.message).toContain("expected a register without `%`, as on the lines before, found `%_x1`");
});

describe("options", () => {
  test("with incomplete types are refused, for 1.1 too", () => {
    const [type] = defaultTypes.types;
    for (const [given, field] of [
      [{ name: "f32" }, "registerType"],
      [{}, "name"],
      [{ ...type, movPostfix: 7 }, "movPostfix"],
      [{ ...type, registerCast: undefined }, "registerCast"],
    ] as const) {
      const types = { ...defaultTypes, types: [given] } as unknown as InjectTypes;
      for (const text of [site("f", "%f1 mod f32 x"), site("f", "_x0 m f32 F32 x")]) {
        const error = errorOf(() => parsePtx(text, { types }));
        expect(error.code).toBe("INVALID_ARGUMENT");
        expect(error.message).toContain(`expected \`${field}\` of a type as text, found `);
      }
    }
  });

  test("that are not an object, or unknown, are refused", () => {
    for (const options of [null, 7, { typos: 1 }, { types: 7 }, { types: { kind: "stack" } }])
      expect(errorOf(() => parsePtx("", options as never)).code).toBe("INVALID_ARGUMENT");
    expect(errorOf(() => parsePtx("", { type: 1 } as never)).message).toContain("did you mean `types`?");
  });
});
