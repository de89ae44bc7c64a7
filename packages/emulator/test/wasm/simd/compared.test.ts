// Loops that compare an index before each iteration: groups of threads whose indices wrap around in 32 bits behave like
// single threads.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rare, SOAK } from "../../../../../tests/support/counts.js";
import { Interpreter } from "../../../src/interpreter/index.js";
import type { Engine } from "../../../src/run/launch.js";
import { Translator } from "../../../src/wasm/index.js";
import { kernelText, type LoadedText, loadText } from "../../support/launching.js";

/** Comparisons with the value of the predicate for which the loop goes on. */
const COMPARISONS = [
  ...["lt.s32 %p1, %r7, %r2", "gt.s32 %p1, %r2, %r7", "le.s32 %p1, %r7, %r2", "ne.s32 %p1, %r7, %r2"],
  ...["lo.u32 %p1, %r7, %r2", "hi.u32 %p1, %r2, %r7", "ls.u32 %p1, %r7, %r2"],
  ...["ge.s32 !%p1, %r7, %r2", "le.s32 !%p1, %r2, %r7", "hs.u32 !%p1, %r7, %r2", "lt.s32 !%p1, %r2, %r7"],
];
/** What happens to the index between the comparison and the access. */
const CHANGES = ["", "add.s32 %r7, %r7, 3;", "@!%p2 add.s32 %r7, %r7, 3;"];

interface Loop {
  readonly compare: string;
  readonly sign: "s" | "u";
  readonly change: string;
  readonly iterations: number;
  /** Which iterations compare the index. */
  readonly comparing: "first" | "later" | "all";
}

const COMPARING = ["first", "later", "all"] as const;

/** Sums the offsets of accesses, and what is there. `p2` is the first index, and `p3` limits the indices. */
const loopText = ({ compare, sign, change, iterations, comparing }: Loop) => {
  const goesOn = compare.includes("!") ? "@!%p1" : "@%p1";
  const comparison = `setp.${compare.replace("!", "")};`;
  return kernelText(
    `	.reg .b32 %r<12>; .reg .pred %p<4>; .reg .b64 %rd<12>;
	ld.param.u32 %r1, [p2]; ld.param.u32 %r2, [p3]; mov.u32 %r3, %tid.x; add.s32 %r7, %r3, %r1;
	cvt.${sign}64.${sign}32 %rd3, %r1; shl.b64 %rd3, %rd3, 2; mov.u32 %r9, 0; setp.eq.u32 %p2, %r1, 0;
	${comparing !== "later" ? `${comparison} ${goesOn} bra $L; bra $E;` : ""}
$L:	${change} mul.wide.${sign}32 %rd1, %r7, 4; sub.u64 %rd2, %rd1, %rd3; add.u64 %rd2, %rd2, %a0;
	ld.global.u32 %r4, [%rd2+16]; cvt.u64.u32 %rd4, %r4; add.u64 %rd4, %rd4, %rd1;
	red.global.add.u64 [%a0], %rd4;
	add.s32 %r7, %r7, 8; add.s32 %r9, %r9, 1; ${comparison} setp.gt.u32 %p3, %r9, ${iterations - 1}; @%p3 bra $E;
	${comparing === "first" ? "" : goesOn} bra $L;
$E:`,
    { params: 1 },
  ).replace(/(\.param \.u64 p0)/, "$1, .param .u32 p2, .param .u32 p3");
};

const NEAR_WRAPPING = fc.oneof(
  fc.integer({ min: 2 ** 31 - 40, max: 2 ** 31 + 2 }),
  fc.integer({ min: -40, max: 20 }),
);
const ENDS = fc.constantFrom(2 ** 31 - 1, -(2 ** 31), -1, 0);

const CASE = fc.record({
  loop: fc.record({
    compare: fc.constantFrom(...COMPARISONS),
    sign: fc.constantFrom("s" as const, "u" as const),
    change: fc.oneof({ weight: 2, arbitrary: fc.constant("") }, fc.constantFrom(...CHANGES)),
    iterations: fc.constantFrom(1, 2, 5),
    comparing: fc.constantFrom(...COMPARING),
  }),
  threads: fc.constantFrom(4, 8, 13, 16),
  first: NEAR_WRAPPING,
  limit: fc.oneof(ENDS, ENDS, NEAR_WRAPPING),
});

/** Groups whose neighbours are on both sides of the largest number, in the first iteration or in the second. */
const ALL_CROSSING = ["lt.s32 %p1, %r7, %r2", "le.s32 %p1, %r7, %r2", "lo.u32 %p1, %r7, %r2"].flatMap(
  (compare) =>
    [6, 3, 11].flatMap((before) =>
      (["s", "u"] as const).flatMap((sign) =>
        CHANGES.flatMap((change) =>
          COMPARING.flatMap((comparing) =>
            [2 ** 31, 0].map((end) => {
              const loop = { compare, sign, change, comparing, iterations: before > 8 ? 2 : 1 };
              const limit = compare.includes("s32") ? 2 ** 31 - 1 : -1;
              return { loop, threads: 4, first: end - before, limit };
            }),
          ),
        ),
      ),
    ),
);

/** A fifth of them outside of a soak, in which any two of the properties still meet in each combination. */
const CROSSING = ALL_CROSSING.filter((_, index) => SOAK || index % 5 === 0);

describe("loops that compare an index", () => {
  it("leave the same bytes, or the same sort of fault, as in the interpreter", { timeout: 120_000 }, () => {
    const texts = new Map<string, LoadedText>();
    return fc.assert(
      fc.asyncProperty(CASE, async ({ loop, threads, first, limit }) => {
        const text = loopText(loop);
        const loaded = texts.get(text) ?? loadText(text);
        texts.set(text, loaded);
        const outcome = async (engine: Engine) => {
          const words = [first, limit].map((value) => ({ value: new Int32Array([value]) }));
          const buffer = {
            buffer: Uint8Array.from({ length: 320 }, (_, i) => (i < 16 ? 0 : (i * 7) & 0x3f)),
          };
          const { fault, buffers } = await loaded.launch(engine, {
            block: [threads, 1, 1],
            args: [buffer, ...words],
          });
          // Which of several threads faults first depends on the order in which they run.
          return fault === undefined ? buffers[0] : fault.kind;
        };
        expect(await outcome(new Translator())).toEqual(await outcome(new Interpreter()));
      }),
      { numRuns: rare(5000) + CROSSING.length, examples: CROSSING.map((each) => [each]) },
    );
  });
});
