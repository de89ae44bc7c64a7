// The entry point of the unpacked archive of `npm run portable`: finds the GPU, runs its tests, compares it with the
// emulator, runs the main job and the launch benchmarks, and writes a report. Without a GPU, it says so and runs the
// tests, which skip what needs one.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findGpu, hostOf } from "./machine.mjs";
import { gpuPage, testFiles } from "./page.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const GPU_TESTS = [
  "packages/cuda/test/gpu",
  "tests/running-example.test.ts",
  "tests/three-ways-example.test.ts",
];
const COMPARISON = "tests/emulated-hardware.test.ts";
/** The number of programs of the main job. */
const PROGRAMS = "1000";

/**
 * Runs a script of the tree to its end.
 *
 * @param {string} script
 * @param {readonly string[]} args
 * @param {{ environment?: Record<string, string>, keep?: boolean }} [options] `keep` returns stdout instead of showing
 * it
 * @returns {Promise<{ code: number | null, stdout: string }>}
 */
function run(script, args, { environment = {}, keep = false } = {}) {
  const child = spawn(process.execPath, [join(ROOT, script), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ["ignore", keep ? "pipe" : "inherit", "inherit"],
  });
  let stdout = "";
  child.stdout?.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout }));
  });
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * @param {readonly string[]} tests
 * @param {string} out
 * @param {boolean} hasGpu
 */
async function runTests(tests, out, hasGpu) {
  const report = join(out, "vitest.json");
  const { code } = await run(
    "node_modules/vitest/vitest.mjs",
    [
      "run",
      ...tests,
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
      "--reporter=junit",
      `--outputFile.junit=${join(out, "junit.xml")}`,
    ],
    // The module that opens the device to compare the emulator with.
    { environment: hasGpu ? { MM_PTX_DEVICE: join(ROOT, "scripts/lib/open-gpu.mjs") } : {} },
  );
  const found = existsSync(report) ? parsed(readFileSync(report, "utf8")) : undefined;
  return { code, files: found === undefined ? [] : testFiles(found, ROOT) };
}

/** @param {string} out */
async function measure(out) {
  const job = [
    "--run",
    "gpu",
    "--programs",
    PROGRAMS,
    "--json",
    "--no-cache",
    "--out",
    join(out, "quickstart"),
  ];
  const quickstart = await run("apps/quickstart/dist/main.js", job, { keep: true });
  const benches = await run("bench/run.mjs", ["--json", "launch"], { keep: true });
  return {
    // A missed budget is a row of the table and does not fail the run.
    failed: quickstart.code !== 0,
    figures: { quickstart: parsed(quickstart.stdout) ?? null, benches: parsed(benches.stdout) ?? null },
  };
}

/** Exits the process if the command line is invalid. */
function commandLine() {
  try {
    return parseArgs({
      options: { out: { type: "string", default: "mm-ptx-report" } },
      allowPositionals: true,
    });
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\nusage: run [--out FOLDER] [TEST ...]`);
    return process.exit(2);
  }
}

const { values, positionals } = commandLine();
const out = resolve(values.out);
mkdirSync(out, { recursive: true });

const gpu = findGpu();
process.stderr.write(`${gpu.device === undefined ? gpu.why : `${gpu.device.name}, driver ${gpu.driver}`}\n`);
const hasGpu = gpu.device !== undefined;
const chosen = positionals.length > 0 ? positionals : [...GPU_TESTS, ...(hasGpu ? [COMPARISON] : [])];
const { code, files } = await runTests(chosen, out, hasGpu);
const measured = hasGpu && positionals.length === 0 ? await measure(out) : undefined;
const results = {
  made: parsed(readFileSync(join(ROOT, "made.json"), "utf8")),
  date: new Date().toISOString().slice(0, 10),
  host: hostOf(),
  gpu,
  files,
  ...(hasGpu ? { comparison: readFileSync(join(ROOT, "docs/emulator-gpu.md"), "utf8") } : {}),
  ...measured?.figures,
};
writeFileSync(join(out, "report.json"), `${JSON.stringify(results, null, 2)}\n`);
writeFileSync(join(out, "report.md"), gpuPage(results));
process.stderr.write(`the report is ${join(out, "report.md")}\n`);
process.exitCode = code === 0 && files.length > 0 && measured?.failed !== true ? 0 : 1;
