// The page: plays recorded batches to a lesson, and draws what it has learned.
import { CostLesson, type LessonStep } from "@mm-ptx/search";
import { drawErrors, drawScatter } from "./drawing.js";
import { readRecorded } from "./recorded.js";

/** Milliseconds between two batches, by speed. */
const PACE = [1200, 700, 350, 150, 30];
const LINES = 5;

const recorded = readRecorded();
const element = <Kind extends HTMLElement>(id: string): Kind => document.getElementById(id) as Kind;
const say = (id: string, text: string): void => {
  element(id).textContent = text;
};

let lesson = new CostLesson(recorded.columns, recorded.names);
let steps: LessonStep[] = [];
let lines: string[] = [];
let timer = 0;
let isPaused = false;

const time = (microseconds: number): string =>
  Math.abs(microseconds) < 995
    ? `${Number(microseconds.toPrecision(2))} µs`
    : `${Number((microseconds / 1000).toPrecision(2))} ms`;

function step(): void {
  const batch = recorded.batches[steps.length];
  if (batch === undefined) {
    isPaused = true;
    element<HTMLButtonElement>("pause").disabled = true;
    return;
  }
  steps.push(lesson.step(batch));
  const { costs } = steps.at(-1)!;
  const [instructions] = costs;
  const predicted = instructions!.predicted[0]!;
  const guess = Number.isNaN(predicted) ? "?" : predicted.toFixed(0);
  lines = [
    ...lines,
    `${guess.padStart(4)} ${instructions!.came[0]!.toFixed(0).padStart(5)}   ${batch.shown}`,
  ].slice(-LINES);
  show();
}

function show(): void {
  const last = steps.at(-1);
  say("stream", ["model  real  program", ...lines].join("\n"));
  recorded.names.forEach((name, cost) => {
    say(`name-${cost}`, `${name}: real against predicted`);
    drawScatter(element<HTMLCanvasElement>(`plot-${cost}`), steps, cost);
  });
  drawErrors(element<HTMLCanvasElement>("errors"), steps, recorded.programs);
  say("count", `${last?.compiled ?? 0} of ${recorded.programs} programs`);
  if (last === undefined) return;
  const { compiler, model, saved, paysSince, costs } = last;
  say("compiler", `${time(compiler)} a program`);
  say("model", `${time(model)} a program, its training included`);
  const { recall, rho } = costs[0]!;
  say(
    "recall",
    costs[0]!.error >= 0
      ? `${(100 * recall).toFixed(0)} % (chance: 10 %), rank correlation ${rho.toFixed(2)}`
      : "not known yet",
  );
  say("saved", paysSince === undefined ? "nothing yet" : time(saved));
  say(
    "moment",
    paysSince === undefined
      ? "Asking the compiler is still better."
      : `Since program ${paysSince}, asking the model beats asking the compiler.`,
  );
  element("verdict").classList.toggle("pays", paysSince !== undefined);
}

function play(): void {
  window.clearTimeout(timer);
  if (isPaused) return;
  step();
  const speed = Number(element<HTMLInputElement>("speed").value);
  timer = window.setTimeout(play, PACE[speed - 1]);
}

element("pause").addEventListener("click", () => {
  isPaused = !isPaused;
  say("pause", isPaused ? "Continue" : "Pause");
  play();
});
element("again").addEventListener("click", () => {
  lesson = new CostLesson(recorded.columns, recorded.names);
  [steps, lines, isPaused] = [[], [], false];
  element<HTMLButtonElement>("pause").disabled = false;
  say("pause", "Pause");
  play();
});
window.addEventListener("resize", show);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
say(
  "source",
  `What the compiler says is recorded: ${recorded.programs} random programs of Stack PTX for ${recorded.arch}, compiled by NVIDIA's compiler, version ${recorded.compiler}, one after the other. A program took it ${time(recorded.asking)} on the machine that recorded them, in the fastest of ${recorded.batches.length} batches of ${recorded.batch}; the page takes this time for each. The model and all its times are live.`,
);
say("moment", "Asking the compiler is still better.");
// Whoever does not want movement sees the end.
if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
  while (steps.length < recorded.batches.length) step();
  isPaused = true;
} else play();
