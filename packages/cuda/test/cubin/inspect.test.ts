// The contents of cubins of every architecture, with and without lines, compared with the compiler's log and
// with readelf.

import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ARCHITECTURES } from "@mm-ptx/ptx";
import { describe, expect, test } from "vitest";
import { type CompileResult, type CubinInspection, inspectCubin } from "../../src/index.js";
import { BACKENDS } from "../support/backends.js";
import { compiled, ptxFile } from "../support/cubins.js";
import { module } from "../support/ptx.js";

const RICH = ptxFile("rich");
const MODES = { optimized: {}, "with lines": { lineInfo: true }, "for debuggers": { debug: true } } as const;

const byName = <T extends { readonly name: string }>(items: readonly T[]): T[] =>
  [...items].sort((a, b) => (a.name < b.name ? -1 : 1));

describe.runIf(BACKENDS.length > 0)("inspectCubin", () => {
  describe.each(Object.entries(MODES))("%s", (_, options) => {
    test.each(ARCHITECTURES.map(({ name }) => name))("%s: agrees with the log", async (arch) => {
      const result = await compiled(RICH, arch, options);
      const found = inspectCubin(result.cubin);
      expect({ arch: found.arch, target: found.ptxTarget, toolkit: found.toolkit }).toEqual({
        arch,
        target: "sm_75",
        toolkit: "13.0",
      });
      expect(needsOf(found)).toEqual(needsInLog(result));
      for (const { name, parameters } of found.kernels) {
        const { parameters: params } = result.kernels.find((kernel) => kernel.name === name)!;
        expect(parameters.map(({ bytes }) => bytes)).toEqual(params.map(({ bytes: size }) => size));
      }
    });
  });

  test("reads the places of parameters and the launch bounds", async () => {
    const { cubin } = await compiled(RICH, "sm_90");
    const { kernels, functions, variables, relocatable, tool } = inspectCubin(cubin);
    const [scale, second, third] = byName(kernels);
    expect(scale!.parameters).toEqual([
      { offset: 0, bytes: 8 },
      { offset: 8, bytes: 4 },
      { offset: 16, bytes: 24 },
      { offset: 40, bytes: 1 },
    ]);
    expect(scale).toMatchObject({ visible: true, parameterBytes: 41, maxThreads: [256, 2, 1] });
    expect(scale!.parameterOffset + scale!.parameterBytes).toBe(scale!.constantBytes);
    expect(scale).not.toHaveProperty("requiredThreads");
    expect(second).toMatchObject({ requiredThreads: [32, 4, 2], parameters: [{ offset: 0, bytes: 4 }] });
    expect(third).toMatchObject({ visible: false, parameters: [] });
    expect(functions.map(({ name }) => name)).toEqual(["$scale$twice"]);
    expect(
      byName(variables).map(({ name, space, bytes, initial }) => [name, space, bytes, initial?.[0]]),
    ).toEqual([
      ["counter", "global", 4, 7],
      ["seen", "global", 8, undefined],
      ["table", "global", 40, undefined],
      ["weights", "constant", 16, 0],
    ]);
    expect(relocatable).toBe(false);
    expect(tool).toMatchObject({ name: "ptxas", version: expect.stringMatching(/release 13\.0/) });
  });

  test("returns code as a view; a device function's is within its kernel's", async () => {
    const { cubin } = await compiled(RICH, "sm_80");
    const { kernels, functions } = inspectCubin(cubin);
    const scale = kernels.find(({ name }) => name === "scale")!;
    const [twice] = functions;
    expect(scale.code.buffer).toBe(cubin.buffer);
    expect(scale.code).toEqual(cubin.subarray(scale.offset, scale.offset + scale.code.length));
    expect(twice!.offset).toBe(scale.offset + twice!.sectionOffset);
    expect(twice!.sectionOffset + twice!.code.length).toBeLessThanOrEqual(scale.code.length);
    expect(twice!.code.length).toBeGreaterThan(0);
  });

  test("reads large parameters, clusters and register limits of zero", async () => {
    const ptx = `.version 8.1
.target sm_90
.address_size 64
.visible .entry wide(.param .align 16 .b8 a[20000], .param .u64 b) .reqnctapercluster 2, 1, 1 { ret; }
.visible .entry ranked() .maxclusterrank 4 { ret; }
`;
    const { kernels } = inspectCubin((await compiled(ptx, "sm_90")).cubin);
    const [ranked, wide] = byName(kernels);
    expect(wide).toMatchObject({
      parameters: [
        { offset: 0, bytes: 20000 },
        { offset: 20000, bytes: 8 },
      ],
      clusterSize: [2, 1, 1],
    });
    expect(ranked).toMatchObject({ maxClusterRank: 4, parameters: [] });
  });

  test("reads lines of the source and of the PTX, and the call sites of inlined code", async () => {
    const source = ptxFile("inlined");
    for (const arch of ["sm_75", "sm_90", "sm_120"]) {
      const { kernels, ptx } = inspectCubin((await compiled(source, arch, { lineInfo: true })).cubin);
      const [{ lines, ptxLines, code }] = kernels as [(typeof kernels)[number]];
      expect(new Set(lines.map(({ file }) => file))).toEqual(new Set(["bound.cu"]));
      expect(lines.map(({ line }) => line)).toEqual(expect.arrayContaining([9, 12, 13, 14]));
      const inlined = lines.filter(({ line }) => line === 5);
      expect(inlined.length).toBeGreaterThan(0);
      for (const { inlinedAt } of inlined) expect(inlinedAt).toMatchObject({ file: "bound.cu", line: 12 });
      const texts = source.split("\n");
      const multiply = ptxLines.find(({ line }) => texts[line - 1]!.includes("mul.f32"));
      expect(multiply?.offset).toBeLessThan(code.length);
      for (const table of [lines, ptxLines]) {
        expect(table.map(({ offset }) => offset)).toEqual(
          [...new Set(table.map(({ offset }) => offset))].sort((a, b) => a - b),
        );
      }
      expect(ptx!.split("\n")[texts.findIndex((text) => text.includes("mul.f32"))]).toContain("mul.f32");
    }
  });

  test("finds the callers of inlined code in each kernel of several", async () => {
    const source = ptxFile("inlined");
    const [, entry] = /(\.visible \.entry bound[\s\S]*?\n\}\n)/.exec(source)!;
    const both = source.replace(
      entry!,
      `${entry}${entry!.replace("bound", "other").replaceAll(" 12 5", " 22 5")}`,
    );
    const { kernels } = inspectCubin((await compiled(both, "sm_90", { lineInfo: true })).cubin);
    const callers = byName(kernels).map(({ lines }) =>
      lines.flatMap(({ inlinedAt }) => inlinedAt?.line ?? []),
    );
    expect(callers.map((found) => [...new Set(found)])).toEqual([[12], [22]]);
  });

  test("does not know the local memory of a kernel with unbounded recursion", async () => {
    const ptx = `.version 8.0
.target sm_75
.address_size 64
.func down(.param .b32 n)
{
	.reg .b32 %n;
	.reg .pred %more;
	.local .b32 depth[4];
	ld.param.b32 %n, [n];
	st.local.b32 [depth], %n;
	setp.gt.s32 %more, %n, 0;
	@!%more bra done;
	sub.s32 %n, %n, 1;
	{ .param .b32 next; st.param.b32 [next], %n; call.uni down, (next); }
	ld.local.b32 %n, [depth];
done:
	ret;
}
.visible .entry recursive(.param .b32 n)
{
	.reg .b32 %n;
	ld.param.b32 %n, [n];
	{ .param .b32 first; st.param.b32 [first], %n; call.uni down, (first); }
	ret;
}
`;
    const { kernels } = inspectCubin((await compiled(ptx, "sm_80", { debug: true })).cubin);
    expect(kernels[0]).toMatchObject({ name: "recursive", registers: expect.any(Number) });
    expect(kernels[0]).not.toHaveProperty("localBytes");
  });

  test("lists references to textures, samplers and surfaces among the variables", async () => {
    const ptx = `.version 8.0
.target sm_75, texmode_independent
.address_size 64
.visible .global .texref image;
.global .samplerref how;
.global .surfref canvas;
.visible .entry read(.param .u64 out)
{
	.reg .f32 %f<4>;
	.reg .b32 %r<2>;
	.reg .b64 %out;
	ld.param.u64 %out, [out];
	mov.u32 %r0, %tid.x;
	tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [image, how, {%r0}];
	suld.b.1d.b32.trap {%r1}, [canvas, {%r0}];
	st.global.f32 [%out], %f0;
	st.global.u32 [%out+4], %r1;
	ret;
}
`;
    const { variables } = inspectCubin((await compiled(ptx, "sm_90")).cubin);
    expect(byName(variables).map(({ name, space, bytes }) => [name, space, bytes])).toEqual([
      ["canvas", "surface", 0],
      ["how", "sampler", 0],
      ["image", "texture", 0],
    ]);
  });

  test("recognizes memory without content by CUDA's own types, which relocatable files use", async () => {
    const cubin = (await compiled(RICH, "sm_80")).cubin.slice();
    const before = inspectCubin(cubin);
    const view = new DataView(cubin.buffer, cubin.byteOffset);
    const types = new Map([
      [".nv.global", 0x70000007],
      [".nv.shared.scale", 0x7000000a],
    ]);
    before.sections.forEach(({ name }, index) => {
      const type = types.get(name);
      // The first section, which has no name, is not included.
      if (type !== undefined)
        view.setUint32(Number(view.getBigUint64(40, true)) + (index + 1) * 64 + 4, type, true);
      types.delete(name);
    });
    expect(types.size).toBe(0);
    expect(inspectCubin(cubin)).toEqual(before);
  });

  test("PTX without `.loc` has no lines, except on request", async () => {
    const { kernels, ptx } = inspectCubin((await compiled(RICH, "sm_90")).cubin);
    expect(kernels[0]).toMatchObject({ lines: [], ptxLines: [] });
    expect(ptx).toBeUndefined();
  });

  test("reads many kernels", async () => {
    const text = module("k0");
    const [head, entry] = text.split("\n\n", 2) as [string, string];
    const many = Array.from({ length: 200 }, (_, i) => entry.replaceAll(/\bk0/g, `k${i}`)).join("\n");
    const { kernels } = inspectCubin((await compiled(`${head}\n\n${many}`, "sm_90")).cubin);
    expect(new Set(kernels.map(({ name }) => name)).size).toBe(200);
    expect(kernels.every(({ parameters, registers }) => parameters.length === 1 && registers > 0)).toBe(true);
  });

  const readelf = spawnSync("readelf", ["--version"]).status === 0;
  test.runIf(readelf).each(["sm_75", "sm_90a", "sm_121f"])(
    "%s: sections and symbols are those of readelf",
    async (arch) => {
      const { cubin } = await compiled(RICH, arch, { lineInfo: true });
      const file = join(tmpdir(), `mm-ptx-inspect-${process.pid}-${arch}.cubin`);
      writeFileSync(file, cubin);
      try {
        const tell = (...words: string[]): string =>
          spawnSync("readelf", ["-W", ...words, file], { encoding: "utf8" }).stdout;
        const { sections, symbols } = inspectCubin(cubin);
        const told = [...tell("-S").matchAll(/^ +\[ *[1-9]\d*\] (\S+) +\S+ +\S+ (\w+) (\w+)/gm)];
        expect(sections.map(({ name, offset, size }) => [name, offset, size])).toEqual(
          told.map(([, name, offset, size]) => [
            name,
            Number.parseInt(offset!, 16),
            Number.parseInt(size!, 16),
          ]),
        );
        const names = [...tell("-s").matchAll(/^ +\d+: (\w+) +(\w+) \w+ +\w+ .* (\S+)$/gm)]
          .map(([, value, size, name]) => [name, Number.parseInt(value!, 16), Number(size)])
          .filter(([name]) => symbols.some((symbol) => symbol.name === name));
        expect(symbols.map(({ name, offset, bytes }) => [name, offset, bytes])).toEqual(names);
      } finally {
        rmSync(file);
      }
    },
  );
});

function needsOf({ kernels }: CubinInspection): object[] {
  return byName(kernels).map(({ name, registers, stackFrame, sharedBytes, barriers }) => ({
    name,
    registers,
    stackFrame,
    sharedBytes,
    barriers,
  }));
}

function needsInLog({ info }: CompileResult): object[] {
  return byName(info.kernels).map(({ name, registers, stackFrame, sharedBytes, barriers }) => ({
    name,
    registers,
    stackFrame,
    sharedBytes,
    barriers,
  }));
}
