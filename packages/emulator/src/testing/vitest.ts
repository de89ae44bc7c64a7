// The entry point `@mm-ptx/emulator/vitest`: CUDA programs and checks in tests. It works with any test runner.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CheckName } from "../run/checks.js";
import type { Finding } from "../run/finding.js";
import { findingsText } from "../view/findings/text.js";

/** Options of {@link runProgram}. */
export interface RunProgramOptions {
  /** The checks; all by default. */
  readonly check?: readonly CheckName[];
  /** A file that names known findings. */
  readonly suppress?: string;
  /** The folder that the program runs in. */
  readonly cwd?: string;
  /** The most milliseconds that the program may take; 10 minutes by default. */
  readonly timeoutMs?: number;
}

/** The outcome of a program. */
export interface ProgramRun {
  /** The program's exit code; 1 if that is 0 and the checks have found errors. */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The findings of the checks, as in `--report json`: addresses are strings. */
  readonly findings: readonly Pick<Finding, "kind" | "severity" | "message" | "kernel" | "occurrences">[];
  /** The findings as text. */
  readonly report: string;
}

const COMMAND = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const DEFAULT_TIMEOUT = 600_000;
const MOST_OUTPUT = 2 ** 28;

/**
 * Runs a program that was built with `nvcc -cudart shared -lineinfo` on the CPU, with checks.
 * @throws Error if it cannot be run or takes too long
 */
export async function runProgram(
  program: string,
  args: readonly string[] = [],
  { check, suppress, cwd, timeoutMs = DEFAULT_TIMEOUT }: RunProgramOptions = {},
): Promise<ProgramRun> {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-test-"));
  const [json, text] = [join(folder, "json"), join(folder, "text")];
  const reports = ["--report", `json=${json}`, "--report", `text=${text}`];
  const suppressions = suppress === undefined ? [] : ["--suppress", suppress];
  const options = ["run", "--check", check?.join(",") ?? "all", ...reports, ...suppressions, "--"];
  try {
    const done = await new Promise<Pick<ProgramRun, "exitCode" | "stdout" | "stderr">>((resolve, reject) => {
      const limits = { cwd, timeout: timeoutMs, maxBuffer: MOST_OUTPUT };
      const words = [COMMAND, ...options, program, ...args];
      execFile(process.execPath, words, limits, (error, stdout, stderr) => {
        if (error?.killed === true || typeof error?.code === "string") reject(error);
        else resolve({ exitCode: Number(error?.code ?? 0), stdout, stderr });
      });
    });
    const { findings } = JSON.parse(readReport(json, program, done.stderr)) as ProgramRun;
    return { ...done, findings, report: readFileSync(text, "utf8") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readReport(path: string, program: string, stderr: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new Error(`expected a program that can be run, found ${program}: ${stderr}`, { cause });
  }
}

/** Something with findings: a device, a report of a launch, or a run of a program. */
export type HasFindings = { readonly findings: readonly Finding[] } | ProgramRun;

/**
 * Expects that checks have found no errors, and no warnings if `warnings` is true.
 * @throws Error with the report
 */
export function expectNoFindings(of: HasFindings, { warnings = false } = {}): void {
  const found = of.findings.filter(({ severity }) => warnings || severity === "error");
  if (found.length === 0) return;
  const report = "report" in of ? of.report : findingsText(of.findings);
  throw new Error(`expected no findings, found ${found.length}:\n${report}`);
}
