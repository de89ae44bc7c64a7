// A run of a pipeline with a results store, for a process that is killed and for the one that continues:
// `node resumable-run.mjs <folder> <kernel file>` runs programs without end and prints the index of each result.
import { readFileSync, writeSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { EmulatedDevice } from "@mm-ptx/emulator";
import { u32 } from "@mm-ptx/types/device";

const LENGTH = 40;

/** Multiplies by an integer: that of program i is its index without the last digit, so that ten are equal. */
export const factorOf = (index) => 1 + Math.floor(index / 10);

/** Programs from number 0 on. */
export function* programs(count) {
  const bits = new Uint32Array(1);
  for (let index = 0; index < count; index++) {
    new Float32Array(bits.buffer)[0] = factorOf(index);
    yield `\tmul.rn.f32 %_x0, %_x1, 0f${bits[0].toString(16).padStart(8, "0")};`;
  }
}

/** What the pipeline is made of, with the functions of the package as it was built or from its sources. */
export const optionsWith = ({ input, output, textSite }, kernel, folder) => ({
  kernel,
  sites: { func: textSite() },
  store: folder,
  launch: () => ({
    grid: 2,
    block: 32,
    args: [input(new Float32Array(LENGTH).fill(3)), output(Float32Array, LENGTH), u32(LENGTH)],
  }),
});

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const api = await import("../../dist/index.js");
  const [folder, kernel] = process.argv.slice(2);
  const device = EmulatedDevice.open({});
  const options = optionsWith(api, readFileSync(kernel, "utf8"), folder);
  const pipeline = new api.KernelPipeline({ ...options, device });
  for await (const { index } of pipeline.run(programs(Number.POSITIVE_INFINITY))) writeSync(1, `${index}\n`);
}
