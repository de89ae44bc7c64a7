// Coverage by source line as a tracefile of lcov (geninfo(1), Files).
import { demangle } from "@mm-ptx/ptx";
import { invalid } from "../device/check.js";
import type { Program } from "../program/program.js";
import { sourceFrames } from "../source/frames.js";
import { checkCounts } from "./lines.js";

/** A program and how often its instructions were executed. */
export interface CountedRun {
  readonly program: Program;
  /** The counts, as in `LaunchReport.counts`. */
  readonly counts: readonly Float64Array[];
}

/** What is known about a file: how often its lines and functions were executed. */
interface Coverage {
  readonly lines: Map<number, number>;
  readonly functions: Map<string, { readonly line: number; count: number }>;
}

/**
 * How often threads executed each line of the sources, as a tracefile for `genhtml` and coverage services. Launches of
 * several kernels and modules are merged by file. The count of a line is that of its most frequently executed
 * instruction, and a line in an inlined function also counts for the lines that call it.
 *
 * Empty if the programs were compiled without `-lineinfo`.
 * @throws EmulatorError INVALID_ARGUMENT
 */
export function lcov(runs: readonly CountedRun[]): string {
  if (!Array.isArray(runs)) throw invalid("a list of programs with their counts", runs);
  const files = new Map<string, Coverage>();
  for (const { program, counts } of runs) {
    checkCounts(program, counts);
    addRun(files, program, counts);
  }
  return [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, coverage]) => record(path, coverage))
    .join("");
}

function addRun(files: Map<string, Coverage>, program: Program, counts: readonly Float64Array[]): void {
  for (const [index, { name, instructions }] of program.functions.entries()) {
    // By the chain of calls that were inlined: each copy of an inlined line is executed on its own.
    const copies = new Map<string, { readonly file: string; readonly line: number; count: number }>();
    for (let i = 0; i < instructions.length; i++) {
      const frames = sourceFrames(program, index, i);
      const count = counts[index]![i]!;
      let chain = "";
      for (const { file, line } of [...frames].reverse()) {
        chain += `${file}:${line}\n`;
        const known = copies.get(chain);
        if (known === undefined) copies.set(chain, { file, line, count });
        else known.count = Math.max(known.count, count);
      }
      const outermost = frames.at(-1);
      if (i === 0 && outermost !== undefined) {
        const { functions } = coverageOf(files, outermost.file);
        const known = functions.get(name);
        if (known === undefined) functions.set(name, { line: outermost.line, count });
        else known.count += count;
      }
    }
    for (const { file, line, count } of copies.values()) {
      const { lines } = coverageOf(files, file);
      lines.set(line, (lines.get(line) ?? 0) + count);
    }
  }
}

function coverageOf(files: Map<string, Coverage>, path: string): Coverage {
  const known = files.get(path) ?? { lines: new Map(), functions: new Map() };
  files.set(path, known);
  return known;
}

function record(path: string, { lines, functions }: Coverage): string {
  const byLine = [...lines].sort(([a], [b]) => a - b);
  const byFunction = [...functions].map(([name, { line, count }]) => ({ name: demangle(name), line, count }));
  const isRun = (count: number) => count > 0;
  return [
    "TN:",
    `SF:${path}`,
    ...byFunction.map(({ name, line }) => `FN:${line},${name}`),
    ...byFunction.map(({ name, count }) => `FNDA:${count},${name}`),
    `FNF:${byFunction.length}`,
    `FNH:${byFunction.filter(({ count }) => isRun(count)).length}`,
    ...byLine.map(([line, count]) => `DA:${line},${count}`),
    `LF:${byLine.length}`,
    `LH:${byLine.filter(([, count]) => isRun(count)).length}`,
    "end_of_record\n",
  ].join("\n");
}
