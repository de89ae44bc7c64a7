// A site before and after: the quickstart's kernel with its marks, and with the stub of a program.

import { readFileSync } from "node:fs";
import { parsePtx } from "@mm-ptx/inject";
import { StackCompiler, StackProgram, siteJob } from "@mm-ptx/stack";
import { f32, input, ptx, table } from "@mm-ptx/stack/default";
import { arrow, legend, picture, rect, text } from "./svg.mjs";

const KERNEL = new URL("../../apps/quickstart/kernel.ptx", import.meta.url);
const LINE = 18;
const TOP = 78;

/** @param {string} line */
const untabbed = (line) => line.trimEnd().replace(/^\t/, "").replaceAll(" \t", " ").replaceAll("\t", "  ");

export function drawSites() {
  const source = readFileSync(KERNEL, "utf8");
  const kernel = parsePtx(source);
  const { operands } = kernel.injection("func");
  const program = StackProgram.of(input(1), input(2), ptx.mulFtzF32, f32(1), ptx.addFtzF32);
  const stub = new StackCompiler(table).compile(program, siteJob(table, operands));
  const before = excerpt(source);
  const after = excerpt(kernel.render({ func: stub }));
  const first = before.findIndex((line, i) => line !== after[i]);
  const rest = before.toReversed().findIndex((line, i) => line !== after.at(-1 - i));
  const height = TOP + LINE * Math.max(before.length, after.length) + 54;
  const column = (/** @type {number} */ x, /** @type {readonly string[]} */ lines) => [
    rect(x, TOP - 18, 424, LINE * lines.length + 18, { ink: "card", edge: "edge" }),
    rect(x + 6, TOP + LINE * first - 12, 412, LINE * (lines.length - rest - first), {
      ink: "programSoft",
      radius: 3,
    }),
    ...lines.map((line, i) => {
      const ink = i >= first && i < lines.length - rest ? "program" : "text";
      return text(x + 16, TOP + 1 + LINE * i, line, { code: true, size: 12, ink });
    }),
  ];
  return picture(
    960,
    height,
    "PTX of a kernel around a site, with its marks and with the stub of a program",
    [
      text(24, 30, "A site before and after", { size: 16, weight: 700 }),
      text(24, 50, "kernel.ptx, compiled once", { size: 12, ink: "muted" }),
      text(512, 50, "the same lines with the stub of x · y + 1", { size: 12, ink: "muted" }),
      ...column(24, before),
      arrow([
        [452, TOP + 100],
        [508, TOP + 100],
      ]),
      ...column(512, after),
      ...legend(24, height - 16, [
        {
          ink: "program",
          words: "the site: on the left, marks that name its operands; on the right, a stub",
        },
      ]),
    ],
  );
}

/**
 * The lines from the moves into the site's registers to the store of its result.
 *
 * @param {string} source
 */
function excerpt(source) {
  const lines = source.split("\n").map(untabbed);
  const start = lines.findIndex((line) => line.startsWith("mov.f32 %_x1"));
  const end = lines.findIndex((line) => line.startsWith("st.global"));
  return lines.slice(start, end + 1);
}
