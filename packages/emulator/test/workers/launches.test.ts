// Launches whose blocks are distributed to two workers: the results are the same as on one thread, and faults
// are detected and reported in the same way.
import { u32 } from "@mm-ptx/types/device";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EmulatedDevice, type EmulatorError } from "../../src/index.js";
import { FIRST_LINE, failureOf, kernelText, type Run, runKernel } from "../support/one-kernel.js";
import { twoWorkers } from "../support/workers.js";

/** `%r3` is the index of the block. */
const SET_UP = "mov.u32 %r3, %ctaid.x;";

/** For launches that need no options of the device: starting workers takes longer than most of them. */
let shared: EmulatedDevice;
beforeAll(() => {
  shared = EmulatedDevice.open(twoWorkers().options);
});
afterAll(() => shared.dispose());

const run = ({ options, grid = 64, block = 32, ...rest }: Run): Promise<Uint32Array> => {
  const where =
    options === undefined ? { device: shared } : { options: { ...twoWorkers().options, ...options } };
  return runKernel(SET_UP, { ...rest, ...where, grid, block });
};

/** On a device of its own, because a device keeps the fault of a launch. */
const failure = (given: Run): Promise<EmulatorError> => failureOf(run({ options: {}, ...given }));

const FOREVER = "$L:\n\tadd.u32 %r4, %r4, 1;\n\tbra $L;";
/** Loops n times. */
const COUNTING =
  "\tmov.u32 %r4, 0;\n$L:\n\tadd.u32 %r4, %r4, 1;\n\tsetp.lt.u32 %p1, %r4, %r1;\n\t@%p1 bra $L;";

