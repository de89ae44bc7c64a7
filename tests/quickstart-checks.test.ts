// The main job's check of its cubins: it finds what is wrong with them, and then the run exits with 1.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ElfChecker } from "../apps/quickstart/dist/checks.js";
import { capabilities, PtxCompiler } from "../packages/cuda/dist/index.js";
import { IN_ONE_FILE } from "./support/main-job.js";

const ENTRY = "evaluate";
/** Without an addon, so that the ptxas on PATH compiles. */
const NO_ADDON = `--import=data:text/javascript,${encodeURIComponent('Object.defineProperty(process,"arch",{value:"none"})')}`;

const COMPILES = capabilities().compilerVersion !== undefined;

async function compile(entry: string, arch = "sm_90"): Promise<Uint8Array> {
  using compiler = new PtxCompiler({ arch, workers: 1 });
  const ptx = `.version 7.5\n.target sm_75\n.address_size 64\n.visible .entry ${entry}()\n{\n\tret;\n}\n`;
  return (await compiler.compile(ptx)).cubin;
}

/** What a checker for `sm_90` reports for a cubin. */
function problemsOf(cubin: Uint8Array, entries: readonly string[] = [ENTRY]) {
  const checker = new ElfChecker("sm_90", entries);
  checker.check(3, cubin);
  return checker.result();
}

const wrong = (problem: string | RegExp) => ({
  passed: 0,
  total: 1,
  problems: [typeof problem === "string" ? problem : expect.stringMatching(problem)],
});
const garbage = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 37 + 11) & 255);

describe("the check of a cubin", () => {
  it.each([0, 1, 63, 64, 5000])("finds %i bytes of something else", (length) => {
    const none = /^program 3: expected a cubin \(an ELF file\), found (?:other|no) bytes/;
    expect(problemsOf(garbage(length))).toEqual(wrong(none));
    expect(problemsOf(new Uint8Array(length))).toEqual(wrong(none));
  });

  it("counts all problems, and describes the first few", () => {
    const checker = new ElfChecker("sm_90", [ENTRY]);
    for (let index = 0; index < 10; index++) checker.check(index, garbage(index));
    const { passed, total, problems } = checker.result();
    expect({ passed, total }).toEqual({ passed: 0, total: 10 });
    expect(problems.map((problem) => problem.slice(0, 10))).toEqual([
      "program 0:",
      "program 1:",
      "program 2:",
    ]);
  });
});

describe.runIf(COMPILES)("the check of a compiler's cubin", () => {
  let cubin: Uint8Array;
  beforeAll(async () => {
    cubin = await compile(ENTRY);
  });

  it("passes a cubin for the architecture that has the entry", () => {
    expect(problemsOf(cubin)).toEqual({ passed: 1, total: 1, problems: [] });
  });

  it("finds every truncation", () => {
    for (const length of [64, 65, cubin.length >> 1, cubin.length - 100, cubin.length - 1]) {
      expect(problemsOf(cubin.subarray(0, length)), `${length} bytes`).toEqual(
        wrong(/^program 3: expected /),
      );
    }
  });

  it.each(["sm_75", "sm_80", "sm_89"])("finds a cubin for %s", async (arch) => {
    const other = await compile(ENTRY, arch);
    expect(problemsOf(other)).toEqual(wrong(`program 3: expected a cubin for sm_90, found one for ${arch}`));
  });

  it("finds that the entry, or one of several, is missing", async () => {
    const renamed = await compile("evaluated");
    expect(problemsOf(renamed)).toEqual(wrong("program 3: expected the entry `evaluate`, found evaluated"));
    expect(problemsOf(cubin, [ENTRY, "other"])).toEqual(
      wrong("program 3: expected the entry `other`, found evaluate"),
    );
  });

  it("finds an ELF file for another machine", () => {
    const other = cubin.slice();
    other[18] = 62;
    expect(problemsOf(other)).toEqual(wrong(/expected an ELF file for CUDA/));
  });
});

describe.runIf(process.platform === "linux")("a run with a compiler that makes wrong cubins", () => {
  let base: string;
  beforeAll(() => {
    base = mkdtempSync(join(tmpdir(), "mm-ptx-test-"));
  });
  afterAll(() => rmSync(base, { recursive: true, force: true }));

  /** Runs the main job with a replacement for ptxas whose output is always `cubin`. */
  function run(cubin: Uint8Array) {
    const made = join(base, "made.cubin");
    writeFileSync(made, cubin);
    const tools = join(base, "tools");
    mkdirSync(tools, { recursive: true });
    const body = `[ "$1" = --version ] && echo V13.0.88 && exit 0\nfor last; do :; done\ncp '${made}' "$last"`;
    writeFileSync(join(tools, "ptxas"), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    const args = ["--programs", "4", "--run", "none", "--no-cache", "--json", "--out", join(base, "out")];
    const env = { ...process.env, NO_COLOR: "1", PATH: `${tools}:/bin:/usr/bin`, NODE_OPTIONS: NO_ADDON };
    const { status, stdout, stderr } = spawnSync(process.execPath, [IN_ONE_FILE, ...args], {
      encoding: "utf8",
      env,
    });
    expect(stdout, stderr).not.toBe("");
    return { status, report: JSON.parse(stdout) };
  }

  it("exits with 1 and says what is wrong", () => {
    const { status, report } = run(garbage(2000));
    expect(report).toMatchObject({ compiled: 4, failed: 0 });
    expect(report.checks.elf).toMatchObject({ passed: 0, total: report.distinctStubs });
    expect(report.checks.elf.problems[0]).toContain("expected a cubin (an ELF file), found other bytes");
    expect(status).toBe(1);
  });

  it.runIf(COMPILES)("exits with 1 if they are for another architecture", async () => {
    const { status, report } = run(await compile(ENTRY, "sm_75"));
    expect(report.checks.elf.problems[0]).toContain("expected a cubin for sm_90, found one for sm_75");
    expect(status).toBe(1);
  });

  it.runIf(COMPILES)("exits with 0 if nothing is wrong with them", async () => {
    const { status, report } = run(await compile(ENTRY));
    expect(report.checks.elf).toEqual({
      passed: report.distinctStubs,
      total: report.distinctStubs,
      problems: [],
    });
    expect(status).toBe(0);
  });
});
