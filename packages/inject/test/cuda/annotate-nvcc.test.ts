// How nvcc compiles annotated sources: it finds the annotated sites, generates the same code in either mode,
// and reports mistakes on the lines of the annotations.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { differences, machineCode } from "../../../../tests/support/machine-code.js";
import { annotateCuda, type Injection, type InlineAsmSite, inlineAsm, parsePtx } from "../../src/index.js";
import { hasTool } from "../support/helpers.js";
import { toolkit } from "../support/toolkit.js";

const source = readFileSync(new URL("../fixtures/annotated.cu", import.meta.url), "utf8");
const { nvcc, ptx, cubin } = toolkit();

/** Copies the first input to every output if the types are the same, and writes zero otherwise. */
function stubOf({ operands }: Injection): string {
  return operands
    .filter(({ direction }) => direction !== "in")
    .map(({ register, registerType }) => {
      const from = operands.find((other) => other.direction === "in" && other.registerType === registerType);
      return from === undefined
        ? `\t// nothing for %${register}`
        : `\tmov.${registerType} %${register}, %${from.register};`;
    })
    .join("\n");
}

function rendered(text: string, stubs = stubOf): Buffer {
  const annotated = parsePtx(text);
  return cubin(
    annotated.render(Object.fromEntries(annotated.injections.map((each) => [each.name, stubs(each)]))),
  );
}

function expectSameCode(a: Buffer, b: Buffer): void {
  const [left, right] = [machineCode(a), machineCode(b)];
  expect([...left.keys()]).toEqual([...right.keys()]);
  for (const [name, code] of left) expect(differences(code, right.get(name))).toEqual([]);
}

const summary = (text: string) =>
  parsePtx(text).injections.map(({ name, sites, operands }) => [
    name,
    sites.length,
    ...operands.map(({ register, direction, type, name: own }) => `${register} ${direction} ${type} ${own}`),
  ]);

