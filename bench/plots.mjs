// Draws the pictures of docs/performance.md from docs/pictures/performance.json.
//   node bench/plots.mjs                     redraws them
//   node bench/plots.mjs --measure           measures first; needs an idle machine
//   node bench/plots.mjs --measure cache     measures only that part

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { barChart, linearTicks, lineChart, logTicks } from "./plots/chart.mjs";

const PICTURES = new URL("../docs/pictures/", import.meta.url);
const DATA = new URL("performance.json", PICTURES);

const [flag, ...names] = process.argv.slice(2);
if (flag !== undefined && flag !== "--measure") {
  console.error(`expected \`--measure\` or nothing, found \`${flag}\``);
  process.exit(2);
}
if (flag === "--measure") await measure(names);
draw(JSON.parse(readFileSync(DATA, "utf8")));

async function measure(names) {
  const { MEASURES, machine } = await import("./plots/measure.mjs");
  const unknown = names.find((name) => !(name in MEASURES));
  if (unknown !== undefined)
    throw new Error(`expected one of ${Object.keys(MEASURES).join(", ")}, found \`${unknown}\``);
  const kept = names.length > 0 && existsSync(DATA) ? JSON.parse(readFileSync(DATA, "utf8")) : {};
  const data = { ...kept, machine: machine() };
  for (const name of names.length === 0 ? Object.keys(MEASURES) : names) {
    console.error(`measuring ${name} ...`);
    data[name] = rounded(await MEASURES[name]());
  }
  const text = JSON.stringify(data, null, 2).replaceAll(/\[\s+([\d.]+),\s+([\d.]+)\s+\]/g, "[$1, $2]");
  writeFileSync(DATA, `${text}\n`);
}

/** Rounds figures to the digits that a clock can measure. */
function rounded(value) {
  if (typeof value === "number") return Number(value.toPrecision(4));
  if (Array.isArray(value)) return value.map(rounded);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, rounded(each)]));
}

function draw({ machine, threads, sizes, cache, packs, nvrtc }) {
  const note = `nvPTXCompiler ${machine.compiler}, ${machine.cores} cores`;
  const write = (name, svg) => writeFileSync(new URL(`performance-${name}.svg`, PICTURES), svg);
  const series = (points, dashed = []) =>
    Object.entries(points).map(([name, each]) => ({ name, points: each, dashed: dashed.includes(name) }));
  write(
    "threads",
    lineChart({
      title: "Kernels a second, by workers",
      note: `20 KB kernels · ${note}`,
      x: { label: "workers", ticks: threads.isolated.map(([workers]) => workers) },
      y: { label: "kernels a second", ticks: linearTicks(heights(threads)) },
      series: series(threads, ["bare loop in C"]),
    }),
  );
  write(
    "sizes",
    lineChart({
      title: "Time for one kernel, by its length",
      note: `straight-line f32 code · ${note}`,
      x: { label: "KB of PTX", ticks: [1, 2, 5, 10, 20, 50, 100, 200], log: true },
      y: { label: "milliseconds", ticks: logTicks(heights(sizes)), log: true },
      series: series(sizes),
    }),
  );
  const words = {
    without: "without a cache",
    cold: "into an empty cache",
    disk: "from disk, a new process",
    memory: "from memory",
  };
  write(
    "cache",
    barChart({
      title: "Programs a second, with and without a cache",
      note: `1,000 variants of a kernel · ${note}`,
      x: { label: "programs a second", ticks: linearTicks(Object.values(cache)) },
      bars: Object.entries(words).map(([name, each]) => ({
        name: each,
        value: cache[name],
        words: Math.round(cache[name]).toLocaleString("en"),
      })),
    }),
  );
  write(
    "packs",
    lineChart({
      title: "Programs a second on one worker, by how many are in a module",
      note: `20 instructions each · nvPTXCompiler ${machine.compiler}`,
      x: { label: "programs in a module", ticks: [1, 2, 5, 10, 20, 50, 100, 200], log: true },
      y: { label: "programs a second", ticks: logTicks(heights(packs)), log: true },
      series: series(packs),
    }),
  );
  if (nvrtc === undefined) return;
  write(
    "nvrtc",
    barChart({
      title: "One more variant of a GEMM written with CuTe",
      note,
      x: { label: "seconds", ticks: linearTicks([nvrtc.nvrtc / 1000]) },
      bars: [
        {
          name: "NVRTC, from CUDA",
          value: nvrtc.nvrtc / 1000,
          words: `${(nvrtc.nvrtc / 1000).toFixed(1)} s`,
        },
        {
          name: "injected, from PTX",
          value: nvrtc.injection / 1000,
          words: `${Math.round(nvrtc.injection)} ms`,
        },
      ],
    }),
  );
}

function heights(points) {
  return Object.values(points).flatMap((each) => each.map(([, y]) => y));
}
