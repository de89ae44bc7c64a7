// The CUDA header compiled by nvcc: the output follows the grammar of markers, in canonical order, for every
// number of operands, and options do what they promise.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SOAK, smoke } from "../../../../tests/support/counts.js";
import { type AnnotatedPtx, cudaHeader, type Operand, parsePtx } from "../../src/index.js";
import { fixture, fixturePath, inFolder, nvcc, nvccObject } from "../support/header-compilers.js";
import { KINDS, line, OPTIONS, summary } from "../support/header-sites.js";
import { hasTool } from "../support/helpers.js";

const golden = fixture("kinds.golden.ptx");

/** Numbers of operands: each up to 36 has a macro of its own, more are padded to 68 or 256. */
const SIZES = SOAK
  ? [...Array.from({ length: 37 }, (_, i) => i + 1), 64, 65, 67, 68, 69, 128, 255, 256]
  : [1, 2, 3, 8, 21, 36, 37, 64, 68, 69, 256];

/** A stub that gives every written operand the value of one that is read, or its own. */
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

/** What ptxas prints for the PTX with stubs in place of its sites. */
function assembles(annotated: AnnotatedPtx, arch: string): string {
  const file = inFolder("rendered.ptx");
  const stubs = Object.fromEntries(
    annotated.injections.map(({ name, operands }) => [name, copying(operands)]),
  );
  writeFileSync(file, annotated.render(stubs));
  const run = spawnSync("ptxas", [`-arch=${arch}`, "-o", inFolder("rendered.cubin"), file], {
    encoding: "utf8",
  });
  return run.status === 0 ? "" : run.stdout + run.stderr;
}

test("the committed PTX of the fixture has its sites", () => {
  expect(summary(parsePtx(golden))).toEqual(KINDS);
});

describe.skipIf(!hasTool("ptxas"))("with ptxas", () => {
  test.each(["sm_75", "sm_90", "sm_120"])("the fixture, rendered, assembles for %s", (arch) => {
    expect(assembles(parsePtx(golden), arch)).toBe("");
  });
});

