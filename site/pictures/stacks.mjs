// The stacks of a program, step by step, as the compiler sees them, and the stub that it prints at the end.

import { register, StackCompiler, StackProgram } from "@mm-ptx/stack";
import { f32, input, ptx, stacks, table } from "@mm-ptx/stack/default";
import { CODE_WIDTH, legend, picture, rect, text } from "./svg.mjs";

/** A value that nothing uses, x · y + 1, and an instruction that finds too few values. */
const STEPS = /** @type {const} */ ([
  ["f32(7)", f32(7)],
  ["input(0)", input(0)],
  ["input(1)", input(1)],
  ["ptx.mulFtzF32", ptx.mulFtzF32],
  ["ptx.fmaRnFtzF32", ptx.fmaRnFtzF32],
  ["f32(1)", f32(1)],
  ["ptx.addFtzF32", ptx.addFtzF32],
]);
const NAMES = ["x", "y", "z"];
const OUTPUT = 2;

const WIDTH = 960;
const ROW = 34;
const TOP = 108;
const [WORDS, STACK] = [64, 220];
const SIZE = 12;

/** @param {string} words */
const widthOf = (words) => words.length * SIZE * CODE_WIDTH + 18;

export function drawStacks() {
  const compiler = new StackCompiler(table);
  const program = StackProgram.of(...STEPS.map(([, instruction]) => instruction));
  const job = { registers: NAMES.map((name) => register(name, stacks.F32)), requests: [OUTPUT] };
  const { steps } = compiler.trace(program, job);
  const dead = new Set(compiler.analyze(program, job).dead);
  const stub = compiler.compile(program, job).trimEnd().split("\n");
  const below = TOP + ROW * STEPS.length + 26;
  const height = below + 24 + 18 * stub.length + 52;
  const rows = STEPS.flatMap(([words], i) => {
    const y = TOP + ROW * i;
    const step = steps[i];
    const isDead = dead.has(i);
    let x = STACK;
    const values = (step?.stacks[stacks.F32] ?? []).map(({ text: value }) => {
      const shown = nameOf(value);
      const isNew =
        step?.outcome !== undefined &&
        steps[i - 1]?.stacks[stacks.F32]?.every(({ text: old }) => old !== value) !== false;
      const left = x;
      x += widthOf(shown) + 6;
      const ink = isNew ? "program" : "muted";
      return [
        rect(left, y - 16, widthOf(shown), 24, {
          ink: isNew ? "programSoft" : "card",
          edge: isNew ? "program" : "edge",
          radius: 5,
        }),
        text(left + 9, y, shown, { code: true, size: SIZE, ink }),
      ].join("");
    });
    return [
      rect(24, y - 22, WIDTH - 48, 1, { ink: "edge", radius: 0 }),
      text(40, y, `${i}`, { size: SIZE, ink: "muted", anchor: "end" }),
      text(WORDS, y, words, {
        code: true,
        size: SIZE,
        ink: isDead ? "muted" : "text",
        weight: isDead ? 400 : 600,
      }),
      ...values,
      text(WIDTH - 24, y, step?.remark || (isDead ? "nothing uses it" : ""), {
        size: SIZE,
        ink: "muted",
        anchor: "end",
      }),
    ];
  });
  return picture(
    WIDTH,
    height,
    "The f32 stack after each instruction of a program, and the stub of the program",
    [
      text(24, 32, "The stacks of a program, step by step", { size: 16, weight: 700 }),
      text(
        24,
        54,
        "Instructions take their operands from the stacks of their types. One that finds too few values is skipped, so every program is valid.",
        { size: 12, ink: "muted" },
      ),
      text(WORDS, TOP - 28, "instruction", { size: SIZE, ink: "muted", weight: 600 }),
      text(STACK, TOP - 28, "the f32 stack after it, its top on the right", {
        size: SIZE,
        ink: "muted",
        weight: 600,
      }),
      ...rows,
      rect(24, below - 20, WIDTH - 48, 44 + 18 * stub.length, { ink: "card", edge: "edge" }),
      text(40, below + 2, "the stub: z receives the top of the stack, and only what it needs is printed", {
        size: SIZE,
        ink: "muted",
        weight: 600,
      }),
      ...stub.map((line, i) =>
        text(40, below + 26 + 18 * i, line.replaceAll("\t", "  "), { code: true, size: SIZE }),
      ),
      ...legend(24, height - 14, [
        { ink: "program", words: "the value that an instruction pushed" },
        { ink: "edge", words: "values from before" },
      ]),
    ],
  );
}

/** Operands as in a formula. @param {string} value */
const nameOf = (value) => value.replace("0f40E00000", "7").replace("0f3F800000", "1");
