// Costs of machine code that was compiled here, as the disassembler prints it.
import { CubinError, disassembleSass } from "@mm-ptx/cuda";
import { expandSites, pack } from "@mm-ptx/inject";
import { describe, expect, test } from "vitest";
import {
  codeBytesOfSites,
  type KernelCost,
  type SassPipe,
  type SiteCost,
  sassCost,
} from "../../src/index.js";
import { annotated, compiled, filled, HAS_COMPILER } from "./support/kernel.js";

const HAS_TOOL =
  HAS_COMPILER &&
  (await disassembleSass((await compiled(filled({ f: "mov.f32 %_x1, %_x0;" }), "sm_90")).cubin).then(
    () => true,
    (error: unknown) => {
      if (error instanceof CubinError && error.code === "UNAVAILABLE") return false;
      throw error;
    },
  ));

/** The nonzero counts. */
function counts(cost: SiteCost | KernelCost): Partial<Record<SassPipe, number>> {
  return Object.fromEntries(Object.entries(cost.counts).filter(([, count]) => count > 0));
}

const sites = ({ sites: all }: KernelCost): Record<string, Partial<Record<SassPipe, number>>> =>
  Object.fromEntries(all.map((site) => [site.injection, counts(site)]));

const STUBS = {
  fmas: "fma.rn.f32 %_x1, %_x0, %_x0, %_x0;\nfma.rn.f32 %_x1, %_x1, %_x1, %_x0;\nfma.rn.f32 %_x1, %_x1, %_x1, %_x0;",
  immediate: "add.f32 %_x1, %_x0, 0f40490fdb;",
  exponential: "ex2.approx.ftz.f32 %_x1, %_x0;",
  logic:
    "{ .reg .b32 %r<3>; mov.b32 %r0, %_x0; shf.l.wrap.b32 %r1, %r0, %r0, 7;\nlop3.b32 %r2, %r0, %r1, 0x12345678, 0x96;\nmov.b32 %_x1, %r2; }",
  doubles:
    "{ .reg .f64 %d<2>; .reg .b32 %h; mov.b32 %h, %_x0; mov.b64 %d0, {%h, %h};\nadd.f64 %d1, %d0, %d0; mul.f64 %d1, %d1, %d0; fma.rn.f64 %d1, %d1, %d1, %d0;\nmov.b64 {%h, _}, %d1; mov.b32 %_x1, %h; }",
  shared: "{ .reg .f32 %v; ld.volatile.global.f32 %v, [%address1+4];\nadd.f32 %_x1, %v, %_x0; }",
  empty: "mov.f32 %_x1, %_x0;",
};

