// Which launches a crew of workers gets: those of unknown length, and those that took long; a launch that
// turns out to be long is handed over in the middle.
import { expect, it } from "vitest";
import { checkProgram } from "../../src/index.js";
import type { LaunchLimits, LaunchPlan } from "../../src/run/launch.js";
import { loadProgram } from "../../src/run/load.js";
import { PagedMemory } from "../../src/run/paged-memory.js";
import type { Crew } from "../../src/wasm/crew.js";
import { Translator } from "../../src/wasm/index.js";
import { kernelText } from "../support/launching.js";

const LONG = 1e9;
const LOOP = `
	.reg .b32 %r<2>; .reg .pred %p<2>;
	mov.u32 %r0, 0;
$L:
	add.u32 %r0, %r0, 1;
	setp.lt.u32 %p0, %r0, 100;
	@%p0 bra $L;`;
const SPIN = `
	.reg .b32 %r<2>; .reg .pred %p<2>; .reg .b64 %w;
	mov.u64 %w, word;
$L:
	ld.volatile.global.u32 %r0, [%w];
	setp.eq.u32 %p0, %r0, 0;
	@%p0 bra $L;`;
const NO_LIMITS: LaunchLimits = { instructions: Infinity, deadline: Infinity, signal: undefined };

/** A kernel, and a crew that does nothing and reports the given duration. */
function launching(body: string, before = "") {
  const memory = new PagedMemory(2 ** 20, true);
  const loaded = loadProgram(checkProgram(kernelText(body, { params: 0, before })), memory);
  const given: { block: number; executed: number }[] = [];
  const crew: Crew & { busy: number; prepared: number } = {
    busy: 0,
    prepared: 0,
    prepare: async () => void crew.prepared++,
    run: async (_launch, _translation, begin) => {
      given.push(begin);
      return { fault: undefined, busy: crew.busy };
    },
  };
  const translator = new Translator(undefined, crew);
  /** @returns the blocks with which the crew was to begin */
  const launch = async (blocks: number, limits = NO_LIMITS) => {
    given.length = 0;
    const plan: LaunchPlan = {
      ...{ loaded, kernel: loaded.program.functions[0]!, grid: [blocks, 1, 1], block: [32, 1, 1] },
      ...{ dynamicSharedBytes: 0, params: new Uint8Array(0), hooks: { print: () => {} } },
    };
    expect(await translator.refusal(plan)).toBe(undefined);
    const { fault } = await translator.run({ ...plan, limits });
    return { fault: fault?.kind, begun: given.map(({ block }) => block) };
  };
  return { launch, crew, given };
}

it("a crew gets launches of unknown length, and long ones", async () => {
  const { launch, crew } = launching(LOOP);
  crew.busy = LONG;
  expect((await launch(1)).begun).toEqual([0]);
  expect((await launch(1)).begun).toEqual([0]);
  crew.busy = 0;
  expect((await launch(1)).begun).toEqual([0]);
  expect((await launch(1)).begun).toEqual([]);
  expect(crew.prepared).toBeGreaterThanOrEqual(3);
});

it("a launch that turns out to be long moves to the workers, with its instruction count", async () => {
  const { launch, crew, given } = launching(LOOP);
  await launch(1);
  crew.busy = LONG;
  const { begun } = await launch(2 ** 24);
  expect(begun).toHaveLength(1);
  expect(begun[0]).toBeGreaterThan(0);
  expect(begun[0]).toBeLessThan(2 ** 24);
  // A round of the loop is three instructions.
  expect(given[0]!.executed).toBeGreaterThan(begun[0]! * 32 * 100 * 3);
});

it("a launch that fails on the caller is not handed over", async () => {
  const { launch, crew } = launching(LOOP);
  await launch(1);
  crew.busy = LONG;
  expect(await launch(2 ** 24, { ...NO_LIMITS, instructions: 1000 })).toEqual({ fault: "BUDGET", begun: [] });
});

it("blocks that may wait for each other stay together", async () => {
  const { launch } = launching(SPIN, ".global .u32 word = 1;");
  for (let round = 0; round < 3; round++) expect((await launch(4)).begun).toEqual([0]);
});
