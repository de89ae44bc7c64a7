// Programs without end: every one is answered, whichever of them are equal, and memory does not grow beyond what is remembered.
// `MM_PTX_PROGRAMS` sets their number.

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { EmulatedDevice } from "../packages/emulator/dist/index.js";
import { input, KernelPipeline, output, squaredError, textSite } from "../packages/pipeline/dist/index.js";
import { Random } from "../packages/stack/dist/random/index.js";
import { u32 } from "../packages/types/dist/device/index.js";
import { SOAK } from "./support/counts.js";

const PROGRAMS = Number(process.env.MM_PTX_PROGRAMS ?? (SOAK ? 1_000_000 : 4_000));
const ELEMENTS = 32;
const MEBIBYTE = 2 ** 20;
const KERNEL = readFileSync(new URL("../apps/quickstart/kernel.ptx", import.meta.url), "utf8");

/** A program that has not been there before, or about as often an earlier one. */
function* programs(random: Random): Generator<string> {
  let made = 0;
  const stub = (number: number) =>
    `\tadd.ftz.f32 %_x0, %_x1, 0f${(0x3f000000 + number).toString(16).toUpperCase()};`;
  for (let i = 0; i < PROGRAMS; i++)
    yield stub(random.below(2) === 0 && made > 0 ? random.below(made) : made++);
}

it(`answers ${PROGRAMS.toLocaleString("en")} programs in flat memory`, { timeout: 3_600_000 }, async () => {
  using device = EmulatedDevice.open({ workers: 2, memoryBytes: 2 ** 24 });
  const column = Float32Array.from({ length: ELEMENTS }, (_, i) => i);
  using pipeline = new KernelPipeline({
    kernel: KERNEL,
    sites: { func: textSite() },
    device,
    pack: 256,
    read: squaredError(column),
    launch: () => ({
      grid: 1,
      block: ELEMENTS,
      args: [input(column), input(column), input(column), output(Float32Array, ELEMENTS), u32(ELEMENTS)],
    }),
    remember: PROGRAMS / 20,
  });
  const isAnswered = new Uint8Array(PROGRAMS);
  const sizes: number[] = [];
  let count = 0;
  for await (const { index, status, score } of pipeline.run(programs(new Random(19)))) {
    if (status !== "ok" || !((score as number) > 0) || isAnswered[index] === 1)
      expect.fail(`program ${index}: ${status}, ${score}`);
    isAnswered[index] = 1;
    if (++count % (PROGRAMS / 100) === 0) sizes.push(process.memoryUsage().rss);
  }
  expect(count).toBe(PROGRAMS);
  expect(pipeline.stats.duplicates).toBeGreaterThan(0);
  const tenth = sizes.length / 10;
  const tenths = Array.from({ length: 10 }, (_, i) => Math.max(...sizes.slice(i * tenth, (i + 1) * tenth)));
  const mebibytes = tenths.map((bytes) => Math.round(bytes / MEBIBYTE));
  // Threads and the translator grow to their usual size first.
  if (SOAK) expect(mebibytes.at(-1)! - mebibytes[2]!, `MiB: ${mebibytes}`).toBeLessThan(48);
  if (process.env.MM_PTX_PROGRAMS !== undefined) process.stderr.write(`MiB in each tenth: ${mebibytes}\n`);
});
