// Names: what a text declares, and which declaration each use refers to, in scopes that shadow each other.
import { describe, expect, test } from "vitest";
import { isPredefined, type PtxCode, readFragment, readModule } from "../src/index.js";

/** Each use as its name, with the kind and index of the declaration that it refers to. */
function usesOf({ names, text }: PtxCode): string[] {
  return names.uses.map(({ name, span, declaration }) => {
    expect(text.slice(span.start, span.end)).toBe(name);
    return `${name} ${declaration === undefined ? "-" : `${declaration.kind} ${names.declarations.indexOf(declaration)}`}`;
  });
}

const fragment = (text: string) => usesOf(readFragment(text));

describe("registers", () => {
  test("a range declares its numbers, written with zeros or without", () => {
    expect(
      fragment(".reg .b32 %r<12>, s; add %r0, %r11, %r12; add %r03, %r012, %r; add s, s1, s.x;"),
    ).toEqual([
      "%r0 register 0",
      "%r11 register 0",
      "%r12 -",
      "%r03 register 0",
      "%r012 -",
      "%r -",
      "s register 1",
      "s1 -",
      "s register 1",
    ]);
  });

  test("all digits at the end of a name are its number, so a range whose prefix ends in a digit declares nothing", () => {
    expect(fragment(".reg .b32 %r1<12>; mov %r11, %r1;")).toEqual(["%r11 -", "%r1 -"]);
  });

  test("the innermost declaration counts, whether it is a range or a name", () => {
    expect(
      fragment(
        ".reg .b32 %r<4>; { .reg .f32 %r3; { .reg .b64 %r<9>; mov %r3, 0; } mov %r3, %r2; } mov %r3, 0;",
      ),
    ).toEqual(["%r3 register 2", "%r3 register 1", "%r2 register 0", "%r3 register 0"]);
  });

  test("an inner range hides only the registers that it has", () => {
    const text =
      ".reg .b32 r<9>; { .reg .b32 r<3>; { .reg .b32 r<6>; { .reg .b32 r<2>; add r1, r2, r5; add r6, r8, r9; } mov r1, r6; } mov r2, r3; } mov r0, r8;";
    expect(fragment(text).map((use) => use.replace(" register", ""))).toEqual([
      "r1 3",
      "r2 2",
      "r5 2",
      "r6 0",
      "r8 0",
      "r9 -",
      "r1 2",
      "r6 0",
      "r2 1",
      "r3 0",
      "r0 0",
      "r8 0",
    ]);
  });

  test("sibling scopes have separate names", () => {
    expect(fragment("{ .reg .b32 a; mov a, b; } { .reg .b32 b; mov a, b; }")).toEqual([
      "a register 0",
      "b -",
      "a -",
      "b register 1",
    ]);
  });
});

describe("labels", () => {
  test("are visible in their whole scope and in inner ones, not outside", () => {
    expect(fragment("bra L; { bra L; bra M; M: } L: bra M;")).toEqual([
      "L label 1",
      "L label 1",
      "M label 0",
      "M -",
    ]);
  });

  test("tables use labels, branches use tables", () => {
    expect(fragment("brx.idx %r, t; t: .branchtargets a, b; a: b:")).toEqual([
      "%r -",
      "t label 0",
      "a label 1",
      "b label 2",
    ]);
  });
});

describe("other uses", () => {
  test("include guards, components, vectors and addresses, but not opcodes, sinks and numbers", () => {
    expect(
      fragment("@!p ld.global.v2.f32 {a, _}, [b+8]; mov.u32 c, %tid.x; vadd d.b0, 0f00000000, -e;"),
    ).toEqual("p a b c %tid d e".split(" ").map((name) => `${name} -`));
  });

  test("include functions and variables in initial values", () => {
    const text =
      ".func f() { ret; } .global .u64 a = generic(b)+4, c[2] = {f, 3}, b; .alias g, f; .const .u8 m = 0xff(b);";
    expect(usesOf(readModule(text))).toEqual([
      "b variable 3",
      "f function 0",
      "g -",
      "f function 0",
      "b variable 3",
    ]);
  });

  test("refer to parameters in the body only, and to a function's definition", () => {
    const text =
      ".func (.param .b32 r) f (.param .b32 x) ; .func (.param .b32 r) f (.param .b32 x) { st [r], x; call f; } .entry k(.param .b32 y) { ld a, [x]; ld a, [y]; }";
    expect(usesOf(readModule(text))).toEqual([
      "r parameter 1",
      "x parameter 3",
      "f function 2",
      "a -",
      "x -",
      "a -",
      "y parameter 5",
    ]);
  });

  test("in debug data may name anything, and refer to labels of its own", () => {
    const text =
      ".entry k(.param .b32 y) { .loc 1 2 3, function_name $S, inlined_at 1 2 3 $B: ret; } .section .debug_info { .b64 $B .b64 y .b32 .debug_line $S: .b8 1, 2 .b32 $T+3 }";
    expect(usesOf(readModule(text))).toEqual(["$S label 3", "$B label 2", "y parameter 1", "$T -"]);
  });
});

describe("queries", () => {
  const code = readFragment("{ .reg .b32 a; mov a, %tid.x; } mov a, WARP_SZ;");

  test("undeclared names are neither declared nor predefined by PTX", () => {
    expect(code.names.undeclared.map(({ name, span }) => `${name} ${span.start}`)).toEqual(["a 36"]);
    expect(["%tid", "%envreg31", "%pm7_64", "WARP_SZ", "%lanemask_eq"].every(isPredefined)).toBe(true);
    expect(["%envreg32", "tid", "%r1"].some(isPredefined)).toBe(false);
  });

  test("list the uses in a span", () => {
    expect(code.names.usesIn({ start: 0, end: 31 }).map(({ name }) => name)).toEqual(["a", "%tid"]);
    expect(code.names.usesIn({ start: 19, end: 19 })).toEqual([]);
    expect(code.names.usesIn({ start: 30, end: 99 }).map(({ statement }) => statement)).toEqual([4, 4]);
  });

  test("list the declarations in a span", () => {
    const { names } = readFragment(".reg .b32 a, %b<2>; L: { .reg .b32 c; }");
    expect(names.declarationsIn({ start: 0, end: 20 }).map(({ name, kind }) => `${kind} ${name}`)).toEqual([
      "register a",
      "register %b",
    ]);
    expect(names.declarationsIn({ start: 20, end: 99 }).map(({ name }) => name)).toEqual(["L", "c"]);
  });

  test("say what a name would mean in a scope", () => {
    const { names } = readFragment(".reg .b32 a, %b<2>; { .reg .f32 a, %b3; .reg .f32 %b<1>; }");
    const [a, b, inner, b3, innerRange] = names.declarations;
    expect(["a", "%b0", "%b1", "%b3", "%b2"].map((name) => names.meaningIn(1, name))).toEqual([
      inner,
      innerRange,
      b,
      b3,
      undefined,
    ]);
    expect(["a", "%b0", "%b3"].map((name) => names.meaningIn(0, name))).toEqual([a, b, undefined]);
  });

  test("are computed once", () => {
    expect(code.names).toBe(code.names);
  });
});
