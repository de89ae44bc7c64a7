// Warnings about stubs that can be rendered but are probably wrong.
import { describe, expect, test } from "vitest";
import { checkStub, parsePtx, type StubWarning } from "../../src/index.js";
import { charactersRead } from "../support/characters.js";
import { errorOf, site } from "../support/helpers.js";

const KERNEL = `.version 8.0
.target sm_75
.address_size 64
.global .f32 scale;
.visible .entry k(.param .u64 k_param_0)
{
	.reg .f32 %f<13>;
	.reg .b64 %rd1;
	{
	.reg .f32 %_x0;
	.reg .f32 %_x1;
	mov.f32 %_x1, %f1;
${site("func", "_x0 o f32 F32 z", "_x1 i f32 F32 x")}	mov.f32 %f2, %_x0;
	}
	{
	.reg .f32 %_x2, %only_there;
${site("other")}	}
${site("legacy", "%f1 mod f32 x", "%f2 out f32 z")}	ret;
}
`;
const annotated = parsePtx(KERNEL);
const WRITES = "mov.f32 %_x0, %_x1;";

const warningsFor = (func: string): readonly StubWarning[] =>
  annotated.warnings({ func }, { missing: "empty" }).filter(({ injection }) => injection === "func");
const codes = (stub: string): string[] => warningsFor(stub).map(({ code }) => code);
const places = (stub: string): string[] =>
  warningsFor(stub).map(({ code, span }) => `${code} ${stub.slice(span.start, span.end)}`);

describe("no warnings", () => {
  test.each([
    WRITES,
    "\t{\n\t.reg .f32 %_s0_<2>;\n\tadd.ftz.f32 %_s0_0, %_x1, 0f3F800000;\n\tmov.f32 %_x0, %_s0_0;\n\t}",
    "{ .reg .f32 t; .reg .v2 .b32 %v; add.f32 t, %_x1, t; mov.f32 %_x0, t; }",
    "{ .reg .pred %p; .reg .u32 %r<3>;\nagain: mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p, %r1, %laneid; @!%p bra again; }mov.f32 %_x0, 0f00000000;",
    "ld.global.f32 %_x0, [scale+4]; // %q is no register here",
    '.pragma "nounroll";\n.loc 1 2 3\nmov.f32 %_x0, 0f00000000;',
    "{ .reg .u32 %r; .reg .u64 %c; mov.u32 %r, WARP_SZ; mov.u32 %r, %envreg31; mov.u64 %c, %clock64; } mov.f32 %_x0, 0f00000000;",
  ])("for %j", (stub) => {
    expect(warningsFor(stub)).toEqual([]);
  });
});

describe("UNDECLARED", () => {
  test("suggests the nearest name for a register and lists the operands", () => {
    const [warning, ...others] = warningsFor(`\t${WRITES}\n\tadd.f32 %_x0, %_x3, %_x3;`);
    expect(others).toEqual([]);
    expect(warning).toEqual({
      code: "UNDECLARED",
      injection: "func",
      span: { start: 36, end: 40 },
      message: [
        "stub of `func`: expected an operand of `func` (`%_x0`, `%_x1`) or a name that the stub declares, found `%_x3`, did you mean `%_x0`?",
        "    2 | \tadd.f32 %_x0, %_x3, %_x3;",
        "      | \t              ^^^^",
      ].join("\n"),
    });
  });

  test("includes names in another scope, or without `%`", () => {
    expect(places(`${WRITES} mov.f32 %only_there, %_x2; { .reg .f32 %t; } mov.f32 %_x0, %t;`)).toEqual([
      "UNDECLARED %only_there",
      "UNDECLARED %_x2",
      "UNDECLARED %t",
    ]);
    expect(places(`${WRITES} bra nowhere; ld.global.f32 %_x0, [scael];`)).toEqual([
      "UNDECLARED nowhere",
      "UNDECLARED scael",
    ]);
  });
});

