// Packs: their text, which declarations are shared and which are repeated, and what is refused.
import { readModule } from "@mm-ptx/ptx";
import { describe, expect, test } from "vitest";
import { type AnnotatedPtx, type PackOptions, pack, parsePtx, type Stubs } from "../../src/index.js";
import { errorOf, site } from "../support/helpers.js";
import { call, declared, entry, func, HEAD, packed, SITE, text } from "../support/pack-modules.js";

describe("the text", () => {
  test("has shared declarations once, then each variant, then the trailing directives", () => {
    const source = text(
      ".const .align 4 .b8 weights[16];\n\t// .globl\tscale",
      entry("scale", `${SITE}\tld.const.f32 %f1, [weights];\n`),
      '\t.file\t1 "scale.cu"\n',
    );
    const { text: ptx } = packed(source);
    expect(ptx).toBe(`${HEAD}
.const .align 4 .b8 weights[16];
.visible .entry scale_0(
	.param .u64 scale_param_0
)
{
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [scale_param_0];
	// func of 0
	ld.const.f32 %f1, [weights];
	ret;
}
.visible .entry scale_1(
	.param .u64 scale_param_0
)
{
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [scale_param_0];
	// func of 1
	ld.const.f32 %f1, [weights];
	ret;
}


	.file	1 "scale.cu"
`);
  });

  test("is one flat text whatever the number of variants", () => {
    const { text: ptx, variants } = packed(text(entry("k", SITE)), {}, 1000);
    expect(declared(ptx)).toEqual(Array.from({ length: 1000 }, (_, i) => `k_${i}`));
    expect(variants[999]).toEqual({ index: 999, entries: { k: "k_999" }, names: { k: "k_999" } });
  });

  test("may have sites of 0.x, CRLF, and stubs for several sites", () => {
    const legacy = entry("k", "\t// PTX_INJECT_START a\n\t// %f1 mod f32 x\n\t// PTX_INJECT_END\n");
    expect(packed(text(legacy)).text).toContain("mov.f32 %_x0, %f1;");
    const crlf = packed(text(entry("k", SITE + SITE)).replaceAll("\n", "\r\n")).text;
    expect(crlf.split("\t// func of 1\r\n")).toHaveLength(3);
  });
});

