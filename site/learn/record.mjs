// Records what the compiler says about random programs, for the page that learns it: `node site/learn/record.mjs`, where something compiles
// PTX. Programs and costs are the same each time; times are of this machine, so record where nothing else runs.

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compiledPrograms, LESSON_COSTS } from "@mm-ptx/search/node";
import { CODE_FEATURES } from "@mm-ptx/types/code";

const FILE = fileURLToPath(new URL("recorded.json", import.meta.url));
const PROGRAMS = 900;
const BATCH = 15;
const ARCH = "sm_90";
/** Programs are shown up to this length. */
const SHOWN = 88;

const base64 = (/** @type {Uint8Array} */ bytes) => Buffer.from(bytes).toString("base64");
const batches = [];
for await (const batch of compiledPrograms({
  programs: PROGRAMS,
  batch: BATCH,
  arch: ARCH,
  seed: 1,
  workers: 1,
}))
  batches.push(batch);
const count = batches.length * BATCH;
const width = CODE_FEATURES.length;
const features = new Float32Array(count * width);
for (const [index, batch] of batches.entries()) features.set(batch.features, index * BATCH * width);
const costs = LESSON_COSTS.map((_, cost) => batches.flatMap((batch) => [...batch.costs[cost]]));
for (const value of [...features, ...costs.flat()])
  if (!Number.isInteger(value) || value < 0 || value > 255)
    throw new RangeError(`expected numbers from 0 to 255, found ${value}`);
// A column that is 0 everywhere teaches nothing.
const columns = Array.from({ length: width }, (_, column) => column).filter((column) =>
  features.some((value, index) => index % width === column && value !== 0),
);
/**
 * The least time of a program in a batch, in microseconds with two digits: other processes only make it longer.
 *
 * @param {(batch: typeof batches[number]) => number} timeOf
 */
const leastOf = (timeOf) => Number(Math.min(...batches.map(timeOf)).toPrecision(2));
const shown = (/** @type {string} */ stub) => {
  const text = stub
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^[{}.]/.test(line))
    .join(" ")
    .replaceAll("%_s0_", "t")
    .replaceAll("%_", "")
    .replaceAll(".approx", "");
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
};
writeFileSync(
  FILE,
  `${JSON.stringify({
    ...{ arch: ARCH, programs: count, batch: BATCH },
    ...{
      asking: leastOf(({ asking }) => asking),
      making: leastOf(({ making }) => making),
      compiler: batches[0].compilerVersion,
    },
    columns: columns.map((column) => CODE_FEATURES[column]),
    features: base64(
      Uint8Array.from(
        { length: count * columns.length },
        (_, at) => features[Math.floor(at / columns.length) * width + columns[at % columns.length]],
      ),
    ),
    costs: Object.fromEntries(LESSON_COSTS.map((name, cost) => [name, base64(Uint8Array.from(costs[cost]))])),
    shown: batches.map(({ stubs }) =>
      shown(
        stubs.reduce((best, stub) =>
          Math.abs(stub.length - 400) < Math.abs(best.length - 400) ? stub : best,
        ),
      ),
    ),
  })}\n`,
);
console.log(`${count} programs, ${columns.length} features, ${FILE}`);
