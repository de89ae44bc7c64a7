// Threads that spin on what later threads of their block write, on both engines and on two workers: each lets the
// others run. Loops that do not wait for other threads are left as they are.
import { afterAll, describe, expect, it } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import { buildGraph } from "../../src/control/graph.js";
import { withTurns } from "../../src/control/turns.js";
import {
  checkProgram,
  EmulatedDevice,
  type EmulatedDeviceOptions,
  type EmulatorError,
} from "../../src/index.js";
import { kernelText } from "../support/launching.js";
import { twoWorkers } from "../support/workers.js";

const HEAD = `
	.reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .pred %p<8>;
	.shared .align 4 .b8 tile[4096];
	mov.u32 %r0, %tid.x;
	mul.wide.u32 %rd0, %r0, 4;
	add.u64 %rd1, %a0, %rd0;
	shl.b32 %r1, %r0, 2;
	mov.u32 %r2, tile;
	add.u32 %r2, %r2, %r1;
	mov.u32 %r3, %ntid.x;
	sub.u32 %r3, %r3, 1;
	setp.eq.u32 %p0, %r0, %r3;
	setp.eq.u32 %p1, %r0, 0;
`;
/** A loop that ends when the word of the first thread is not 0. The last thread writes that word. */
const waitingFor = (load: string) => `${HEAD}
	@%p0 st.global.u32 [%a0+4], 7;
	@%p0 bra $OUT;
$L:
	${load}
	setp.eq.u32 %p2, %r4, 0;
	@%p2 bra $L;
	@%p1 st.global.u32 [%a0], %r4;
$OUT:`;

const ENGINES = {
  interpreter: () => ({ engine: "interpreter" }) as const,
  webassembly: () => ({ engine: "webassembly" }) as const,
  "two workers": () => twoWorkers().options,
};

type Limits = NonNullable<EmulatedDeviceOptions["limits"]>;

interface Given {
  readonly block?: number;
  readonly limits?: Limits;
}

/** Devices without limits of their own, because starting workers takes longer than most of the launches. */
const devices = new Map<string, EmulatedDevice>();
afterAll(() => {
  for (const device of devices.values()) device.dispose();
});

/** Runs a kernel, and returns what it leaves in its buffer. */
async function launched(
  way: keyof typeof ENGINES,
  body: string,
  { block, grid, limits }: { block: number; grid: number; limits: Limits | undefined },
): Promise<Uint32Array> {
  const open = () => EmulatedDevice.open({ ...ENGINES[way](), ...(limits && { limits }) });
  const isShared = limits === undefined;
  const device = (isShared ? devices.get(way) : undefined) ?? open();
  if (isShared) devices.set(way, device);
  try {
    using out = device.allocateUint32(block * grid);
    using module = device.load(kernelText(body));
    device.stream.launch(module.kernel("kernel"), { grid, block }, [out]);
    return await out.read();
  } finally {
    if (!isShared) device.dispose();
  }
}

