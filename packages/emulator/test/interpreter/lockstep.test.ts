// Warps whose threads run in step: code that is only right because of that, and code whose threads wait for each other.
import { describe, expect, it } from "vitest";
import { immediatePostdominators } from "../../src/control/postdominators.js";
import { checkProgram, EmulatedDevice, type EmulatedDeviceOptions } from "../../src/index.js";
import { kernelText } from "../support/launching.js";

const HEAD = `
	.reg .pred %p<4>; .reg .b32 %r<12>; .reg .b64 %rd<4>;
	mov.u32 %r0, %tid.x;
	mul.wide.u32 %rd0, %r0, 4;
	add.u64 %rd1, %a0, %rd0;`;

async function run(
  body: string,
  options: EmulatedDeviceOptions,
  threads = 32,
  before = "",
): Promise<number[]> {
  using device = EmulatedDevice.open({ limits: { timeoutMs: 10_000 }, ...options });
  const words = device.allocateUint32(2 * threads);
  const kernel = device.load(kernelText(HEAD + body, { before })).kernel("kernel");
  await device.stream.run(kernel, { grid: 1, block: threads }, [words]);
  return [...(await words.read())];
}

/** A sum of the threads' numbers in shared memory without barriers, as in reductions that are older than Volta. */
const REDUCTION = `
	.shared .u32 sums[64];
	mov.u64 %rd2, sums;
	cvt.u32.u64 %r1, %rd2;
	shl.b32 %r2, %r0, 2;
	add.u32 %r1, %r1, %r2;
	st.volatile.shared.u32 [%r1], %r0;
	st.volatile.shared.u32 [%r1+128], 0;
${[16, 8, 4, 2, 1]
  .map(
    (distance) => `
	ld.volatile.shared.u32 %r3, [%r1+${4 * distance}];
	ld.volatile.shared.u32 %r4, [%r1];
	add.u32 %r4, %r4, %r3;
	st.volatile.shared.u32 [%r1], %r4;`,
  )
  .join("")}
	ld.volatile.shared.u32 %r4, [sums];
	st.global.u32 [%rd1], %r4;`;

it("a reduction without barriers is right", async () => {
  expect(await run(REDUCTION, { lockstep: true })).toEqual([...Array(32).fill(496), ...Array(32).fill(0)]);
  expect((await run(REDUCTION, {}))[0]).not.toBe(496);
});

it("the threads of a warp do not race, and a race without it says so", async () => {
  const findingsOf = async (lockstep: boolean) => {
    using device = EmulatedDevice.open({ lockstep, check: { races: true } });
    const kernel = device.load(kernelText(HEAD + REDUCTION)).kernel("kernel");
    await device.stream.run(kernel, { grid: 1, block: 32 }, [device.allocateUint32(64)]);
    return device.findings.map(({ message }) => message);
  };
  expect(await findingsOf(true)).toEqual([]);
  expect((await findingsOf(false))[0]).toContain(
    "; both are in one warp, and code that relies on its threads running in step needs `lockstep: true`",
  );
});

it("threads that have diverged in loops and functions run in step afterwards", async () => {
  const body = `
	.shared .u32 words[32];
	mov.u32 %r1, 0;
	mov.u32 %r2, 0;
	and.b32 %r3, %r0, 7;
$LOOP:
	setp.ge.u32 %p1, %r1, %r3;
	@%p1 bra $AFTER;
	add.u32 %r2, %r2, %r1;
	add.u32 %r1, %r1, 1;
	bra $LOOP;
$AFTER:
	call (%r2), odd, (%r2);
	mov.u64 %rd2, words;
	cvt.u32.u64 %r4, %rd2;
	shl.b32 %r5, %r0, 2;
	add.u32 %r5, %r4, %r5;
	st.shared.u32 [%r5], %r2;
	xor.b32 %r6, %r0, 1;
	shl.b32 %r6, %r6, 2;
	add.u32 %r6, %r4, %r6;
	ld.shared.u32 %r7, [%r6];
	st.global.u32 [%rd1], %r7;`;
  const before = `.func (.reg .u32 result) odd(.reg .u32 x)
{
	.reg .pred %p;
	.reg .b32 %r<2>;
	and.b32 %r1, %x, 1;
	setp.eq.u32 %p, %r1, 1;
	mov.u32 %result, 7;
	@%p ret;
	add.u32 %result, %x, 100;
	ret;
}`
    .replaceAll("%x", "x")
    .replaceAll("%result", "result");
  const sum = (count: number) => (count * (count - 1)) / 2;
  const odd = (x: number) => (x % 2 === 1 ? 7 : x + 100);
  expect((await run(body, { lockstep: true }, 32, before)).slice(0, 32)).toEqual(
    Array.from({ length: 32 }, (_, thread) => odd(sum((thread ^ 1) & 7))),
  );
});

