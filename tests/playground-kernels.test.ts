// What the playground finds out about pasted kernels: element types of buffers, and the pages that explain what is wrong.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compile } from "../site/playground/src/model/compile.js";
import { errorAddress, findingAddress } from "../site/playground/src/model/explanations.js";
import { type RunResult, run } from "../site/playground/src/model/run.js";
import { ROOT } from "./support/workspace.js";

const HEAD = ".version 8.0\n.target sm_75\n.address_size 64\n";

/** A kernel with two parameters, whose body is between loads of their addresses and its end. */
const kernelOf = (body: string) => `${HEAD}.visible .entry k(.param .u64 a, .param .u64 b)
{
	.reg .pred %p<4>;
	.reg .b16 %rs<4>;
	.reg .f32 %f<4>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;
	ld.param.u64 %rd1, [a];
	ld.param.u64 %rd2, [b];
	cvta.to.global.u64 %rd3, %rd1;
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd4, %r1, 4;
	add.s64 %rd5, %rd3, %rd4;
${body}
	ret;
}
`;

async function typesOf(body: string) {
  const { entries } = await compile(kernelOf(body), {});
  const known = entries[0]!.parameters.filter(({ elements }) => elements !== undefined);
  return Object.fromEntries(known.map(({ name, elements }) => [name, elements]));
}

describe("element types", () => {
  it.each([
    ["\tld.global.u8 %rs1, [%rd5];", { a: "u8" }],
    ["\tst.global.u16 [%rd5+2], %rs1;", { a: "u16" }],
    ["\tst.global.u64 [%rd2], %rd1;", { b: "u64" }],
    ["\tld.global.v2.f32 {%f1, %f2}, [%rd5];", { a: "f32" }],
    ["\tred.global.add.f64 [%rd5], 0d3FF0000000000000;", { a: "f64" }],
    ["\tatom.global.add.u32 %r2, [%rd5], 1;\n\tld.global.s32 %r3, [%rd2];", { a: "u32", b: "s32" }],
    // What the kernel computes with a value says more than an access of bits.
    ["\tld.global.u32 %r2, [%rd5];\n\tsetp.lt.s32 %p1, %r2, 0;", { a: "s32" }],
    ["\tld.global.b32 %r2, [%rd5];\n\tadd.f32 %f1, %r2, %r2;", { a: "f32" }],
    ["\tcvt.rzi.s32.f32 %r2, %f1;\n\tst.global.u32 [%rd5], %r2;", { a: "s32" }],
    ["\tld.global.u32 %r2, [%rd5];\n\tadd.s32 %r3, %r2, 1;", { a: "u32" }],
    // Nothing is known of addresses that are only passed on, or that are compared.
    ["\tst.shared.u32 [%r1], %r1;\n\tsetp.eq.s64 %p1, %rd5, 0;", {}],
  ])("of %j are those of the accesses", async (body, expected) => {
    expect(await typesOf(body)).toEqual(expected);
  });

  it("of the examples are those of their arguments", async () => {
    const text = readFileSync(join(ROOT, "site/playground/kernels/gelu.ptx"), "utf8");
    const { entries } = await compile(text, {});
    expect(entries[0]!.parameters.map(({ elements }) => elements)).toEqual([
      "f32",
      "f32",
      "f32",
      undefined,
      undefined,
    ]);
  });
});

describe("explanations", () => {
  it("are rows of the reference and of the guide", () => {
    const errors = readFileSync(join(ROOT, "docs/errors.md"), "utf8");
    const guide = readFileSync(join(ROOT, "docs/guide/emulator.md"), "utf8");
    const anchor = (address: string | undefined) => `<a id="${address?.split("#")[1]}"></a>`;
    expect(errors).toContain(anchor(errorAddress("EmulatorError", "OUT_OF_BOUNDS")));
    expect(errors).toContain(anchor(errorAddress("StackPtxError", "SYNTAX")));
    expect(guide).toContain(anchor(findingAddress("SAME_VALUE_WRITES")));
  });

  it("do not exist for what the page itself says, or for other errors", () => {
    expect(errorAddress("EmulatorError", "STOPPED")).toBeUndefined();
    expect(errorAddress("DataError", "DATA")).toBeUndefined();
    expect(errorAddress("TypeError", "")).toBeUndefined();
  });

  it("of a race come with advice in the words of the page", async () => {
    const kernel = `${HEAD}.visible .entry k()
{
	.reg .b32 %r<4>;
	.shared .align 4 .b8 word[8];
	mov.u32 %r1, %tid.x;
	st.shared.u32 [word], %r1;
	ret;
}
`;
    const launch = {
      entry: "k",
      grid: [1, 1, 1],
      block: [32, 1, 1],
      sharedBytes: 0,
      cooperative: false,
    } as const;
    const parts = { kernel, arguments: [], checks: ["races"], counts: false } as const;
    const found = (await run({ ...parts, launch: { ...launch, lockstep: false } })) as RunResult;
    expect(found.findings[0]?.message).toContain("`Warps in step` among the settings of the launch");
    expect(found.findings[0]?.help).toBe("../guide/emulator.html#finding-race");
  });
});
