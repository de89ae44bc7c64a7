// Alternatives of a site: their text, what they compute, and what is refused.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases, smoke } from "../../../../tests/support/counts.js";
import { type AnnotatedPtx, expandSites, pack, parsePtx } from "../../src/index.js";
import { errorOf, site } from "../support/helpers.js";
import { interpret } from "../support/pack-interpreter.js";

/**
 * A site as the header writes it, with its scope: `m` operands, then `o`, then `i`, all u32, over the
 * kernel's `%k`.
 */
function wholeSite(name: string, letters: string, first: number, type = "u32"): string {
  const operands = [...letters].map((letter, i) => ({ letter, own: `%_x${i}`, kernel: `%k${first + i}` }));
  const moves = (wanted: string, text: (own: string, kernel: string) => string): string =>
    operands.map(({ letter, own, kernel }) => (wanted.includes(letter) ? text(own, kernel) : "")).join("");
  const lines = operands.map(({ letter }, i) => `_x${i} ${letter} ${type} U32 v${i}`);
  return `\t// begin inline asm\n\t{\n${operands.map(({ own }) => `\t.reg .u32 ${own};\n`).join("")}${moves(
    "mi",
    (own, kernel) => `\tmov.u32 ${own}, ${kernel};\n`,
  )}${site(name, ...lines)}${moves("mo", (own, kernel) => `\tmov.u32 ${kernel}, ${own};\n`)}\t}\n\t// end inline asm\n`;
}

const TWO_SITES = parsePtx(
  `${wholeSite("func", "moi", 0)}\tadd.u32 %k2, %k2, %k1;\n${wholeSite("other", "m", 1)}${wholeSite("func", "moi", 2)}`,
);
const OTHER = "\txor.b32 %_x0, %_x0, 0x55;";
/** Every kernel register of `TWO_SITES`. */
const registers = (...values: readonly number[]): Map<string, number> =>
  new Map(Array.from({ length: 5 }, (_, i) => [`%k${i}`, values[i] ?? 0]));