describe("what each variant has a copy of", () => {
  const uses = (name: string): string => `\tmov.u64 %rd2, ${name};\n\tst.global.u32 [%rd2], 0;\n`;
  const reads = (name: string): string => `\tld.global.u32 %r1, [${name}];\n`;
  const address = "\tmov.u64 %rd2, n;\n\tadd.s64 %rd3, %rd2, %rd1;\n";
  const loads = "\tld.global.u32 %r1, [%rd3+4];\n";
  const k = (body = ""): string => entry("k", SITE + body);
  const table: readonly (readonly [what: string, source: string, repeated: readonly string[]])[] = [
    ["a kernel with a site", text(k(), entry("other", "")), ["k"]],
    [
      "a function with a site and its users",
      text(func("f", SITE), func("g", call("f")), entry("e", call("g")), entry("other", "")),
      ["f", "g", "e"],
    ],
    ["not a function that a kernel calls", text(func("f", ""), k(call("f"))), ["k"]],
    [
      "a forward declaration with its function",
      text(".func f();", entry("e", call("f")), func("f", SITE)),
      ["f", "e"],
    ],
    [
      "an alias of a function with a site",
      text(".func a();", func("f", SITE), ".alias a, f;\n", entry("e", call("a"))),
      ["a", "f", "e"],
    ],
    ["a variable that may be written", text(".global .u32 n;", k(uses("n"))), ["n", "k"]],
    [
      "a variable that a called function writes",
      text(".global .u32 n;", func("f", uses("n")), k(call("f"))),
      ["n", "f", "k"],
    ],
    [
      "a kernel that uses such a variable",
      text(".global .u32 n;", k(uses("n")), entry("clear", uses("n"))),
      ["n", "k", "clear"],
    ],
    ["not a variable that no variant uses", text(".global .u32 n;", k(), entry("clear", uses("n"))), ["k"]],
    ["not a variable that is only read", text(".global .u32 n;", k(reads("n"))), ["k"]],
    ["not a table that is only indexed", text(".global .u32 n[4];", k(address + loads)), ["k"]],
    [
      "a table that is indexed and written",
      text(".global .u32 n[4];", k(`${address}${loads}\tatom.global.add.u32 %r2, [%rd3], 1;\n`)),
      ["n", "k"],
    ],
    [
      "a table that is written before its address is made",
      text(".global .u32 n[4];", k(`$again:\n\tst.global.u32 [%rd3], 0;\n${address}\tbra $again;\n`)),
      ["n", "k"],
    ],
    [
      "a table whose address is stored",
      text(".global .u32 n[4];", k(`${address}\tst.global.u64 [%rd1], %rd3;\n`)),
      ["n", "k"],
    ],
    [
      "a table whose address a function returns",
      text(
        ".global .u32 n[4];",
        ".func (.reg .b64 r) f() { mov.u64 r, n; ret; }",
        k("\tcall (%rd3), f, ();\n\tst.global.u32 [%rd3], 0;\n"),
      ),
      ["n", "f", "k"],
    ],
    [
      "a table whose address a stub gets",
      text(
        ".global .u32 n[4];",
        entry("k", `${address}\t.reg .b64 %_x0;\n\tmov.b64 %_x0, %rd3;\n${site("p", "_x0 i b64 B64 p")}`),
      ),
      ["n", "k"],
    ],
    [
      "not a table while another register is written through",
      text(".global .u32 n[4];", k(`${address}${loads}\tst.global.u32 [%rd1], %r1;\n`)),
      ["k"],
    ],
    ["not a variable of another module", text(".extern .global .u32 n;", k(uses("n"))), ["k"]],
    ["not a string of C++", text(".global .b8 $str[2] = {65, 0};", k(uses("$str"))), ["k"]],
    ["not a constant", text(".const .u32 n;", k(uses("n"))), ["k"]],
    ["not a texture", text(".global .texref t;", k("\tmov.u64 %rd2, t;\n")), ["k"]],
    [
      "not shared memory",
      text(".shared .u32 s[4];", ".extern .shared .b8 dyn[];", k(uses("s") + uses("dyn"))),
      ["k"],
    ],
    [
      "a variable that points to a repeated one",
      text(
        ".global .u32 n;",
        ".global .u64 p = n;",
        k("\tld.global.u64 %rd2, [p];\n\tst.global.u32 [%rd2], 0;\n"),
      ),
      ["n", "p", "k"],
    ],
    [
      "a table of functions with sites",
      text(func("f", SITE), ".const .u64 t[1] = {f};", entry("e", "\tld.const.u64 %rd2, [t];\n")),
      ["f", "t", "e"],
    ],
    [
      "a variable whose address is in a register that stubs do not name",
      text(".global .u32 n[4];", ".global .u32 m;", k(`${address}\tst.global.u32 [m], 0;\n`)),
      ["m", "k"],
    ],
    ["all of a declaration", text(".global .u32 n, m;", k(uses("m"))), ["n", "m", "k"]],
  ];

  test.each(table)("%s", (_, source, repeated) => {
    const { text: ptx, variants } = packed(source);
    const all = declared(source);
    expect(Object.keys(variants[1]!.names).sort()).toEqual([...new Set(repeated)].sort());
    const shared = all.filter((name) => !repeated.includes(name));
    const own = [0, 1].flatMap((i) =>
      all.filter((name) => repeated.includes(name)).map((name) => `${name}_${i}`),
    );
    expect(declared(ptx).filter((name) => shared.includes(name))).toEqual(shared);
    expect(declared(ptx).filter((name) => !shared.includes(name))).toEqual(own);
    // Nothing refers to a name that was removed or never declared.
    expect(readModule(ptx).names.undeclared.filter(({ name }) => all.includes(name))).toEqual([]);
  });

  test("only the requested kernels", () => {
    const source = text(
      func("f", SITE),
      entry("a", call("f")),
      entry("b", SITE),
      entry("c", ""),
      entry("d", ""),
    );
    expect(declared(packed(source, { kernels: ["a"] }).text)).toEqual(["f_0", "a_0", "f_1", "a_1", "c", "d"]);
    expect(declared(packed(source, { kernels: ["b"] }).text)).toEqual(["b_0", "b_1", "c", "d"]);
    expect(declared(packed(source, { kernels: ["c", "b"] }).text)).toEqual(["b_0", "c_0", "b_1", "c_1", "d"]);
    expect(packed(source, { kernels: ["c", "b"] }).variants[1]!.entries).toEqual({ b: "b_1", c: "c_1" });
  });

  test("no variable that was declared shared", () => {
    const source = text(".global .u32 n;", ".global .u32 m;", k(uses("n") + uses("m")));
    expect(declared(packed(source, { shared: "all" }).text)).toEqual(["n", "m", "k_0", "k_1"]);
    expect(declared(packed(source, { shared: ["n"] }).text)).toEqual(["n", "m_0", "k_0", "m_1", "k_1"]);
  });

  test("but its own local names are unchanged", () => {
    const inner = "\t{\n\t.reg .u32 f;\n\tmov.u32 f, 1;\n\t}\n";
    const { text: ptx } = packed(text(func("f", SITE), entry("e", `${inner}${call("f")}$f:\n`)));
    expect(ptx).toContain("\tmov.u32 f, 1;\n");
    expect(ptx).toContain("call.uni f_1, ();");
    // `exit` is an opcode here.
    expect(packed(text(entry("exit", `${SITE}\texit;\n`))).text).toContain("\texit;\n");
  });

  test("what its stubs call and use, but not their local names", () => {
    const source = parsePtx(
      text(
        ".global .u32 n;",
        ".global .u32 m;",
        func("f", site("inner")),
        func("g", uses("m")),
        entry("e", SITE + call("f")),
      ),
    );
    const stub = "\tcall.uni f, ();\n\t// f\n\tred.global.add.u32 [n], 1;\n\tcall.uni g, ();";
    const own = "\t{\n\t.reg .u32 n;\n\tmov.u32 n, 1;\n\t}";
    const { text: ptx, variants } = pack(source, [
      { func: stub, inner: "" },
      { func: own, inner: "" },
    ]);
    expect(ptx).toContain("\tcall.uni f_0, ();\n\t// f\n\tred.global.add.u32 [n_0], 1;\n\tcall.uni g_0, ();");
    expect(ptx).toContain(own);
    expect(Object.keys(variants[0]!.names)).toEqual(["n", "m", "f", "g", "e"]);
    expect(readModule(ptx).names.undeclared).toEqual([]);
  });
});

