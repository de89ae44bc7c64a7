// Random kernels for properties of control flow: arbitrary graphs of blocks, or nested alternatives and
// loops, with registers that all threads write differently, and with barriers and warp operations in random
// places. Every kernel ends: each block takes one of a thread's steps.
import fc from "fast-check";

/** The 32-bit registers `%r0` to `%r5`, and floats `%f0` to `%f2`, that blocks compute with. */
const INTEGERS = 6;
const FLOATS = 3;
/** Words of a thread's row of results: its registers, and what it stores meanwhile. */
export const ROW_WORDS = 16;
/** Words before the rows, which all threads share. */
export const SHARED_WORDS = 4;

const integer = fc.nat(INTEGERS - 1).map((n) => `%r${n}`);
const float = fc.nat(FLOATS - 1).map((n) => `%f${n}`);
const bit = fc.nat(5);

/** Lines of a block that only compute on registers of one thread. */
const computing = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("add.s32", "sub.s32", "xor.b32", "mul.lo.s32", "min.s32", "shr.u32"),
      integer,
      integer,
      integer,
    )
    .map(([opcode, d, a, b]) => [`${opcode} ${d}, ${a}, ${b};`]),
  fc.tuple(integer, integer, fc.integer()).map(([d, a, value]) => [`mad.lo.s32 ${d}, ${a}, 5, ${value};`]),
  fc
    .tuple(fc.constantFrom("add.rn.f32", "mul.rn.f32", "max.f32"), float, float, float)
    .map(([opcode, d, a, b]) => [`${opcode} ${d}, ${a}, ${b};`]),
  fc.tuple(float, integer).map(([d, a]) => [`cvt.rn.f32.s32 ${d}, ${a};`]),
  // A guarded instruction keeps its register if the guard is false.
  fc
    .tuple(bit, integer, integer, integer, fc.boolean())
    .map(([at, of, d, a, opposite]) => [
      ...condition(of, at),
      `@${opposite ? "!" : ""}%p0 add.s32 ${d}, ${d}, ${a};`,
    ]),
);

/**
 * Lines that others observe: stores, atomic operations in the order of the threads, the thread's word of
 * shared memory.
 */
const storing = fc.oneof(
  fc
    .tuple(fc.integer({ min: INTEGERS + FLOATS, max: ROW_WORDS - 1 }), integer)
    .map(([slot, a]) => [`st.global.u32 [%a2+${4 * slot}], ${a};`]),
  fc
    .tuple(integer, integer, fc.constantFrom("add", "exch", "xor"))
    .map(([d, a, operation]) => [
      `atom.global.${operation}.b32 ${d}, [%a0+4], ${a};`.replace("add.b32", "add.u32"),
    ]),
  integer.map((a) => [`st.shared.u32 [%s0], ${a};`]),
  integer.map((d) => [`ld.shared.u32 ${d}, [%s0];`]),
);

/** Lanes that take part: the thread itself is always one of them. */
const mask = fc.oneof(
  { weight: 6, arbitrary: fc.constant("-1") },
  { weight: 1, arbitrary: fc.constant("%self") },
  { weight: 2, arbitrary: fc.constant("%half") },
);

/** Lines at which threads wait for each other. */
const waiting = fc.oneof(
  fc.constant(["bar.sync 0;"]),
  fc
    .tuple(integer, integer, bit)
    .map(([d, of, at]) => [...condition(of, at), `bar.red.popc.u32 ${d}, 0, %p0;`]),
  fc
    .tuple(integer, integer, fc.nat(31), mask)
    .map(([d, a, lane, lanes]) => [`shfl.sync.bfly.b32 ${d}|%p1, ${a}, ${lane}, 31, ${lanes};`]),
  fc
    .tuple(integer, integer, fc.nat(31), mask)
    .map(([d, a, lane, lanes]) => [`shfl.sync.idx.b32 ${d}, ${a}, ${lane}, 31, ${lanes};`]),
  fc
    .tuple(integer, integer, bit, mask)
    .map(([d, of, at, lanes]) => [...condition(of, at), `vote.sync.ballot.b32 ${d}, %p0, ${lanes};`]),
  fc.tuple(integer, integer, mask).map(([d, a, lanes]) => [`match.any.sync.b32 ${d}, ${a}, ${lanes};`]),
  mask.map((lanes) => [`bar.warp.sync ${lanes};`]),
  integer.map((d) => [`activemask.b32 ${d};`]),
);

