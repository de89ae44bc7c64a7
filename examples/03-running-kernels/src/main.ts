// Runs kernels on the first GPU, or on the emulator on machines without a GPU. Only `openDevice` knows which of the two it is.

import { readFileSync } from "node:fs";
import { CudaDevice } from "@mm-ptx/cuda";
import { EmulatedDevice } from "@mm-ptx/emulator";
import { bytes, type Device, u32 } from "@mm-ptx/types/device";

const [WIDTH, HEIGHT] = [72, 24];
const MOST_STEPS = 100;
/** `struct View` of kernel.cu. */
const VIEW = { left: -2.5, top: 1.15, step: 0.05 };
/** From points that escape at once to those that never do. */
const SHADES = " .:-=+*#%@";

function openDevice(): Device {
  return CudaDevice.count() > 0 ? CudaDevice.open(0) : EmulatedDevice.open();
}

async function main(): Promise<void> {
  using device = openDevice();
  console.error(`on ${device.name} (${device.arch})`);

  const module = device.load(readFileSync(new URL("../kernel.ptx", import.meta.url), "utf8"));
  const [escapes, histogram] = ["escape", "histogram"].map((name) => module.kernel(name)) as [Kernel, Kernel];
  using steps = device.allocateUint32(WIDTH * HEIGHT);
  using counts = device.allocateUint32(MOST_STEPS + 1);
  await counts.fill(0);

  using before = device.createEvent();
  using after = device.createEvent();
  const { stream } = device;
  stream.record(before);
  const image = { grid: [Math.ceil(WIDTH / 16), Math.ceil(HEIGHT / 8)], block: [16, 8] } as const;
  const view = bytes(Float32Array.of(VIEW.left, VIEW.top, VIEW.step));
  stream.launch(escapes, image, [steps, u32(WIDTH), u32(HEIGHT), view, u32(MOST_STEPS)]);
  // A stream runs its work in order: this kernel reads what the first one wrote.
  const row = { grid: Math.ceil((WIDTH * HEIGHT) / 256), block: 256 };
  stream.launch(histogram, row, [steps, u32(WIDTH * HEIGHT), counts]);
  stream.record(after);

  const found = await steps.read();
  for (let line = 0; line < HEIGHT; line++) {
    console.log(picture(found.subarray(line * WIDTH, (line + 1) * WIDTH)));
  }
  const byStep = await counts.read();
  const escaping = byStep.subarray(0, MOST_STEPS);
  const often = Math.max(...escaping);
  console.log(`${byStep[MOST_STEPS]} of ${WIDTH * HEIGHT} points never escape`);
  console.log(`most of the others escape after ${escaping.indexOf(often)} steps: ${often}`);
  console.error(`both kernels took ${after.elapsedSince(before).toFixed(3)} ms`);
}

type Kernel = ReturnType<ReturnType<Device["load"]>["kernel"]>;

function picture(line: Uint32Array): string {
  const shade = (step: number) => SHADES[Math.floor((step / MOST_STEPS) ** 0.4 * (SHADES.length - 1))]!;
  return Array.from(line, shade).join("").trimEnd();
}

await main();