describe("through a register of the kernel", () => {
  const address = "\tmov.u64 %rd1, n;\n\tadd.s64 %rd3, %rd1, 4;\n\tld.global.u64 %rd2, [m];\n";
  const source = parsePtx(text(".global .u32 n[4];", ".global .u64 m;", entry("k", `${address}${SITE}`)));
  const namesOf = (func: string): string[] =>
    Object.keys(pack(source, [{ func: "" }, { func }]).variants[0]!.names);

  test.each([
    ["the address", "\tst.global.u32 [%rd1], 1;", ["n", "k"]],
    ["a value computed from the address", "\tst.global.u32 [%rd3], 1;", ["n", "k"]],
    ["no address", "\tst.global.u32 [%rd2], 1;", ["k"]],
    ["a register of the stub's own", "{\t.reg .b64 %rd1;\n\tst.global.u32 [%rd1], 1; }", ["k"]],
    ["a comment", "\t// %rd1", ["k"]],
  ])("a stub that uses %s makes the variants copy what it may write", (_, stub, names) => {
    expect(namesOf(stub)).toEqual(names);
  });
});

describe("calls through addresses", () => {
  const prototype = "\tp: .callprototype _ ();\n\tcall %rd2, (), p;\n";
  const table = ".global .u64 t[1] = {f};";
  const calls = entry("e", `\tld.global.u64 %rd2, [t];\n${prototype}`);
  const makes = entry("e", `\tmov.u64 %rd2, f;\n${prototype}`);

  test.each([
    ["in a table", text(".func f();", table, func("f", SITE), calls)],
    ["in code", text(func("f", SITE), makes)],
    [
      "in a table, as possible targets",
      text(".func f();", table, func("f", SITE), calls.replace(".callprototype _ ()", ".calltargets f")),
    ],
  ])("CANNOT_REPEAT: to a function with a site, %s", (_, source) => {
    const error = errorOf(() => packed(source));
    expect(error.code).toBe("CANNOT_REPEAT");
    expect(error.message).toContain("found the address of `f`");
  });

  test.each([
    [
      "to functions that all variants share",
      text(".func f();", table, func("f", ""), entry("e", SITE + prototype)),
      ["e"],
    ],
    ["beside calls by name", text(func("f", SITE), entry("e", call("f") + prototype)), ["f", "e"]],
  ])("%s are accepted", (_, source, names) => {
    expect(Object.keys(packed(source).variants[0]!.names)).toEqual(names);
  });

  test("in kernels that are not packed are accepted", () => {
    const source = text(".func f();", table, func("f", SITE), calls, entry("k", SITE));
    expect(packed(source, { kernels: ["k"] }).variants[0]!.names).toEqual({ k: "k_0" });
  });
});

