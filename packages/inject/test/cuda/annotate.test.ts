// Annotated CUDA and its output: each file of goldens/cuda is beside its result, each of goldens/cuda-errors
// beside its message. `UPDATE_GOLDENS=1` rewrites them.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { InjectTypes } from "@mm-ptx/types/core";
import { describe, expect, test } from "vitest";
import { annotateCuda } from "../../src/index.js";
import { errorOf } from "../support/helpers.js";

const GOLDENS = new URL("../goldens/", import.meta.url);

const read = (path: string): string => readFileSync(new URL(path, GOLDENS), "utf8");

function sources(folder: string): string[] {
  const files = readdirSync(new URL(`${folder}/`, GOLDENS));
  const names = files.filter((file) => file.endsWith(".cu")).map((file) => file.slice(0, -".cu".length));
  const expected = names.flatMap((name) => [`${name}.cu`, `${name}.golden.txt`]);
  if (process.env.UPDATE_GOLDENS !== "1") expect(files.sort()).toEqual(expected.sort());
  return names;
}

function expectGolden(path: string, text: string): void {
  if (process.env.UPDATE_GOLDENS === "1") writeFileSync(new URL(path, GOLDENS), text);
  expect(existsSync(new URL(path, GOLDENS)), `expected a golden ${path}`).toBe(true);
  expect(text).toBe(read(path));
}

const lineEnds = (text: string): string[] => text.match(/\r?\n/g) ?? [];

describe("what annotations become", () => {
  test.each(sources("cuda"))("%s is the golden", (name) => {
    const source = read(`cuda/${name}.cu`);
    const { text, warnings } = annotateCuda(source);
    const told = warnings.map(({ line, column, message }) => `line ${line}, column ${column}: ${message}\n`);
    expectGolden(`cuda/${name}.golden.txt`, text + told.join(""));
  });

  test.each(sources("cuda"))("%s keeps its lines and everything outside annotations", (name) => {
    const source = read(`cuda/${name}.cu`);
    for (const mode of ["asm", "macro"] as const) {
      if (mode === "macro" && ["effects", "directives", "conditionals", "literals"].includes(name)) continue;
      const { text, injections } = annotateCuda(source, { mode });
      expect(lineEnds(text)).toEqual(lineEnds(source));
      let [from, at] = [0, 0];
      for (const { span } of injections) {
        const kept = source.slice(from, span.start);
        expect(text.indexOf(kept, at)).toBeGreaterThanOrEqual(at);
        at = text.indexOf(kept, at) + kept.length;
        from = span.end;
      }
      expect(text.endsWith(source.slice(from))).toBe(true);
    }
  });
});

describe("messages", () => {
  test.each(sources("cuda-errors"))("%s is refused with the golden message", (name) => {
    const source = read(`cuda-errors/${name}.cu`);
    const error = errorOf(() => annotateCuda(source));
    expect(error.code).toBe(error.problems[0]!.code);
    expect(error.span).toEqual(error.problems[0]!.span);
    const codes = error.problems.map(({ code, span, line, column, related }) =>
      [
        code,
        `${line}:${column}`,
        JSON.stringify(source.slice(span.start, span.end)),
        ...(related === undefined ? [] : [`related ${related.start}`]),
      ].join(" "),
    );
    expectGolden(`cuda-errors/${name}.golden.txt`, `${error.message}\n\n${codes.join("\n")}\n`);
  });
});

test("operands of the same name are found among many", () => {
  const lines = Array.from({ length: 40 }, (_, i) => ` in f32 x[${i}] as x${i < 39 ? i % 38 : 39}\n`);
  const { problems } = errorOf(() => annotateCuda(`/* PTX_INJECT func\n${lines.join("")}*/`));
  expect(problems.map(({ code, line }) => `${code} ${line}`)).toEqual(["DUPLICATE_OPERAND 40"]);
});

test("a result survives structured cloning", () => {
  const result = annotateCuda("/* PTX_INJECT func\n in f32 x\n*/ /*PTX_INJECT func */");
  const clone = structuredClone(result);
  expect(clone).toEqual({ ...result });
  expect(clone.injections[0]!.operands[0]!.name).toBe("x");
  expect(result.injections).toBe(result.injections);
});

test.each(["else", "elif X", "elifdef X", "elifndef X"])(
  "sites on both sides of #%s need not agree",
  (directive) => {
    const source = `#ifdef A\n/* PTX_INJECT f\n in f32 x */\n#${directive}\n/* PTX_INJECT f\n in u32 y */\n#endif\n`;
    expect(annotateCuda(source).injections).toHaveLength(2);
    expect(annotateCuda(source).warnings.map(({ code }) => code)).toEqual([]);
    // Code that is not compiled ends there too.
    const dead = source.replace("#ifdef A", "#if 0");
    expect(annotateCuda(dead).injections.map(({ operands }) => operands[0]!.name)).toEqual(["y"]);
  },
);

