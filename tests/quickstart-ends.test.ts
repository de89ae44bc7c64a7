// The main job when it is stopped, and when nobody reads its output.

import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { capabilities } from "../packages/cuda/dist/index.js";
import { SOAK } from "./support/counts.js";
import { leftovers, lines, MAIN, outputFolders } from "./support/main-job.js";

const folder = outputFolders();

/** Outside of a soak, nothing runs the programs, so that the first cubins appear soon. */
const BRIEF = SOAK ? [] : ["--run", "none", "--workers", "1", "--no-cache"];

describe("on a machine with a compiler", { skip: capabilities().compilerVersion === undefined }, () => {
  it("stops at Ctrl-C with a summary, and leaves whole files", async () => {
    const out = folder();
    const words = ["--programs", "100000", "--keep", "--json", ...BRIEF, "--out", out];
    const child = spawn(process.execPath, [MAIN, ...words], { stdio: ["ignore", "pipe", "ignore"] });
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    while (!existsSync(join(out, "00003.cubin")) && child.exitCode === null) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    const report = JSON.parse(stdout);
    expect(report.interrupted).toBe(true);
    expect(report.done).toBeGreaterThanOrEqual(4);
    expect(lines(out)).toHaveLength(report.done);
    expect(report.distinctStubs).toBe(new Set(lines(out).map(({ stub }) => stub)).size);
    expect(existsSync(join(out, "report.svg"))).toBe(true);
    expect(leftovers(out)).toEqual([]);
    for (const { index, cubinBytes } of lines(out)) {
      expect(readFileSync(join(out, `${`${index}`.padStart(5, "0")}.cubin`)).length).toBe(cubinBytes);
    }
  });

  it("continues when its output is closed", async () => {
    const out = folder();
    const child = spawn(process.execPath, [MAIN, "--programs", "4", "--out", out], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.destroy();
    child.stderr.destroy();
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
    expect(lines(out)).toHaveLength(4);
  });
});
