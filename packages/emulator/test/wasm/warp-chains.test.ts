// Shuffles that follow one another with arithmetic in between, which one function carries out, against the interpreter:
// of integers and of floats with all kinds of bits, in blocks of whole warps and of others.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { checkProgram } from "../../src/index.js";
import { Interpreter } from "../../src/interpreter/index.js";
import { loadProgram } from "../../src/run/load.js";
import { PagedMemory } from "../../src/run/paged-memory.js";
import { capabilities } from "../../src/wasm/capabilities.js";
import { Translator } from "../../src/wasm/index.js";
import { translate } from "../../src/wasm/kernel.js";
import { kernelText, launch } from "../support/launching.js";

const REGISTERS = 4;

/** Instructions between shuffles, with registers of integers `%i`, of floats `%f` and predicates `%q`. */
const ARITHMETIC = [
  "add.u32 %i0, %i1, %i2;",
  "xor.b32 %i1, %i0, 0x55;",
  "mad.lo.s32 %i2, %i0, %i1, %i3;",
  "max.s32 %i0, %i0, %i3;",
  "shl.b32 %i3, %i1, 3;",
  "add.f32 %f0, %f0, %f1;",
  "add.ftz.f32 %f1, %f0, %f3;",
  "mul.f32 %f2, %f0, 0f40490FDB;",
  "fma.rn.f32 %f3, %f0, %f1, %f2;",
  "max.f32 %f0, %f1, %f2;",
  "mov.b32 %i0, %f0;",
  "mov.b32 %i3, %f3;",
  "mov.b32 %f1, %i0;",
  "setp.lt.f32 %q0, %f0, %f1;",
  "setp.gt.u32 %q1, %i0, %i1;",
  "selp.b32 %i2, %i0, %i1, %q1;",
  "selp.f32 %f2, %f0, %f1, %q0;",
  "mov.u32 %i1, 77;",
];

const shuffle = fc.record({
  mode: fc.constantFrom("up", "down", "bfly", "idx"),
  b: fc.nat(31),
  c: fc.constantFrom(31, 0, 0x1c1f, 0x101f),
  isFloat: fc.boolean(),
  to: fc.nat(REGISTERS - 1),
  from: fc.nat(REGISTERS - 1),
  predicate: fc.constantFrom("", "|%q0", "|%q1"),
  after: fc.array(fc.constantFrom(...ARITHMETIC), { maxLength: 5 }),
});

const numbers = Array.from({ length: REGISTERS }, (_, i) => i);

const bodyOf = (shuffles: readonly (typeof shuffle extends fc.Arbitrary<infer T> ? T : never)[]): string => `
	.reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .b32 %i<${REGISTERS}>; .reg .f32 %f<${REGISTERS}>; .reg .pred %q<2>;
	mov.u32 %r0, %tid.x; mul.wide.u32 %rd0, %r0, ${4 * REGISTERS}; add.u64 %rd1, %a0, %rd0; add.u64 %rd2, %a1, %rd0;
	${numbers.map((i) => `ld.global.u32 %i${i}, [%rd1+${4 * i}]; mov.b32 %f${i}, %i${i};`).join("\n\t")}
	setp.eq.u32 %q0, %i0, %i0; setp.ne.u32 %q1, %r0, 5;
	${shuffles
    .map(({ mode, b, c, isFloat, to, from, predicate, after }) => {
      const kind = isFloat ? "%f" : "%i";
      const text = `shfl.sync.${mode}.b32 ${kind}${to}${predicate}, ${kind}${from}, ${b}, ${c}, -1;`;
      return [text, ...after].join("\n\t");
    })
    .join("\n\t")}
	${numbers.map((i) => `mov.b32 %r1, %f${i}; xor.b32 %r1, %r1, %i${i}; st.global.u32 [%rd2+${4 * i}], %r1;`).join("\n\t")}
	selp.u32 %r1, 1, 0, %q0; @%q1 add.u32 %r1, %r1, 2; ld.global.u32 %r2, [%rd2]; add.u32 %r2, %r2, %r1; st.global.u32 [%rd2], %r2;`;

/** Bits of all kinds of floats, subnormals and NaNs with payloads among them. */
const bits = fc.oneof(
  fc.constantFrom(0x7f800001, 0xffc12345, 0x7fffffff, 1, 0x807fffff, 0x7f800000, 0, 0x80000000, 0x3f800000),
  fc.nat(0xffffffff),
);

describe("chains of shuffles", () => {
  it("agree with the interpreter", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(shuffle, { minLength: 2, maxLength: 6 }),
        fc.constantFrom(32, 64, 96, 256, 40),
        fc.array(bits, { minLength: 16, maxLength: 16 }),
        async (shuffles, count, some) => {
          const given = Uint32Array.from(
            { length: count * REGISTERS },
            (_, i) => some[(i * 7) % 16]! + (i % 3),
          );
          const ptx = kernelText(bodyOf(shuffles), { params: 2 });
          const [interpreted, translated] = await Promise.all(
            [new Interpreter(), new Translator()].map(async (engine) => {
              const args = [{ buffer: given }, { buffer: new Uint32Array(count * REGISTERS) }];
              const { fault, buffers } = await launch(engine, { ptx, block: [count, 1, 1], args });
              expect(fault).toBeUndefined();
              return [...new Uint32Array(buffers[1]!.slice().buffer)];
            }),
          );
          expect(translated).toEqual(interpreted);
        },
      ),
      { numRuns: smoke(400) },
    );
  });

  it("are one function, which ends where lanes or steps are not known", async () => {
    const sum = [16, 8, 4, 2, 1]
      .map((b) => `shfl.sync.bfly.b32 %r1, %r2, ${b}, 31, -1; add.u32 %r2, %r2, %r1;`)
      .join("\n\t");
    const countOf = async (body: string): Promise<number> => {
      const memory = new PagedMemory(2 ** 20);
      const text = kernelText(
        `.reg .b32 %r<4>; mov.u32 %r2, %tid.x;\n\t${body}\n\tst.global.u32 [%a0], %r2;`,
      );
      const loaded = loadProgram(checkProgram(text), memory);
      const { chains } = await translate(loaded, loaded.program.functions[0]!, capabilities());
      return chains.filter((chain) => chain !== undefined).length;
    };
    expect(await countOf(sum)).toBe(1);
    expect(await countOf(`${sum}\n\tshfl.sync.idx.b32 %r1, %r2, %r2, 31, -1;\n\t${sum}`)).toBe(2);
    expect(await countOf("shfl.sync.idx.b32 %r2, %r2, 3, 31, -1;")).toBe(0);
  });
});
