// Writes docs/emulator-gpu.md: what was compared with which GPU, and the results.

import type { Comparison } from "./hardware-compare.js";

/** The most differences that the page lists; the others are only counted. */
const LISTED = 40;

/** The page. @param results the comparisons by kind; empty if there was no run on a GPU */
export function hardwarePage(results: Readonly<Record<string, Comparison>>): string {
  const rows = Object.entries(results);
  const different = rows.flatMap(([, { different }]) => different);
  return [
    "# The emulator against a GPU",
    "",
    "`npm run compare-with-gpu` runs the same kernels on the emulator and on the first GPU, through the `Device` interface of",
    "`@mm-ptx/types/device`, and writes this page; [the archive](gpu-report.md) does the same on a machine without Node. With",
    "`-- MODULE`, it uses the device that `open()` returns, which that file has to export. The comparison covers all buffers of the",
    "emulator's test kernels, every instruction of the default descriptions on 256 rows of values including the edges of its types, and",
    "random Stack PTX programs of exact instructions. Results must be equal bit for bit, except where PTX only approximates: there,",
    "they must be within PTX's bounds of each other.",
    "",
    ...(rows.length === 0
      ? [
          "**This has not run on hardware yet**, because no machine with a GPU has been available. The tests include the same comparison",
          "between the emulator's two engines. Undefined results, such as an integer division by zero, are expected to differ.",
        ]
      : [
          `The last run was on ${rows[0]![1].device} (${rows[0]![1].arch}).`,
          "",
          "| | cases | equal bit for bit | within the bounds | different |",
          "|---|---|---|---|---|",
          ...rows.map(
            ([kind, { cases, equal, near, different }]) =>
              `| ${kind} | ${cases} | ${equal} | ${near} | ${different.length} |`,
          ),
          ...(different.length === 0 ? [] : ["", "Differences, each with the first value that differs:", ""]),
          ...different.slice(0, LISTED).map((line) => `- ${line}`),
          ...(different.length > LISTED ? [`- and ${different.length - LISTED} more`] : []),
        ]),
    "",
  ].join("\n");
}
