// Launches: the time that each takes on the calling thread, and until the device has finished all of them, on
// a GPU if there is one. Otherwise a fake driver is used, and the rows only show the cost for the caller and
// nothing about a GPU. The yardstick is a call into C++ that does almost nothing; the minimum of many rounds
// counts.

import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CudaDevice, f32, u32 } from "@mm-ptx/cuda";

const LAUNCHES = 10_000;
const ROUNDS = 15;
const BUDGET_US = { launch: 6, prepared: 3, many: 3 };
const SHAPE = { grid: 8, block: 128 };
const FAKE_DRIVER = fileURLToPath(new URL("../native/build/libmmptx-fake-driver.so", import.meta.url));

const KERNEL = `.version 7.5
.target sm_75
.address_size 64
.visible .entry scale(.param .u64 out, .param .u64 in, .param .f32 factor, .param .u32 n)
{
	ret;
}
`;

export async function run() {
  if (CudaDevice.count() > 0) return rows(CudaDevice.open(), true);
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-bench-"));
  try {
    const driver = join(folder, "libcuda.so.1");
    copyFileSync(FAKE_DRIVER, driver);
    writeFileSync(join(folder, "control"), "quiet\n");
    return await rows(CudaDevice.open(0, { driver }), false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function rows(device, gpu) {
  const { stream } = device;
  const kernel = device.load(KERNEL).kernel("scale");
  const [out, input] = [device.allocateFloat32(1024), device.allocateFloat32(1024)];
  const prepared = kernel.prepare(SHAPE, [out, input, f32(2), u32(1024)]);
  const all = Array.from({ length: LAUNCHES }, () => prepared);
  const repeat = (call) => () => {
    for (let i = 0; i < LAUNCHES; i++) call(i);
  };
  const takers = {
    launch: repeat((i) => stream.launch(kernel, SHAPE, [out, input, f32(2), u32(i)])),
    prepared: repeat(() => stream.launch(prepared)),
    many: () => stream.launchMany(all),
    nothing: repeat(() => process.hrtime()),
  };
  const least = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, take] of Object.entries(takers)) {
      const start = performance.now();
      take();
      const asked = performance.now() - start;
      await stream.synchronize();
      const done = performance.now() - start;
      const before = least[name] ?? { asked: Infinity, done: Infinity };
      least[name] = { asked: Math.min(before.asked, asked), done: Math.min(before.done, done) };
    }
  }
  device.dispose();
  const each = (milliseconds) => (1000 * milliseconds) / LAUNCHES;
  const yardstick = each(least.nothing.asked);
  const where = gpu ? "on the GPU" : "without a GPU";
  const measures = [["the thread that asks", "asked"], ...(gpu ? [["until it is done", "done"]] : [])];
  return [
    ["launch", "a launch with new arguments"],
    ["prepared", "a prepared launch"],
    ["many", "a launch of launchMany"],
  ].flatMap(([name, words]) =>
    measures.map(([what, field]) => {
      const ours = each(least[name][field]);
      return {
        name: `${words}, ${what}, ${where} (yardstick: process.hrtime(), a call into C++; budget in us)`,
        ours,
        yardstick,
        ratio: ours / yardstick,
        budget: BUDGET_US[name],
        unit: "us",
        pass: ours <= BUDGET_US[name],
        hard: true,
      };
    }),
  );
}
