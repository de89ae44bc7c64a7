// Draws the pictures of docs/performance.md from docs/pictures/performance.json.
//   node bench/plots.mjs                     redraws them
//   node bench/plots.mjs --measure           measures first; needs an idle machine
//   node bench/plots.mjs --measure cache     measures only that part

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dotChart, lineChart, logTicks } from "./plots/chart.mjs";

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

function draw({ machine, sizes, cache, packs }) {
  const note = `nvPTXCompiler ${machine.compiler}, ${machine.cores} cores`;
  const write = (name, svg) => writeFileSync(new URL(`performance-${name}.svg`, PICTURES), svg);
  const efforts = { final: "a", balanced: "b", draft: "c" };
  write(
    "sizes",
    lineChart({
      title: "Time for one kernel, by its length",
      note: `straight-line f32 code · a colour for each effort · ${note}`,
      x: { label: "KB of PTX", ticks: [1, 2, 5, 10, 20, 50, 100, 200], log: true },
      y: { label: "milliseconds", ticks: logTicks(heights(sizes)), log: true },
      series: Object.entries(sizes).map(([name, points]) => ({ name, points, ink: efforts[name] })),
    }),
  );
  const rows = {
    without: ["no cache", "a"],
    cold: ["an empty cache", "a"],
    disk: ["on disk, new process", "c"],
    memory: ["in memory", "c"],
  };
  write(
    "cache",
    dotChart({
      title: "Programs a second, by where their cubins are",
      note: `1,000 variants of a kernel · ${note}`,
      x: { label: "programs a second", ticks: [100, 1000, 10_000, 100_000, 1_000_000], log: true },
      rows: Object.entries(rows).map(([name, [words, ink]]) => ({
        name: words,
        value: cache[name],
        words: Math.round(cache[name]).toLocaleString("en"),
        ink,
      })),
      inks: { a: "compiled", c: "found in the cache" },
    }),
  );
  write(
    "packs",
    lineChart({
      title: "Programs a second on one worker, by how many are in a module",
      note: `20 instructions each · a colour for each way to pack, dashed lines for effort draft · nvPTXCompiler ${machine.compiler}`,
      x: { label: "programs in a module", ticks: [1, 2, 5, 10, 20, 50, 100, 200], log: true },
      y: { label: "programs a second", ticks: logTicks(heights(packs)), log: true },
      series: Object.entries(packs).map(([name, points]) => ({
        name,
        points,
        ink: name.startsWith("kernels") ? "a" : "b",
        dashed: name.endsWith("draft"),
      })),
    }),
  );
}

function heights(points) {
  return Object.values(points).flatMap((each) => each.map(([, y]) => y));
}
