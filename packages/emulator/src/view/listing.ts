// PTX as text, with the execution count of each line.
import type { Program } from "../program/program.js";
import { countedFunctions, expanded, grouped } from "./lines.js";

/**
 * The functions of a program that ran, each line with its count and its share of all instructions:
 * ```
 *      256   12.5 %    24 | ld.param.u64 %rd1, [data];
 * ```
 * If the kernel was compiled with `-lineinfo`, rows such as `// kernel.cu:12` name the places in CUDA.
 * @param counts as `LaunchReport.counts` has them
 * @throws EmulatorError INVALID_ARGUMENT
 */
export function annotatedListing(program: Program, counts: readonly Float64Array[]): string {
  const ran = countedFunctions(program, counts).filter(({ total }) => total > 0);
  const all = ran.reduce((sum, { total }) => sum + total, 0);
  const cells = ran.map(({ lines }) =>
    lines.map(({ line, text, count }) => ({
      count: count === undefined ? "" : grouped(count),
      share: count === undefined || count === 0 ? "" : `${((100 * count) / all).toFixed(1)} %`,
      line: `${line ?? ""}`,
      text: expanded(text),
    })),
  );
  const width = cells.flat().reduce((most, { count }) => Math.max(most, count.length), 5);
  return cells
    .map((lines) =>
      lines
        .map(({ count, share, line, text }) =>
          `${count.padStart(width)} ${share.padStart(8)} ${line.padStart(5)} | ${text}`.trimEnd(),
        )
        .join("\n"),
    )
    .join("\n\n")
    .concat("\n");
}
