// Accesses at any address around buffers of any size: exactly those that leave their buffer, or are
// misaligned, are errors.
import { u32, u64 } from "@mm-ptx/types/device";
import fc from "fast-check";
import { expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { EmulatedDevice, type EmulatorError } from "../../src/index.js";

/** Accesses by name, with their sizes in bytes. */
const ACCESSES: Record<string, readonly [bytes: number, instruction: string]> = {
  load8: [1, "ld.global.u8 %r1, [%rd1]"],
  load16: [2, "ld.u16 %r1, [%rd1]"],
  load32: [4, "ld.global.u32 %r1, [%rd1]"],
  load64: [8, "ld.global.u64 %rd2, [%rd1]"],
  loadPair: [8, "ld.global.v2.u32 {%r1, %r2}, [%rd1]"],
  loadFour: [16, "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1]"],
  store8: [1, "st.u8 [%rd1], %r1"],
  store32: [4, "st.global.u32 [%rd1], %r1"],
  storeFour: [16, "st.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r4}"],
  atomic32: [4, "atom.global.add.u32 %r1, [%rd1], 0"],
  reduction64: [8, "red.global.add.u64 [%rd1], 0"],
};

const MODULE = `.version 8.0
.target sm_75
.address_size 64
${Object.entries(ACCESSES)
  .map(
    ([name, [, instruction]]) => `.visible .entry ${name}(.param .u64 address)
{
	.reg .b32 %r<5>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [address];
	${instruction};
	ret;
}`,
  )
  .join("\n")}
`;

it.each(["interpreter", "webassembly"] as const)(
  "checks accesses around buffers on the engine %s",
  async (engine) => {
    const access = fc.record({
      name: fc.constantFrom(...Object.keys(ACCESSES)),
      buffer: fc.nat(3),
      // Near the beginning or the end.
      from: fc.constantFrom("beginning", "end"),
      by: fc.integer({ min: -20, max: 20 }),
    });
    const size = fc.oneof(fc.nat(600), fc.constantFrom(0, 1, 15, 16, 255, 256, 257, 512));
    // One module for all cases: translating it takes longer than the accesses.
    using device = EmulatedDevice.open({ engine, memoryBytes: 2 ** 20 });
    const module = device.load(MODULE);
    await fc.assert(
      fc.asyncProperty(
        fc.array(size, { minLength: 4, maxLength: 4 }),
        fc.array(access, { minLength: 1, maxLength: 20 }),
        async (sizes, accesses) => {
          const buffers = sizes.map((bytes) => device.allocate(bytes));
          for (const { name, buffer: which, from, by } of accesses) {
            const [bytes] = ACCESSES[name]!;
            const buffer = buffers[which]!;
            const at = by + (from === "end" ? buffer.byteLength : 0);
            const address = buffer.address + BigInt(at);
            const expected =
              Number(address % BigInt(bytes)) !== 0
                ? ["MISALIGNED", "OUT_OF_BOUNDS"]
                : at >= 0 && at + bytes <= buffer.byteLength
                  ? ["well"]
                  : ["OUT_OF_BOUNDS"];
            const ended = await device.stream
              .run(module.kernel(name), { grid: 1, block: 1 }, [u64(address)])
              .then(
                () => "well",
                (error: EmulatorError) => error.code,
              );
            expect(expected, `${name} at ${at} of ${buffer.byteLength} bytes`).toContain(ended);
            device.recover();
          }
          for (const buffer of buffers) buffer.dispose();
        },
      ),
      { numRuns: smoke(500) },
    );
  },
);

const COPY = `.version 8.0
.target sm_80
.address_size 64
.visible .entry copy(.param .u64 from, .param .u32 wanted, .param .u64 to)
{
	.reg .b32 %r<5>;
	.reg .b64 %rd<3>;
	.shared .align 16 .b8 tile[16];
	ld.param.u64 %rd1, [from];
	ld.param.u32 %r0, [wanted];
	ld.param.u64 %rd2, [to];
	cp.async.cg.shared.global [tile], [%rd1], 16, %r0;
	cp.async.wait_all;
	ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [tile];
	st.global.v4.u32 [%rd2], {%r1, %r2, %r3, %r4};
	ret;
}
`;

it.each(["interpreter", "webassembly"] as const)(
  "copies fewer bytes than 16 on the engine %s",
  async (engine) => {
    using device = EmulatedDevice.open({ engine, memoryBytes: 2 ** 20 });
    const kernel = device.load(COPY).kernel("copy");
    const to = device.allocate(16);
    for (const size of [0, 1, 4, 12, 15, 16, 17, 32]) {
      const from = device.allocate(size);
      const bytes = Uint8Array.from({ length: size }, (_, i) => i + 1);
      await from.copyFrom(bytes);
      for (const at of [0, 16]) {
        for (let wanted = 0; wanted <= 17; wanted++) {
          const copied = Math.min(16, wanted);
          const args = [u64(from.address + BigInt(at)), u32(wanted), to];
          const ended = await device.stream.run(kernel, { grid: 1, block: 1 }, args).then(
            () => "well",
            (error: EmulatorError) => error.code,
          );
          const isInside = copied === 0 || at + copied <= size;
          expect(ended, `${wanted} bytes at ${at} of ${size}`).toBe(isInside ? "well" : "OUT_OF_BOUNDS");
          device.recover();
          if (!isInside) continue;
          const expected = new Uint8Array(16);
          expected.set(bytes.subarray(at, at + copied));
          expect(await to.read()).toEqual(expected);
        }
      }
    }
    device.stream.launch(kernel, { grid: 1, block: 1 }, [u64(to.address + 4n), u32(4), to]);
    await expect(device.synchronize()).rejects.toMatchObject({ code: "MISALIGNED" });
  },
);

const WINDOW = `.version 8.0
.target sm_75
.address_size 64
.visible .entry window(.param .u64 address)
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	.shared .align 16 .b8 tile[64];
	ld.param.u64 %rd1, [address];
	ld.shared.u32 %r1, [%rd1+12];
	st.shared.u32 [tile], %r1;
	ret;
}
`;

it.each([
  [0n, "none"],
  [52n, "OUT_OF_BOUNDS"],
  [-4n, "none"],
  [-12n, "none"],
  [-16n, "OUT_OF_BOUNDS"],
  [-13n, "MISALIGNED"],
  [2n ** 32n, "OUT_OF_BOUNDS"],
  [2n ** 63n, "OUT_OF_BOUNDS"],
  [2n ** 60n + 2n, "MISALIGNED"],
])("%i in shared memory is %s on both engines, with the same message", async (address, expected) => {
  const messages = ["interpreter", "webassembly"].map(async (engine) => {
    using device = EmulatedDevice.open({ engine: engine as "interpreter" });
    const kernel = device.load(WINDOW).kernel("window");
    return device.stream.run(kernel, { grid: 1, block: 1 }, [u64(BigInt.asUintN(64, address))]).then(
      () => "none",
      ({ code, message }: EmulatorError) => `${code} ${message}`,
    );
  });
  const [interpreted, translated] = await Promise.all(messages);
  expect(interpreted).toBe(translated);
  expect(interpreted?.split(" ")[0]).toBe(expected);
});
