// Stubs written by hand, and everything that is refused in them.
import { CodeBuffer, StraightLineCode } from "@mm-ptx/types/code";
import { describe, expect, it } from "vitest";
import { ColumnsError } from "../../src/index.js";
import { parseStub, type SiteOperand } from "../../src/stub/index.js";
import { codeLines } from "../support/code-lines.js";

const operand = (text: string): SiteOperand => {
  const [direction, registerType, name] = text.split(" ") as [SiteOperand["direction"], string, string];
  return { direction, name, register: name, registerType, type: registerType.toUpperCase() };
};
const site = (text: string): SiteOperand[] => text.split(", ").map(operand);

/** The lines of a stub's code. */
const codeOf = (text: string, operands = FLOATS): string[] => codeLines(parseStub(text, operands).words);

const FLOATS = site("in f32 x, in f32 y, out f32 d");
const MIXED = site(
  "in f32 x, in u32 u, in s32 s, in b64 l, in b16 h, in pred p, in pred q, mod f32 m, out f32 d",
);

describe("stubs", () => {
  it("consist of declarations, instructions and copies", () => {
    const stub = `
      { // the text of a stub
        .reg .f32 %f<3>, %one;
        .reg .f32 %two; /* twice */
        mov.f32 %one, 0f3F800000;
        fma.rn.f32 %f0, %x, %y, %one;
        { .reg .f32 %f1; mul.f32 %f1, %f0, -2.5; sub.f32 %f2, %f1, 0d3FF0000000000000; }
        mov.f32 %two, %f2;
        .loc 1 2 3
        mov.f32 %d, %two;;
      }`;
    expect(codeOf(stub)).toEqual([
      ...["0 constant.f32 1065353216", "1 input.f32 0", "2 input.f32 1", "3 fma.rn.f32 1 2 0"],
      ...[
        "4 constant.f32 3223322624",
        "5 mul.f32 3 4",
        "6 constant.f32 1065353216",
        "7 sub.f32 5 6",
        "7 as f32",
      ],
    ]);
  });

  it("hide registers in inner scopes, and those of the site", () => {
    const stub = `.reg .f32 %x; mov.f32 %x, %y; { .reg .f32 %x; neg.f32 %x, %y; } abs.f32 %d, %x;`;
    expect(codeOf(stub)).toEqual(["0 input.f32 1", "1 abs.f32 0", "1 as f32"]);
  });

  it("leave out what no output needs, and read operands that they do not change", () => {
    expect(
      codeOf("neg.f32 %m, %x; neg.f32 %m, %s0;", [...site("in f32 x, mod f32 m"), operand("in f32 s0")]),
    ).toEqual([...["0 input.f32 2", "1 neg.f32 0", "1 as f32"]]);
    expect(codeOf("", site("in f32 x, mod f32 m"))).toEqual(["0 input.f32 1", "0 as f32"]);
    const { words } = parseStub("", site("in f32 x, mod f32 m"));
    expect(words[StraightLineCode.arity]).toBe(2 + (1 << StraightLineCode.outputShift));
    expect(codeOf("", [])).toEqual([]);
  });

  it("write `mod` operands before `out` operands", () => {
    const operands = site("out u32 a, mod u32 b, out pred c, mod u32 d");
    expect(codeOf("mov.u32 %a, 1; mov.pred %c, 1; add.u32 %b, %b, %a;", operands)).toEqual([
      ...["0 constant.u32 1", "1 constant.pred 1", "2 input.u32 1", "3 add.u32 2 0", "4 input.u32 3"],
      ...["3 as u32", "4 as u32", "0 as u32", "1 as pred"],
    ]);
  });

  it("are appended to what a buffer has", () => {
    const out = new CodeBuffer();
    expect(parseStub("mov.f32 %d, %x;", FLOATS, out)).toBe(out);
    const first = out.words.slice();
    expect(() => parseStub("mov.f32 %d, %z;", FLOATS, out)).toThrow(ColumnsError);
    expect([...out.words]).toEqual([...first]);
    parseStub("mov.f32 %d, %x;", FLOATS, out);
    expect([...out.offsets]).toEqual([0, first.length, 2 * first.length]);
    expect([...out.words]).toEqual([...first, ...first]);
  });

  it.each<[string, string, ...string[]]>([
    ["negative", "add.s32 %t, %s, -3;", "1 constant.s32 4294967293", "2 add.s32 0 1"],
    ["hexadecimal and unsigned", "add.s32 %t, %s, 0xFFU;", "1 constant.s32 255", "2 add.s32 0 1"],
    ["computed", "and.b32 %t, %s, (1 << 4) - 1;", "1 constant.b32 15", "2 and.b32 0 1"],
    ["narrow", "cvt.s32.s16 %t, -1;", "0 constant.s16 65535", "1 cvt.s32.s16 0"],
  ])("have constants that are %s", (_, text, ...lines) => {
    const code = codeOf(
      `.reg .s32 %t; ${text} cvt.rn.f32.s32 %d, %t;`,
      MIXED.filter(({ name }) => name !== "m"),
    );
    expect(code).toEqual(expect.arrayContaining(lines));
  });

  it("have constants of 64 bits", () => {
    const operands = site("out b64 d");
    expect(codeOf("mov.b64 %d, -2;", operands)).toEqual(["0 constant.b64 4294967294 4294967295", "0 as b64"]);
    expect(codeOf("mov.b64 %d, 0d4000000000000001;", operands)).toEqual([
      "0 constant.b64 1 1073741824",
      "0 as b64",
    ]);
    expect(codeOf("mov.f64 %d, 0f40000000;", site("out f64 d"))).toEqual([
      "0 constant.f64 0 1073741824",
      "0 as f64",
    ]);
    expect(codeOf("mov.b32 %d, 0f40000000;", site("out b32 d"))).toEqual([
      "0 constant.b32 1073741824",
      "0 as b32",
    ]);
  });

  it("have comparisons with two results", () => {
    const operands = site("in f32 x, in f32 y, in pred c, out pred a, out pred b");
    expect(codeOf("setp.lt.f32 %a|%b, %x, %y;", operands)).toEqual([
      ...["0 input.f32 0", "1 input.f32 1", "2 setp.lt.f32 0 1", "3 not.pred 2", "2 as pred", "3 as pred"],
    ]);
    expect(codeOf("setp.geu.and.ftz.f32 %a|%b, %x, %y, !%c;", operands)).toEqual([
      ...["0 input.f32 0", "1 input.f32 1", "2 input.pred 2", "3 not.pred 2", "4 setp.geu.and.ftz.f32 0 1 3"],
      ...["5 setp.geu.ftz.f32 0 1", "6 not.pred 5", "7 and.pred 6 3", "4 as pred", "7 as pred"],
    ]);
    const halves = site("in b32 x, in b32 y, out pred a, out pred b");
    expect(codeOf("setp.lt.f16x2 %a|%b, %x, %y;", halves)).toEqual([
      ...["0 input.b32 0", "1 input.b32 1", "2 setp.lt.f16x2 0 1", "3 constant.b32 4146", "4 prmt.b32 0 0 3"],
      ...["5 constant.b32 4146", "6 prmt.b32 1 1 5", "7 setp.lt.f16x2 4 6", "2 as pred", "7 as pred"],
    ]);
    expect(codeOf("mov.pred %a, 0; setp.lt.f32 _|%b, %x, %y;", operands).at(-1)).toBe("4 as pred");
  });

  it("convert between registers of different widths", () => {
    const operands = site("in b64 l, in s32 s, out b64 d, out b64 e");
    expect(codeOf("cvt.s16.s32 %d, %s; cvt.u32.u16 %e, %l;", operands)).toEqual([
      ...["0 input.s32 1", "1 cvt.s16.s32 0", "2 cvt.s64.s16 1", "3 input.b64 0", "4 cvt.u32.u64 3"],
      ...["5 cvt.u32.u16 4", "6 cvt.u64.u32 5", "2 as b64", "6 as b64"],
    ]);
  });

  it("take the operands of every kind of instruction", () => {
    const stub = `.reg .b32 %r<9>; .reg .b64 %w<9>; .reg .b16 %h<9>; .reg .pred %p<9>; .reg .f32 %f<9>;
      mad.wide.u32 %w0, %u, %s, %l; mul.wide.s16 %r0, %h, %h; popc.b64 %r1, %w0; shl.b64 %w1, %w0, %r1;
      bfe.u64 %w2, %w1, 3, %r0; bfi.b64 %w3, %w2, %w1, %r0, 4; shf.l.wrap.b32 %r2, %r0, %r1, %u; lop3.b32 %r3, %r0, %r1, %r2, 0x96;
      slct.f32.s32 %f0, %x, %m, %s; slct.b64.f32 %w4, %w0, %w3, %x; selp.b32 %r4, %r3, 7, !%p; testp.notanumber.f32 %p0, %x;
      set.lt.u32.f32 %r5, %x, %f0; setp.ne.xor.s32 %p1, %r5, %r4, %p0; dp4a.u32.s32 %r6, %u, %s, %r5; cvt.rn.f16x2.f32 %r7, %x, %f0;
      szext.clamp.s32 %r8, %s, %u; sad.s32 %r8, %r8, %s, %r7; and.pred %p2, %p1, !%q; cvt.pack.sat.u8.s32.b32 %r8, %r8, %s, %r7;
      fns.b32 %r8, %r8, %u, -1; bmsk.wrap.b32 %r8, %r8, %r6; cvt.u32.u64 %r8, %w4;
      @%p2 add.s32 %r8, %r8, 1; cvt.rn.f32.s32 %d, %r8;`;
    expect(codeOf(stub, MIXED).length).toBeGreaterThan(20);
  });
});