describe.each(Object.keys(ENGINES) as (keyof typeof ENGINES)[])("on %s", (way) => {
  const run = (body: string, { block = 64, limits }: Given = {}): Promise<Uint32Array> =>
    launched(way, body, { block, grid: 1, limits });
  const failure = (...given: Parameters<typeof run>): Promise<EmulatorError> =>
    run(...given).then(
      () => expect.fail("expected a launch that fails"),
      (error: EmulatorError) => error,
    );

  it.each([
    ["volatile loads", "ld.volatile.global.u32 %r4, [%a0+4];"],
    ["acquire loads", "ld.acquire.gpu.global.u32 %r4, [%a0+4];"],
    ["plain loads", "ld.global.u32 %r4, [%a0+4];\n\tmembar.cta;"],
    ["generic loads through a recomputed address", "add.u64 %rd2, %a0, 4;\n\tld.u32 %r4, [%rd2];"],
    ["atomic operations", "atom.global.or.b32 %r4, [%a0+4], 0;"],
    ["exchanges", "mov.u32 %r5, 7;\n\tatom.global.cas.b32 %r4, [%a0+4], %r5, 7;"],
  ])("threads wait with %s", async (_, load) => {
    expect([...(await run(waitingFor(load))).slice(0, 2)]).toEqual([7, 7]);
  });

  it("each waits for the next, across warps, and meets the others afterwards", async () => {
    const body = `${HEAD}
	selp.u32 %r4, 1, 0, %p0;
	st.shared.u32 [%r2], %r4;
	bar.sync 0;
	@%p0 bra $READY;
$L:
	ld.volatile.shared.u32 %r4, [%r2+4];
	setp.eq.u32 %p2, %r4, 0;
	@%p2 bra $L;
	add.u32 %r4, %r4, 1;
	st.volatile.shared.u32 [%r2], %r4;
$READY:
	shfl.sync.idx.b32 %r5, %r4, 3, 31, -1;
	bar.sync 0;
	mad.lo.u32 %r5, %r5, 1000, %r4;
	st.global.u32 [%rd1], %r5;`;
    const block = 80;
    const found = await run(body, { block });
    const expected = Array.from({ length: block }, (_, i) => {
      const from = Math.floor(i / 32) * 32 + 3;
      return (block - from) * 1000 + block - i;
    });
    expect([...found]).toEqual(expected);
  });

  it("a flag in a register ends the loop around a lock", async () => {
    // Every thread holds the lock, in a loop that has turns, until the next one finds it taken.
    const body = `${HEAD}
	mov.u32 %r6, 0;
$L:
	atom.global.cas.b32 %r4, [%a0], 0, 1;
	setp.ne.u32 %p2, %r4, 0;
	@%p2 bra $AGAIN;
	ld.volatile.global.u32 %r5, [%a0+4];
	add.u32 %r5, %r5, 1;
	mov.u32 %r7, 0;
$HOLD:
	ld.volatile.global.u32 %r8, [%a0+8];
	add.u32 %r7, %r7, %r8;
	add.u32 %r7, %r7, 1;
	setp.lt.u32 %p3, %r7, 3000;
	@%p3 bra $HOLD;
	st.volatile.global.u32 [%a0+4], %r5;
	mov.u32 %r6, 1;
	membar.gl;
	atom.global.exch.b32 %r4, [%a0], 0;
$AGAIN:
	setp.eq.u32 %p2, %r6, 0;
	@%p2 bra $L;`;
    expect([...(await run(body)).slice(0, 2)]).toEqual([0, 64]);
  });

  it("lanes at activemask do not wait for one that waits for them", async () => {
    const body = `${HEAD}
	@!%p1 bra $OTHERS;
$L:
	ld.volatile.global.u32 %r4, [%a0+4];
	setp.eq.u32 %p2, %r4, 0;
	@%p2 bra $L;
	st.global.u32 [%a0], %r4;
	bra $OUT;
$OTHERS:
	activemask.b32 %r4;
	st.global.u32 [%a0+4], %r4;
$OUT:`;
    expect([...(await run(body, { block: 32 })).slice(0, 2)]).toEqual([0xfffffffe, 0xfffffffe]);
  });

  it("a thread that waits forever is stopped by its limits, in its loop", async () => {
    // The other threads are at the barrier after which they would write.
    const body = `${HEAD}
	@!%p1 bra $OTHERS;
$L:
	ld.volatile.global.u32 %r4, [%a0+4];
	setp.eq.u32 %p2, %r4, 0;
	@%p2 bra $L;
$OTHERS:
	bar.sync 0;
	st.global.u32 [%a0+4], 1;`;
    const error = await failure(body, { limits: { instructions: 2_000_000 } });
    expect(error.code).toBe("BUDGET");
    expect(error.fault?.loop?.first.instruction).toBe("ld.volatile.global.u32 %r4, [%a0+4]");
  });
});

