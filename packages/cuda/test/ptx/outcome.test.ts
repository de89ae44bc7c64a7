// What a result has besides its cubin: parameters and resources of kernels, and the compiler's warnings.

import type { PtxTemplate } from "@mm-ptx/types/core";
import { describe, expect, test } from "vitest";
import { PtxCompiler, type PtxJob } from "../../src/index.js";
import { BACKENDS } from "../support/backends.js";
import { module } from "../support/ptx.js";

const HEAD = ".version 8.0\n.target sm_75\n.address_size 64\n";
const PARAMETERS = `${HEAD}
.func (.param .b32 out) helper(.param .b32 in) { ret; }
.visible .entry none() { ret; }
.visible .entry many(
	.param .u64 .ptr .global .align 16 data,
	.param .u64 .ptr.shared anywhere,
	.param .align 8 .b8 block[24],
	.param .f32 row[3],
	.param .f64 factor,
	.param .texref pixels
) { ret; }
`;
const KERNELS = [
  { name: "none", parameters: [] },
  {
    name: "many",
    parameters: [
      { name: "data", type: "u64", offset: 0, bytes: 8, align: 8, pointer: { space: "global", align: 16 } },
      { name: "anywhere", type: "u64", offset: 8, bytes: 8, align: 8, pointer: { space: "shared" } },
      { name: "block", type: "b8", offset: 16, bytes: 24, align: 8, length: 24 },
      { name: "row", type: "f32", offset: 40, bytes: 12, align: 4, length: 3 },
      { name: "factor", type: "f64", offset: 56, bytes: 8, align: 8 },
      { name: "pixels", type: "texref", offset: 64, bytes: 8 },
    ],
  },
];

const ADD = "\tadd.f32 \t%f2, %f1, %f1;\n";
const SCALE = [
  { name: "scale", parameters: [{ name: "scale_param_0", type: "u64", offset: 0, bytes: 8, align: 8 }] },
];

/** A template of one hole between two texts. */
function template(before: string, after: string): PtxTemplate {
  const lines = (text: string) => text.split("\n").length - 1;
  return {
    names: ["func"],
    segments: [before, after],
    holes: [0],
    lines: [
      { kernelLine: 1, lines: lines(before), head: 0, tail: 0 },
      { kernelLine: 1 + lines(before), lines: lines(after), head: 0, tail: 0 },
    ],
  };
}
const [BEFORE, AFTER] = module().split(ADD) as [string, string];
const TEMPLATE = template(BEFORE, AFTER);