describe("instructions with a guard", () => {
  const operands = site("in f32 x, in f32 y, in pred p, in pred q, mod f32 m");

  it("keep the old value", () => {
    expect(codeOf("@%p neg.f32 %m, %x;", operands)).toEqual([
      ...["0 input.pred 2", "1 input.f32 0", "2 neg.f32 1", "3 input.f32 4", "4 selp.b32 2 3 0", "4 as f32"],
    ]);
    expect(codeOf("@!%p neg.f32 %m, %x;", operands).at(-2)).toBe("4 selp.b32 3 2 0");
    const predicates = site("in pred p, in pred q, mod pred m");
    expect(codeOf("@!%p mov.pred %m, %q;", predicates)).toEqual([
      ...[
        "0 input.pred 0",
        "1 input.pred 1",
        "2 input.pred 2",
        "3 and.pred 0 2",
        "4 not.pred 0",
        "5 and.pred 4 1",
      ],
      ...["6 or.pred 3 5", "6 as pred"],
    ]);
    expect(codeOf("@%p mov.b64 %m, %x;", site("in b64 x, in pred p, mod b64 m"))).toContain(
      "3 selp.b64 1 2 0",
    );
    expect(codeOf("@%p mov.b16 %m, %x;", site("in b16 x, in pred p, mod b16 m"))).toContain(
      "3 selp.b16 1 2 0",
    );
  });

  it("write a register in both cases", () => {
    const stub = ".reg .f32 %t; @%p neg.f32 %t, %x; @%p abs.f32 %t, %t; @!%p mov.f32 %t, %y; mov.f32 %m, %t;";
    expect(codeOf(stub, operands)).toEqual([
      ...[
        "0 input.pred 2",
        "1 input.f32 0",
        "2 neg.f32 1",
        "3 abs.f32 2",
        "4 input.f32 1",
        "5 selp.b32 3 4 0",
        "5 as f32",
      ],
    ]);
  });

  it.each([
    [
      ".reg .f32 %t; @%p neg.f32 %t, %x; mov.f32 %m, %t;",
      "`%t`, which nothing has written under this condition",
    ],
    [
      ".reg .f32 %t; @%p neg.f32 %t, %x; @!%p mov.f32 %m, %t;",
      "`%t`, which nothing has written under this condition",
    ],
    [
      ".reg .f32 %t; @%p neg.f32 %t, %x; @%q mov.f32 %t, %y;",
      "`%t`, which is only written under another condition",
    ],
    [".reg .pred %r; mov.pred %r, %p; @%r neg.f32 %m, %x; not.pred %r, %r; @%t mov.f32 %m, %x;", "`%t`"],
  ])("are refused where a register may have no value: %s", (stub, found) => {
    expect(() => codeOf(stub, operands)).toThrow(found);
  });
});