describe("threads that wait for others go on:", () => {
  const LOCK = `
	add.u64 %rd2, %a0, 128;
$TRY:
	atom.global.cas.b32 %r1, [%a0], 0, 1;
	setp.ne.u32 %p1, %r1, 0;
	@%p1 bra $TRY;
	ld.volatile.global.u32 %r2, [%rd2];
	add.u32 %r2, %r2, 1;
	st.volatile.global.u32 [%rd2], %r2;
	atom.global.exch.b32 %r3, [%a0], 0;`;

  it("a lock whose owner waits for those that spin", async () => {
    const words = await run(LOCK, { lockstep: true });
    expect(words[32]).toBe(32);
  });

  it("barriers and shuffles in branches", async () => {
    const body = `
	setp.lt.u32 %p1, %r0, 16;
	@%p1 bra $LOW;
	shfl.sync.bfly.b32 %r2, %r0, 1, 31, 0xffff0000;
	bar.sync 0;
	bra $JOIN;
$LOW:
	shfl.sync.bfly.b32 %r2, %r0, 2, 31, 0xffff;
	bar.sync 0;
$JOIN:
	activemask.b32 %r3;
	add.u32 %r2, %r2, %r3;
	st.global.u32 [%rd1], %r2;`;
    const words = (await run(body, { lockstep: true })).slice(0, 32);
    expect(words).toEqual(
      Array.from({ length: 32 }, (_, thread) => ((thread < 16 ? thread ^ 2 : thread ^ 1) - 1) >>> 0),
    );
  });

  it("an invalid number of instructions is still an error", async () => {
    await expect(
      run("$L:\n\tbra $L;", { lockstep: true, limits: { instructions: 1000 } }),
    ).rejects.toMatchObject({ code: "BUDGET" });
  });
});

it("runs in the interpreter", async () => {
  using device = EmulatedDevice.open({ engine: "webassembly" });
  const kernel = device.load(kernelText(HEAD)).kernel("kernel");
  const launch = device.stream.run(kernel, { grid: 1, block: 1, lockstep: true }, [device.allocate(4)]);
  await expect(launch).rejects.toThrow("found one whose warps run in step");
});

it("finds where control comes together", () => {
  const lines = [
    "setp.eq.u32 %p1, %r0, 0;", // 2, after two instructions of `kernelText` and HEAD
    "@%p1 bra $A;",
    "@%p1 exit;",
    "bra $B;",
    "$A:",
    "mov.u32 %r1, 1;",
    "$B:",
    "mov.u32 %r1, 2;",
    "$E:",
    "@%p1 bra $E;",
  ];
  const program = checkProgram(kernelText(HEAD + lines.join("\n")));
  const [kernel] = program.functions;
  const first = kernel!.instructions.findIndex(({ operation }) => operation.name === "setp");
  const exit = kernel!.instructions.length + 1;
  const found = [...immediatePostdominators(kernel!)]
    .slice(first)
    .map((at) => (at === exit ? -1 : at - first));
  // One path out of the branch ends the thread, so its paths only come together at the end.
  expect(found).toEqual([1, -1, -1, 5, 5, 6, 7, -1, -1]);
});