describe("the text", () => {
  test("has the alternatives in place of the site and is unchanged otherwise", () => {
    const annotated = parsePtx(
      `head\n${site("func", "_x0 o f32 F32 z", "_x1 i s32 S32 which one")}mid\n${site("g")}tail`,
    );
    const expanded = expandSites(annotated, "func", 2, { select: "which one" });
    expect(expanded.text).toBe(`head
	{
	.reg .pred %_none;
	setp.ge.u32 %_none, %_x1, 2;
	@%_none bra $_none;
$_alternatives: .branchtargets $_alternative_0, $_alternative_1;
	brx.idx %_x1, $_alternatives;
$_alternative_0:
	{
	// PTX_INJECT_START func_0
	// _x0 o f32 F32 z
	// _x1 i s32 S32 which one
	// PTX_INJECT_END
	}
	bra $_done;
$_alternative_1:
	{
	// PTX_INJECT_START func_1
	// _x0 o f32 F32 z
	// _x1 i s32 S32 which one
	// PTX_INJECT_END
	}
	bra $_done;
$_none:
	mov.b32 %_x0, 0;
$_done:
	}
mid
	// PTX_INJECT_START g
	// PTX_INJECT_END
tail`);
  });

  test.each([undefined, {}])("chooses by the block's index with %j", (options) => {
    const { text } = expandSites(parsePtx(site("f")), "f", 2, options);
    expect(text).toContain("\tmov.u32 %_choice, %ctaid.x;\n");
    expect(text).toBe(expandSites(parsePtx(site("f")), "f", 2, { select: "%ctaid.x" }).text);
  });

  test.each(["%ctaid", "%tid", "%clusterid"])("uses %s with each axis as it is written", (name) => {
    for (const axis of ["x", "y", "z"]) {
      const { text } = expandSites(parsePtx(site("f")), "f", 2, { select: `${name}.${axis}` });
      expect(text).toContain(`\tmov.u32 %_choice, ${name}.${axis};\n`);
    }
  });

  test.each([".reg .u32 %choice;", ".reg .b32 %r, %choice;", ".reg .s32 %choi<3>, %choice<3>;"])(
    "uses a register of the kernel: %s",
    (declaration) => {
      const select = declaration.includes("<") ? "%choice2" : "%choice";
      const kernel = parsePtx(`${declaration}\n${site("f")}{\n${site("f")}}\n`);
      const { text } = expandSites(kernel, "f", 2, { select });
      expect(text.split(`\tbrx.idx ${select}, $_alternatives;\n`)).toHaveLength(3);
      expect(text).not.toContain("%_choice");
    },
  );

  test("is PTX with injections of its own: the same operands, as many sites, and expandable again", () => {
    const expanded = expandSites(TWO_SITES, "func", 3, { select: "v2" });
    expect(expanded.injections.map(({ name, sites }) => [name, sites.length])).toEqual([
      ["func_0", 2],
      ["func_1", 2],
      ["func_2", 2],
      ["other", 1],
    ]);
    expect(expanded.injection("func_1").operands).toEqual(TWO_SITES.injection("func").operands);
    const again = expandSites(expanded, "func_1", 1, { select: "%tid.x" });
    expect(again.injections.map(({ name }) => name)).toEqual(["func_0", "func_1_0", "func_2", "other"]);
  });

  test("can be packed", () => {
    const kernel = parsePtx(`.version 8.0\n.target sm_80\n.visible .entry k()\n{\n${site("f")}\tret;\n}\n`);
    const expanded = expandSites(kernel, "f", 2, { select: "%ctaid.x" });
    const { text, variants } = pack(expanded, [
      { f_0: "// a", f_1: "// b" },
      { f_0: "// c", f_1: "// d" },
    ]);
    expect(variants.map(({ entries }) => entries.k)).toEqual(["k_0", "k_1"]);
    expect(text.match(/^\/\/ .$/gm)).toEqual(["// a", "// b", "// c", "// d"]);
  });

  test("may have sites with CRLF, of 0.x and in the middle of a line", () => {
    const crlf = parsePtx(site("f", "_x0 i u32 U32 k").replaceAll("\n", "\r\n"));
    const rendered = expandSites(crlf, "f", 2, { select: "k" }).render({ f_0: "A", f_1: "B" });
    expect(rendered).toMatch(/\{\nA\n\t\}.*\{\nB\n\t\}.*\}\r\n$/s);
    const legacy = parsePtx("\t// PTX_INJECT_START f\n\t// %r1 in u32 k\n\t// PTX_INJECT_END\n");
    expect(expandSites(legacy, "f", 2, { select: "k" }).text).toContain("mov.u32 %_x0, %r1;");
    const inline = parsePtx("ret; // PTX_INJECT_START f\n// PTX_INJECT_END\n");
    expect(expandSites(inline, "f", 1, { select: "%tid.x" }).text).toContain("ret; \t{\n");
  });

  test.each(["f32", "b16", "f16x2", "u64", "pred"])("zeroes an output of type %s", (type) => {
    const annotated = parsePtx(site("f", `_x0 o ${type} T z`));
    const width = { f32: "b32", b16: "b16", f16x2: "b32", u64: "b64", pred: "pred" }[type];
    expect(expandSites(annotated, "f", 1, { select: "%ctaid.y" }).text).toContain(
      `\tmov.${width} %_x0, 0;\n`,
    );
  });
});

/**
 * A stub over operands `_x0` to `_x2`, with its own registers and labels, sometimes without braces around it.
 */