describe.skipIf(!hasTool("nvcc"))("with nvcc", { timeout: 120_000 }, () => {
  // Outside of a soak, the tests share the standards: each run of the compiler takes most of a second.
  test.each(
    [
      ["c++14", "compute_75"],
      ["c++17", "compute_90"],
      ["c++20", "compute_120"],
    ].slice(0, SOAK ? 3 : 1),
  )("the fixture in %s for %s", (standard, arch) => {
    const { log, ptx } = nvcc(fixture("kinds.cu"), `-std=${standard}`, `-arch=${arch}`);
    expect(log).toBe("");
    expect(summary(parsePtx(ptx))).toEqual(KINDS);
    if (arch === "compute_75" && process.env.UPDATE_GOLDENS === "1") {
      writeFileSync(fixturePath("kinds.golden.ptx"), ptx);
    }
  });

  // Variables that only a removed site would set are intentional here.
  const SUPPRESSED = "-diag-suppress=550";

  test.each(SOAK ? ["c++14", "c++17", "c++20"] : ["c++20"])(
    "options, qualified operands and macros in the way, %s",
    (standard) => {
      const source = fixture("options.cu");
      const { log, ptx } = nvcc(source, `-std=${standard}`, "-arch=compute_75", SUPPRESSED);
      expect(log).toBe("");
      const annotated = parsePtx(ptx);
      expect(summary(annotated)).toEqual(OPTIONS);
      if (hasTool("ptxas")) expect(assembles(annotated, "sm_75")).toBe("");
    },
  );

  test.each(SOAK ? ["kinds.cu", "options.cu"] : ["kinds.cu"])(
    "the host pass over %s prints no warnings either",
    (name) => {
      const { status, log } = nvccObject(
        fixture(name),
        "-arch=sm_75",
        SUPPRESSED,
        "-Xcompiler",
        "-Wall,-Wextra",
      );
      expect([status, log]).toEqual([0, ""]);
    },
  );

  test("a site whose results are unused is gone, unless options say that it has effects", () => {
    const SITES = [
      // With options, a site stays; with the second, memory around it is what the program says.
      { options: "", expected: { sites: 0, stores: 1, loads: 1 } },
      { options: "PTX_VOLATILE, ", expected: { sites: 1 } },
      { options: "PTX_MEMORY, ", expected: { sites: 1, stores: 2, loads: 2 } },
    ];
    const kernels = SITES.map(
      ({ options }, i) => `extern "C" __global__ void k${i}(float* f) {
  float unused, before = f[1];
  f[0] = 1;
  PTX_INJECT("site", ${options}PTX_OUT(F32, unused));
  f[0] = before + f[1];
}\n`,
    );
    const { ptx } = nvcc(`#include <ptx_inject.h>\n${kernels.join("")}`, "-arch=compute_75", SUPPRESSED);
    const bodies = new Map(
      [...ptx.matchAll(/\.entry k(\d)\(([\s\S]*?)\n\}\n/g)].map(([, i, body]) => [Number(i), body!]),
    );
    for (const [i, { options, expected }] of SITES.entries()) {
      const count = (what: RegExp) => bodies.get(i)!.match(what)?.length ?? 0;
      const found = {
        sites: count(/INJECT_START/g),
        stores: count(/st\.global/g),
        loads: count(/ld\.global/g),
      };
      expect(found, options).toMatchObject(expected);
    }
  });

  test("choose(index, ...) finds each of 200 sites by a binary search", () => {
    const { log, ptx } = nvcc(
      `#include <ptx_inject.h>\nextern "C" __global__ void k(float* f, int index) {
        const float x = f[0]; float z = 0;
        ptx_inject::choose<200>(index, [&](auto n) { PTX_INJECT("func", PTX_NUMBER(n), PTX_IN(F32, x), PTX_OUT(F32, z)); });
        f[1] = z; }\n`,
      "-std=c++14",
      "-arch=compute_75",
    );
    expect(log).toBe("");
    const names = parsePtx(ptx).injections.map(({ name }) => name);
    expect(names.toSorted()).toEqual(Array.from({ length: 200 }, (_, i) => `func_${i}`).toSorted());
    for (let index = 0; index < 200; index++) {
      const { site, comparisons } = walk(ptx, index);
      expect(site).toBe(`func_${index}`);
      expect(comparisons).toBeLessThanOrEqual(1 + Math.ceil(Math.log2(200)));
    }
    expect(walk(ptx, -1).site).toBeUndefined();
    expect(walk(ptx, 200).site).toBeUndefined();
  });

  test("1 to 256 operands in any order", () => {
    const types = { F32: "f32", U32: "u32", S32: "s32", B32: "b32" } as const;
    const operand = fc.record({
      kind: fc.constantFrom("IN", "OUT", "MOD"),
      type: fc.constantFrom(...(Object.keys(types) as (keyof typeof types)[])),
    });
    const lists = fc.tuple(...SIZES.map((size) => fc.array(operand, { minLength: size, maxLength: size })));
    const order = ["MOD", "OUT", "IN"];
    fc.assert(
      fc.property(
        lists,
        fc.constantFrom("c++11", "c++14", "c++17", "c++20"),
        fc.constantFrom("75", "90"),
        (all, standard, arch) => {
          const kernel = (list: (typeof all)[number], n: number): string => {
            const written = list.map(
              ({ kind, type }, i) => `PTX_${kind}(${type}, v${i}, ${type === "F32" ? "f" : "u"}[${i}])`,
            );
            return `extern "C" __global__ void k${n}(float* f, unsigned* u) { PTX_INJECT("site${n}", ${written.join(", ")}); }\n`;
          };
          const { log, ptx } = nvcc(
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
      { numRuns: smoke(20), endOnFailure: true },
    );
  });

  test("a header of custom types binds through their casts", () => {
    const wide = { registerType: "b64", movPostfix: "b64", registerChar: "l" };
    const types = [
      { ...wide, name: "BITS", registerCast: "*(unsigned long long*)&" },
      { ...wide, name: "COUNT", registerCast: "(long long)" },
    ];
    const file = inFolder("own.h");
    writeFileSync(file, cudaHeader({ kind: "inject", types, fingerprint: "", bases: [] }));
    const { log, ptx } = nvcc(
      `#include "own.h"
extern "C" __global__ void k(double* d, int n) {
  PTX_INJECT("own", PTX_MOD(BITS, value, d[0]), PTX_IN(COUNT, n), PTX_IN(BITS, d[1]));
}\n`,
      "-arch=compute_75",
    );
    expect(log).toBe("");
    expect(parsePtx(ptx).injection("own").operands.map(line)).toEqual([
      "_x0 m b64 BITS value",
      "_x1 i b64 COUNT n",
      "_x2 i b64 BITS d[1]",
    ]);
  });

  test("PTX_INJECT_NO_DEFAULT_TYPES leaves PHILOX and custom types", () => {
    const source = (type: string): string =>
      `#define PTX_INJECT_NO_DEFAULT_TYPES\n#include <ptx_inject.h>
#define PTX_TYPE_INFO_F32 PTX_TYPES_DESC(b32, b32, f, ID)
__global__ void k(float* f, unsigned u) { PTX_INJECT("own", PTX_MOD(F32, f0, f[0]), PTX_IN(${type}, u)); }\n`;
    const { log, ptx } = nvcc(source("PHILOX"), "-arch=compute_75");
    expect(log).toBe("");
    expect(parsePtx(ptx).injection("own").operands.map(line)).toEqual([
      "_x0 m b32 F32 f0",
      "_x1 i u32 PHILOX u",
    ]);
    expect(nvcc(source("U32"), "-arch=compute_75").log).toContain("PTX_INJECT: unknown type U32");
  });
});

/**
 * Follows the branches of a kernel that compares only its second parameter, and returns the site that it
 * reaches and the number of comparisons.
 */
function walk(ptx: string, index: number): { site: string | undefined; comparisons: number } {
  const lines = ptx.split("\n").map((text) => text.trim());
  const labels = new Map(lines.flatMap((text, i) => (text.endsWith(":") ? [[text.slice(0, -1), i]] : [])));
  const compare: Record<string, (limit: number) => boolean> = {
    "eq.s32": (limit) => index === limit,
    "ne.s32": (limit) => index !== limit,
    "lt.s32": (limit) => index < limit,
    "gt.s32": (limit) => index > limit,
    "gt.u32": (limit) => index >>> 0 > limit,
    "lt.u32": (limit) => index >>> 0 < limit,
  };
  const predicates = new Map<string, boolean>();
  let comparisons = 0;
  for (let i = lines.indexOf("{"); lines[i] !== "ret;"; i++) {
    const text = lines[i]!;
    const [, site] = /^\/\/ PTX_INJECT_START (.*)$/.exec(text) ?? [];
    if (site !== undefined) return { site, comparisons };
    const [, how, predicate, limit] = /^setp\.(\w+\.\w+)\s+(%p\d+), %r\d+, (-?\d+);$/.exec(text) ?? [];
    if (how !== undefined) {
      predicates.set(predicate!, compare[how]!(Number(limit)));
      comparisons++;
    }
    const [, not, condition, label] = /^(?:@(!?)(%p\d+) )?bra(?:\.uni)?\s+(\S+);$/.exec(text) ?? [];
    if (label !== undefined && (condition === undefined || predicates.get(condition) === (not === ""))) {
      i = labels.get(label) as number;
    }
  }
  return { site: undefined, comparisons };
}