describe.each(Object.keys(ENGINES) as (keyof typeof ENGINES)[])("blocks on %s", (way) => {
  const run = (body: string, grid: number, limits?: Limits): Promise<Uint32Array> =>
    launched(way, body, { block: 64, grid, limits });
  /** Waits until all blocks of the launch have been here `times` times. */
  const meeting = (times: number) => `
	bar.sync 0;
	@!%p1 bra $HERE${times};
	membar.gl;
	atom.global.add.u32 %r6, [%a0], 1;
	mul.lo.u32 %r7, %r5, ${times};
$WAIT${times}:
	ld.volatile.global.u32 %r6, [%a0];
	setp.lt.u32 %p2, %r6, %r7;
	@%p2 bra $WAIT${times};
	membar.gl;
$HERE${times}:
	bar.sync 0;`;

  it("all meet twice and keep the contents of their own memory", async () => {
    // The first word of the buffer is a counter. Block b writes 1000 times what block b + 1 wrote, plus a value that it
    // kept itself.
    const body = `${HEAD}
	.local .align 4 .b8 own[4];
	mov.u32 %r4, %ctaid.x;
	mov.u32 %r5, %nctaid.x;
	mad.lo.u32 %r8, %r4, 64, %r0;
	mul.wide.u32 %rd2, %r8, 4;
	add.u64 %rd2, %a0, %rd2;
	st.shared.u32 [%r2], %r8;
	st.local.u32 [own], %r8;
	@!%p1 st.global.u32 [%rd2], %r4;${meeting(1)}
	add.u32 %r9, %r4, 1;
	rem.u32 %r9, %r9, %r5;
	mad.lo.u32 %r9, %r9, 64, 1;
	mul.wide.u32 %rd3, %r9, 4;
	add.u64 %rd3, %a0, %rd3;
	ld.global.u32 %r9, [%rd3];${meeting(2)}
	ld.shared.u32 %r10, [%r2];
	ld.local.u32 %r11, [own];
	add.u32 %r10, %r10, %r11;
	mad.lo.u32 %r9, %r9, 100000, %r10;
	@!%p1 st.global.u32 [%rd2], %r9;`;
    // Almost as many blocks as two workers can hold, so neither may keep a block that it cannot begin.
    const grid = way === "two workers" ? cases(1000) : cases(250);
    const found = await run(body, grid);
    expect(found[0]).toBe(2 * grid);
    const wrong = found.findIndex((value, i) => {
      const block = Math.floor(i / 64);
      return i % 64 !== 0 && value !== ((block + 1) % grid) * 100000 + 2 * i;
    });
    expect(wrong).toBe(-1);
  });

  it("some wait for the next, among many that do not", async () => {
    // The first five blocks wait in a chain, and the others run past them.
    const body = `${HEAD}
	mov.u32 %r4, %ctaid.x;
	mul.wide.u32 %rd2, %r4, 256;
	add.u64 %rd2, %a0, %rd2;
	setp.gt.u32 %p2, %r4, 4;
	@%p2 bra $GO;
$L:
	ld.acquire.gpu.global.u32 %r6, [%rd2+256];
	setp.eq.u32 %p2, %r6, 0;
	@%p2 bra $L;
$GO:
	st.release.gpu.global.u32 [%rd2], 1;`;
    // More blocks than two workers hold; one thread holds any number, and takes longer for them.
    const grid = way === "two workers" ? 1000 : cases(1000);
    const found = await run(body, grid);
    expect(found.filter((value) => value === 1)).toHaveLength(grid);
  });

  it("end when a block that others wait for fails", async () => {
    const body = `${HEAD}
	mov.u32 %r4, %ctaid.x;
	setp.eq.u32 %p2, %r4, 3;
	@%p2 trap;
$L:
	ld.volatile.global.u32 %r6, [%a0];
	setp.eq.u32 %p2, %r6, 0;
	@%p2 bra $L;`;
    const limits = { timeoutMs: Number.POSITIVE_INFINITY };
    await expect(run(body, 6, limits)).rejects.toMatchObject({
      code: "TRAP",
      fault: expect.objectContaining({ place: expect.objectContaining({ block: [3, 0, 0] }) }),
    });
  });

  it("that wait forever are stopped by their limits", async () => {
    const body = `${HEAD}$L:\n\tld.volatile.global.u32 %r6, [%a0];\n\tsetp.eq.u32 %p2, %r6, 0;\n\t@%p2 bra $L;`;
    for (const grid of [3, 1000]) {
      const limits = { instructions: cases(10_000_000) };
      await expect(run(body, grid, limits)).rejects.toMatchObject({ code: "BUDGET" });
    }
  });
});

