// docs/emulator-gpu.md: what was compared with which GPU, and what came out.

import type { Comparison } from "./hardware-compare.js";

/** Differences that the page tells; the others are counted. */
const TOLD = 40;

/** The page. @param results what was compared, by kind; nothing when it was never run on a GPU */
export function hardwarePage(results: Readonly<Record<string, Comparison>>): string {
  const rows = Object.entries(results);
  const different = rows.flatMap(([, { different }]) => different);
  return [
    "# The emulator against a GPU",
    "",
    "`npm run compare-with-gpu` runs the same kernels on the emulator and on the first GPU through the `Device` interface of",
    "`@mm-ptx/types/core`, and writes this page; so does [the archive](gpu-report.md) for a machine without Node. `-- MODULE` names a",
    "file that exports `open()`, which gives another device. Compared are all buffers of the emulator's test kernels, every",
    "instruction of the default descriptions on 256 rows of values from the edge of its types, and random Stack PTX programs of exact",
    "instructions. Bits have to be equal, but where PTX only approximates: there results have to be within its bounds of each other.",
    "",
    ...(rows.length === 0
      ? [
          "**This was never run on hardware.** No machine with a GPU was at hand so far. The same comparison of the emulator's two",
          "engines with each other is part of the tests. Undefined results, such as a division of whole numbers by zero, are expected",
          "to differ.",
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
          ...(different.length === 0 ? [] : ["", "Different, with the first value that is:", ""]),
          ...different.slice(0, TOLD).map((line) => `- ${line}`),
          ...(different.length > TOLD ? [`- and ${different.length - TOLD} more`] : []),
        ]),
    "",
  ].join("\n");
}
