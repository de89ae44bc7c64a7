// The check `api`: calls of the CUDA runtime that fail.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { kernelChecks } from "../../src/cli/check-options.js";
import { colorsOf, UsageError } from "../../src/cli/framework.js";
import { run } from "../../src/cli/run.js";

const HERE = import.meta.dirname;
const LIBRARY = join(HERE, `../../npm/${process.platform}-${process.arch}/libcudart.so.13`);
const HAS_LIBRARY = existsSync(LIBRARY) && spawnSync("cc", ["--version"]).status === 0;
const NO_COLORS = colorsOf(process.stderr, { NO_COLOR: "1" });
const HAS_TOOL = spawnSync("addr2line", ["--version"]).status === 0;

describe.runIf(HAS_LIBRARY)("failed calls", () => {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-calls-"));
  const program = join(folder, "calls");
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  beforeAll(() => {
    const built = spawnSync("cc", ["-g", "-O0", "-o", program, join(HERE, "calls.c"), LIBRARY]);
    expect(`${built.stderr}`).toBe("");
    expect(built.status).toBe(0);
  });

  const findingsOf = async (check: { readonly api?: boolean; readonly memory?: boolean }) => {
    const outcome = await run(program, [], { engine: "auto", memory: 2 ** 26, check, json: true });
    return { outcome, json: outcome.json!() as { findings: { findings: readonly object[] } } };
  };

  it("are findings with the function, the error and how often they failed", async () => {
    const { outcome, json } = await findingsOf({ api: true });
    expect(outcome.exitCode).toBe(1);
    const finding = (message: string, occurrences = 1) => ({
      kind: "API_ERROR",
      severity: "error",
      message,
      occurrences,
    });
    expect(json.findings.findings).toMatchObject([
      finding("expected `cudaMalloc` to succeed, found cudaErrorMemoryAllocation (out of memory)"),
      finding(
        "expected `cudaSetDevice` to succeed, found cudaErrorInvalidDevice (invalid device ordinal)",
        3,
      ),
      finding("expected `cudaFreeAsync` to succeed, found cudaErrorInvalidValue (invalid argument)"),
    ]);
  });

  it.runIf(HAS_TOOL)("have the lines of the calls", async () => {
    const { outcome, json } = await findingsOf({ api: true });
    expect(json.findings.findings).toMatchObject([
      { at: { line: 11 } },
      {
        at: { line: 7 },
        calledAt: [
          { line: 7, function: "choose" },
          { line: 12, function: "main" },
        ],
      },
      { at: { line: 13 } },
    ]);
    expect(outcome.complaints?.(NO_COLORS)).toMatch(
      /called at \S*calls\.c:7 in choose, called at \S*calls\.c:12 in main\n/,
    );
  });

  it("are not reported by the other checks, nor as findings of a kernel", async () => {
    expect((await findingsOf({ memory: true })).json.findings.findings).toEqual([]);
    expect(() => kernelChecks({ api: true })).toThrow(UsageError);
    expect(kernelChecks({ memory: true })).toEqual({ memory: true });
  });
});