describe("refused are", () => {
  const refusal = (text: string, operands = MIXED): ColumnsError => {
    try {
      parseStub(text, operands);
    } catch (error) {
      if (error instanceof ColumnsError) return error;
      throw error;
    }
    throw new Error("expected a refusal");
  };

  it.each<[string, ColumnsError["code"], string]>([
    ["add.f32 %d, %x, %m", "SYNTAX", "`;`"],
    ["add.f32 %d, %x, 0q;", "SYNTAX", "0q"],
    ["{ add.f32 %d, %x, %m;", "SYNTAX", "`}`"],
    ["add.f32 %d, %x,;", "SYNTAX", "operand"],
    ["@%p ;", "SYNTAX", "expected an opcode"],
    ["ld.global.f32 %d, [%l];", "UNSUPPORTED_INSTRUCTION", "found `ld.global.f32`"],
    ["bra L;", "UNSUPPORTED_INSTRUCTION", "found `bra`"],
    ["ret;", "UNSUPPORTED_INSTRUCTION", "found `ret`"],
    ["call f;", "UNSUPPORTED_INSTRUCTION", "found `call`"],
    ["shfl.sync.idx.b32 %u, %u, 0, 31, -1;", "UNSUPPORTED_INSTRUCTION", "found `shfl.sync.idx.b32`"],
    ["add.cc.u32 %u, %u, 1;", "UNSUPPORTED_INSTRUCTION", "found `add.cc.u32`"],
    ["add.ftz.u32 %u, %u, 1;", "UNSUPPORTED_INSTRUCTION", "found `add.ftz.u32`"],
    ["mov.b64 {%u, %s}, %l;", "UNSUPPORTED_INSTRUCTION", "`mov.b64` on single values, found a vector"],
    ["mov.b64 %l, {%u, %s};", "UNSUPPORTED_INSTRUCTION", "`mov.b64` on single values, found a vector"],
    ["add.f32 %d, %x, [%l];", "UNSUPPORTED_INSTRUCTION", "found an address"],
    ["mov.u32 %u, %tid.x;", "UNSUPPORTED_INSTRUCTION", "found `%tid.x`"],
    [".shared .b32 table;", "UNSUPPORTED_INSTRUCTION", "found `.shared`"],
    [".reg .v2 .f32 %v;", "UNSUPPORTED_INSTRUCTION", "found `.reg`"],
    [".reg .b128 %v; mov.b128 %v, %v;", "UNSUPPORTED_INSTRUCTION", "mov.b128"],
    [".reg .b128 %v; neg.f32 %v, %x;", "UNSUPPORTED_INSTRUCTION", "found `.b128`"],
    ["add.f32 %d, %x;", "BAD_OPERAND", "expected 3 operands of `add.f32`, found 2"],
    ["add.f32 %d, %x, %u;", "BAD_OPERAND", "expected a register of `.f32`, found `%u` of `.u32`"],
    ["add.f32 %d, %x, %z;", "BAD_OPERAND", "found `%z`"],
    ["add.f32 %d, %x, 1;", "BAD_OPERAND", "expected a value of `.f32`, found `1`"],
    ["add.s32 %d, %s, 0f3F800000;", "BAD_OPERAND", "expected a value of `.s32`, found `0f3F800000`"],
    ["add.f32 %d, %x, !%p;", "BAD_OPERAND", "found `!%p`"],
    ["and.pred %d, %p, !%x;", "BAD_OPERAND", "expected a register of `.pred`, found `%x`"],
    ["@%x neg.f32 %d, %x;", "BAD_OPERAND", "expected a register of `.pred`, found `%x`"],
    ["neg.f32 %x, %x;", "BAD_OPERAND", "which the stub may only read"],
    ["neg.f32 1, %x;", "BAD_OPERAND", "expected a register to write, found `1`"],
    ["neg.f32 _, %x;", "BAD_OPERAND", "expected a register to write, found `_`"],
    ["neg.f32 %d|%m, %x;", "BAD_OPERAND", "expected one result of `neg.f32`, found two"],
    [
      ".reg .pred %a; .reg .b32 %v; mov.b32 %v, 0; setp.lt.f16x2 %a, %v, %v;",
      "BAD_OPERAND",
      "expected two results, found one",
    ],
    ["L: neg.f32 %d, L;", "BAD_OPERAND", "expected a register, found `L`"],
    [
      ".reg .b32 %r; lop3.b32 %r, %u, %u, %u, 256;",
      "BAD_OPERAND",
      "expected a number from 0 to 255, found `256`",
    ],
    [
      ".reg .b32 %r; lop3.b32 %r, %u, %u, %u, %s;",
      "BAD_OPERAND",
      "expected a number from 0 to 255, found `%s`",
    ],
    ["add.f32 %d, %d, %x;", "UNWRITTEN_REGISTER", "found `%d`, which nothing has written"],
    [".reg .f32 %t; add.f32 %d, %t, %x;", "UNWRITTEN_REGISTER", "found `%t`, which nothing has written"],
  ])("%s", (text, code, found) => {
    const error = refusal(`\n  ${text}`);
    expect(error).toMatchObject({ name: "ColumnsError", code });
    expect(error.message).toContain(found);
    expect(error.message).toMatch(/^line 2, column \d+: [\s\S]*\n +2 \| [\s\S]*\^/);
    expect(error.source).toMatchObject({ line: 2 });
    expect(error.source!.span.start).toBeGreaterThan(0);
  });

  it("stubs that leave an operand unwritten", () => {
    const error = refusal("", FLOATS);
    expect(error).toMatchObject({ code: "UNWRITTEN_REGISTER", source: undefined });
    expect(error.message).toBe("expected a stub that writes operand `d` in every case, found none for `%d`");
    expect(refusal("@%p mov.f32 %d, 0f00000000;").code).toBe("UNWRITTEN_REGISTER");
  });

  it("arguments of the wrong kind", () => {
    const messages = [
      () => parseStub(7 as unknown as string, []),
      () => parseStub("", "x" as unknown as SiteOperand[]),
      () => parseStub("", [], {} as CodeBuffer),
      () => parseStub("", site("in b128 x")),
      () => parseStub("", site("in f33 x")),
      () => parseStub("", site("in f32 x, out u32 x")),
    ].map((run) => {
      try {
        run();
      } catch (error) {
        if (error instanceof ColumnsError) {
          expect(error.code).toBe("INVALID_ARGUMENT");
          return error.message;
        }
      }
      return "nothing";
    });
    expect(messages).toEqual([
      "expected the text of a stub, found 7",
      "expected the operands of a site as an array, found `x`",
      "expected a CodeBuffer to append to, found an object",
      "expected operand `x` in a register of a type of straight-line code, found `.b128`",
      "expected operand `x` in a register of a type of straight-line code, found `.f33`",
      "expected one type of register `%x`, found `.f32` and `.u32`",
    ]);
  });
});
