// Cooperative launches: all blocks are in progress at the same time and synchronize as `cooperative_groups` does.
import { describe, expect, it } from "vitest";
import { EmulatedDevice } from "../../src/index.js";
import { twoWorkers } from "../support/workers.js";

/** `out[b] = b`, a barrier of the grid, and `out[b] = out[(b + 1) % blocks] + 100`, after another barrier. */
const barrier = (label: string) => `
	setp.eq.s64 %p1, %rd9, 0;
	@%p1 trap;
	bar.sync 0;
	mov.u32 %r9, %tid.x;
	setp.ne.u32 %p1, %r9, 0;
	@%p1 bra $done${label};
	sub.u32 %r5, 0x80000001, %r3;
	setp.eq.u32 %p2, %r2, 0;
	selp.b32 %r5, %r5, 1, %p2;
	atom.add.release.gpu.u32 %r6, [%rd9+4], %r5;
$spin${label}:
	ld.acquire.gpu.u32 %r7, [%rd9+4];
	xor.b32 %r7, %r7, %r6;
	setp.gt.s32 %p2, %r7, -1;
	@%p2 bra $spin${label};
$done${label}:
	bar.sync 0;`;
const PTX = `.version 8.0
.target sm_75
.address_size 64
.visible .entry rotate(.param .u64 out)
{
	.reg .pred %p<3>;
	.reg .b32 %r<10>;
	.reg .b64 %rd<10>;
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %envreg2;
	cvt.u64.u32 %rd9, %r1;
	mov.u32 %r1, %envreg1;
	cvt.u64.u32 %rd8, %r1;
	bfi.b64 %rd9, %rd8, %rd9, 32, 32;
	mov.u32 %r2, %ctaid.x;
	mov.u32 %r3, %nctaid.x;
	mul.wide.u32 %rd2, %r2, 4;
	add.u64 %rd2, %rd1, %rd2;
	st.global.u32 [%rd2], %r2;${barrier("A")}
	add.u32 %r4, %r2, 1;
	rem.u32 %r4, %r4, %r3;
	mul.wide.u32 %rd3, %r4, 4;
	add.u64 %rd3, %rd1, %rd3;
	ld.global.u32 %r8, [%rd3];${barrier("B")}
	add.u32 %r8, %r8, 100;
	st.global.u32 [%rd2], %r8;
	ret;
}
`;
const BLOCKS = 20;

describe.each([
  ["interpreter", 1],
  ["webassembly", 1],
  ["webassembly", 2],
] as const)("in %s with %i workers", (engine, workers) => {
  it("all blocks wait for each other", async () => {
    const device = EmulatedDevice.open(workers === 1 ? { engine } : twoWorkers().options);
    const out = device.allocateUint32(BLOCKS);
    const kernel = device.load(PTX).kernel("rotate");
    for (let run = 0; run < 2; run++) {
      await device.stream.run(kernel, { grid: BLOCKS, block: 32, cooperative: true }, [out]);
      expect([...(await out.read())]).toEqual(
        Array.from({ length: BLOCKS }, (_, i) => ((i + 1) % BLOCKS) + 100),
      );
    }
    await device.disposeAsync();
  });
});

it("a launch that is not cooperative traps, and the error says why", async () => {
  using device = EmulatedDevice.open();
  const kernel = device.load(PTX).kernel("rotate");
  await expect(
    device.stream.run(kernel, { grid: 1, block: 32 }, [device.allocateUint32(1)]),
  ).rejects.toMatchObject({
    code: "TRAP",
    message: expect.stringContaining(
      "the kernel executed `trap`; the kernel synchronizes the grid, so it has to be launched with `cooperative: true`",
    ),
  });
});

it("has at most 256 blocks", () => {
  using device = EmulatedDevice.open();
  const kernel = device.load(PTX).kernel("rotate");
  const shape = { grid: 257, block: 1, cooperative: true };
  expect(() => device.stream.launch(kernel, shape, [device.allocateUint32(1)])).toThrow(
    expect.objectContaining({
      code: "INVALID_ARGUMENT",
      message: "expected at most 256 blocks in a cooperative launch, found 257",
    }),
  );
});
