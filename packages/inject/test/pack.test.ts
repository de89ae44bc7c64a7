// Packs: what is shared and what is repeated, names and the way back from them, lines, and what is refused.
import { readModule } from "@mm-ptx/ptx";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../../tests/support/counts.js";
import { type AnnotatedPtx, type PackOptions, pack, parsePtx, type Stubs, unpackName } from "../src/index.js";
import { errorOf, site } from "./helpers.js";

const HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n";
const SITE = site("func", "_x0 m f32 F32 x");

/** A kernel with a parameter, in which stands what is given. */
const entry = (name: string, body: string): string =>
  `.visible .entry ${name}(\n\t.param .u64 ${name}_param_0\n)\n{\n\t.reg .b64 %rd<4>;\n\tld.param.u64 %rd1, [${name}_param_0];\n${body}\tret;\n}\n`;
/** A device function. */
const func = (name: string, body: string): string =>
  `.func ${name}()\n{\n\t.reg .b64 %rd<4>;\n${body}\tret;\n}\n`;
const call = (name: string): string => `\tcall.uni ${name}, ();\n`;
const text = (...declarations: readonly string[]): string => `${HEAD}\n${declarations.join("\n")}`;

const packed = (source: string, options?: PackOptions, count = 2): ReturnType<typeof pack> => {
  const annotated = parsePtx(source);
  const stubs = Array.from({ length: count }, (_, i) =>
    Object.fromEntries(annotated.injections.map(({ name }) => [name, `\t// ${name} of ${i}`])),
  );
  return pack(annotated, stubs, options);
};

/** The names of a pack's functions and variables, in order. */
const declared = (ptx: string): string[] => {
  const { functions, globals } = readModule(ptx);
  return [...functions, ...globals]
    .sort((a, b) => a.nameSpan.start - b.nameSpan.start)
    .map(({ name }) => name);
};

