// Operations of warps in WebAssembly against the interpreter: all modes, with operands that are constants, registers of one value and
// registers that differ from lane to lane, by all threads of a block or by some warps of it.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { Interpreter } from "../../src/interpreter/index.js";
import { Translator } from "../../src/wasm/index.js";
import { kernelText, launch } from "../support/launching.js";

/** Where an operand's value comes from: written in the instruction, moved to a register, or the lane's own. */
type Kind = "immediate" | "register" | "lane";
const kind = fc.constantFrom<Kind>("immediate", "register", "lane");

interface Drawn {
  readonly operation: string;
  readonly b: readonly [Kind, number];
  readonly c: readonly [Kind, number];
  readonly mask: Exclude<Kind, "lane">;
  readonly hasSecond: boolean;
  readonly isNegated: boolean;
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  operation: fc.constantFrom(
    ...["up", "down", "bfly", "idx"].map((mode) => `shfl.sync.${mode}.b32`),
    ...["all.pred", "any.pred", "uni.pred", "ballot.b32"].map((mode) => `vote.sync.${mode}`),
    ...["any", "all"].flatMap((mode) => ["b32", "b64"].map((type) => `match.${mode}.sync.${type}`)),
    ...["add", "min", "max"].flatMap((name) => ["u32", "s32"].map((type) => `redux.sync.${name}.${type}`)),
    ...["and", "or", "xor"].map((name) => `redux.sync.${name}.b32`),
    ...["elect.sync", "bar.warp.sync", "activemask.b32"],
  ),
  b: fc.tuple(kind, fc.nat(40)),
  c: fc.tuple(kind, fc.constantFrom(31, 0, 0x1c1f, 0x1800, 0x101f, 0x1e03, 7)),
  mask: fc.constantFrom("immediate", "register"),
  hasSecond: fc.boolean(),
  isNegated: fc.boolean(),
});

/** Tiles of a warp, each with its own lanes as the mask. */
interface Tiles {
  readonly lanes: number;
}

/** Instructions that leave a result in %r20 and %r21. */
function written({ operation, b, c, mask, hasSecond, isNegated }: Drawn, bits: number | Tiles): string {
  const of = ([from, value]: readonly [Kind, number], register: string, own: string): string => {
    if (from === "immediate") return `${value}`;
    return from === "register" ? `${register}` : own;
  };
  const m = mask === "immediate" && typeof bits === "number" ? `${bits}` : "%r10";
  const setMask =
    typeof bits === "number"
      ? `mov.u32 %r10, ${bits};`
      : `and.b32 %r15, %r0, ${32 - bits.lanes}; mov.u32 %r10, ${2 ** bits.lanes - 1}; shl.b32 %r10, %r10, %r15;`;
  const moves = `${setMask} mov.u32 %r11, ${b[1]}; mov.u32 %r12, ${c[1]};
	mad.lo.u32 %r13, %r0, 5, ${b[1]}; and.b32 %r14, %r0, 0x1c; shl.b32 %r14, %r14, 8; or.b32 %r14, %r14, ${c[1]};`;
  const name = operation.split(".")[0]!;
  const second = hasSecond ? "|%p3" : "";
  const predicate = isNegated ? "!%p2" : "%p2";
  const text: Record<string, string> = {
    shfl: `${operation} %r20${second}, %r2, ${of(b, "%r11", "%r13")}, ${of(c, "%r12", "%r14")}, ${m};`,
    vote: operation.endsWith("pred")
      ? `${operation} %p3, ${predicate}, ${m};`
      : `${operation} %r20, ${predicate}, ${m};`,
    match: `${operation} %r20${operation.includes("all") ? second : ""}, ${operation.endsWith("64") ? "%rd5" : "%r3"}, ${m};`,
    redux: `${operation} %r20, %r2, ${m};`,
    elect: `${operation} ${hasSecond ? "%r20" : "_"}|%p3, ${m};`,
    bar: `${operation} ${m};`,
    activemask: `${operation} %r20;`,
  };
  return `${moves}
	${text[name]}
	selp.u32 %r21, 1, 0, %p3;`;
}

const bodyOf = (operations: readonly Drawn[], bits: number | Tiles, firstWarp: number): string => `
	.reg .b32 %r<32>; .reg .b64 %rd<8>; .reg .pred %p<8>;
	mov.u32 %r0, %tid.x; mul.wide.u32 %rd0, %r0, 4; add.u64 %rd1, %a0, %rd0;
	mad.lo.u32 %r2, %r0, 2654435761, 12345; and.b32 %r3, %r2, 3; cvt.u64.u32 %rd5, %r3; shl.b64 %rd5, %rd5, 40;
	and.b32 %r4, %r2, 0x30; setp.ne.u32 %p2, %r4, 0; setp.ne.u32 %p3, %r0, %r0;
	mov.u32 %r30, 7; mov.u32 %r20, 0;
	setp.lt.u32 %p4, %r0, ${32 * firstWarp};
	@%p4 bra $OUT;
	${operations
    .map(
      (operation) => `${written(operation, bits)}
	mad.lo.u32 %r30, %r30, 31, %r20; mad.lo.u32 %r30, %r30, 31, %r21; xor.b32 %r2, %r2, %r20;`,
    )
    .join("\n\t")}
$OUT:
	st.global.u32 [%rd1], %r30;`;

describe("operations of warps", () => {
  it.each([
    ["of all threads", [32, 64, 96, 256], -1, 0],
    ["of some warps", [96, 128], -1, 1],
    ["of a last warp that is not whole", [31, 33, 40], -1, 0],
    ["of some lanes", [32, 64], 0x00ff00ff, 0],
    ["of tiles of 16 lanes", [32, 64], { lanes: 16 }, 0],
    ["of tiles of 8 lanes", [64, 40], { lanes: 8 }, 0],
    ["of tiles of 4 lanes", [32, 96], { lanes: 4 }, 0],
    ["of tiles of 2 lanes", [32], { lanes: 2 }, 0],
  ] as const)("%s agree with the interpreter", async (_name, threads, mask, firstWarp) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(drawn, { minLength: 1, maxLength: 4 }),
        fc.constantFrom<number>(...threads),
        async (operations, count) => {
          const ptx = kernelText(bodyOf(operations, mask, firstWarp));
          const [interpreted, translated] = await Promise.all(
            [new Interpreter(), new Translator()].map(async (engine) => {
              const args = [{ buffer: new Uint32Array(count) }];
              const { fault, buffers } = await launch(engine, {
                ptx,
                block: [count, 1, 1],
                grid: [2, 1, 1],
                args,
              });
              return {
                fault: fault?.kind,
                words: fault === undefined ? [...new Uint32Array(buffers[0]!.slice().buffer)] : [],
              };
            }),
          );
          expect(translated).toEqual(interpreted);
        },
      ),
      { numRuns: smoke(400) },
    );
  });
});