const stubs = fc
  .record({
    operations: fc.array(
      fc.record({
        opcode: fc.constantFrom("add.u32", "sub.u32", "mul.lo.u32", "xor.b32"),
        target: fc.constantFrom("%_x0", "%_x1", "%t"),
        a: fc.constantFrom("%_x0", "%_x1", "%_x2", "%t"),
        b: fc.oneof(fc.constantFrom("%_x0", "%_x2", "%t"), fc.nat(0xffff).map(String)),
      }),
      { maxLength: 8 },
    ),
    skips: fc.boolean(),
    braces: fc.boolean(),
  })
  .map(({ operations, skips, braces }) => {
    const lines = operations.map(({ opcode, target, a, b }) => `\t${opcode} ${target}, ${a}, ${b};\n`);
    const body = `\t.reg .u32 %t;\n\t.reg .pred %p;\n\tmov.u32 %t, 7;\n\tmov.u32 %_x1, %_x2;\n\tsetp.lt.u32 %p, %_x0, ${
      skips ? 1000 : 0
    };\n\t@%p bra $_done;\n${lines.join("")}$_done:\n`;
    return braces ? `\t{\n${body}\t}` : body;
  });

/** The registers after a run, starting from `values`. */
function run(
  annotated: AnnotatedPtx,
  stubsByName: Record<string, string>,
  values: readonly number[],
  special?: Record<string, number>,
): Map<string, number> {
  const state = registers(...values);
  interpret(annotated.render({ other: OTHER, ...stubsByName }), state, special);
  return state;
}

describe("each alternative computes the same as alone", () => {
  const seed = Date.now() & 0x7fffffff;
  const expandable = parsePtx(wholeSite("func", "moi", 0));

  test(`if chosen by an operand (seed ${seed})`, () => {
    fc.assert(
      fc.property(
        fc.array(stubs, { minLength: 1, maxLength: 5 }),
        fc.nat(6),
        fc.tuple(fc.nat(0xffffffff), fc.nat(0xffffffff)),
        (list, select, [k0, k1]) => {
          const expanded = expandSites(expandable, "func", list.length, { select: "v2" });
          const byName = Object.fromEntries(list.map((stub, i) => [`func_${i}`, stub]));
          const state = new Map([
            ["%k0", k0],
            ["%k1", k1],
            ["%k2", select],
          ] as const);
          const alone = new Map(state);
          interpret(expanded.render(byName), state);
          // For an index after the last alternative none runs: the output is zero, and modified operands keep
          // their values.
          if (select >= list.length) alone.set("%k1", 0);
          else interpret(expandable.render({ func: list[select]! }), alone);
          expect(state).toEqual(alone);
        },
      ),
      { seed, numRuns: smoke(2000) },
    );
  });

  test.each([
    ["the block", "", "%ctaid.x", "%ctaid.x", 2000],
    [
      "a register of the kernel",
      "\t.reg .u32 %which;\n\tmov.u32 %which, %ctaid.z;\n",
      "%which",
      "%ctaid.z",
      500,
    ],
  ] as const)(`if chosen by %s, at every site (seed ${seed})`, (_, prelude, select, special, runs) => {
    const own = parsePtx(prelude + TWO_SITES.text);
    fc.assert(
      fc.property(
        fc.array(stubs, { minLength: 1, maxLength: 5 }),
        fc.nat(0xffffffff),
        fc.array(fc.nat(0xffffffff), { minLength: 5, maxLength: 5 }),
        (list, block, values) => {
          const index = block % list.length;
          const expanded = expandSites(own, "func", list.length, { select });
          const byName = Object.fromEntries(list.map((stub, i) => [`func_${i}`, stub]));
          expect(run(expanded, byName, values, { [special]: index })).toEqual(
            run(TWO_SITES, { func: list[index]! }, values),
          );
        },
      ),
      { seed, numRuns: cases(runs) },
    );
  });

  test("and none runs if the index is out of range, however large it is", () => {
    const expanded = expandSites(expandable, "func", 1, { select: "v2" });
    for (const k2 of [1, 0x80000000, 0xffffffff]) {
      const state = new Map([
        ["%k0", 5],
        ["%k1", 6],
        ["%k2", k2],
      ] as const);
      interpret(expanded.render({ func_0: "\tmov.u32 %_x0, 1;\n\tmov.u32 %_x1, 1;" }), state);
      expect([...state.values()]).toEqual([5, 0, k2]);
    }
  });
});

