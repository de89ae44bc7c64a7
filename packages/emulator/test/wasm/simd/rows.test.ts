// Rows of threads that are checked as a whole behave like single threads: bounds within a row, indices that wrap around
// in 32 bits, conditions that change within a row, misaligned addresses, and rows that begin or end within groups.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smoke } from "../../../../../tests/support/counts.js";
import { Interpreter } from "../../../src/interpreter/index.js";
import type { Engine } from "../../../src/run/launch.js";
import { Translator } from "../../../src/wasm/index.js";
import { kernelText, LoadedText } from "../../support/launching.js";

const HEAD = `	.reg .b32 %r<12>; .reg .f32 %f<4>; .reg .pred %p<4>; .reg .b64 %rd<8>;
	.shared .align 4 .b8 own[256];
	mov.u32 %r3, %tid.x; mov.u32 %r4, %tid.y; mov.u32 %r5, %ntid.x; mad.lo.s32 %r6, %r4, %r5, %r3;
`;

/** The numbers in \`p1\` move the accesses, and limit the threads. */
const BODIES = [
  "ld.param.u32 %r1, [p2]; add.u32 %r6, %r6, %r1; mul.wide.u32 %rd1, %r6, 4; add.u64 %rd2, %a0, %rd1; ld.global.f32 %f1, [%rd2]; add.f32 %f1, %f1, 0f3F800000; st.global.f32 [%rd2], %f1;",
  "ld.param.u32 %r1, [p2]; ld.param.u32 %r2, [p3]; setp.ge.s32 %p1, %r6, %r2; @%p1 bra $E; add.s32 %r6, %r6, %r1; mul.wide.s32 %rd1, %r6, 4; add.u64 %rd2, %a0, %rd1; ld.global.f32 %f1, [%rd2+4]; ld.global.f32 %f2, [%rd2+8]; add.f32 %f1, %f1, %f2; st.global.f32 [%rd2], %f1; $E:",
  "ld.param.u32 %r1, [p2]; ld.param.u32 %r2, [p3]; add.u32 %r7, %r3, %r1; setp.gt.u32 %p1, %r7, %r2; setp.lt.s32 %p2, %r4, 1; or.pred %p3, %p1, %p2; @%p3 bra $E; mul.wide.u32 %rd1, %r6, 4; add.u64 %rd2, %a0, %rd1; st.global.b32 [%rd2], %r7; $E:",
  "ld.param.u32 %r1, [p2]; shl.b32 %r7, %r6, 2; mov.u32 %r8, own; add.u32 %r8, %r8, %r7; add.u32 %r8, %r8, %r1; st.shared.b32 [%r8], %r6; bar.sync 0; ld.shared.b32 %r9, [%r8]; mul.wide.u32 %rd1, %r6, 4; add.u64 %rd2, %a0, %rd1; st.global.b32 [%rd2], %r9;",
];
const PTX = BODIES.map((body) => {
  const text = kernelText(HEAD + body, { params: 1 });
  return new LoadedText(text.replace(/(\.param \.u64 p0)/, "$1, .param .u32 p2, .param .u32 p3"));
});

const WRAPPING = fc.oneof(
  fc.integer({ min: 2 ** 31 - 40, max: 2 ** 31 + 2 }),
  fc.integer({ min: -40, max: -1 }),
);

// Accesses miss the buffer by less than a page, because other memory may follow.
const LAUNCH = fc
  .record({
    body: fc.nat({ max: BODIES.length - 1 }),
    block: fc.tuple(fc.constantFrom(1, 4, 7, 8, 12, 15, 16), fc.constantFrom(1, 2, 3)),
    bytes: fc.integer({ min: 200, max: 1200 }),
    beforeEnd: fc.integer({ min: -10, max: 70 }),
    small: fc.option(fc.constantFrom(0, 1, 4, 16)),
    wrapping: fc.option(WRAPPING, { freq: 1 }),
    limit: fc.oneof(fc.integer({ min: -4, max: 60 }), WRAPPING),
  })
  .map(({ bytes, beforeEnd, small, wrapping, ...rest }) => {
    const moved = wrapping ?? small ?? Math.floor(bytes / 4) - beforeEnd;
    return { ...rest, bytes, moved };
  });

describe("rows", () => {
  it("leave the same bytes, or the same fault, as in the interpreter", () =>
    fc.assert(
      fc.asyncProperty(LAUNCH, async ({ body, block: [x, y], bytes, moved, limit }) => {
        const outcome = async (engine: Engine) => {
          const words = [moved, limit].map((value) => ({ value: new Int32Array([value]) }));
          const buffer = { buffer: Uint8Array.from({ length: bytes }, (_, i) => (i * 7) & 0x3f) };
          const { fault, buffers } = await PTX[body]!.launch(engine, {
            block: [x, y, 1],
            args: [buffer, ...words],
          });
          if (fault === undefined) return buffers[0];
          return "thread" in fault ? [fault.kind, fault.thread, fault.instruction] : fault.kind;
        };
        expect(await outcome(new Translator())).toEqual(await outcome(new Interpreter()));
      }),
      { numRuns: smoke(5000) },
    ));
});