describe("refused", () => {
  const annotated = parsePtx(text(".global .u32 counter;", entry("scale", `${SITE}${site("other")}`)));
  const both = { func: "", other: "" };
  const refusal = (stubs: unknown, options?: unknown) =>
    errorOf(() => pack(annotated, stubs as Stubs[], options as PackOptions));

  test("stubs that `render` refuses, with their variant", () => {
    const table: readonly (readonly [string, unknown])[] = [
      ["WRONG_NUM_STUBS", { func: "" }],
      ["INJECTION_NAME_NOT_FOUND", { ...both, fnuc: "" }],
      ["INVALID_INPUT", { ...both, func: 1 }],
      ["INVALID_ARGUMENT", "stub"],
      ["INVALID_STUB", { ...both, func: "}" }],
    ];
    for (const [code, stubs] of table) {
      const error = refusal([both, both, stubs]);
      expect(error.code).toBe(code);
      expect(error.message).toMatch(/^stubs of variant 2: \S/);
    }
    expect(refusal([{ ...both, func: "add;\n}" }]).span).toEqual({ start: 5, end: 6 });
    expect(pack(annotated, [{}], { missing: "empty" }).variants).toHaveLength(1);
    expect(pack(annotated, [{ ...both, func: "{" }], { check: false }).text).toContain("{");
  });

  test.each([undefined, "text", {}, structuredClone(annotated)])(
    "INVALID_ARGUMENT: no annotated PTX: %s",
    (other) => {
      const error = errorOf(() => pack(other as AnnotatedPtx, [both]));
      expect(error.code).toBe("INVALID_ARGUMENT");
      expect(error.message).toMatch(/^expected annotated PTX, as `parsePtx` returns it, found /);
    },
  );

  test("INVALID_ARGUMENT: more text than fits", () => {
    const stub = " ".repeat(1 << 20);
    const error = refusal(Array.from({ length: 600 }, () => ({ func: stub, other: "" })));
    expect(error.code).toBe("INVALID_ARGUMENT");
    expect(error.message).toMatch(
      /^expected a pack of 600 variants to have at most 500000000 characters, found about 629\d{6}$/,
    );
  });

  test.each([undefined, null, {}, [], "stubs", new Map()])("INVALID_ARGUMENT: %s as stubs", (stubs) => {
    expect(refusal(stubs).code).toBe("INVALID_ARGUMENT");
    expect(refusal(stubs).message).toMatch(/^expected an array of the stubs of each variant, found /);
  });

  test("INVALID_ARGUMENT: invalid options and unknown names", () => {
    const table: readonly (readonly [unknown, string])[] = [
      [{ kernel: ["scale"] }, "did you mean `kernels`?"],
      [{ kernels: "scale" }, "option `kernels`: expected a list of names, found `scale`"],
      [
        { kernels: ["scael"] },
        "expected a kernel of the module (`scale`), found `scael`, did you mean `scale`?",
      ],
      [{ kernels: ["counter"] }, "expected a kernel of the module"],
      [{ shared: "none" }, "option `shared`: expected `all` or a list of names, found `none`"],
      [
        { shared: ["contuer"] },
        "expected a variable of the module (`counter`), found `contuer`, did you mean",
      ],
      [{ missing: "none" }, "option `missing`: expected `error`, `empty`, found `none`"],
      [{ missing: "emty" }, "did you mean `empty`?"],
      [{ check: 1 }, "option `check`: expected a boolean, found 1"],
      [null, "expected options of pack"],
    ];
    for (const [options, message] of table) {
      expect(refusal([both], options).code).toBe("INVALID_ARGUMENT");
      expect(refusal([both], options).message).toContain(message);
    }
  });

  test.each([
    ["nothing to repeat", text(entry("k", "")), "expected a kernel with a site"],
    ["no PTX", `{\n${SITE}`, "expected a PTX module"],
    [
      "a site outside of functions",
      `${text(entry("k", ""))}${SITE}`,
      "expected the sites of `func` in functions",
    ],
    ["debug information", text(entry("k", SITE)).replace("sm_80", "sm_80, debug"), "nvcc -G"],
  ])("CANNOT_REPEAT: %s", (_, source, message) => {
    const error = errorOf(() => packed(source));
    expect(error.code).toBe("CANNOT_REPEAT");
    expect(error.message).toContain(message);
  });
});