describe("refused", () => {
  const annotated = parsePtx(
    site("func", "_x0 m f32 F32 y", "_x1 o u32 U32 z", "_x2 i u32 U32 k", "_x3 i b64 B64 l"),
  );
  const SPECIAL = ["%ctaid", "%tid", "%clusterid"].flatMap((name) =>
    ["x", "y", "z"].map((axis) => `\`${name}.${axis}\``),
  );
  const KNOWN = `\`k\`, ${SPECIAL.join(", ")}, or a 32-bit integer register that is visible at all its sites)`;
  const refusal = (select: unknown) =>
    errorOf(() => expandSites(annotated, "func", 2, { select } as { select: string }));

  test("INJECTION_NAME_NOT_FOUND: no such injection", () => {
    const error = errorOf(() => expandSites(annotated, "fnuc", 2, { select: "k" }));
    expect(error.code).toBe("INJECTION_NAME_NOT_FOUND");
    expect(error.message).toContain("did you mean `func`?");
  });

  test.each([0, -1, 1.5, Number.NaN, 65_537, "2", undefined])(
    "INVALID_ARGUMENT: %s alternatives",
    (count) => {
      const error = errorOf(() => expandSites(annotated, "func", count as number, { select: "k" }));
      expect(error.code).toBe("INVALID_ARGUMENT");
      expect(error.message).toContain("expected 1 to 65536 alternatives, found ");
    },
  );

  test("INJECTION_ARG_NAME_NOT_FOUND: a selector that does not exist, with those that do", () => {
    for (const [select, meant] of [
      ["K", "k"],
      ["%ctaid.w", "%ctaid.x"],
      ["%ctaid", "%ctaid.x"],
    ]) {
      const error = refusal(select);
      expect(error.code).toBe("INJECTION_ARG_NAME_NOT_FOUND");
      expect(error.message).toContain(`expected a selector for \`func\` (${KNOWN}`);
      expect(error.message).toContain(`found \`${select}\`, did you mean \`${meant}\`?`);
    }
  });

  test("INVALID_SELECTOR: an operand that cannot choose", () => {
    const found = {
      y: "the `mod` operand `y` of type `f32`",
      z: "the `out` operand `z` of type `u32`",
      l: "the `in` operand `l` of type `b64`",
    };
    for (const [select, words] of Object.entries(found)) {
      const error = refusal(select);
      expect(error.code).toBe("INVALID_SELECTOR");
      expect(error.message).toContain(`(${KNOWN}`);
      expect(error.message).toContain(words);
    }
  });

  const inScopes = (declaration: string, where: "inner" | "outer") =>
    parsePtx(
      `${where === "outer" ? declaration : ""}{\n${where === "inner" ? declaration : ""}${site("f")}}\n{\n${site("f")}}\n`,
    );

  test.each([
    [".reg .f32 %choice;\n", "outer", "the register `%choice` of type `f32`"],
    [".reg .u64 %choice;\n", "outer", "the register `%choice` of type `u64`"],
    [".reg .v2 .u32 %choice;\n", "outer", "the register `%choice` of type `v2`"],
    [".reg .u32 %choice;\n", "inner", "the register `%choice`, which is not visible at line 7"],
  ] as const)("INVALID_SELECTOR: a register that cannot choose: %s%s", (declaration, where, words) => {
    const error = errorOf(() => expandSites(inScopes(declaration, where), "f", 2, { select: "%choice" }));
    expect(error.code).toBe("INVALID_SELECTOR");
    expect(error.message).toContain(`found ${words}`);
  });

  test("INVALID_SELECTOR: a register whose name the branch uses", () => {
    const taken = inScopes(".reg .u32 %_none;\n", "outer");
    const error = errorOf(() => expandSites(taken, "f", 2, { select: "%_none" }));
    expect(error.code).toBe("INVALID_SELECTOR");
    expect(error.message).toContain("found `%_none`, a name that the branch uses itself");
  });

  test("INJECTION_ARG_NAME_NOT_FOUND: names that are no registers", () => {
    for (const declaration of ["", ".shared .u32 %choice;\n", ".reg .u32 %choice<3>;\n"]) {
      const error = errorOf(() => expandSites(inScopes(declaration, "outer"), "f", 2, { select: "%choice" }));
      expect(error.code).toBe("INJECTION_ARG_NAME_NOT_FOUND");
    }
  });

  test("INVALID_ARGUMENT: invalid options", () => {
    expect(refusal(null).code).toBe("INVALID_ARGUMENT");
    expect(refusal(3).code).toBe("INVALID_ARGUMENT");
    for (const options of [null, 3, { selct: "k" }] as unknown as { select: string }[])
      expect(errorOf(() => expandSites(annotated, "func", 2, options)).code).toBe("INVALID_ARGUMENT");
  });

  test.each([undefined, "text", {}, structuredClone(annotated)])(
    "INVALID_ARGUMENT: no annotated PTX: %s",
    (other) => {
      const error = errorOf(() => expandSites(other as AnnotatedPtx, "func", 2));
      expect(error.code).toBe("INVALID_ARGUMENT");
      expect(error.message).toMatch(/^expected annotated PTX, as `parsePtx` returns it, found /);
    },
  );

  test("INVALID_ARGUMENT: more text than fits", () => {
    const many = parsePtx(site("f", "_x0 m f32 F32 y").repeat(80));
    const error = errorOf(() => expandSites(many, "f", 65_536));
    expect(error.code).toBe("INVALID_ARGUMENT");
    expect(error.message).toMatch(
      /^expected the text with 65536 alternatives of `f` to have at most 500000000 characters, found about \d{9}$/,
    );
    // The estimate is only a little larger than the actual size.
    const counted = Number(/\d+$/.exec(error.message)![0]);
    const { length } = expandSites(parsePtx(site("f", "_x0 m f32 F32 y")), "f", 65_536).text;
    expect(counted).toBeGreaterThan(80 * length);
    expect(counted).toBeLessThan(88 * length);
  });

  test("CANNOT_REPEAT: a name that an alternative takes", () => {
    const taken = parsePtx(`${site("f")}${site("f_1")}${site("f_01")}${site("f_9")}`);
    const error = errorOf(() => expandSites(taken, "f", 2, { select: "%tid.x" }));
    expect(error.code).toBe("CANNOT_REPEAT");
    expect(error.message).toBe(
      "expected no injection of a name that the 2 alternatives of `f` take, found `f_1`",
    );
    expect(expandSites(taken, "f", 1, { select: "%tid.x" }).injections).toHaveLength(4);
  });

  test.each([
    [".version 5.9\n.target sm_75", "%tid.x", "PTX 6.0 or later, which has `brx.idx`"],
    [".version 6.0\n.target sm_20", "%tid.x", "a target from `sm_30` on, which has `brx.idx`"],
    [".version 7.7\n.target sm_90", "%clusterid.y", "PTX 7.8 or later, which has `%clusterid`"],
    [".version 8.0\n.target sm_89", "%clusterid.y", "a target from `sm_90` on, which has `%clusterid`"],
  ])("CANNOT_REPEAT: %s for %s", (head, select, needed) => {
    const error = errorOf(() => expandSites(parsePtx(`${head}\n${site("f")}`), "f", 2, { select }));
    expect(error.code).toBe("CANNOT_REPEAT");
    expect(error.message).toContain(`expected ${needed}, found \``);
  });

  test.each([
    [".version 6.0\n.target sm_30", "%tid.x"],
    [".version 7.8\n.target sm_90a", "%clusterid.y"],
    [".version 10.0\n.target sm_120", "%clusterid.y"],
  ])("not refused: %s for %s", (head, select) => {
    expect(expandSites(parsePtx(`${head}\n${site("f")}`), "f", 2, { select }).injections).toHaveLength(2);
  });

  test("CANNOT_REPEAT: an output that cannot be zeroed", () => {
    const error = errorOf(() =>
      expandSites(parsePtx(site("f", "_x0 o b128 T z")), "f", 2, { select: "%tid.x" }),
    );
    expect(error.code).toBe("CANNOT_REPEAT");
    expect(error.message).toContain("`z` of type `b128`");
  });
});
