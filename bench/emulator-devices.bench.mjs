// Emulated devices that are opened for one short kernel, as tests do, compared with one that stays open. The median of
// many rounds counts.

import { EmulatedDevice } from "@mm-ptx/emulator";
import { median } from "./lib/measure.mjs";

const ROUNDS = 300;
const BEFORE = 50;

const KERNEL = `.version 7.5
.target sm_75
.address_size 64
.visible .entry own(.param .u64 out)
{
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [out];
	st.global.u64 [%rd1], %rd1;
	ret;
}
`;

async function launch(device, kernel) {
  const buffer = device.allocate(8);
  device.stream.launch(kernel, { grid: 1, block: 1 }, [buffer]);
  await buffer.read();
  buffer.dispose();
}

export async function run() {
  const open = EmulatedDevice.open();
  const kernel = open.load(KERNEL).kernel("own");
  const takers = {
    short: async () => {
      const device = EmulatedDevice.open();
      await launch(device, device.load(KERNEL).kernel("own"));
      device.dispose();
    },
    open: () => launch(open, kernel),
  };
  const times = { short: [], open: [] };
  for (let round = -BEFORE; round < ROUNDS; round++) {
    for (const [name, take] of Object.entries(takers)) {
      const start = performance.now();
      await take();
      if (round >= 0) times[name].push(performance.now() - start);
    }
  }
  open.dispose();
  const [ours, yardstick] = [median(times.short), median(times.open)];
  return [
    {
      name: "a device is opened, loads and runs a short kernel, and is disposed (yardstick: a device that stays open)",
      ours,
      yardstick,
      ratio: ours / yardstick,
      budget: undefined,
      unit: "ms",
      pass: undefined,
    },
  ];
}
