// Ranges of values that follow from constants, and accesses of shared memory that need no check because of them.
import { describe, expect, it } from "vitest";
import { definitions } from "../../src/control/facts.js";
import { buildGraph } from "../../src/control/graph.js";
import { valueRanges } from "../../src/control/value-ranges.js";
import { checkProgram } from "../../src/index.js";
import { ENGINES, run } from "../support/both-engines.js";
import { kernelText } from "../support/launching.js";

/** The range of `%r9` after instructions, in which the variable `tile` has the offset 64. */
function rangeOf(instructions: string) {
  const text = kernelText(`.shared .align 4 .b8 tile[256]; .reg .b32 %r<12>; .reg .pred %p<2>;
	mov.u32 %r0, %tid.x; ld.global.u32 %r1, [%a0];
	${instructions}
	st.global.u32 [%a0], %r9;`);
  const program = checkProgram(text);
  const [kernel] = program.functions;
  const graph = buildGraph(program, kernel!, new Set());
  const ranges = valueRanges(definitions(graph), ({ kind }) => (kind === "variable" ? 64 : undefined));
  const register = kernel!.registers.findIndex(({ name }) => name === "%r9");
  return ranges(graph.blocks[0]!.context.registerBase + register);
}

describe("ranges", () => {
  it.each([
    ["mov.u32 %r9, 12;", [12, 12, 4]],
    ["and.b32 %r9, %r1, 1020;", [0, 1020, 4]],
    ["and.b32 %r2, %r1, 255; shl.b32 %r9, %r2, 2;", [0, 1020, 4]],
    ["shr.u32 %r2, %r1, 24; mul.lo.u32 %r9, %r2, 8;", [0, 2040, 8]],
    ["bfe.u32 %r2, %r1, 3, 5; mov.u32 %r3, tile; mad.lo.u32 %r9, %r2, 4, %r3;", [64, 188, 4]],
    ["rem.u32 %r9, %r1, 10;", [0, 9, 1]],
    ["min.u32 %r9, %r1, 7;", [0, 7, 1]],
    ["shl.b32 %r2, %r0, 2; add.u32 %r9, %r2, 16;", [16, 4108, 4]],
  ])("%s", (instructions, [least, most, multiple]) => {
    expect(rangeOf(instructions)).toEqual({ least, most, multiple });
  });

  it.each([
    ["an unknown value", "add.u32 %r9, %r1, 4;"],
    ["a sum that may wrap around", "and.b32 %r2, %r1, 255; add.u32 %r9, %r2, -4;"],
    ["a signed shift", "shr.s32 %r9, %r1, 24;"],
    ["two values", "mov.u32 %r9, 1; setp.eq.u32 %p0, %r1, 0; @%p0 mov.u32 %r9, 2;"],
    ["a value under a guard", "setp.eq.u32 %p0, %r1, 0; @%p0 mov.u32 %r9, 2;"],
    ["a value that depends on itself", "mov.u32 %r8, 0; add.u32 %r9, %r9, %r8;"],
  ])("%s has none", (_, instructions) => {
    expect(rangeOf(instructions)).toBeUndefined();
  });
});

describe.each(Object.keys(ENGINES))("accesses of shared memory, %s,", (engine) => {
  const body = (mask: number) => `
	.shared .align 4 .b8 tile[256]; .reg .b32 %x<4>;
	mul.lo.u32 %x0, %r0, 2654435761; and.b32 %x0, %x0, ${mask}; mov.u32 %x1, tile; add.u32 %x1, %x1, %x0;
	atom.shared.add.u32 %x2, [%x1], 1;
	bar.sync 0;
	shl.b32 %x3, %r0, 2; ld.shared.u32 %x3, [%x1]; st.global.u32 [%rd1], %x3;`;

  it("that are always inside need no check", async () => {
    expect((await run(engine, body(252), { threads: 64 })).fault).toBeUndefined();
  });

  it("that may be outside or misaligned are checked", async () => {
    expect((await run(engine, body(508), { threads: 64 })).fault).toMatchObject({ kind: "OUT_OF_BOUNDS" });
    expect((await run(engine, body(254), { threads: 64 })).fault).toMatchObject({ kind: "MISALIGNED" });
  });
});
