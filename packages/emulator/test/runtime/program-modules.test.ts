// Modules as a program loads them: what it learns about kernels, the stack that they get, and the functions of the device
// runtime that are linked to them.
import { u32 } from "@mm-ptx/types/device";
import { describe, expect, it } from "vitest";
import { EmulatedDevice } from "../../src/index.js";
import { CudaError } from "../../src/runtime/cuda-errors.js";
import { ProgramModules } from "../../src/runtime/program-modules.js";
import { Fields } from "../../src/runtime/wire.js";

const HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n";

/** `depth` calls, each of which has 256 bytes in its frame; the value is the depth. */
const RECURSIVE = `${HEAD}
.func (.param .b32 r) deep(.param .b32 depth)
{
  .local .align 8 .b8 frame[256]; .reg .b32 %r<6>; .reg .pred %p; .reg .b64 %rd;
  ld.param.b32 %r1, [depth]; mov.u32 %r2, 0; mov.u64 %rd, frame; st.local.u32 [%rd+128], %r1;
  setp.eq.u32 %p, %r1, 0; @%p bra DONE;
  sub.u32 %r3, %r1, 1;
  { .param .b32 next; st.param.b32 [next], %r3; .param .b32 found;
    call.uni (found), deep, (next); ld.param.b32 %r2, [found]; }
  ld.local.u32 %r4, [%rd+128]; sub.u32 %r4, %r4, %r3; add.u32 %r2, %r2, %r4;
DONE:
  st.param.b32 [r], %r2; ret;
}
.visible .entry recurse(.param .u64 out, .param .u32 depth)
{
  .reg .b32 %r<3>; .reg .b64 %rd; ld.param.u64 %rd, [out]; ld.param.u32 %r1, [depth];
  { .param .b32 first; st.param.b32 [first], %r1; .param .b32 found;
    call.uni (found), deep, (first); ld.param.b32 %r2, [found]; }
  st.global.u32 [%rd], %r2; ret;
}`;

const CONDITIONAL = `${HEAD}
.extern .func cudaGraphSetConditional
(
  .param .b64 handle,
  .param .b32 value
)
;
.visible .entry decide(.param .u64 handle, .param .u32 value)
{
  .reg .b32 %r; .reg .b64 %rd; ld.param.u64 %rd, [handle]; ld.param.u32 %r, [value];
  { .param .b64 a; st.param.b64 [a], %rd; .param .b32 b; st.param.b32 [b], %r;
    call.uni cudaGraphSetConditional, (a, b); }
  ret;
}`;

const SHAPED = `${HEAD}
.visible .entry shaped() .reqntid 8, 4 .reqnctapercluster 2 { ret; }`;

const fields = (...parts: readonly (number | bigint | string)[]): Fields =>
  new Fields(
    Buffer.concat(
      parts.map((part) => {
        const bytes = Buffer.alloc(8);
        if (typeof part === "string") return Buffer.from(part);
        if (typeof part === "number") return bytes.subarray(0, bytes.writeUInt32LE(part));
        bytes.writeBigUInt64LE(part);
        return bytes;
      }),
    ),
  );

function modulesOf(ptx: string) {
  const device = EmulatedDevice.open();
  const modules = new ProgramModules(device, { major: 9, minor: 0 });
  modules.load(fields(1, 0n, BigInt(ptx.length), ptx), undefined);
  const facts = (name: string) => new Fields(Buffer.from(modules.findKernel(fields(0, name))));
  return { device, modules, facts };
}

describe("modules of programs", () => {
  it("have the stack that the program asks for, also after they have run", async () => {
    const { device, modules, facts } = modulesOf(RECURSIVE);
    const out = device.allocateUint32(1);
    const run = async (depth: number) => {
      facts("recurse");
      device.stream.launch(modules.kernel(0), { grid: 1, block: 1 }, [out, u32(depth)]);
      return [...(await out.read())];
    };
    expect(await run(20)).toEqual([20]);
    modules.resizeStack(400_000);
    expect(await run(1000)).toEqual([1000]);
    expect(await run(20)).toEqual([20]);
    expect(() => modules.resizeStack(2 ** 30)).toThrow(CudaError);
    modules.resizeStack(1024);
    await expect(run(1000)).rejects.toThrow(
      /bytes of local memory are not enough for its calls; .* more with `cudaLimitStackSize`/,
    );
    await device.disposeAsync();
  });

  it("are linked with the functions of the device runtime", async () => {
    const { device, modules, facts } = modulesOf(CONDITIONAL);
    facts("decide");
    const value = device.allocateUint32(1);
    device.stream.launch(modules.kernel(0), { grid: 1, block: 1 }, [value, u32(7)]);
    expect([...(await value.read())]).toEqual([7]);
    await device.disposeAsync();
  });

  it("tell what a launch has to have", async () => {
    const { device, facts } = modulesOf(SHAPED);
    const found = facts("shaped");
    const words = Array.from({ length: 20 }, () => found.u32());
    // Threads of a block, the block and the cluster that the kernel states.
    expect([words[3], words.slice(11, 14), words.slice(14, 17)]).toEqual([32, [8, 4, 1], [2, 1, 1]]);
    await device.disposeAsync();
  });
});
