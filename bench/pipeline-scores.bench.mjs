// Scores that a kernel computes on the emulated device, against copies of all outputs and the same sum in a loop in JavaScript: processor
// time of whole runs of a pipeline.
import { EmulatedDevice } from "@mm-ptx/emulator";
import { input, KernelPipeline, output, squaredError, textSite } from "@mm-ptx/pipeline";

const ELEMENTS = 1024;
const PROGRAMS = 1000;
const PACK = 100;
/** The first rounds warm up the engine. */
const ROUNDS = 6;
const COUNTED = 3;
const BUDGET = 1.25;

const KERNEL = `.version 8.0
.target sm_75
.address_size 64
.visible .entry evaluate(.param .u64 inputs, .param .u64 outputs)
{
	.reg .b32 %block, %thread;
	.reg .f32 %x, %y;
	.reg .b64 %inputs, %outputs;
	mov.u32 %block, %ctaid.x;
	mov.u32 %thread, %tid.x;
	mad.lo.u32 %thread, %block, 128, %thread;
	ld.param.u64 %inputs, [inputs];
	ld.param.u64 %outputs, [outputs];
	cvta.to.global.u64 %inputs, %inputs;
	cvta.to.global.u64 %outputs, %outputs;
	mad.wide.u32 %inputs, %thread, 4, %inputs;
	mad.wide.u32 %outputs, %thread, 4, %outputs;
	ld.global.f32 %x, [%inputs];
	{
	.reg .f32 %_x0;
	.reg .f32 %_x1;
	mov.f32 %_x1, %x;
	// PTX_INJECT_START func
	// _x0 o f32 F32 y
	// _x1 i f32 F32 x
	// PTX_INJECT_END
	mov.f32 %y, %_x0;
	}
	st.global.f32 [%outputs], %y;
	ret;
}
`;
const x = Float32Array.from({ length: ELEMENTS }, (_, i) => i / ELEMENTS);
const target = x.map(Math.sin);

const constant = (value) =>
  `0f${new Uint32Array(Float32Array.of(value).buffer)[0].toString(16).padStart(8, "0")}`;
const programs = Array.from(
  { length: PROGRAMS },
  (_, i) => `fma.rn.f32 %_x0, %_x1, ${constant(i / PROGRAMS)}, ${constant(0.5)};`,
);

function scoreInJavaScript([found]) {
  let sum = 0;
  for (let i = 0; i < ELEMENTS; i++) {
    const difference = found[i] - target[i];
    sum += difference * difference;
  }
  return sum;
}

/** Milliseconds of processor time of a run, and its least score. */
async function timed(options, scoreOf) {
  const device = EmulatedDevice.open();
  const pipeline = new KernelPipeline({
    kernel: KERNEL,
    sites: { func: textSite() },
    device,
    pack: PACK,
    launch: () => ({
      grid: ELEMENTS / 128,
      block: 128,
      args: [input(x), output(Float32Array, ELEMENTS)],
    }),
    ...options,
  });
  const before = process.cpuUsage();
  let least = Infinity;
  for await (const result of pipeline.run(programs)) least = Math.min(least, scoreOf(result));
  const { user, system } = process.cpuUsage(before);
  pipeline.dispose();
  device.dispose();
  return { milliseconds: (user + system) / 1000, least };
}

export async function run() {
  const [ours, yardstick] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await timed({ read: squaredError(target) }, ({ score }) => score));
    yardstick.push(await timed({}, ({ outputs }) => scoreInJavaScript(outputs)));
  }
  const { least } = yardstick[0];
  if (!(Math.abs(ours[0].least / least - 1) < 1e-9))
    throw new Error(`expected a least score of ${least}, found ${ours[0].least}`);
  const best = (runs) => Math.min(...runs.slice(-COUNTED).map(({ milliseconds }) => milliseconds));
  const ratio = best(ours) / best(yardstick);
  return [
    {
      name: `scores on the emulator, ${ELEMENTS.toLocaleString("en")} f32, a program (yardstick: copies of the outputs, and a loop in JavaScript)`,
      ours: (1000 * best(ours)) / PROGRAMS,
      yardstick: (1000 * best(yardstick)) / PROGRAMS,
      ratio,
      budget: BUDGET,
      unit: "us",
      pass: ratio <= BUDGET,
      hard: false,
    },
  ];
}