describe.runIf(HAS_TOOL)("of machine code", () => {
  test.each(["sm_75", "sm_80", "sm_90", "sm_103", "sm_120"])(
    "%s: each site has the instructions of its stub",
    async (arch) => {
      const { kernels, rates, architecture } = await sassCost(await compiled(filled(STUBS), arch));
      expect([architecture, rates]).toEqual([arch, arch]);
      const kernel = kernels[0]!;
      const found = sites(kernel);
      expect(found.fmas).toEqual({ fma: 3 });
      expect(found.immediate).toEqual({ fma: 1 });
      expect(found.exponential).toEqual({ mufu: 1 });
      expect(found.logic).toEqual({ alu: 2 });
      expect(found.doubles?.fp64).toBe(3);
      expect(found.shared?.lsu).toBe(1);
      expect(found.shared?.fma).toBe(1);
      expect(found.empty).toBeUndefined();
      expect(kernel.other).toEqual({});
      expect(kernel.rest.counts.lsu).toBeGreaterThanOrEqual(2);
      expect(kernel.rest.counts.control).toBeGreaterThanOrEqual(1);
    },
  );

  test("matrix instructions are tensor, branches and barriers control", async () => {
    const ptx = `.version 7.8
.target sm_80
.address_size 64
.visible .entry product(.param .u64 memory)
{
.reg .b64 %a; .reg .b32 %r<8>; .reg .f32 %f<4>; .reg .pred %p;
ld.param.u64 %a, [memory];
ld.volatile.global.b32 %r0, [%a]; ld.volatile.global.b32 %r1, [%a];
mov.b32 %f0, 0f00000000; mov.b32 %f1, %f0; mov.b32 %f2, %f0; mov.b32 %f3, %f0;
LOOP:
mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r0, %r1}, {%r0, %r1}, {%f0, %f1, %f2, %f3};
bar.sync 0;
ld.volatile.global.b32 %r2, [%a];
setp.ne.b32 %p, %r2, 0;
@%p bra LOOP;
st.volatile.global.f32 [%a], %f0; st.volatile.global.f32 [%a], %f1;
ret;
}`;
    const { kernels } = await sassCost(await compiled(ptx, "sm_80"));
    const [kernel] = kernels;
    expect(kernel!.counts.tensor).toBe(1);
    expect(kernel!.clocks.tensor).toBe(8);
    expect(kernel!.counts.lsu).toBe(5);
    // At least the barrier, the branch of the loop and the end.
    expect(kernel!.counts.control).toBeGreaterThanOrEqual(3);
    expect(kernel!.clocks.control).toBe(8);
    expect(kernel!.unrated).toEqual({});
  });

  test("alternatives and the rest of the kernel add up to the kernel", async () => {
    const count = 12;
    const alternatives = expandSites(annotated("func"), "func", count);
    const stubs = Array.from({ length: count }, (_, i) => [
      `func_${i}`,
      Array.from({ length: i }, () => "fma.rn.f32 %_x1, %_x0, %_x0, %_x1;").join("\n"),
    ]);
    const module = await compiled(
      alternatives.fill(
        Object.fromEntries(stubs.map(([name, text]) => [name, `mov.f32 %_x1, %_x0;\n${text}`])),
      ),
      "sm_90",
    );
    const [kernel] = (await sassCost(module)).kernels;
    const parts = [...kernel!.sites, kernel!.rest];
    const sum = (read: (cost: (typeof parts)[number]) => number): number =>
      parts.reduce((total, part) => total + read(part), 0);
    expect(sum(({ instructions }) => instructions)).toBe(kernel!.instructions);
    expect(sum(({ bytes }) => bytes)).toBe(kernel!.bytes);
    expect(sum((cost) => cost.counts.fma)).toBe(kernel!.counts.fma);
    expect(sum((cost) => cost.clocks.lsu)).toBe(kernel!.clocks.lsu);
    const found = sites(kernel!);
    for (let i = 1; i < count; i++) expect(found[`func_${i}`]?.fma, `alternative ${i}`).toBe(i);
    // An alternative that changes nothing has no arithmetic of its own.
    expect(found.func_0?.fma ?? 0).toBe(0);
    const bytes = codeBytesOfSites(module, module.source as never);
    for (const { injection, bytes: expected } of kernel!.sites) expect(bytes.get(injection)).toBe(expected);
  });

  test("kernels of a pack have costs of their own, and their sites a variant", async () => {
    const packed = pack(annotated("func"), [
      { func: STUBS.fmas },
      { func: STUBS.exponential },
      { func: STUBS.empty },
    ]);
    const module = await compiled(packed.text, "sm_90");
    const { kernels } = await sassCost(module.cubin, { filled: packed });
    const costs = new Map(
      kernels.flatMap((kernel) => kernel.sites.map((site) => [site.variant, counts(site)])),
    );
    expect(kernels).toHaveLength(3);
    expect(costs).toEqual(
      new Map([
        [0, { fma: 3 }],
        [1, { mufu: 1 }],
      ]),
    );
    const named = kernels[1]!.name;
    const one = await sassCost(module, { kernel: named });
    expect(one.kernels.map(({ name }) => name)).toEqual([named]);
    expect(one.kernels[0]!.sites).toEqual([]);
    expect(one.kernels[0]!.rest.instructions).toBe(one.kernels[0]!.instructions);
  });

  test("without lines, all code is the kernel's", async () => {
    const module = await compiled(filled(STUBS), "sm_90", { lineInfo: false });
    const [kernel] = (await sassCost(module)).kernels;
    expect(kernel!.sites).toEqual([]);
    expect(kernel!.rest.counts).toEqual(kernel!.counts);
  });

  test("a signal stops the disassembler", async () => {
    const { cubin } = await compiled(filled(STUBS), "sm_90");
    await expect(sassCost(cubin, { signal: AbortSignal.abort("enough") })).rejects.toMatchObject({
      code: "TOOL_FAILED",
      cause: "enough",
    });
    await expect(sassCost(cubin, { kernel: "compte" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