test("KERNEL_REGISTER: a register that is declared around the site, alone or in a range", () => {
  expect(places(`${WRITES} add.f32 %_x0, %f12, %f13; mov.b64 %rd1, %rd1; mov.f32 %f012, %f;`)).toEqual([
    "KERNEL_REGISTER %f12",
    "UNDECLARED %f13",
    "KERNEL_REGISTER %rd1",
    "KERNEL_REGISTER %f012",
    "UNDECLARED %f",
  ]);
  const legacy = annotated.warnings({ legacy: "mov.f32 %_x1, %f2;" }, { missing: "empty" });
  expect(legacy.filter(({ injection }) => injection === "legacy").map(({ code }) => code)).toEqual([
    "KERNEL_REGISTER",
  ]);
});

test("UNWRITTEN_OUTPUT: a stub that never names an output", () => {
  const [warning] = warningsFor("// %_x0");
  expect(warning!.code).toBe("UNWRITTEN_OUTPUT");
  expect(warning!.message).toContain("expected a statement that writes `%_x0`, the output `z`, found none");
  expect(codes("")).toEqual(["UNWRITTEN_OUTPUT"]);
  expect(codes("mov.f32 %_x1, 0f00000000;")).toEqual(["UNWRITTEN_OUTPUT"]);
});

test("UNWRITTEN_OUTPUT: a stub that reads an output before it writes it", () => {
  const reads = (stub: string) =>
    warningsFor(stub).map(({ span: { start, end } }) => [start, stub.slice(start, end)]);
  expect(reads("add.f32 %_x1, %_x0, %_x0;")).toEqual([[14, "%_x0"]]);
  expect(reads("add.f32 %_x0, %_x0, %_x1;")).toEqual([[14, "%_x0"]]);
  expect(reads("st.global.f32 [%_x0], %_x1;")).toEqual([[15, "%_x0"]]);
  expect(reads("@%_x0 mov.f32 %_x0, %_x1;")).toEqual([[1, "%_x0"]]);
  expect(warningsFor("add.f32 %_x0, %_x0, %_x1;")[0]!.message).toContain(
    "expected `%_x0`, the output `z`, to be written before it is read, found this read first",
  );
  for (const stub of [
    "mov.f32 %_x0, %_x1; add.f32 %_x0, %_x0, %_x0;",
    "mov.b64 {%_x0, %_x1}, 0; add.f32 %_x0, %_x0, %_x0;",
    "setp.eq.f32 %_x0|%_x1, %_x1, %_x1;",
    "bra B; A: add.f32 %_x0, %_x0, %_x1; bra C; B: mov.f32 %_x0, %_x1; bra A; C:",
    "{ .reg .f32 %_x1; add.f32 %_x1, %_x1, %_x1; } mov.f32 %_x0, %_x1;",
  ])
    expect(warningsFor(stub)).toEqual([]);
  const shadowed = "{ .reg .f32 %_x0; mov.f32 %_x0, %_x1; }";
  expect(codes(shadowed)).toEqual(["UNWRITTEN_OUTPUT"]);
});

test("SYNTAX: a statement that would continue into the kernel's text", () => {
  expect(places(`${WRITES} @%_x1`)).toEqual(["SYNTAX %_x1"]);
  expect(places("mov.f32 %_x0, %_x1")).toEqual(["SYNTAX %_x1"]);
  expect(warningsFor("mov.f32 %_x0, %_x1")[0]!.message).toContain("found the end of the text");
});

test("REFUSED_CHARACTER: NUL and characters outside ASCII, in comments too", () => {
  expect(places(`${WRITES} // é`)).toEqual(["REFUSED_CHARACTER é"]);
  expect(places(`${WRITES} // 𝄞 é`)).toEqual(["REFUSED_CHARACTER 𝄞"]);
  expect(codes(`${WRITES} // \0 `)).toEqual(["REFUSED_CHARACTER"]);
});