describe.skipIf(!hasTool("nvcc"))("nvcc", () => {
  test("finds the sites that were annotated, in either mode", () => {
    const asm = annotateCuda(source);
    const macro = annotateCuda(source, { mode: "macro" });
    expect(asm.warnings).toEqual([]);
    expect(asm.injections).toEqual(macro.injections);
    const [fromAsm, fromMacro] = [asm, macro].map(({ text }) => ptx(text, "-std=c++17"));
    const sites = summary(fromAsm!);
    expect(sites.toSorted()).toEqual([
      [
        "branch",
        1,
        "_x0 mod F32 y",
        "_x1 out F32 z[0]",
        "_x2 out F32 z[1]",
        "_x3 in F32 x",
        "_x4 in F32 first",
        "_x5 in F32 state->last.w",
        "_x6 in F32 n",
        "_x7 in F32 weight",
      ],
      ["clamp", 1, "_x0 mod F32 v"],
      ["halves", 2, "_x0 mod F16 half", "_x1 in S32 k"],
      ["lambda", 2, "_x0 out F32 w", "_x1 in F32 v"],
      ["mark", 1, "_x0 in S32 v"],
      ["scaled", 2, "_x0 out F32 z", "_x1 in F32 x", "_x2 in S32 n"],
    ]);
    expect(summary(fromMacro!)).toEqual(sites);
    expectSameCode(rendered(fromAsm!), rendered(fromMacro!));
  });

  test("also compiles as C++14 and C++20, with debugging and with line numbers", () => {
    const { text } = annotateCuda(source);
    for (const options of [
      ["-std=c++14", "-G"],
      ["-std=c++20", "-lineinfo"],
    ]) {
      expect(parsePtx(ptx(text, ...options)).injections).toHaveLength(6);
    }
  });

  test("complains on the line of an operand", () => {
    const wrong = [
      "__global__ void kernel(float* p) {",
      "  float x = p[0];",
      "  /* PTX_INJECT func",
      "    in  f32 missing_3",
      "    mod f32 missing_4",
      "    in  f32 missing_5",
      "    out f32 missing_6",
      "    in  f32 missing_7",
      "  */",
      "  p[0] = x + missing_9;",
      "}",
    ].join("\n");
    const { log, status } = nvcc(annotateCuda(wrong).text);
    expect(status).not.toBe(0);
    const told = [...log.matchAll(/\((\d+)\): error: identifier "missing_(\d)" is undefined/g)];
    expect(told.map(([, line, name]) => `${line} ${name}`).toSorted()).toEqual([
      "10 9",
      "4 3",
      "5 4",
      "6 5",
      "7 6",
      "8 7",
    ]);
  });

  test("keeps every name unchanged", () => {
    const names = ["%tid.x", 'a"b', "a\\b", "a%%b", "a%1b", "a\tb", "{a|b}", "$0", "a//b", "größe", "??="];
    const operands = names.map((name, i) => ({
      name,
      direction: "out" as const,
      type: "F32",
      expression: `z[${i}]`,
    }));
    const sites: InlineAsmSite[] = [
      ...names.map((name) => ({ name, operands: [] })),
      { name: "all", operands },
    ];
    const text = ptx(
      `__global__ void kernel(float* p) { float z[${names.length}];
        ${sites.map((site) => inlineAsm(site)).join("\n")}
        for (int i = 0; i < ${names.length}; i++) p[i] = z[i]; }`,
    );
    const { injections } = parsePtx(Buffer.from(text, "latin1").toString("utf8"));
    expect(injections.map(({ name }) => name)).toEqual([...names, "all"]);
    expect(injections.at(-1)!.operands.map(({ name }) => name)).toEqual(names);
  });

  test("a final statement compiles to what its marker rendered with the stub does", () => {
    const site: InlineAsmSite = {
      name: "func",
      operands: [
        { name: "x", direction: "in", type: "F32", expression: "p[threadIdx.x]" },
        { name: "n", direction: "in", type: "S32", expression: "n + 1" },
        { name: "y", direction: "mod", type: "F32" },
        { name: "h", direction: "out", type: "F16" },
      ],
    };
    const stub = `\t{
\t.reg .pred %p, %q;
\t.reg .f32 %t;
\tsetp.gt.and.f32 %p|%q, %_x2, %_x0, %p; // "both" \\ %
\t{ selp.f32 %t, %_x2, 0f40000000, %p; }
\tmov.b32 {%_x1, _}, %t;
@!%q\tfma.rn.f32 %_x0, %t, %t, %_x0;
\t}`.replace("setp.gt.and.f32 %p|%q, %_x2, %_x0, %p;", "setp.gt.f32 %p|%q, %_x2, %_x0;");
    const kernel = (statement: string): string => `
extern "C" __global__ void kernel(float* p, unsigned short* o, int n) {
  float y = p[n]; unsigned short h;
#pragma unroll
  for (int i = 0; i < 3; i++) {
    ${statement}
    o[i] = h;
  }
  p[threadIdx.x] = y;
}`;
    for (const options of [{}, { volatile: true, memory: true }]) {
      const marked = ptx(kernel(inlineAsm(site, options)));
      expect(parsePtx(marked).injection("func").sites).toHaveLength(3);
      const final = ptx(kernel(inlineAsm(site, { ...options, stub })));
      expectSameCode(
        rendered(marked, () => stub),
        cubin(final),
      );
    }
  });

  test("volatile keeps a site whose results are unused", () => {
    const kernel = (name: string, effects: string) =>
      `__global__ void ${name}() { float z; /* PTX_INJECT ${name}\n out f32 z\n${effects} */ }\n`;
    const all = [kernel("neither", ""), kernel("of_volatile", "volatile"), kernel("of_memory", "memory")];
    const kept = summary(ptx(annotateCuda(all.join("")).text)).map(([name]) => name);
    expect(kept.toSorted()).toEqual(["of_memory", "of_volatile"]);
  });

  test.each(["asm", "macro"] as const)("alternatives in mode %s are separate sites in a switch", (mode) => {
    const count = 20;
    const text = ptx(
      annotateCuda(
        `#include <ptx_inject.h>
extern "C" __global__ void kernel(float* p) {
  float x = p[threadIdx.x], z = 7;
  if (x > 0) /* PTX_INJECT func
    in  F32 x
    mod F32 z
  */
  else z = 3;
  p[threadIdx.x] = z;
}`,
        { mode, alternatives: { func: { count, select: "blockIdx.x % 32" } } },
      ).text,
    );
    const names = Array.from({ length: count }, (_, i) => `func_${i}`);
    const { injections } = parsePtx(text);
    expect(injections.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    expect(injections.every(({ sites, operands }) => sites.length === 1 && operands.length === 2)).toBe(true);
    rendered(text, ({ index }) => `\tfma.rn.f32 %_x0, %_x1, 0f4000000${index % 10}, %_x0;`);
  });
});
