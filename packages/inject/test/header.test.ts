// The CUDA header: what nvcc makes of it is what the grammar of markers says, in canonical order, for every number of operands.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cases } from "../../../tests/support/counts.js";
import { MAX_OPERANDS } from "../src/header/walks.js";
import { type AnnotatedPtx, cudaHeader, type Operand, parsePtx } from "../src/index.js";
import { hasTool } from "./helpers.js";

const INCLUDE = fileURLToPath(new URL("../include", import.meta.url));
const FIXTURE = fileURLToPath(new URL("./fixtures/kinds.cu", import.meta.url));
const golden = readFileSync(new URL("./fixtures/kinds.golden.ptx", import.meta.url), "utf8");

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ptx-inject-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a compiler says and gives for a source. */
function compile(
  command: string,
  source: string,
  ...options: string[]
): { status: number | null; log: string; ptx: string } {
  const from = join(folder, command === "nvcc" ? "source.cu" : "source.cpp");
  const to = join(folder, "result.ptx");
  writeFileSync(from, source);
  writeFileSync(to, "");
  const output = command === "nvcc" ? ["-ptx", "-o", to] : ["-fsyntax-only"];
  const run = spawnSync(command, [...options, "-I", INCLUDE, ...output, from], { encoding: "utf8" });
  return { status: run.status, log: run.stdout + run.stderr, ptx: readFileSync(to, "utf8") };
}

const LETTERS = { mod: "m", out: "o", in: "i" } as const;
const line = ({ register, direction, registerType, type, name }: Operand): string =>
  `${register} ${LETTERS[direction]} ${registerType} ${type} ${name}`;

const summary = (annotated: AnnotatedPtx) =>
  Object.fromEntries(
    annotated.injections.map(({ name, sites, operands }) => [name, [sites.length, ...operands.map(line)]]),
  );

const EXPECTED = {
  named: [1, "_x0 m f32 F32 v_x", "_x1 o f32 F32 v_z", "_x2 i f32 F32 v_y"],
  twice: [2, "_x0 o f32 F32 z", "_x1 i f32 F32 x"],
  halves: [
    1,
    "_x0 m b32 F16X2 pair",
    "_x1 o b16 F16 result",
    "_x2 i b16 F16 constant",
    "_x3 i b16 F16 temporary",
    "_x4 i f32 ANGLE angle",
  ],
  step: [4, "_x0 m s32 S32 total", "_x1 o b32 B32 last", "_x2 i s32 S32 k", "_x3 i b32 MASK bits"],
  draw: [
    1,
    "_x0 m u32 PHILOX philox_ctr_x",
    "_x1 o u32 U32 drawn",
    "_x2 i u32 PHILOX philox_key_x",
    "_x3 i u32 PHILOX philox_key_y",
    "_x4 i u32 PHILOX philox_ctr_y",
    "_x5 i u32 PHILOX philox_ctr_z",
    "_x6 i u32 PHILOX philox_ctr_w",
  ],
};

/** A stub that gives every written operand the value of one that is read, or of itself. */
function copying(operands: readonly Operand[]): string {
  return operands
    .filter(({ direction }) => direction !== "in")
    .map(({ register, registerType }) => {
      const source = operands.find(
        (other) => other.direction !== "out" && other.registerType === registerType,
      );
      const zero = registerType === "f32" ? "0f00000000" : "0";
      const value = source === undefined ? zero : `%${source.register}`;
      return `\tmov.${registerType} %${register}, ${value};`;
    })
    .join("\n");
}

function assembles(annotated: AnnotatedPtx, arch: string): string {
  const file = join(folder, "rendered.ptx");
  const stubs = Object.fromEntries(
    annotated.injections.map(({ name, operands }) => [name, copying(operands)]),
  );
  writeFileSync(file, annotated.render(stubs));
  const run = spawnSync("ptxas", [`-arch=${arch}`, "-o", join(folder, "rendered.cubin"), file], {
    encoding: "utf8",
  });
  return run.status === 0 ? "" : run.stdout + run.stderr;
}

test("the committed header is that of the default types", () => {
  expect(readFileSync(join(INCLUDE, "ptx_inject.h"), "utf8")).toBe(cudaHeader());
});

test("nvcc's PTX of the fixture, as committed", () => {
  expect(summary(parsePtx(golden))).toEqual(EXPECTED);
});

describe.skipIf(!hasTool("ptxas"))("with ptxas", () => {
  test.each(["sm_75", "sm_90", "sm_120"])("the fixture, rendered, assembles for %s", (arch) => {
    expect(assembles(parsePtx(golden), arch)).toBe("");
  });
});

