// Compares WebAssembly's atomic instructions, which translated kernels use when CPU threads share the memory, with the
// interpreter: each operation and type, on edge values, with and without the old value.
import { describe, expect, it } from "vitest";
import { Interpreter } from "../../../src/interpreter/index.js";
import { Translator } from "../../../src/wasm/index.js";
import { kernelText, launch } from "../../support/launching.js";

const THREADS = 64;
const OPERATIONS = [
  ...["and.b32", "or.b32", "xor.b32", "exch.b32", "cas.b32", "and.b64", "or.b64", "xor.b64"],
  ...["exch.b64", "cas.b64", "cas.b16", "add.u32", "add.s32", "add.u64", "add.f32", "add.f64"],
  ...["add.noftz.f16", "add.noftz.f16x2", "add.noftz.bf16", "add.noftz.bf16x2", "inc.u32", "dec.u32"],
  ...["min.u32", "max.u32", "min.s32", "max.s32", "min.u64", "max.u64", "min.s64", "max.s64"],
];
const SPACES = ["global.", ""];

/** Bits of operands: small numbers, values around sign changes, floats of every width, infinities and NaNs. */
const VALUES = [
  ...[0n, 1n, 2n, 0x7fffn, 0x8000n, 0x3c003c00n, 0x3f803f80n, 0x7fffffffn, 0x80000000n, 0xffffffffn],
  ...[0x3f800000n, 0x7f800000n, 0xff800000n, 0x7fc00001n, 0x00000001n, 0x3ff0000000000000n],
  ...[0x7ff0000000000000n, 0xfff0000000000000n, 0x7ff8000000000001n, 0x8000000000000000n, -1n],
];

describe.each(OPERATIONS)("%s", (operation) => {
  it.each(SPACES)("in %smemory", async (space) => {
    const bits = operation.endsWith("64") ? 64 : /16$/.test(operation) ? 16 : 32;
    const cas = operation.startsWith("cas") ? ", %o0" : "";
    const name = (word: string) => `${word}.${space}${operation}`;
    const ptx = kernelText(
      `	.reg .b${bits} %o<4>; .reg .b64 %rd<8>; .reg .b32 %r<4>;
	mov.u32 %r0, %tid.x;
	mul.wide.u32 %rd0, %r0, 8;
	add.u64 %rd1, %a0, %rd0;
	add.u64 %rd2, %a1, %rd0;
	and.b32 %r1, %r0, 3;
	mul.wide.u32 %rd3, %r1, 8;
	add.u64 %rd4, %a2, %rd3;
	ld.global.b${bits} %o0, [%rd1];
	ld.global.b${bits} %o1, [%rd1+8];
	${name("atom")} %o2, [%rd4], ${cas === "" ? "%o0" : "%o1"}${cas};
	st.global.b${bits} [%rd2], %o2;
	${/^(cas|exch)/.test(operation) ? "" : `${name("red")} [%rd4+32], %o1;`}`,
      { params: 3 },
    );
    const operands = BigUint64Array.from({ length: THREADS + 1 }, (_, i) =>
      BigInt.asUintN(64, VALUES[(i * 7) % VALUES.length]!),
    );
    const given = {
      ...{ ptx, block: [THREADS, 1, 1] as const },
      args: [operands, new BigUint64Array(THREADS), operands.slice(0, 8)].map((buffer) => ({ buffer })),
    };
    const expected = await launch(new Interpreter(), given);
    const found = await launch(new Translator(), { ...given, shared: true });
    expect([expected.fault, found.fault]).toEqual([undefined, undefined]);
    expect(found.buffers).toEqual(expected.buffers);
  });
});

describe("strong accesses", () => {
  const FORMS = ["volatile", "relaxed.gpu", "acquire.sys"];
  const TYPES = ["u8", "s8", "u16", "s16", "b32", "f32", "u64", "f64"];
  it.each(FORMS.flatMap((form) => TYPES.map((type) => [form, type] as const)))(
    "%s of %s",
    async (form, type) => {
      const register = /8|16/.test(type) ? "s32" : type;
      const stored = form.replace("acquire", "release");
      const ptx = kernelText(
        `	.reg .${register} %v<2>; .reg .b64 %rd<3>; .reg .b32 %r<2>;
	mov.u32 %r0, %tid.x;
	mul.wide.u32 %rd0, %r0, 8;
	add.u64 %rd1, %a0, %rd0;
	add.u64 %rd2, %a1, %rd0;
	ld.${form}.global.${type} %v0, [%rd1];
	fence.acq_rel.gpu;
	membar.gl;
	st.${stored}.${type} [%rd2], %v0;
	st.global.${register} [%rd2+${8 * THREADS}], %v0;`,
        { params: 2 },
      );
      const operands = BigUint64Array.from({ length: THREADS }, (_, i) =>
        BigInt.asUintN(64, VALUES[i % VALUES.length]!),
      );
      const args = [operands, new BigUint64Array(2 * THREADS)].map((buffer) => ({ buffer }));
      const given = { ptx, block: [THREADS, 1, 1] as const, args };
      const expected = await launch(new Interpreter(), given);
      const found = await launch(new Translator(), { ...given, shared: true });
      expect(found.fault).toBe(undefined);
      expect(found.buffers).toEqual(expected.buffers);
    },
  );
});
