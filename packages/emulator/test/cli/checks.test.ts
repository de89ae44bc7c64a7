// `--check`, `--report` and `--suppress`, without starting processes.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addCheckOptions, type CheckOptions, refuseWithoutCheck } from "../../src/cli/check-options.js";
import { findingsReporter } from "../../src/cli/findings-report.js";
import { readSuppressions } from "../../src/cli/suppressions.js";
import { EmulatedDevice, type Finding } from "../../src/index.js";
import { kernelText } from "../support/launching.js";

const folder = mkdtempSync(join(tmpdir(), "checks-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string) => join(folder, name);

const optionsOf = (...words: string[]): CheckOptions =>
  addCheckOptions(new Command().exitOverride()).parse(words, { from: "user" }).opts();

let findings: readonly Finding[] = [];
beforeAll(async () => {
  using device = EmulatedDevice.open({ check: { memory: true, races: true } });
  const kernel = device
    .load(kernelText("\tst.global.u32 [%a0], 1;\n\tst.global.u32 [%a0+64], 1;"))
    .kernel("kernel");
  await device.stream.run(kernel, { grid: 1, block: 64 }, [device.allocate(4)]);
  findings = device.findings;
});

describe("options", () => {
  it("are the device's checks, formats with files, and suppressions", () => {
    expect(optionsOf("--check", "races,memory", "--report", "sarif=a.sarif", "--report", "text")).toEqual({
      check: { races: true, memory: true },
      report: [
        { format: "sarif", file: "a.sarif" },
        { format: "text", file: undefined },
      ],
    });
    const all = { memory: true, races: true, uninitialized: true, sync: true, leaks: true };
    expect(optionsOf("--check", "all").check).toEqual(all);
  });

  it.each([
    [["--check", "race"], "did you mean `races`?"],
    [["--check", ""], "found ``"],
    [["--report", "sarf"], "did you mean `sarif`?"],
    [["--report", "json="], "expected a file after `=`"],
    [["--report", "json=-", "--report", "junit=-"], "found standard output twice"],
  ])("%j are refused", (words, message) => {
    expect(() => optionsOf(...words)).toThrow(message);
  });

  it("need --check", () => {
    expect(() => refuseWithoutCheck(optionsOf("--report", "text"))).toThrow(
      "expected `--check` with `--report`",
    );
    refuseWithoutCheck({});
  });
});

describe("a report", () => {
  it("is written, and its exit code is 1 if there are errors", async () => {
    const report = [{ format: "json", file: path("r.json") }] as const;
    const { exitCode, complaints } = (await findingsReporter({ report }))(findings);
    expect([exitCode, complaints]).toEqual([1, ""]);
    expect(JSON.parse(readFileSync(path("r.json"), "utf8"))).toMatchObject({ errors: 1, warnings: 1 });
  });

  it("leaves out suppressed findings, and names suppressions that were not used", async () => {
    writeFileSync(
      path("s.txt"),
      '# known\nkind=OUT_* kernel=kernel allocation="buffer 1"\n\nkind=RACE # none\n',
    );
    const { exitCode, complaints } = (await findingsReporter({ suppress: path("s.txt") }))(findings);
    expect(exitCode).toBe(0);
    expect(complaints).toContain("warning: unordered writes of the same value");
    expect(complaints).not.toContain("out of bounds");
    expect(complaints).toContain("1 suppressed\n");
    expect(complaints).toContain("s.txt:4: warning: no finding is suppressed by kind=RACE\n");
  });
});

describe("a suppression", () => {
  it.each([
    ["sort=RACE", "expected one of kind, kernel, source, allocation"],
    ["RACE", "expected words such as `kind=RACE`, found `RACE` in line 1 of "],
    ["kind=", "found `kind=` in line 1"],
    ["kind=RACES", "expected a kind of finding"],
  ])("%j is refused", (text, message) => {
    expect(() => readSuppressions(text, "s.txt")).toThrow(message);
  });

  it("matches lines of CUDA by the end of the path", () => {
    const frames = [{ file: "/src/lib/a.cu", line: 3, column: 1, function: "f" }];
    const finding = { ...findings[0]!, place: { ...findings[0]!.place!, frames } };
    const matches = (source: string) => readSuppressions(`source=${source}`, "s")[0]!.matches(finding);
    expect(["a.cu", "a.cu:3", "lib/*.cu", "/src/lib/a.cu:3", "a.cu:4", "b/a.cu", "u"].map(matches)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
