// Infinite loops: both engines stop them at their limit and name the same loop, whatever its shape.
import { describe, expect, it } from "vitest";
import { Interpreter } from "../../src/interpreter/index.js";
import type { Engine } from "../../src/run/launch.js";
import { Translator } from "../../src/wasm/index.js";
import { kernelText, launch } from "../support/launching.js";

/** `%always` is always true, which the engines do not know. */
const SHAPES = {
  "one branch": "$L: bra $L;",
  "entered in the middle": "bra $M;\n$L: add.u32 %r1, %r1, 1;\n$M: add.u32 %r0, %r0, 1;\n@%always bra $L;",
  "inside another":
    "$O: add.u32 %r0, %r0, 1;\n$L: add.u32 %r1, %r0, 1;\n@%always bra $L;\nadd.u32 %r0, %r0, 1;\nbra $O;",
  "around a barrier": "$L: add.u32 %r1, %r1, 1;\nbar.sync 0;\nadd.u32 %r0, %r0, 1;\nbra $L;",
  "around a shuffle": "$L: add.u32 %r1, %r1, 1;\nshfl.sync.bfly.b32 %r1, %r1, 1, 31, 1;\n@%always bra $L;",
} as const;

const run = async (engine: Engine, body: string) => {
  const head = ".reg .b32 %r0; .reg .b32 %r1; .reg .pred %always; .reg .u32 %t;";
  const predicates = "mov.u32 %t, %ctaid.x; setp.eq.u32 %always, %t, 0;";
  const registers = "mov.u32 %r0, 0; mov.u32 %r1, 0;";
  const { fault } = await launch(engine, {
    ptx: kernelText([head, predicates, registers, body].join("\n")),
    args: [{ buffer: new Uint32Array(1) }],
    limits: { instructions: 100_000 },
  });
  return fault;
};

describe("an infinite loop", () => {
  it.each(Object.entries(SHAPES))("%s has the same name on both engines", async (_, body) => {
    const interpreted = await run(new Interpreter(), body);
    expect(interpreted?.kind).toBe("BUDGET");
    expect(await run(new Translator(), body)).toEqual(interpreted);
  });
});

it("calls without a loop stop at the limit, too", async () => {
  const before = `.func f()
{
	.reg .pred %p; .reg .u32 %t;
	mov.u32 %t, %ctaid.x; setp.ne.u32 %p, %t, 0;
	@%p call f;
	ret;
}`;
  const body =
    ".reg .pred %p; .reg .u32 %t;\nmov.u32 %t, %ctaid.x; setp.eq.u32 %p, %t, 0;\n$L: call f;\n@%p bra $L;";
  for (const engine of [new Interpreter(), new Translator()]) {
    const { fault } = await launch(engine, {
      ptx: kernelText(body, { before }),
      args: [{ buffer: new Uint32Array(1) }],
      limits: { instructions: 100_000 },
    });
    expect(fault?.kind).toBe("BUDGET");
  }
});
