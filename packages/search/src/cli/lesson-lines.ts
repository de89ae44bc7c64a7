// A lesson as lines of a terminal: a scatter plot of predictions and costs, how the error falls, and whether the model pays.

import type { LessonStep } from "../lesson/cost-lesson.js";
import { counted } from "../pictures/drawing/words.js";

const WIDTH = 38;
const HEIGHT = 12;
/** How many of the last programs are in a plot. */
const SHOWN = 200;
/** Marks of a place by the number of its programs. */
const MARKS = " .oO@";
const BARS = "▁▂▃▄▅▆▇█";

/** Microseconds as a reader likes them: two digits or more. */
export function shownTime(microseconds: number): string {
  const two = (value: number): string => (Math.abs(value) < 10 ? value.toFixed(1) : value.toFixed(0));
  return Math.abs(microseconds) < 995 ? `${two(microseconds)} µs` : `${two(microseconds / 1000)} ms`;
}

/** One line for a step, for logs. */
export function sentenceOf({ compiled, costs, compiler, model, paysSince }: LessonStep): string {
  const errors = costs.map(({ name, error, constantError }) =>
    Number.isNaN(error)
      ? `${name} unknown`
      : `${name} off by ${error.toFixed(1)} (a constant: ${constantError.toFixed(1)})`,
  );
  const pays = paysSince === undefined ? "" : `, pays since ${paysSince}`;
  return `${counted(compiled, "program")}: ${errors.join(", ")}, compiler ${shownTime(compiler)}, model ${shownTime(model)}${pays}`;
}

/** What a command prints in the end. */
export function summaryOf({ compiled, costs, compiler, model, saved, paysSince }: LessonStep): string {
  const { error, constantError } = costs[0]!;
  const found = Number.isNaN(error)
    ? `After ${counted(compiled, "program")}, the model has not predicted anything yet: it learns from the first batch.`
    : `After ${counted(compiled, "program")}, the model is off by ${error.toFixed(1)} machine instructions on average; the best constant would be off by ${constantError.toFixed(1)}.`;
  const since =
    paysSince === undefined
      ? "It did not pay in this run."
      : `It pays since ${counted(paysSince, "program")}: each program that is compiled saves ${shownTime(saved)}.`;
  return `${found}\nAsking the compiler takes ${shownTime(compiler)}, asking the model ${shownTime(model)}. ${since}\n`;
}

/** The lines of a terminal after some steps. */
export function lessonLines(steps: readonly LessonStep[], stub: string, programs: number): string[] {
  const last = steps.at(-1)!;
  const plots = last.costs.map((_, cost) => plot(steps, cost));
  const rows = plots[0]!.map((_, row) => plots.map((lines) => lines[row]!).join("   "));
  const course = last.costs.map(({ name }, cost) => {
    const errors = steps.map(({ costs }) => costs[cost]!.error).filter((error) => !Number.isNaN(error));
    const { constantError } = last.costs[cost]!;
    const now = errors.at(-1);
    const words =
      now === undefined ? "-" : `${now.toFixed(1)} (the best constant: ${constantError.toFixed(1)})`;
    return `error of ${name.padEnd(12)} ${curve(errors, constantError).padEnd(40)} ${words}`;
  });
  const pays =
    last.paysSince === undefined
      ? "asking the model does not pay yet"
      : `ASKING THE MODEL PAYS since ${last.paysSince} programs: ${shownTime(last.saved)} saved for each program that is compiled`;
  return [
    `${last.compiled} of ${counted(programs, "program")} compiled`,
    `  ${oneLine(stub)}`,
    "",
    ...rows,
    "",
    ...course,
    "",
    `compiler ${shownTime(last.compiler)} a program, model ${shownTime(last.model)}; the model finds ${(100 * last.costs[0]!.recall).toFixed(0)} % of the shortest tenth in its first tenth`,
    pays,
  ];
}

/** The instructions of a stub without its declarations. */
const oneLine = (stub: string): string =>
  stub
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^[{}.]/.test(line))
    .join(" ");

/** Predictions from left to right, costs from bottom to top; a perfect model would be on the diagonal. */
function plot(steps: readonly LessonStep[], cost: number): string[] {
  const points = steps
    .flatMap(({ costs }) =>
      Array.from(costs[cost]!.came, (came, index) => [costs[cost]!.predicted[index]!, came] as const),
    )
    .slice(-SHOWN)
    .filter(([predicted]) => !Number.isNaN(predicted));
  const { name } = steps[0]!.costs[cost]!;
  const values = points.flat();
  const [least, most] = values.length === 0 ? [0, 1] : [Math.min(...values), Math.max(...values)];
  const scale = (value: number, cells: number) =>
    Math.min(cells - 1, Math.max(0, Math.floor(((value - least) / (most - least || 1)) * cells)));
  const counts = Array.from({ length: HEIGHT }, () => new Uint16Array(WIDTH));
  for (const [predicted, came] of points)
    counts[HEIGHT - 1 - scale(came, HEIGHT)]![scale(predicted, WIDTH)]!++;
  const lines = counts.map((row, line) => {
    const diagonal = Math.floor(((HEIGHT - 0.5 - line) / HEIGHT) * WIDTH);
    const marks = Array.from(row, (count, column) =>
      count === 0 && column === diagonal ? "/" : MARKS[Math.min(count, MARKS.length - 1)]!,
    );
    const label = line === 0 ? most : line === HEIGHT - 1 ? least : undefined;
    return `${(label === undefined ? "" : label.toFixed(0)).padStart(4)} |${marks.join("")}`;
  });
  return [
    `     ${`${name}: real (up), predicted (right)`.padEnd(WIDTH + 1)}`,
    ...lines,
    `     +${"-".repeat(WIDTH)}`,
  ];
}

/** Errors as bars, the full height being that of a constant. */
function curve(errors: readonly number[], most: number): string {
  const shown = errors.slice(-40);
  return shown
    .map(
      (error) =>
        BARS[Math.min(BARS.length - 1, Math.max(0, Math.round((error / (most || 1)) * (BARS.length - 1))))]!,
    )
    .join("");
}
