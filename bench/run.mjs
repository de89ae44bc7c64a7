// Runs the benchmarks of this folder and prints each figure beside its yardstick, measured in the same run, and its
// budget. A benchmark is a file `*.bench.mjs` that exports `async function run()` and returns rows:
//   { name, ours, yardstick, ratio, budget, reference, unit, pass, hard? }
// `ours`, `yardstick` and `reference` (the C library's figure) are in `unit`; a missed `hard` budget fails the run.

import { readdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const ENDING = ".bench.mjs";

const usage = `usage: npm run bench -- [--json] [NAME ...]
  NAME     only benchmarks whose file name contains it
  --json   print the rows as one JSON array on stdout`;

/** @param {string[]} args */
function parseArguments(args) {
  const unknown = args.find(
    (argument) => argument.startsWith("-") && !["--json", "--help", "-h"].includes(argument),
  );
  return {
    unknown,
    help: args.includes("--help") || args.includes("-h"),
    json: args.includes("--json"),
    filters: args.filter((argument) => !argument.startsWith("-")),
  };
}

/** Three significant digits, without an exponent for usual figures. */
function figure(value) {
  if (value === undefined || value === null) return "-";
  if (typeof value !== "number") return String(value);
  if (!Number.isFinite(value)) return String(value);
  return Math.abs(value) >= 1000
    ? Math.round(value).toLocaleString("en")
    : String(Number(value.toPrecision(3)));
}

/** @param {object} row */
function cells(row) {
  const measured = (value) =>
    typeof value === "number" && row.unit ? `${figure(value)} ${row.unit}` : figure(value);
  const met =
    row.pass === undefined || row.pass === null ? "-" : row.pass ? "met" : row.hard ? "MISSED" : "missed";
  return [
    row.name,
    measured(row.ours),
    measured(row.yardstick),
    figure(row.ratio),
    measured(row.reference),
    figure(row.budget),
    met,
  ];
}

/** @param {object[]} rows */
function table(rows) {
  const lines = [["", "ours", "yardstick", "ratio", "C reference", "budget", ""], ...rows.map(cells)];
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const pad = (text, column) => (column === 0 ? text.padEnd(widths[0]) : text.padStart(widths[column]));
  return lines.map((line) => line.map(pad).join("  ").trimEnd()).join("\n");
}

/** @param {string[]} args */
async function main(args) {
  const { unknown, help, json, filters } = parseArguments(args);
  if (help || unknown !== undefined) {
    if (unknown !== undefined) console.error(`expected an option of the benchmarks, found \`${unknown}\``);
    console.error(usage);
    return unknown === undefined ? 0 : 2;
  }
  const all = readdirSync(FOLDER)
    .filter((file) => file.endsWith(ENDING))
    .sort();
  const chosen = all.filter(
    (file) => filters.length === 0 || filters.some((filter) => file.includes(filter)),
  );
  if (chosen.length === 0) {
    const names = all.map((file) => file.slice(0, -ENDING.length)).join(", ");
    console.error(`expected the name of a benchmark (${names}), found \`${filters.join(" ")}\``);
    return 2;
  }

  const rows = [];
  let crashed = false;
  for (const file of chosen) {
    console.error(`bench: ${file.slice(0, -ENDING.length)} ...`);
    try {
      const { run } = await import(pathToFileURL(FOLDER + file).href);
      rows.push(...(await run()));
    } catch (error) {
      crashed = true;
      console.error(`bench: ${file} failed:`, error);
    }
  }
  console.log(json ? JSON.stringify(rows, null, 2) : table(rows));
  const missed = rows.filter((row) => row.hard && row.pass === false);
  for (const row of missed) console.error(`bench: budget missed: ${row.name}`);
  return crashed || missed.length > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