describe.skipIf(!hasTool("nvcc"))("with nvcc", { timeout: 120_000 }, () => {
  test.each([
    ["c++14", "compute_75"],
    ["c++17", "compute_90"],
    ["c++20", "compute_90"],
  ])("the fixture in %s for %s", (standard, arch) => {
    const source = readFileSync(FIXTURE, "utf8");
    const { log, ptx } = compile(
      "nvcc",
      source,
      `-std=${standard}`,
      `-arch=${arch}`,
      "-Xcompiler",
      "-Wall,-Wextra",
    );
    expect(log).toBe("");
    expect(summary(parsePtx(ptx))).toEqual(EXPECTED);
    if (arch === "compute_75" && process.env.UPDATE_GOLDENS === "1") {
      writeFileSync(new URL("./fixtures/kinds.golden.ptx", import.meta.url), ptx);
    }
  });

  test(`1 to ${MAX_OPERANDS} operands in any order`, () => {
    const types = { F32: "f32", U32: "u32", S32: "s32", B32: "b32" } as const;
    const operand = fc.record({
      kind: fc.constantFrom("IN", "OUT", "MOD"),
      type: fc.constantFrom(...(Object.keys(types) as (keyof typeof types)[])),
    });
    const lists = fc.tuple(
      ...Array.from({ length: MAX_OPERANDS }, (_, i) =>
        fc.array(operand, { minLength: i + 1, maxLength: i + 1 }),
      ),
    );
    const order = ["MOD", "OUT", "IN"];
    fc.assert(
      fc.property(
        lists,
        fc.constantFrom("c++14", "c++17", "c++20"),
        fc.constantFrom("75", "90"),
        (all, standard, arch) => {
          const kernel = (list: (typeof all)[number], n: number): string => {
            const written = list.map(
              ({ kind, type }, i) => `PTX_${kind}(${type}, v${i}, ${type === "F32" ? "f" : "u"}[${i}])`,
            );
            return `extern "C" __global__ void k${n}(float* f, unsigned* u) { PTX_INJECT("site${n}", ${written.join(", ")}); }\n`;
          };
          const { log, ptx } = compile(
            "nvcc",
            `#include <ptx_inject.h>\n${all.map(kernel).join("")}`,
            `-std=${standard}`,
            `-arch=compute_${arch}`,
          );
          expect(log).toBe("");
          const annotated = parsePtx(ptx);
          all.forEach((list, n) => {
            const sorted = list
              .map(({ kind, type }, i) => ({ kind, type, name: `v${i}` }))
              .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
            expect(annotated.injection(`site${n}`).operands.map(line)).toEqual(
              sorted.map(
                ({ kind, type, name }, i) =>
                  `_x${i} ${kind[0]!.toLowerCase()} ${types[type]} ${type} ${name}`,
              ),
            );
          });
          if (hasTool("ptxas")) expect(assembles(annotated, `sm_${arch}`)).toBe("");
        },
      ),
      { numRuns: cases(20), endOnFailure: true },
    );
  });

  test("mistakes are said in words", () => {
    const mistakes: [string, string][] = [
      ['PTX_INJECT("none")', "a site needs at least one operand: PTX_IN, PTX_OUT or PTX_MOD"],
      [
        'PTX_INJECT("kind", PTX_INOUT(F32, x))',
        "expected PTX_IN, PTX_OUT or PTX_MOD, found PTX_INOUT(F32, x)",
      ],
      ['PTX_INJECT("word", x)', "expected PTX_IN, PTX_OUT or PTX_MOD, found x"],
      [
        'PTX_INJECT("type", PTX_OUT(F31, x))',
        "unknown type F31, define PTX_TYPE_INFO_F31 as PTX_TYPES_DESC(...)",
      ],
      ['PTX_INJECT("", PTX_OUT(F32, x))', "a site and each of its operands need a name, on one line"],
      ['PTX_INJECT("size", PTX_OUT(F16, x))', "the operand's size differs from that of its type's bind kind"],
      [
        `PTX_INJECT("many"${", PTX_IN(F32, x)".repeat(MAX_OPERANDS + 1)})`,
        `a site takes at most ${MAX_OPERANDS} operands`,
      ],
    ];
    const body = mistakes.map(([statement]) => `${statement};\n`).join("");
    const { status, log } = compile(
      "nvcc",
      `#include <ptx_inject.h>\n__global__ void k(float x) {\n${body}}\n`,
      "-arch=compute_75",
    );
    expect(status).not.toBe(0);
    for (const [, message] of mistakes) expect(log).toContain(`PTX_INJECT: ${message}`);
  });

  test("PTX_INJECT_NO_DEFAULT_TYPES leaves PHILOX and own types", () => {
    const source = (type: string): string =>
      `#define PTX_INJECT_NO_DEFAULT_TYPES\n#include <ptx_inject.h>
#define PTX_TYPE_INFO_F32 PTX_TYPES_DESC(b32, b32, f, ID)
__global__ void k(float* f, unsigned u) { PTX_INJECT("own", PTX_MOD(F32, f0, f[0]), PTX_IN(${type}, u)); }\n`;
    const { log, ptx } = compile("nvcc", source("PHILOX"), "-arch=compute_75");
    expect(log).toBe("");
    expect(parsePtx(ptx).injection("own").operands.map(line)).toEqual([
      "_x0 m b32 F32 f0",
      "_x1 i u32 PHILOX u",
    ]);
    expect(compile("nvcc", source("U32"), "-arch=compute_75").log).toContain("PTX_INJECT: unknown type U32");
  });
});

describe.skipIf(!hasTool("g++"))("in host code", () => {
  test.each(["c++14", "c++20"])("a site does nothing and warns of nothing, %s", (standard) => {
    const source = `#include <ptx_inject.h>
float run(const float* values) {
  float x = values[0], z, sum = 0.0f;
  PTX_INJECT("func", PTX_IN(F32, x), PTX_OUT(F32, z), PTX_MOD(F32, sum), PTX_IN(F32, two, 2.0f));
  return sum;
}\n`;
    expect(compile("g++", source, `-std=${standard}`, "-Wall", "-Wextra", "-Werror").log).toBe("");
  });
});