/** Functions for {@link calling}: one in which threads wait, one that calls itself up to three times. */
export const FUNCTIONS = `
.func (.param .u32 result) mix(.param .u32 n)
{
	.reg .b32 %r<4>; .reg .pred %p;
	ld.param.u32 %r0, [n];
	and.b32 %r1, %r0, 1;
	setp.eq.u32 %p, %r1, 1;
	@%p bra $ODD;
	activemask.b32 %r2;
	xor.b32 %r0, %r0, %r2;
$ODD:
	mad.lo.u32 %r0, %r0, 3, 1;
	st.param.u32 [result], %r0;
	ret;
}
.func (.param .u32 result) climb(.param .u32 n)
{
	.reg .b32 %r<4>; .reg .pred %p;
	ld.param.u32 %r0, [n];
	and.b32 %r1, %r0, 3;
	setp.eq.u32 %p, %r1, 0;
	@%p bra $TOP;
	{
	.param .u32 given; .param .u32 taken;
	sub.u32 %r2, %r1, 1;
	st.param.u32 [given], %r2;
	call (taken), climb, (given);
	ld.param.u32 %r2, [taken];
	}
	mad.lo.u32 %r0, %r2, 5, %r0;
$TOP:
	st.param.u32 [result], %r0;
	ret;
}`;

/** Calls of them. */
const calling = fc
  .tuple(fc.constantFrom("mix", "climb"), integer, integer)
  .map(([name, d, a]) => [
    "{",
    ".param .u32 given; .param .u32 taken;",
    `st.param.u32 [given], ${a};`,
    `call (taken), ${name}, (given);`,
    `ld.param.u32 ${d}, [taken];`,
    "}",
  ]);

/** Sets `%p0` to a bit of a register. */
function condition(of: string, at: number): string[] {
  return [`shr.u32 %r6, ${of}, ${at};`, "and.b32 %r6, %r6, 1;", "setp.eq.u32 %p0, %r6, 1;"];
}

const linesOf = (waits: number) =>
  fc
    .array(
      fc.oneof(
        { weight: 8, arbitrary: computing },
        { weight: 3, arbitrary: storing },
        { weight: waits, arbitrary: waiting },
        { weight: 1, arbitrary: calling },
      ),
      { maxLength: 5 },
    )
    .map((lines) => lines.flat());

/** The lines of a block with its label, which count down the steps that a thread has left. */
const block = (label: string, lines: readonly string[]): string[] => [
  `${label}:`,
  "sub.s32 %r7, %r7, 1;",
  "setp.lt.s32 %p2, %r7, 0;",
  "@%p2 bra $DONE;",
  ...lines,
];

/** An arbitrary graph: the successors of each block are drawn. */
const graph = fc
  .array(
    fc.record({
      lines: linesOf(2),
      of: integer,
      at: bit,
      end: fc.constantFrom("jump", "branch", "branch", "branch", "next", "switch", "exit", "return"),
      targets: fc.array(fc.nat(15), { minLength: 2, maxLength: 4 }),
    }),
    { minLength: 2, maxLength: 12 },
  )
  .map((blocks) =>
    blocks.flatMap(({ lines, of, at, end, targets }, index) => {
      const labels = targets.map((target) =>
        target % (blocks.length + 1) === blocks.length ? "$DONE" : `$B${target % (blocks.length + 1)}`,
      );
      const ends: Readonly<Record<string, readonly string[]>> = {
        jump: [`bra ${labels[0]};`],
        branch: [...condition(of, at), `@%p0 bra ${labels[0]};`],
        next: [],
        switch: [
          `$T${index}: .branchtargets ${labels.join(", ")};`,
          `rem.u32 %r6, ${of}, ${labels.length};`,
          `brx.idx %r6, $T${index};`,
        ],
        exit: [...condition(of, at), "@%p0 exit;"],
        return: [...condition(of, at), "@!%p0 ret;"],
      };
      return block(`$B${index}`, [...lines, ...ends[end]!]);
    }),
  );

