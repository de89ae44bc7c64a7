// The options of checks and of their report, shared by the commands that run kernels.
import { didYouMean, quoted } from "@mm-ptx/types/internal";
import type { Command } from "commander";
import type { Checks } from "../device/options.js";
import { CHECKS } from "../run/checks.js";
import { completedBy, listCompletedBy, pathWord, STANDARD, UsageError } from "./framework.js";

export const REPORT_FORMATS = ["text", "json", "sarif", "junit"] as const;

/** A format of the report and the file for it; `-` is stdout, and without a file it goes to stderr. */
export interface ReportWord {
  readonly format: (typeof REPORT_FORMATS)[number];
  readonly file: string | undefined;
}

/** The checks of a device, and of the calls of a program. */
export interface ProgramChecks extends Checks {
  /** Whether calls of the CUDA runtime that fail are findings. */
  readonly api?: boolean;
}

/** The options that {@link addCheckOptions} adds. */
export interface CheckOptions {
  readonly check?: ProgramChecks;
  readonly report?: readonly ReportWord[];
  readonly suppress?: string;
}

/** Adds `--check`, `--report` and `--suppress` to a command. */
export function addCheckOptions(command: Command): Command {
  return command
    .option(
      "--check <names>",
      `record findings and continue: ${CHECKS.join(",")}, all for all of these, or api`,
      listCompletedBy([...CHECKS, "all", "api"], checkNames),
    )
    .option(
      "--report <format[=file]>",
      `write the findings of --check as ${REPORT_FORMATS.join(", ")}; repeat for several`,
      completedBy(REPORT_FORMATS, reportWord),
    )
    .option("--suppress <file>", "suppress findings that match a line of a file", pathWord);
}

/** The text that help has about these options. */
export const CHECK_HELP = `Checks: ${CHECKS.join(", ")}; and api, which is not part of all: failed calls of the CUDA runtime. Findings are reported on stderr, or as \`--report\` says.
Suppressions: lines such as \`kind=RACE kernel=reduce* source=reduce.cu:40 allocation="buffer 1"\`; # begins a comment.`;

/** @throws UsageError for options that need `--check` */
export function refuseWithoutCheck({ check, report, suppress }: CheckOptions): void {
  if (check !== undefined) return;
  const found = report === undefined ? (suppress === undefined ? undefined : "--suppress") : "--report";
  if (found !== undefined) throw new UsageError(`expected \`--check\` with \`${found}\`, found none`);
}

/** The checks of a kernel. @throws UsageError for those of a program */
export function kernelChecks({ api, ...checks }: ProgramChecks = {}): Checks {
  if (api === true)
    throw new UsageError("expected a program with `--check api`, which is about its calls, found a kernel");
  return checks;
}

/** `races,memory` or `all`. @throws UsageError */
function checkNames(word: string): ProgramChecks {
  const names = word.split(",").flatMap((name) => (name === "all" ? CHECKS : [name]));
  for (const name of names) {
    const known: readonly string[] = [...CHECKS, "api", "all"];
    if (known.includes(name)) continue;
    throw new UsageError(
      `expected checks (${known.join(", ")}), found ${quoted(name)}${didYouMean(name, known)}`,
    );
  }
  return Object.fromEntries(names.map((name) => [name, true]));
}

/** @throws UsageError */
function reportWord(word: string, before: readonly ReportWord[] = []): readonly ReportWord[] {
  const [name = "", file] = word.split(/=(.*)/s);
  const format = REPORT_FORMATS.find((one) => one === name);
  if (format === undefined)
    throw new UsageError(
      `expected a format (${REPORT_FORMATS.join(", ")}), found ${quoted(name)}${didYouMean(name, REPORT_FORMATS)}`,
    );
  if (file === "") throw new UsageError(`expected a file after \`=\`, found ${quoted(word)}`);
  if (file === STANDARD && before.some((one) => one.file === STANDARD))
    throw new UsageError("expected an output once, found standard output twice");
  return [...before, { format, file }];
}