describe("two workers", () => {
  it("run every block once", async () => {
    const body =
      "\tatom.global.add.u32 %r4, [%rd1], 1;\n\tmul.wide.u32 %rd2, %r3, 4;\n\tadd.s64 %rd3, %rd1, %rd2;\n\tred.global.add.u32 [%rd3+4], %r2;";
    const found = await run({ body, grid: 5000, bytes: 20004 });
    expect(found[0]).toBe(5000 * 32);
    expect(found.slice(1).every((sum) => sum === (31 * 32) / 2)).toBe(true);
  });

  it("keep atomic operations indivisible", async () => {
    const body = `\t.reg .f32 %f<2>;\n\t.reg .f64 %d<2>;\n\tmov.u32 %r7, 0x00010001;\n${COUNTING.replace(
      "add.u32 %r4, %r4, 1;",
      `add.u32 %r4, %r4, 1;
	atom.global.add.u32 %r5, [%rd1], 1;
	atom.global.inc.u32 %r5, [%rd1+4], -1;
	atom.global.add.f32 %f1, [%rd1+8], 0f3f800000;
	atom.global.add.f64 %d1, [%rd1+16], 0d3ff0000000000000;
	atom.global.add.noftz.f16x2 %r5, [%rd1+24], %r7;
	add.u64 %rd4, %rd1, 32;
	atom.add.u64 %rd5, [%rd4], 1;
	and.b32 %r6, %r4, 3;
	atom.global.xor.b32 %r5, [%rd1+40], %r6;`,
    )}`;
    const [grid, block, n] = [64, 32, 400];
    const found = await run({ body, grid, block, n, bytes: 64 });
    const all = grid * block * n;
    const floats = new Float32Array(found.buffer);
    expect([found[0], found[1], floats[2], new Float64Array(found.buffer)[2]]).toEqual([all, all, all, all]);
    expect(new BigUint64Array(found.buffer)[4]).toBe(BigInt(all));
    // Subnormals of f16 stop at 2048 times the least one.
    expect(found[6]).toBe(0x08000800);
    expect(found[10]).toBe(0);
  });

  it("see each other's writes while their blocks run at the same time", async () => {
    // Block 0 waits for block 1, which waits for block 0.
    const body = `
	setp.gt.u32 %p1, %r3, 1;
	@%p1 bra $OUT;
	mul.wide.u32 %rd2, %r3, 4;
	add.s64 %rd3, %rd1, %rd2;
	xor.b32 %r5, %r3, 1;
	mul.wide.u32 %rd4, %r5, 4;
	add.s64 %rd5, %rd1, %rd4;
	st.volatile.global.u32 [%rd3], 7;
$L:
	ld.volatile.global.u32 %r4, [%rd5];
	setp.ne.u32 %p2, %r4, 7;
	@%p2 bra $L;
	membar.gl;
	st.global.u32 [%rd3+8], 1;
$OUT:`;
    expect([...(await run({ body, grid: 2, block: 1, bytes: 16 }))]).toEqual([7, 7, 1, 1]);
  });

  it("report the fault of the first block that has one", async () => {
    // Blocks from 37 on trap; the first of them takes longest.
    const body = `
	setp.lt.u32 %p2, %r3, 37;
	@%p2 bra $OUT;
	setp.gt.u32 %p2, %r3, 37;
	@%p2 trap;
${COUNTING}
	trap;
$OUT:`;
    const error = await failure({ body, grid: 400, n: 1_000_000, block: 1 });
    expect([error.code, error.fault?.place?.block]).toEqual(["TRAP", [37, 0, 0]]);
  });

  it("report places, allocations and deadlocks like a single thread", async () => {
    const bodies = [
      "\tmul.wide.u32 %rd2, %r3, 4;\n\tadd.s64 %rd3, %rd1, %rd2;\n\tst.global.u32 [%rd3], %r2;",
      "\tsetp.eq.u32 %p1, %r3, 50;\n\tmov.u32 %r4, tile;\n\t@%p1 st.shared.u32 [%r4+64], %r2;",
      "\tsetp.lt.u32 %p1, %r2, 2;\n\t@%p1 bar.sync 1, 64;\n\t@!%p1 shfl.sync.idx.b32 %r4, %r2, 0, 31, 0xf;",
    ];
    for (const body of bodies) {
      const given = { body, before: ".shared .align 4 .b8 tile[64];" };
      const { message } = await failure({ ...given, options: { workers: 1 } });
      expect((await failure(given)).message).toBe(message);
    }
  });

  it.each([
    ["BUDGET", { instructions: 100_000 }],
    ["TIMEOUT", { timeoutMs: 50 }],
  ] as const)("end a loop without end by its %s, and name it", async (code, limits) => {
    const error = await failure({ body: FOREVER, options: { limits } });
    expect(error.code).toBe(code);
    expect(error.fault?.loop?.first.line).toBe(FIRST_LINE + 1);
  });

  it("notice the signal inside a block", async () => {
    const controller = new AbortController();
    const limits = { signal: controller.signal, timeoutMs: Number.POSITIVE_INFINITY };
    setTimeout(() => controller.abort(), 50);
    const error = await failure({ body: FOREVER, grid: 1, block: 1, options: { limits } });
    expect(error.code).toBe("ABORTED");
    // On a busy machine the worker may not have started.
    expect([FIRST_LINE + 1, undefined]).toContain(error.fault?.loop?.first.line);
  });

  it("share the budget of instructions over all blocks", async () => {
    // A thread of a block executes the 8 lines around the body.
    const given = { body: "\tadd.u32 %r4, %r2, 1;", grid: 1000, block: 32 };
    const limited = (instructions: number) => run({ ...given, options: { limits: { instructions } } });
    await expect(limited(1000 * 32 * 4)).rejects.toMatchObject({ code: "BUDGET" });
    await limited(1000 * 32 * 8);
  });

  it("report their progress while the event loop runs", async () => {
    using device = EmulatedDevice.open(twoWorkers().options);
    const data = device.allocateUint32(16);
    const told: number[] = [];
    const controller = new AbortController();
    const onProgress = (done: number) => {
      if (told.push(done) === 3) controller.abort();
    };
    const options = { grid: 2 ** 30, block: 32, onProgress, limits: { signal: controller.signal } };
    const launch = device.stream.run(device.load(kernelText(SET_UP, COUNTING)).kernel("k"), options, [
      data,
      u32(1000),
    ]);
    await expect(launch).rejects.toMatchObject({ code: "ABORTED" });
    expect(told).toEqual(told.toSorted((a, b) => a - b));
  });

  it("leave printing kernels to the caller, in the order of blocks", async () => {
    const printed: string[] = [];
    const before = `.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 v);
.global .align 1 .b8 words[4] = {37, 117, 32, 0};`;
    const body = `
	.local .align 8 .b8 area[8];
	.reg .b64 %a<4>;
	mov.u64 %a1, area;
	cvta.local.u64 %a2, %a1;
	st.local.u32 [area], %r3;
	mov.u64 %a3, words;
	cvta.global.u64 %a3, %a3;
	{
	.param .b64 p0;
	st.param.b64 [p0], %a3;
	.param .b64 p1;
	st.param.b64 [p1], %a2;
	.param .b32 back;
	call.uni (back), vprintf, (p0, p1);
	}`;
    const onPrint = (text: string) => printed.push(text);
    await run({ body, before, grid: 300, block: 1, options: { onPrint } });
    expect(printed).toEqual(Array.from({ length: 300 }, (_, block) => `${block} `));
  });
});
