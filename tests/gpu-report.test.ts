// docs/gpu-report.md and the report of a run of the archive: what they say about tests, devices and the lack
// of one.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gpuPage, testFiles } from "../scripts/portable/page.mjs";
import { ROOT } from "./support/workspace.js";

const HOST = {
  processor: "a processor",
  threads: 2,
  memoryBytes: 2 ** 34,
  system: "Debian",
  node: "20.20.2",
};
const MADE = { version: "0.1.0", commit: "abc1234" };
const DEVICE = { name: "NVIDIA H100", arch: "sm_90", memoryBytes: 80 * 2 ** 30, multiprocessors: 132 };
const FILE = {
  file: "packages/cuda/test/gpu/memory.test.ts",
  passed: 9,
  failed: 1,
  skipped: 0,
  failures: ["memory: x"],
};
const BASE = { made: MADE, date: "2026-01-02", host: HOST, files: [FILE] };

describe("the report of a GPU", () => {
  it("in the documents says which GPU it was, or that there was none", () => {
    const page = readFileSync(join(ROOT, "docs/gpu-report.md"), "utf8");
    expect(page === gpuPage(undefined) || /^\| GPU \| .+ \(sm_\d+/m.test(page)).toBe(true);
  });

  it("says why there is no device", () => {
    const page = gpuPage({ ...BASE, gpu: { why: "no device: expected NVIDIA's driver, found none" } });
    expect(page).toContain(
      "**no device: expected NVIDIA's driver, found none.** Tests that need one were skipped.",
    );
    expect(page).not.toContain("| GPU |");
    expect(page).not.toContain("## The main job");
  });

  it("names GPU, driver and date, what failed, and what was measured", () => {
    const checks = { gpu: { on: "it", launched: 9, equal: 1, near: 6, apart: 2, wrong: 0, problems: [] } };
    const page = gpuPage({
      ...BASE,
      gpu: { device: DEVICE, driver: "13.0" },
      comparison: "# x\n\ntext\n\n| | cases |\n|---|---|\n| kernels | 4 |\n",
      quickstart: { arch: "sm_90", checks, launchesPerSecond: 123456.7, kernelMicroseconds: { median: 2.5 } },
      benches: [{ name: "launch", ours: 2.35, yardstick: 0.1, ratio: 23.5, budget: 30, unit: "us" }],
    });
    for (const line of [
      "| mm-ptx | 0.1.0 (abc1234) |",
      "| date | 2026-01-02 |",
      "| GPU | NVIDIA H100 (sm_90), 132 multiprocessors, 80.0 GiB |",
      "| driver | CUDA 13.0 |",
      "| packages/cuda/test/gpu/memory.test.ts | 9 | 1 | 0 |",
      "- memory: x",
      "| kernels | 4 |",
      "123457 launches per second; a kernel takes 2.5 us (median).",
      "| launch | 2.35 us | 0.1 | 23.5 | 30 |",
    ]) {
      expect(page.split("\n")).toContain(line);
    }
  });

  it("lists what ended without a report", () => {
    const page = gpuPage({
      ...BASE,
      gpu: { device: DEVICE, driver: "13.0" },
      quickstart: null,
      benches: null,
    });
    expect(page).toContain("## The main job\n\nThe main job ended without a report.\n");
    expect(page).toContain("## Benchmarks\n\nThe benchmarks ended without a report.\n");
  });

  it("counts the results of vitest, and files that cannot be loaded", () => {
    const result = (status: string) => ({ status, fullName: "does it", failureMessages: ["why\nat x"] });
    const report = {
      testResults: [
        {
          name: "/tree/a.test.ts",
          assertionResults: ["passed", "failed", "skipped", "pending"].map(result),
          message: "",
        },
        { name: "/tree/b.test.ts", assertionResults: [], message: "no such module\nat y" },
      ],
    };
    expect(testFiles(report, "/tree/")).toEqual([
      { file: "a.test.ts", passed: 1, failed: 1, skipped: 2, failures: ["does it: why"] },
      { file: "b.test.ts", passed: 0, failed: 1, skipped: 0, failures: ["no such module"] },
    ]);
  });
});