/** Nested alternatives and loops. */
const structured = fc.letrec<{ part: Part }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    linesOf(1).map((lines): Part => ({ kind: "lines", lines })),
    fc.record({
      kind: fc.constantFrom("if" as const, "loop" as const),
      of: integer,
      at: bit,
      parts: fc.array(tie("part"), { minLength: 1, maxLength: 3 }),
      otherwise: fc.array(tie("part"), { maxLength: 2 }),
    }),
  ),
})).part;

type Part =
  | { readonly kind: "lines"; readonly lines: readonly string[] }
  | {
      readonly kind: "if" | "loop";
      readonly of: string;
      readonly at: number;
      readonly parts: readonly Part[];
      readonly otherwise: readonly Part[];
    };

function written(parts: readonly Part[], name: string): string[] {
  return parts.flatMap((part, index) => {
    const label = `${name}_${index}`;
    if (part.kind === "lines") return part.lines;
    const inside = written(part.parts, `${label}a`);
    const otherwise = written(part.otherwise, `${label}b`);
    if (part.kind === "loop") {
      return [...block(label, inside), ...otherwise, ...condition(part.of, part.at), `@%p0 bra ${label};`];
    }
    return [
      ...condition(part.of, part.at),
      `@%p0 bra ${label}e;`,
      ...inside,
      `bra ${label}x;`,
      `${label}e:`,
      ...otherwise,
      `${label}x:`,
    ];
  });
}

/** Random lines for the middle of a kernel, after which every thread writes its registers. */
export const flows = {
  "any graph": graph,
  "nested alternatives and loops": fc
    .array(structured, { minLength: 1, maxLength: 4 })
    .map((parts) => written(parts, "$S")),
} as const;

/** The body of a kernel around such lines, for {@link kernelText}; its rows have {@link ROW_WORDS} words. */
export function flowBody(lines: readonly string[]): string {
  return [
    ".reg .b32 %r<8>; .reg .b32 %s0; .reg .b32 %t<6>; .reg .b32 %self; .reg .b32 %half; .reg .f32 %f<4>; .reg .pred %p<4>;",
    ".shared .align 4 .b8 words[4096];",
    "mov.u32 %t0, %tid.x; mov.u32 %t1, %ctaid.x; mov.u32 %t2, %ntid.x;",
    "mad.lo.u32 %t3, %t1, %t2, %t0;",
    `mad.wide.u32 %a2, %t3, ${4 * ROW_WORDS}, %a0; add.u64 %a2, %a2, ${4 * SHARED_WORDS};`,
    "shl.b32 %s0, %t0, 2; mov.u32 %t4, words; add.u32 %s0, %s0, %t4;",
    "and.b32 %t5, %t0, 31; mov.u32 %self, 1; shl.b32 %self, %self, %t5;",
    "shr.u32 %t5, %t5, 4; setp.eq.u32 %p3, %t5, 0; selp.b32 %half, 0xffff, 0xffff0000, %p3;",
    ...Array.from(
      { length: INTEGERS },
      (_, n) => `mad.lo.u32 %r${n}, %t3, ${[1, 3, 7, 0, 0, 37][n]}, ${n * 11};`,
      // One register is 0 without being written.
    ).filter((_, n) => n !== 3),
    ...Array.from({ length: FLOATS }, (_, n) => `cvt.rn.f32.u32 %f${n}, %r${n};`),
    "mov.u32 %r7, 24;",
    ...lines,
    "$DONE:",
    ...Array.from({ length: INTEGERS }, (_, n) => `st.global.u32 [%a2+${4 * n}], %r${n};`),
    ...Array.from({ length: FLOATS }, (_, n) => `st.global.f32 [%a2+${4 * (INTEGERS + n)}], %f${n};`),
  ]
    .map((line) => `\t${line}`)
    .join("\n");
}