describe("options", () => {
  const source = "/* PTX_INJECT func\n in f32 x\n*/ /* PTX_INJECT func_1\n in f32 x\n*/";
  const refused = (options: unknown, text: unknown = source) => {
    const { code, message } = errorOf(() => annotateCuda(text as string, options as object));
    return `${code}: ${message}`;
  };
  const alternatives = (func: unknown) => refused({ alternatives: { func } });

  test("types replace the default ones", () => {
    const types: InjectTypes = {
      kind: "inject",
      fingerprint: "",
      bases: [],
      types: [
        {
          name: "angle",
          registerType: "f64",
          movPostfix: "b64",
          registerChar: "d",
          registerCast: "*(double*)&",
        },
      ],
    };
    const { text, injections } = annotateCuda("/* PTX_INJECT f\n out angle a[0] as x */", { types });
    expect(injections[0]!.operands).toEqual([
      {
        name: "x",
        index: 0,
        direction: "out",
        register: "_x0",
        registerType: "f64",
        type: "angle",
        expression: "a[0]",
        span: { start: 17, end: 36 },
      },
    ]);
    expect(text).toContain(".reg .f64 %%_x0;");
    expect(text).toContain("mov.b64 %0, %%_x0;");
    expect(text).toContain('"=d"(*(double*)&(a[0]))');
    expect(errorOf(() => annotateCuda(source, { types })).code).toBe("UNKNOWN_TYPE");
  });

  test("mode `macro` writes calls of the macro", () => {
    const text = annotateCuda(
      "if (x) /* PTX_INJECT f%\n in f32 x\n out F32 z[0] as z\n memory\n volatile\n*/ else;",
      { mode: "macro" },
    ).text;
    expect(text).toBe(
      'if (x) PTX_INJECT("f%%",\n PTX_IN(F32, x),\n PTX_OUT(F32, z, z[0]), PTX_VOLATILE, PTX_MEMORY);\n\n\n else;',
    );
  });

  test("mode `macro` refuses what the macro cannot express", () => {
    const operands = Array.from({ length: 257 }, (_, i) => `in f32 x${i}\n`).join("");
    const wrong = `/* PTX_INJECT none */\n/* PTX_INJECT many\n${operands}*/\n/* PTX_INJECT comma\n in f32 f<a, b>(x)\n in f32 g(a, ",)") as g\n in f32 f<a, b>(y) as y\n in f32 h(a, b)*/`;
    expect(
      errorOf(() => annotateCuda(wrong, { mode: "macro" })).problems.map(({ message }) => message),
    ).toEqual([
      "expected 1 to 256 operands, as the macro requires, found 0",
      "expected 1 to 256 operands, as the macro requires, found 257",
      "expected `as` and a name for `f<a, b>(x)`, whose comma would end the argument of a macro, found none",
    ]);
    const remainder = "/* PTX_INJECT func\n in u32 a % b\n in u32 a % c as rest\n*/";
    expect(
      errorOf(() => annotateCuda(remainder, { mode: "macro" })).problems.map(({ message }) => message),
    ).toEqual([
      "expected `as` and a name for `a % b`, in which the macro takes `%` only doubled, found none",
    ]);
  });

  test("refuses names in the definition of a macro that its parameters would replace", () => {
    const definition = (head: string, lines: readonly string[]) =>
      [
        "int before;",
        ` # define ${head} \\`,
        "/* PTX_INJECT func \\",
        ...lines.map((line) => `${line} \\`),
        "*/",
        "",
      ].join("\n");
    const problems = (source: string) =>
      errorOf(() => annotateCuda(source, { mode: "macro" })).problems.map(
        ({ message, line }) => `${line}: ${message.split(", found ")[1]}`,
      );
    const lines = ["in F32 x", "in F32 p[y] as first", "out F32 p->x as y"];
    expect(problems(definition("SITE(x, \\\n y)", lines))).toEqual([
      "5: its parameter `x`",
      "7: its parameter `y`",
    ]);
    expect(problems(definition("SITE(F32)", ["out F32 w"]))).toEqual(["4: its parameter `F32`"]);
    expect(problems(definition("SITE(...)", ["in F32 __VA_ARGS__"]))).toEqual([
      "4: its parameter `__VA_ARGS__`",
    ]);
    for (const head of ["SITE", "SITE()", "SITE(a, b)"])
      expect(annotateCuda(definition(head, ["in F32 x"]), { mode: "macro" }).text).toContain(
        "PTX_IN(F32, x)",
      );
    expect(annotateCuda(definition("SITE(x)", ["in F32 x"])).text).toContain("F32 x");
  });

  test("refuses more alternatives than fit into a text before any is written", () => {
    const source = `void k() {${"\n/* PTX_INJECT f\n in f32 x\n*/".repeat(200)}}`;
    const error = errorOf(() =>
      annotateCuda(source, { alternatives: { f: { count: 65_536, select: "blockIdx.x" } } }),
    );
    expect(error.code).toBe("INVALID_ARGUMENT");
    expect(error.message).toMatch(
      /^expected the text with all alternatives to have at most 500000000 characters, found about \d{10}$/,
    );
    // The estimate is only a little larger than the actual size.
    const one = annotateCuda(`${source.slice(0, source.indexOf("*/"))}*/}`, {
      alternatives: { f: { count: 1000, select: "blockIdx.x" } },
    });
    const counted = Number(/\d+$/.exec(error.message)![0]) / (200 * 65.536);
    expect(counted).toBeGreaterThan(one.text.length);
    expect(counted).toBeLessThan(1.5 * one.text.length);
  });

  test("alternatives become cases of a switch", () => {
    const { text, injections } = annotateCuda("a\n/* PTX_INJECT func\n in f32 x\n out f32 z\n*/\nb", {
      alternatives: { func: { count: 3, select: "blockIdx.x % 3" } },
    });
    expect(injections[0]).toMatchObject({ name: "func", names: ["func_0", "func_1", "func_2"] });
    expect(text.split("\n").map((line) => line.slice(0, 61))).toEqual([
      "a",
      "{",
      " (void)sizeof((void)(x), 0);",
      " (void)sizeof((void)(z), 0); switch (blockIdx.x % 3) { case 0",
      "",
      "b",
    ]);
    const statements = [
      ...text.matchAll(/case (\d): asm\("[^"]*PTX_INJECT_START func_(\d)[^;]*.*?\); break;/g),
    ];
    expect(statements.map(([, number, name]) => `${number} ${name}`)).toEqual(["0 0", "1 1", "2 2"]);
    expect(text).toMatch(/ break; } }\n/);
  });

  test("refuses alternatives whose numbered names are taken", () => {
    const wrong = source.replace("func_1\n in", "func_1\n mod");
    const { code, message } = errorOf(() =>
      annotateCuda(wrong, { alternatives: { func: { count: 2, select: "i" } } }),
    );
    expect(code).toBe("INCONSISTENT_INJECTION");
    expect(message).toContain(
      "expected `func_1` to have the operands that it has on line 1, `in f32 x`, found `mod f32 x`",
    );
    expect(
      annotateCuda(wrong, { alternatives: { func: { count: 1, select: "i" } } }).injections,
    ).toHaveLength(2);
  });

  test("refuses wrong options", () => {
    expect([
      refused({}, 3),
      refused(null),
      refused({ type: 3 }),
      refused({ types: [] }),
      refused({ mode: "ptx" }),
      refused({ alternatives: 3 }),
      refused({ alternatives: { fun: { count: 1, select: "i" } } }),
      alternatives(3),
      alternatives({ count: 2, selector: "i" }),
      alternatives({ count: 0, select: "i" }),
      alternatives({ count: 65_537, select: "i" }),
      alternatives({ count: 2 }),
      alternatives({ count: 2, select: "i)" }),
      alternatives({ count: 2, select: "i as j" }),
    ]).toMatchInlineSnapshot(`
      [
        "INVALID_ARGUMENT: expected CUDA text, found 3",
        "INVALID_ARGUMENT: expected options of annotateCuda as an object, found null",
        "INVALID_ARGUMENT: unknown option \`type\` of annotateCuda, did you mean \`types\`?",
        "INVALID_ARGUMENT: expected an inject description, found an array",
        "INVALID_ARGUMENT: option \`mode\`: expected \`asm\`, \`macro\`, found \`ptx\`",
        "INVALID_ARGUMENT: expected alternatives by injection name, found 3",
        "INJECTION_NAME_NOT_FOUND: expected alternatives of an annotated injection, found \`fun\`, did you mean \`func\`?",
        "INVALID_ARGUMENT: expected options of alternatives of \`func\` as an object, found 3",
        "INVALID_ARGUMENT: unknown option \`selector\` of alternatives of \`func\`, did you mean \`select\`?",
        "INVALID_ARGUMENT: expected 1 to 65536 alternatives of \`func\`, found 0",
        "INVALID_ARGUMENT: expected 1 to 65536 alternatives of \`func\`, found 65537",
        "INVALID_ARGUMENT: expected a C++ expression that selects an alternative of \`func\`, found undefined",
        "INVALID_ARGUMENT: selector of \`func\`: expected an expression, found \`)\`",
        "INVALID_ARGUMENT: selector of \`func\`: expected an expression, found \`as j\` after it",
      ]
    `);
  });
});