describe.each(BACKENDS)("backend %s", (backend) => {
  test.each([{ effort: "final" }, { effort: "balanced" }, { effort: "draft" }, { debug: true }] as const)(
    "kernels are in source order with %j",
    async (options) => {
      const names = ["c", "a", "b", "d"];
      const entries = names.map(
        (name) => `.visible .entry ${name}(.param .u64 p) {
        .reg .b64 %d; ld.param.u64 %d, [p]; st.global.u64 [%d], %d; ret; }\n`,
      );
      using compiler = new PtxCompiler({ arch: "sm_90", backend, cache: false, ...options });
      const { info } = await compiler.compile(HEAD + entries.join(""));
      expect(info.kernels.map(({ name }) => name)).toEqual(names);
    },
  );

  const options = { cache: false, arch: "sm_80", backend } as const;

  test("has kernels with their parameters", async () => {
    using compiler = new PtxCompiler(options);
    expect((await compiler.compile(PARAMETERS)).kernels).toEqual(KERNELS);
    const [streamed] = await compiler.compileAll([{ ptx: PARAMETERS, arch: ["sm_90", "sm_80"] }]);
    expect(streamed).toMatchObject({ ok: true, kernels: KERNELS });
    expect(streamed?.ok && streamed.modules.map(({ kernels }) => kernels)).toEqual([KERNELS, KERNELS]);
    expect(structuredClone(streamed?.ok && streamed.kernels)).toEqual(KERNELS);
    expect(structuredClone(await compiler.compile(PARAMETERS)).kernels).toEqual(KERNELS);
  });

  test("has the kernels of bytes that the caller has overwritten since", async () => {
    using compiler = new PtxCompiler(options);
    const bytes = Buffer.from(PARAMETERS);
    const pending = [compiler.compile(bytes), compiler.compile({ ptx: bytes })];
    bytes.fill(0x20);
    for (const result of await Promise.all(pending)) expect(result.kernels).toEqual(KERNELS);
  });

  test("has them from the cache, too", async () => {
    using compiler = new PtxCompiler({ ...options, cache: { maxBytes: 0 } });
    await compiler.compile(PARAMETERS);
    const { info, kernels } = await compiler.compile(PARAMETERS);
    expect(info.from).toBe("cache");
    expect(kernels).toEqual(KERNELS);
  });

  test("parses a template's kernels once, and again if a stub leaves its scope", async () => {
    using compiler = new PtxCompiler(options);
    const kernels = async (job: PtxJob) => (await compiler.compile(job)).kernels;
    const first = await kernels({ template: TEMPLATE, stubs: { func: ADD } });
    expect(first).toEqual(SCALE);
    for (const stub of ["", `{\n${ADD}}`, `${ADD}// }\n`]) {
      expect(await kernels({ template: TEMPLATE, stubs: { func: stub } })).toBe(first);
    }
    const second = `ret;\n}\n.visible .entry other(.param .u32 n) {\n`;
    const more = [
      ...SCALE,
      { name: "other", parameters: [{ name: "n", type: "u32", offset: 0, bytes: 4, align: 4 }] },
    ];
    const rest = AFTER.replace("st.global.f32 \t[%rd2], %f2;", "");
    const cut = template(BEFORE, rest);
    for (const stub of [
      second,
      `/* { */ ${second} // }\n`,
      `// {\n${second}{ /* } */ }`,
      `${second}// the end of it }`,
    ]) {
      expect(await kernels({ template: cut, stubs: { func: `${stub}\n` } })).toEqual(more);
    }
    const comment = template(`${BEFORE}//`, `\n${rest}`);
    expect(await kernels({ template: comment, stubs: { func: `{\n${second}` } })).toEqual(more);
    const parameter = module().split(".u64 scale_param_0") as [string, string];
    const stub = ".u32 n, .param .u64 scale_param_0";
    const [{ parameters: params } = { parameters: [] }] = await kernels({
      template: template(...parameter),
      stubs: { func: stub },
    });
    expect(params.map(({ name }) => name)).toEqual(["n", "scale_param_0"]);
  });

  test("warns of limits that were ignored and registers that were spilled", async () => {
    using compiler = new PtxCompiler({ ...options, maxRegisters: 24 });
    const values = Array.from({ length: 60 }, (_, i) => i);
    const body = [
      "\t.reg .f32 %v<60>;\n",
      ...values.map((i) => `\tld.volatile.global.f32 %v${i}, [%rd2+${4 * i}];\n`),
      ...values.map((i) => `\tst.volatile.global.f32 [%rd2+${4 * i}], %v${59 - i};\n`),
    ].join("");
    const limited = await compiler.compile(module("k", body));
    const { registers, spillStores, spillLoads, cumulativeStack } = limited.info.kernels[0]!;
    expect(registers).toBe(24);
    expect(spillStores).toBeGreaterThan(0);
    expect(cumulativeStack).toBeGreaterThanOrEqual(spillStores);
    expect(limited.info.warnings).toEqual([
      `kernel \`k\` spills registers to local memory: ${spillStores} bytes of stores, ${spillLoads} bytes of loads`,
    ]);
    const bounded = await compiler.compile(module("k", body).replace(")\n{", ")\n.maxntid 128, 1, 1\n{"));
    const { registers: used } = bounded.info.kernels[0]!;
    expect(bounded.info.warnings).toEqual([
      `kernel \`k\` uses ${used} registers: the compiler ignored \`maxRegisters\` 24, as it does for kernels with \`.maxntid\``,
    ]);
  });
});