describe("the text", () => {
  test("has shared declarations once, then each variant, then what came last", () => {
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

  test("takes sites of 0.x, CRLF, and stubs of several sites", () => {
    const legacy = entry("k", "\t// PTX_INJECT_START a\n\t// %f1 mod f32 x\n\t// PTX_INJECT_END\n");
    expect(packed(text(legacy)).text).toContain("mov.f32 %_x0, %f1;");
    const crlf = packed(text(entry("k", SITE + SITE)).replaceAll("\n", "\r\n")).text;
    expect(crlf.split("\t// func of 1\r\n")).toHaveLength(3);
  });
});

describe("what each variant has for itself", () => {
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
    // Nothing names what is gone, and nothing is named that is not there.
    expect(readModule(ptx).names.undeclared.filter(({ name }) => all.includes(name))).toEqual([]);
  });

  test("kernels that are named, and only those", () => {
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

  test("no variable that is to be shared", () => {
    const source = text(".global .u32 n;", ".global .u32 m;", k(uses("n") + uses("m")));
    expect(declared(packed(source, { shared: "all" }).text)).toEqual(["n", "m", "k_0", "k_1"]);
    expect(declared(packed(source, { shared: ["n"] }).text)).toEqual(["n", "m_0", "k_0", "m_1", "k_1"]);
  });

  test("names that it declares itself stay", () => {
    const inner = "\t{\n\t.reg .u32 f;\n\tmov.u32 f, 1;\n\t}\n";
    const { text: ptx } = packed(text(func("f", SITE), entry("e", `${inner}${call("f")}$f:\n`)));
    expect(ptx).toContain("\tmov.u32 f, 1;\n");
    expect(ptx).toContain("call.uni f_1, ();");
    // `exit` is an opcode first.
    expect(packed(text(entry("exit", `${SITE}\texit;\n`))).text).toContain("\texit;\n");
  });

  test("names in its stubs: functions are called, variables used, locals left alone", () => {
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

describe("names", () => {
  test("of C++ stay identifiers, and numbered ones of the author are not mistaken", () => {
    const mangled = "_Z5scaleIfEvPT_";
    expect(packed(text(entry(mangled, SITE))).variants[1]!.entries).toEqual({ [mangled]: `${mangled}_1` });
    const numbered = packed(text(entry("k", SITE), entry("k_1", SITE), entry("k_12", "")));
    expect(declared(numbered.text)).toEqual(["k__0", "k_1__0", "k__1", "k_1__1", "k_12"]);
    expect(numbered.unpack("k_1__0")).toEqual({ variant: 0, entry: "k_1" });
    expect(numbered.unpack("k__1")).toEqual({ variant: 1, entry: "k" });
    for (const name of ["k", "k_1", "k_12", "k__2", "k__01", "k_1__", "x__1", "", "1"])
      expect(numbered.unpack(name)).toBeUndefined();
  });

  test("are found in what a cubin calls things, with plain data too", () => {
    const { names } = packed(text(entry("k", SITE), entry("a$b", site("g"))));
    const plain = structuredClone(names);
    expect(plain).toEqual({ entries: ["k", "a$b"], separator: "_", count: 2 });
    for (const symbol of [
      "k_1",
      ".text.k_1",
      ".nv.info.k_1",
      ".rela.text.k_1",
      ".nv.shared.k_1",
      "$k_1$_Z6helperf",
    ])
      expect(unpackName(plain, symbol)).toEqual({ variant: 1, entry: "k" });
    expect(unpackName(plain, "$a$b_0$helper_1")).toEqual({ variant: 0, entry: "a$b" });
    for (const symbol of [".text", ".nv.constant4", "$str", "$__internal_0_$__cuda_sm20_div", "helper_1"])
      expect(unpackName(plain, symbol)).toBeUndefined();
  });

  const seed = Date.now() & 0x7fffffff;
  test(`of all kinds are distinct and lead back (seed ${seed})`, () => {
    const word = fc.array(fc.constantFrom("k", "_", "__", "0", "1", "10", "$"), { maxLength: 4 });
    const name = word.map((pieces) => `k${pieces.join("")}`);
    const modules = fc.uniqueArray(fc.tuple(name, fc.boolean()), {
      minLength: 1,
      maxLength: 6,
      selector: ([n]) => n,
    });
    fc.assert(
      fc.property(modules, fc.integer({ min: 1, max: 12 }), (kernels, count) => {
        fc.pre(kernels.some(([, hasSite]) => hasSite));
        const source = text(...kernels.map(([kernel, hasSite]) => entry(kernel, hasSite ? SITE : "")));
        const { text: ptx, variants, unpack, names } = packed(source, {}, count);
        const inPack = declared(ptx);
        expect(new Set(inPack).size).toBe(inPack.length);
        const expected = new Map<string, unknown>(
          kernels.filter(([, own]) => !own).map(([kernel]) => [kernel, undefined]),
        );
        for (const { index, entries } of variants)
          for (const [original, own] of Object.entries(entries))
            expected.set(own, { variant: index, entry: original });
        expect(new Map(inPack.map((kernel) => [kernel, unpackName(names, kernel)]))).toEqual(expected);
        expect(typeof unpack).toBe("function");
      }),
      { seed, numRuns: cases(1000) },
    );
  });
});

/** Checks where every line of a pack comes from by looking at what stands there. */
function checkLines(
  annotated: AnnotatedPtx,
  stubs: readonly Record<string, string>[],
  options?: PackOptions,
): void {
  const variants = pack(annotated, stubs, options);
  const kernel = annotated.text.split("\n");
  const original = (line: string): string =>
    variants.variants.reduce(
      (all, { names }) => Object.entries(names).reduce((one, [name, own]) => one.replaceAll(own, name), all),
      line,
    );
  const lines = variants.text.split("\n");
  const found = new Set<string>();
  lines.forEach((line, i) => {
    const place = variants.locate(i + 1)!;
    if (place.kind === "kernel") {
      // Where a site was cut out, or a part ends, a line may be left that is empty.
      if (line !== "") expect([i, original(line)]).toEqual([i, kernel[place.kernelLine - 1]]);
      return;
    }
    expect([i, line]).toEqual([i, stubs[place.variant!]![place.injection]!.split("\n")[place.stubLine - 1]]);
    const { line: siteLine } = annotated.injection(place.injection).sites[place.site]!;
    expect(place.kernelLine).toBe(siteLine);
    found.add(`${place.variant} ${place.injection} ${place.site} ${place.stubLine}`);
  });
  const expected = stubs.flatMap((own, variant) =>
    annotated.injections.flatMap(({ name, sites }) =>
      sites.flatMap((_, one) =>
        own[name]!.split("\n").map((__, line) => `${variant} ${name} ${one} ${line + 1}`),
      ),
    ),
  );
  expect(found).toEqual(new Set(expected));
  for (const line of [0, -1, 1.5, lines.length + 1, Number.NaN])
    expect(variants.locate(line)).toBeUndefined();
}

describe("lines", () => {
  const source = parsePtx(
    text(
      ".global .u32 n;",
      func("f", site("a") + site("b")),
      func("shared", ""),
      entry("k", `${site("a")}${call("f")}\tst.global.u32 [n], 1;\n`),
      entry("other", call("shared")),
      entry("l", site("b") + site("a")),
      '.file 1 "a.cu"',
    ),
  );
  const seed = Date.now() & 0x7fffffff;

  test(`come from where they were written (seed ${seed})`, () => {
    const stub = fc
      .nat(4)
      .map((count) => Array.from({ length: count + 1 }, (_, i) => `\t// ${i}`).join("\n"));
    fc.assert(
      fc.property(fc.array(fc.record({ a: stub, b: stub }), { minLength: 1, maxLength: 4 }), (stubs) => {
        checkLines(
          source,
          stubs.map(({ a, b }, i) => ({ a: `${a} a${i}`, b: `${b} b${i}` })),
        );
      }),
      { seed, numRuns: cases(300) },
    );
  });

  test("of what all share have no variant", () => {
    const variants = pack(source, [{ a: "", b: "" }]);
    expect(variants.locate(1)).toEqual({ kind: "kernel", kernelLine: 1, variant: undefined });
    const file = variants.text.split("\n").findIndex((line) => line.startsWith(".file")) + 1;
    expect(variants.locate(file)?.variant).toBeUndefined();
    const kernel = variants.text.split("\n").findIndex((line) => line.includes("k_0(")) + 1;
    expect(variants.locate(kernel)).toEqual({ kind: "kernel", kernelLine: expect.any(Number), variant: 0 });
  });
});

describe("refused", () => {
  const annotated = parsePtx(text(".global .u32 counter;", entry("scale", `${SITE}${site("other")}`)));
  const both = { func: "", other: "" };
  const refusal = (stubs: unknown, options?: unknown) =>
    errorOf(() => pack(annotated, stubs as Stubs[], options as PackOptions));

  test("stubs as render does, with the variant that they are of", () => {
    const table: readonly (readonly [string, unknown])[] = [
      ["WRONG_NUM_STUBS", { func: "" }],
      ["INJECTION_NAME_NOT_FOUND", { ...both, fnuc: "" }],
      ["INVALID_INPUT", { ...both, func: 1 }],
      ["INVALID_INPUT", "stub"],
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

  test.each([undefined, null, {}, [], "stubs", new Map()])("INVALID_INPUT: %s as stubs", (stubs) => {
    expect(refusal(stubs).code).toBe("INVALID_INPUT");
    expect(refusal(stubs).message).toMatch(/^expected an array of the stubs of each variant, found /);
  });

  test("INVALID_INPUT: options and names that are none", () => {
    const table: readonly (readonly [unknown, string])[] = [
      [{ kernel: ["scale"] }, "did you mean `kernels`?"],
      [{ kernels: "scale" }, "expected `kernels` as an array of names, found `scale`"],
      [
        { kernels: ["scael"] },
        "expected a kernel of the module (`scale`), found `scael`, did you mean `scale`?",
      ],
      [{ kernels: ["counter"] }, "expected a kernel of the module"],
      [{ shared: "none" }, "expected `shared` as `all` or an array of names, found `none`"],
      [
        { shared: ["contuer"] },
        "expected a variable of the module (`counter`), found `contuer`, did you mean",
      ],
      [{ missing: "none" }, "expected `missing` as `error` or `empty`"],
      [{ check: 1 }, "expected `check` as true or false"],
      [null, "expected options of pack"],
    ];
    for (const [options, message] of table) {
      expect(refusal([both], options).code).toBe("INVALID_INPUT");
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
