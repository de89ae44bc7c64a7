// Memory that kernels allocate: `malloc` and `free`, and what is wrong with their arguments.
import { u32, u64 } from "@mm-ptx/types/device";
import { describe, expect, it } from "vitest";
import { EmulatedDevice } from "../../src/index.js";

const PTX = `.version 8.0
.target sm_75
.address_size 64
.extern .func (.param .b64 r) malloc(.param .b64 bytes);
.extern .func free(.param .b64 address);
.visible .entry allocate(.param .u64 out, .param .u32 bytes)
{
	.reg .pred %p;
	.reg .b32 %r<4>;
	.reg .b64 %rd<6>;
	ld.param.u64 %rd1, [out];
	ld.param.u32 %r1, [bytes];
	mov.u32 %r2, %tid.x;
	mul.wide.u32 %rd2, %r2, 8;
	add.u64 %rd1, %rd1, %rd2;
	cvt.u64.u32 %rd3, %r1;
	bar.sync 0;
	{
		.param .b64 size;
		.param .b64 result;
		st.param.b64 [size], %rd3;
		call.uni (result), malloc, (size);
		ld.param.b64 %rd4, [result];
	}
	bar.sync 0;
	st.global.u64 [%rd1], %rd4;
	setp.eq.u64 %p, %rd4, 0;
	@%p bra $done;
	st.global.u32 [%rd4], %r2;
$done:
	ret;
}
.visible .entry release(.param .u64 address)
{
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [address];
	{
		.param .b64 given;
		st.param.b64 [given], %rd1;
		call.uni free, (given);
	}
	ret;
}
.visible .entry load(.param .u64 address)
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [address];
	ld.u32 %r1, [%rd1];
	ret;
}
`;
/** Allocates blocks of 64, 40 and 64 bytes, stores right after the second one, and frees this one and the third. */
const OVERRUN = `.version 8.0
.target sm_75
.address_size 64
.extern .func (.param .b64 r) malloc(.param .b64 bytes);
.extern .func free(.param .b64 address);
.visible .entry overrun()
{
	.reg .b64 %rd<4>;
${[64, 40, 64]
  .map(
    (bytes, i) =>
      `{ .param .b64 size; .param .b64 result; st.param.b64 [size], ${bytes}; call.uni (result), malloc, (size); ld.param.b64 %rd${i}, [result]; }`,
  )
  .join("\n")}
	st.u8 [%rd1+40], 1;
	{ .param .b64 given; st.param.b64 [given], %rd1; call.uni free, (given); }
	{ .param .b64 given; st.param.b64 [given], %rd2; call.uni free, (given); }
	ret;
}
`;
const ONE = { grid: 1, block: 1 };

describe.each(["interpreter", "webassembly"] as const)("in %s", (engine) => {
  const opened = (heapBytes?: number) => {
    const device = EmulatedDevice.open({ engine, ...(heapBytes === undefined ? {} : { heapBytes }) });
    const module = device.load(PTX);
    const out = device.allocate(8 * 64);
    const addresses = async (count: number) => [
      ...new BigUint64Array((await out.read()).slice().buffer, 0, count),
    ];
    const launch = (name: string, ...args: Parameters<typeof device.stream.run>[2][number][]) =>
      device.stream.run(module.kernel(name), ONE, args);
    return { device, module, out, addresses, launch };
  };

  it("every thread gets memory of its own, which a later launch can free", async () => {
    const { device, module, out, addresses, launch } = opened();
    // The memory has to grow while the threads wait for each other.
    await device.stream.run(module.kernel("allocate"), { grid: 1, block: 64 }, [out, u32(100_000)]);
    const found = await addresses(64);
    expect(new Set(found).size).toBe(64);
    expect(device.heapBlocks.map(({ address }) => address)).toEqual(found);
    expect(device.heapBlocks[3]).toMatchObject({
      label: "heap block 4",
      byteLength: 100_000,
      place: { thread: [3, 0, 0], function: 0 },
    });
    for (const address of found.slice(0, 4)) await launch("release", u64(address));
    expect(device.heapBlocks.length).toBe(60);
    await launch("load", u64(found[4]!));
    await expect(launch("load", u64(found[0]!))).rejects.toMatchObject({
      code: "USE_AFTER_FREE",
      message: expect.stringContaining("byte 0 of heap block 1 (100000 bytes"),
    });
    device.dispose();
  });

  it("what is beside a block is found to be, also if the block is freed later", async () => {
    for (const checks of [{}, { races: true, uninitialized: true }]) {
      const device = EmulatedDevice.open({ engine, check: { memory: true, ...checks } });
      await device.stream.run(device.load(OVERRUN).kernel("overrun"), ONE, []);
      const beside = { label: "heap block 2", byteLength: 40, distance: 40, freed: false };
      expect(device.findings).toMatchObject([{ kind: "OUT_OF_BOUNDS", allocation: beside }]);
      expect(device.findings[0]?.message).toContain("right after heap block 2 (40 bytes at");
      await device.disposeAsync();
    }
  });

  it("a full heap gives 0", async () => {
    const { device, module, out, addresses, launch } = opened(160);
    await device.stream.run(module.kernel("allocate"), { grid: 1, block: 4 }, [out, u32(60)]);
    const [first, second, ...others] = await addresses(4);
    expect(others).toEqual([0n, 0n]);
    await launch("release", u64(0n));
    await launch("release", u64(second!));
    expect(device.heapBlocks.map(({ address }) => address)).toEqual([first]);
    device.dispose();
  });

  it("what was not allocated, or was freed before, cannot be freed", async () => {
    const { device, out, addresses, launch } = opened();
    await launch("allocate", out, u32(8));
    const [address] = await addresses(1);
    await launch("release", u64(address!));
    await expect(launch("release", u64(address!))).rejects.toMatchObject({
      code: "TRAP",
      message: expect.stringContaining("found a second `free` of heap block 1 (8 bytes) at 0x7f00"),
    });
    device.recover();
    await expect(launch("release", u64(5n))).rejects.toMatchObject({
      message: expect.stringContaining(
        "found `free` of 0x5, which `malloc` did not return; thread (0, 0, 0)",
      ),
    });
    device.dispose();
  });
});