describe("the loops that get turns", () => {
  const turns = (body: string) => {
    const program = checkProgram(kernelText(body));
    const graph = buildGraph(program, program.functions[0]!, new Set());
    return withTurns(graph).waits.length - graph.waits.length;
  };
  const loop = (lines: string, last = "setp.lt.u32 %p2, %r5, 100;") =>
    `${HEAD}$L:\n\tadd.u32 %r5, %r5, 1;\n${lines}\n\t${last}\n\t@%p2 bra $L;\n\tst.global.u32 [%a0], %r4;`;
  const NOT_ZERO = "setp.ne.u32 %p2, %r4, 0;";

  it.each([
    ["a loop that waits for a word", loop("\tld.global.u32 %r4, [%a0];", NOT_ZERO), 1],
    ["a loop that takes a lock", loop("\tatom.global.exch.b32 %r4, [%a0], 1;", NOT_ZERO), 1],
    ["a loop that counts", loop("\tld.volatile.global.u32 %r4, [%a0];"), 0],
    ["a loop that adds to a word that is not read", loop("\tatom.global.add.u32 %r4, [%a0], 1;"), 0],
    [
      "a loop that searches for a zero",
      loop("\tadd.u64 %a0, %a0, 4;\n\tld.global.u32 %r4, [%a0];", NOT_ZERO),
      0,
    ],
    ["a loop that reads constants", loop("\tld.global.nc.u32 %r4, [%a0];", NOT_ZERO), 0],
    [
      "a loop that retries with the value that it found",
      `${HEAD}$L:\n\tmov.u32 %r5, %r4;\n\tadd.u32 %r6, %r5, 1;\n\tatom.global.cas.b32 %r4, [%a0], %r5, %r6;\n\tsetp.ne.u32 %p2, %r4, %r5;\n\t@%p2 bra $L;`,
      0,
    ],
    ["a loop with a barrier", loop("\tbar.sync 0;\n\tld.volatile.global.u32 %r4, [%a0];", NOT_ZERO), 0],
  ])("%s", (_, body, expected) => {
    expect(turns(body)).toBe(expected);
  });

  it("a called function that waits is left to the interpreter", async () => {
    const before = `
.func wait(.param .b64 flag, .param .b32 depth)
{
	.reg .b64 %rd<2>; .reg .b32 %r<3>; .reg .pred %p<2>;
	ld.param.b64 %rd0, [flag];
	ld.param.b32 %r0, [depth];
	setp.eq.u32 %p0, %r0, 0;
	@%p0 bra $L;
	sub.u32 %r0, %r0, 1;
	{
	.param .b64 a;
	st.param.b64 [a], %rd0;
	.param .b32 b;
	st.param.b32 [b], %r0;
	call wait, (a, b);
	}
	ret;
$L:
	ld.volatile.global.u32 %r1, [%rd0+4];
	setp.eq.u32 %p0, %r1, 0;
	@%p0 bra $L;
	ret;
}`;
    const body = `${HEAD}
	@%p0 st.global.u32 [%a0+4], 7;
	{
	.param .b64 a;
	st.param.b64 [a], %a0;
	.param .b32 b;
	st.param.b32 [b], 3;
	call wait, (a, b);
	}
	@%p1 st.global.u32 [%a0], 9;`;
    const ptx = kernelText(body, { before });
    using device = EmulatedDevice.open();
    const out = device.allocateUint32(2);
    const launch = { grid: 1, block: 64 };
    const { engine } = await device.stream.run(device.load(ptx).kernel("kernel"), launch, [out]);
    expect([engine, ...(await out.read())]).toEqual(["interpreter", 9, 7]);
    using translating = EmulatedDevice.open({ engine: "webassembly" });
    const args = [translating.allocateUint32(2)];
    await expect(
      translating.stream.run(translating.load(ptx).kernel("kernel"), launch, args),
    ).rejects.toMatchObject({
      code: "UNSUPPORTED",
      message: expect.stringContaining("`wait`, which is called, may wait for what another thread writes"),
    });
  });
});
