// Uses the built addon from the Node that runs this script, as a program does: a compile, and a device of the fake
// driver that is named by `MM_PTX_DRIVER`, once in this process and once isolated. Whatever is wrong is thrown, and what
// is wrong in the addon ends the process.

import assert from "node:assert/strict";
import { CudaDevice, PtxCompiler, u32 } from "../../packages/cuda/dist/index.js";

const PTX = `.version 7.5
.target sm_75
.address_size 64
.visible .entry scale(.param .u64 out, .param .u32 n)
{
	ret;
}
`;

/** @param {boolean} isolate */
async function useDevice(isolate) {
  const device = CudaDevice.open(0, { isolate });
  const host = device.allocateHost(64);
  assert.equal(host.pinned, !isolate);
  new Uint8Array(host.buffer).fill(7);
  const buffer = device.allocate(64);
  await buffer.copyFrom(new Uint8Array(host.buffer));
  await buffer.copyTo(new Uint8Array(host.buffer, 0, 32));
  const kernel = device.load(PTX, { jit: true }).kernel("scale");
  device.stream.launch(kernel, { grid: 1, block: 32 }, [buffer, u32(16)]);
  await device.synchronize();
  if (!isolate)
    assert.throws(() => /** @type {any} */ (host.buffer).transfer(), { code: "INVALID_ARGUMENT" });
  // One is disposed here, and the other with its device.
  const other = device.allocateHost(32);
  host.dispose();
  await device[Symbol.asyncDispose]();
  assert.deepEqual([host.buffer.byteLength, other.buffer.byteLength], [0, 0]);
}

async function compile() {
  const compiler = new PtxCompiler({ arch: "sm_75" });
  const { cubin } = await compiler.compile(PTX);
  assert.equal(String.fromCharCode(...cubin.subarray(1, 4)), "ELF");
  compiler.dispose();
}

await useDevice(false);
await useDevice(true);
if (process.argv.includes("--compile")) await compile();
CudaDevice.open(0).allocateHost(16);
