// The way from a kernel to machine code: what happens once, and what happens for each program.

import { arrow, card, legend, picture, rect, text } from "./svg.mjs";

const KERNEL = /** @type {const} */ ({ ink: "kernel", soft: "kernelSoft" });
const PROGRAM = /** @type {const} */ ({ ink: "program", soft: "programSoft" });
const RESULT = /** @type {const} */ ({ ink: "result", soft: "resultSoft" });

export function drawPipeline() {
  const band = (/** @type {number} */ y, /** @type {number} */ height, /** @type {string} */ words) => [
    rect(16, y, 928, height, { ink: "card", edge: "edge", radius: 10 }),
    text(32, y + 24, words, { size: 12, ink: "muted", weight: 600 }),
  ];
  const label = (
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {string} */ words,
    code = false,
  ) => text(x, y, words, { size: 12, ink: "muted", anchor: "middle", code });
  return picture(
    960,
    432,
    "A marked kernel is compiled to PTX once; each program becomes a stub, is filled in, and is compiled and run",
    [
      ...band(16, 122, "once for each kernel"),
      card({
        x: 40,
        y: 54,
        width: 190,
        height: 66,
        title: "kernel.cu",
        lines: ['with PTX_INJECT("func", …)'],
        ...KERNEL,
      }),
      arrow([
        [230, 87],
        [344, 87],
      ]),
      label(285, 78, "nvcc, NVRTC"),
      card({
        x: 346,
        y: 54,
        width: 190,
        height: 66,
        title: "marked PTX",
        lines: ["the site is a comment"],
        ...KERNEL,
      }),
      arrow([
        [536, 87],
        [650, 87],
      ]),
      label(592, 78, "parsePtx"),
      card({
        x: 652,
        y: 54,
        width: 268,
        height: 66,
        title: "AnnotatedPtx",
        lines: ["text around sites, register names"],
        ...KERNEL,
      }),
      ...band(158, 232, "for each program, thousands of times"),
      card({
        x: 40,
        y: 208,
        width: 190,
        height: 66,
        title: "program",
        lines: ["8 bytes an instruction"],
        ...PROGRAM,
      }),
      arrow([
        [230, 241],
        [344, 241],
      ]),
      label(287, 232, "microseconds"),
      label(287, 260, "stack, ast", true),
      card({
        x: 346,
        y: 208,
        width: 190,
        height: 66,
        title: "stub",
        lines: ["a few lines of PTX"],
        ...PROGRAM,
      }),
      arrow([
        [536, 241],
        [650, 241],
      ]),
      label(592, 232, "injected"),
      label(592, 260, "inject", true),
      card({
        x: 652,
        y: 208,
        width: 268,
        height: 66,
        title: "filled PTX",
        lines: ["the kernel with the stub at its site"],
        ...PROGRAM,
      }),
      arrow([
        [786, 120],
        [786, 206],
      ]),
      arrow([
        [712, 274],
        [712, 342],
        [538, 342],
      ]),
      label(625, 334, "milliseconds, each core"),
      label(625, 360, "cuda", true),
      card({ x: 346, y: 310, width: 190, height: 66, title: "cubin", lines: ["machine code"], ...RESULT }),
      arrow([
        [346, 342],
        [232, 342],
      ]),
      label(289, 334, "launch"),
      card({ x: 40, y: 310, width: 190, height: 66, title: "results", lines: ["of a GPU"], ...RESULT }),
      arrow([
        [845, 274],
        [845, 308],
      ]),
      card({
        x: 770,
        y: 310,
        width: 150,
        height: 66,
        title: "results",
        lines: ["of the emulator"],
        ...RESULT,
      }),
      ...legend(24, 416, [
        { ink: "kernel", words: "of the kernel" },
        { ink: "program", words: "of one program" },
        { ink: "result", words: "of the machine that runs it" },
      ]),
    ],
  );
}
