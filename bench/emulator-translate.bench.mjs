// From the text of a kernel to its first result: reading, checking, translating to WebAssembly, running a
// block of 32 threads. The goals are 2 ms for 200 lines and 60 ms for 5,000 lines. The yardstick is the time
// that the PTX reader takes to resolve the names of the same text; the goals are about 15 to 20 times that.
// Both are measured in a warm process and in fresh ones, which have no optimized code yet and must load the
// translator.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { EmulatedDevice } from "@mm-ptx/emulator";
import { readModule } from "@mm-ptx/ptx";
import { u32 } from "@mm-ptx/types/device";
import { largeKernel } from "./lib/large-kernel.mjs";

const SIZES = {
  "200 lines": { lines: 200, blocks: 16, rounds: 200, budget: 20, fresh: 25 },
  "5,000 lines, 500 blocks": { lines: 5000, blocks: 500, rounds: 40, budget: 30, fresh: 12 },
};
const THREADS = 32;
const PROCESSES = 9;
const FRESH = fileURLToPath(new URL("lib/emulated/fresh.mjs", import.meta.url));

const inFreshProcess = (which, { lines, blocks }) =>
  Number(execFileSync(process.execPath, [FRESH, which, lines, blocks], { encoding: "utf8" }));

export async function run() {
  const rows = [];
  for (const [name, { rounds, budget, fresh, ...size }] of Object.entries(SIZES)) {
    rows.push(rowOf(`emulator, text to first result in a fresh process, ${name}`, fresh, leastOf(size)));
    const text = largeKernel(size);
    const device = EmulatedDevice.open({ engine: "webassembly" });
    const out = device.allocate(THREADS * 8 * 32);
    const once = async () => {
      const module = device.load(text);
      device.stream.launch(module.kernel("large"), { grid: 1, block: THREADS }, [out, u32(7)]);
      await device.synchronize();
      module.dispose();
    };
    // The minimum of many, because machines are busy and the engine warms up.
    let [ours, yardstick] = [Infinity, Infinity];
    for (let round = 0; round < rounds; round++) {
      const start = performance.now();
      await once();
      const between = performance.now();
      readModule(text).names.uses;
      ours = Math.min(ours, between - start);
      yardstick = Math.min(yardstick, performance.now() - between);
    }
    out.dispose();
    device.dispose();
    rows.push(rowOf(`emulator, text to first result, ${name}`, budget, { ours, yardstick }));
  }
  return rows;
}

function leastOf(size) {
  let [ours, yardstick] = [Infinity, Infinity];
  for (let i = 0; i < PROCESSES; i++) {
    ours = Math.min(ours, inFreshProcess("first", size));
    yardstick = Math.min(yardstick, inFreshProcess("names", size));
  }
  return { ours, yardstick };
}

function rowOf(name, budget, { ours, yardstick }) {
  const ratio = ours / yardstick;
  return {
    name: `${name} (yardstick: reading it with its names)`,
    ...{ ours, yardstick, ratio, budget, reference: undefined, unit: "ms", pass: ratio <= budget },
  };
}
