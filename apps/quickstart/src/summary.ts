// The table at the end of a run, and the JSON object with the same information for programs.

import type { Origin } from "@mm-ptx/cuda";
import pico from "picocolors";
import { counted, grouped, percent, significant, time } from "./figures.js";
import { AGREEMENTS, type Agreement } from "./gpu.js";
import { type PtxasCheck, type Report, STAGES } from "./report.js";
import type { Range } from "./statistics.js";

type Colors = ReturnType<typeof pico.createColors>;
/** A row: its name, then its cells. */
type Row = readonly [string, ...string[]];

/** The table as text, with a final line feed. */
export function formatTable(report: Report, color: boolean): string {
  const colors = pico.createColors(color);
  const { bold, dim, yellow } = colors;
  const heading = `${counted(report.programs, "program")}, ${report.arch}, seed ${report.seed}`;
  const stopped = report.interrupted ? yellow(`, stopped after ${grouped(report.done)}`) : "";
  return `${[
    "",
    `${bold(heading)}${stopped}`,
    "",
    ...aligned(facts(report), dim),
    "",
    ...aligned([["stage", "a program", "share"], ...stageRows(report)], dim, true),
    "",
    ...aligned([["", "min", "median", "max"], ...rangeRows(report)], dim, true),
    "",
    ...aligned(checkRows(report, colors), dim),
  ].join("\n")}\n`;
}

/** One line of JSON, with a final line feed. */
export function formatJson(report: Report): string {
  return `${JSON.stringify(report)}\n`;
}

function facts(report: Report): Row[] {
  return [
    ["kernel PTX", report.kernel],
    [
      "compiler",
      report.compiler === undefined ? "none" : `${report.compiler}, ${counted(report.workers, "worker")}`,
    ],
    ["distinct stubs", grouped(report.distinctStubs)],
    ["compiled", grouped(report.compiled)],
    ...(report.compiled > 0 ? originRows(report) : []),
    ...rateRows(report),
    ["programs a second", significant(report.programsPerSecond)],
    ...(report.runsPerSecond > 0 ? [["runs a second", significant(report.runsPerSecond)] as const] : []),
    ...(report.launchesPerSecond > 0
      ? [["launches a second", significant(report.launchesPerSecond)] as const]
      : []),
    ["written to", report.out],
  ];
}

const ORIGINS: Readonly<Record<Origin, string>> = {
  compiled: "  in this run",
  cache: "  from cache",
  duplicate: "  duplicates",
};

function originRows({ origins }: Report): Row[] {
  return Object.entries(ORIGINS).map(([origin, words]) => [words, grouped(origins[origin as Origin])]);
}

/** What a search gains that drafts many programs at once. */
function rateRows({ compilesPerSecond, draftsPerSecond }: Report): Row[] {
  return [
    ...(compilesPerSecond > 0 ? [["compiles a second"] as const] : []),
    ...(compilesPerSecond > 0 ? [["  alone, full effort", significant(compilesPerSecond)] as const] : []),
    ...(draftsPerSecond > 0 ? [["  packed, drafted", significant(draftsPerSecond)] as const] : []),
  ];
}

function stageRows({ stages }: Report): Row[] {
  return STAGES.filter((stage) => stages[stage].milliseconds > 0).map((stage) => [
    stage,
    time(stages[stage].microsecondsPerProgram),
    percent(stages[stage].share),
  ]);
}

function rangeRows({ liveInstructions, registers, cubinBytes, kernelMicroseconds }: Report): Row[] {
  const row = (name: string, range: Range | undefined): Row[] =>
    range === undefined ? [] : [[name, grouped(range.min), grouped(range.median), grouped(range.max)]];
  return [
    ...row("live instructions", liveInstructions),
    ...row("registers", registers),
    ...row("cubin bytes", cubinBytes),
    ...(kernelMicroseconds === undefined
      ? []
      : [
          [
            "kernel",
            ...["min", "median", "max"].map((name) => time(kernelMicroseconds[name as keyof Range])),
          ] as Row,
        ]),
  ];
}

function checkRows(report: Report, { green, red, yellow }: Colors): Row[] {
  const { run, gpu, elf, ptxas } = report.checks;
  const verdict = (good: boolean, words: string): string => (good ? green(words) : red(words));
  const { programs, bytes } = report.spills;
  const failures = Object.entries(report.failures).sort(([, a], [, b]) => b - a);
  return [
    ["spills", programs === 0 ? "none" : `${counted(programs, "program")}, ${counted(bytes, "byte")}`],
    [
      "failures",
      failures.length === 0
        ? green("none")
        : red(failures.map(([code, count]) => `${grouped(count)} ${code}`).join(", ")),
    ],
    [
      "ran",
      "skipped" in run
        ? yellow(`skipped: ${run.skipped}`)
        : `${counted(run.ran, "program")} on the ${run.on}`,
    ],
    ...("skipped" in run
      ? []
      : [
          [
            "agrees",
            verdict(
              run.agreed === run.ran,
              `${grouped(run.agreed)} of ${grouped(run.ran)} with the reference`,
            ),
          ] as const,
          ...run.problems.map((problem) => ["", red(problem)] as const),
        ]),
    ...("skipped" in gpu
      ? gpu.skipped === "not requested"
        ? []
        : [["launched", yellow(`skipped: ${gpu.skipped}`)] as const]
      : [
          ["launched", `${counted(gpu.launched, "cubin")} on ${gpu.on}`] as const,
          ["compared with the emulator", verdict(gpu.wrong === 0, agreementWords(gpu))] as const,
          ...gpu.problems.map((problem) => ["", red(problem)] as const),
        ]),
    [
      `ELF for ${report.arch} with the kernel's entry`,
      elf.total === 0
        ? "no cubin to check"
        : verdict(elf.passed === elf.total, `${grouped(elf.passed)} of ${grouped(elf.total)}`),
    ],
    ...elf.problems.map((problem) => ["", red(problem)] as const),
    [
      "machine code",
      "skipped" in ptxas
        ? yellow(`skipped: ${ptxas.skipped}`)
        : verdict(ptxas.equal === ptxas.compared, equality(ptxas)),
    ],
    ...("problems" in ptxas ? ptxas.problems.map((problem) => ["", red(problem)] as const) : []),
  ];
}

const AGREEMENT_WORDS: Readonly<Record<Agreement, string>> = {
  equal: "bit for bit",
  near: "nearly, by approximations",
  apart: "some further apart",
  wrong: "wrong",
};

function agreementWords(gpu: Readonly<Record<Agreement, number>>): string {
  const found = AGREEMENTS.filter((agreement) => gpu[agreement] > 0);
  return found.map((agreement) => `${grouped(gpu[agreement])} ${AGREEMENT_WORDS[agreement]}`).join(", ");
}

function equality({ equal, compared, version }: Exclude<PtxasCheck, { skipped: string }>): string {
  return `${equal} of ${compared} equal to ptxas ${version}`;
}

/** Aligned rows: figures are right-aligned, words are left-aligned. */
function aligned(rows: readonly Row[], dim: (text: string) => string, figures = false): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, cell.length);
    });
  }
  return rows.map((row, r) => {
    const [name, ...cells] = row;
    const shown = cells.map((cell, i) => (figures ? cell.padStart(widths[i + 1]! + 1) : cell));
    const text = `  ${dim(name.padEnd(widths[0]!))}  ${(figures && r === 0 ? shown.map(dim) : shown).join("  ")}`;
    return text.trimEnd();
  });
}