describe("checkStub", () => {
  const func = annotated.injection("func");

  test("knows the injection but not the kernel", () => {
    expect(checkStub(WRITES, func)).toEqual([]);
    expect(checkStub(WRITES, { name: "func", operands: func.operands })).toEqual([]);
    const found = checkStub(`${WRITES} add.f32 %f1, %f1, foo;`, func).map(({ code, span }) => [
      code,
      span.start,
    ]);
    expect(found).toEqual([["UNDECLARED", 28]]);
    expect(checkStub("bra %x;", annotated.injection("other"))[0]!.message).toContain("(it has none)");
  });

  test("throws what `render` throws", () => {
    expect(errorOf(() => checkStub("}", func)).code).toBe("INVALID_STUB");
    expect(errorOf(() => checkStub(7 as unknown as string, func)).code).toBe("INVALID_INPUT");
    for (const place of [undefined, null, {}, { name: "func" }, { operands: [] }, "func"]) {
      expect(errorOf(() => checkStub("", place as unknown as typeof func)).code).toBe("INVALID_ARGUMENT");
    }
  });
});

test("warnings are frozen, and the same for a stub and for the filled kernel", () => {
  const warnings = annotated.warnings({ func: "bra x;" }, { missing: "empty" });
  expect([warnings, ...warnings].every(Object.isFrozen)).toBe(true);
  expect(warnings.map(({ injection }) => injection)).toEqual(["func", "func", "legacy"]);
  const filled = annotated.fill({ func: "bra x;" }, { missing: "empty" });
  for (const one of [filled, structuredClone(filled)]) expect(annotated.warnings(one)).toEqual(warnings);
  const other = parsePtx(`other\n${annotated.text}`).fill({ func: "" }, { missing: "empty" });
  expect(errorOf(() => annotated.warnings(other))).toMatchObject({
    code: "INVALID_ARGUMENT",
    message: "expected a filled kernel of this PTX, found one of another text",
  });
});

test("UNDECLARED: a register that is used before its declaration; a label may be", () => {
  const late = "{ mov.f32 %t, %_x1; .reg .f32 %t; mov.f32 %_x0, %t; }";
  expect(places(late)).toEqual(["UNDECLARED %t"]);
  expect(warningsFor(late)[0]!.message).toContain(
    "expected `%t` to be declared before it is used, found its declaration after that",
  );
  expect(codes(`{ mov.f32 %t1, 0f00000000; .reg .f32 %t<2>; ${WRITES} }`)).toEqual(["UNDECLARED"]);
  expect(codes(`{ bra end; ${WRITES} end: }`)).toEqual([]);
  expect(codes(`{ .reg .f32 %t; { mov.f32 %t, 0f00000000; } } ${WRITES}`)).toEqual([]);
});

describe("many findings take time in proportion to the stub", () => {
  const lines = (count: number, line: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => line(i));
  const MAKE: Record<string, (count: number) => readonly [stub: string, operands: readonly string[]]> = {
    "names that nothing declares": (count) => [
      lines(count, (i) => `add.f32 %_x0, %q${i}, %r${i};`).join("\n"),
      ["_x0 o f32 F32 z"],
    ],
    "outputs that are read first": (count) => [
      lines(count, (i) => `add.f32 %_x${i}, %_x${i}, %_x${i};`).join("\n"),
      lines(count, (i) => `_x${i} o f32 F32 z${i}`),
    ],
    "invalid statements": (count) => [
      lines(count, () => "add.f32 %_x0 %_x0;").join("\n"),
      ["_x0 o f32 F32 z"],
    ],
  };

  test.each(Object.entries(MAKE))("of %s", (_, make) => {
    const [few, many] = [100, 1_600].map((count) => {
      const [stub, operands] = make(count);
      const parsed = parsePtx(site("f", ...operands));
      return charactersRead(() => parsed.warnings({ f: stub })) / stub.length;
    });
    expect(few).toBeGreaterThan(0);
    expect(many! / few!).toBeLessThan(1.6);
  });
});
