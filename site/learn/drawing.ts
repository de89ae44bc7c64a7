// The plots of the page, on canvases.
import type { LessonStep } from "@mm-ptx/search";

const HEIGHT = 260;
const MARGIN = 30;
/** The last programs, which are drawn strongly. */
const RECENT = 60;

const color = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** A canvas with the size that it has on the page, in device pixels. */
function begin(canvas: HTMLCanvasElement): { context: CanvasRenderingContext2D; width: number } {
  const width = canvas.parentElement!.clientWidth;
  const ratio = window.devicePixelRatio;
  canvas.width = width * ratio;
  canvas.height = HEIGHT * ratio;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${HEIGHT}px`;
  const context = canvas.getContext("2d")!;
  context.scale(ratio, ratio);
  context.clearRect(0, 0, width, HEIGHT);
  context.font = "12px system-ui, sans-serif";
  context.fillStyle = color("--muted");
  context.strokeStyle = color("--line");
  context.lineWidth = 1;
  return { context, width };
}

/** Predictions from left to right, costs from bottom to top; a perfect model is on the line. */
export function drawScatter(canvas: HTMLCanvasElement, steps: readonly LessonStep[], cost: number): void {
  const { context, width } = begin(canvas);
  const points: [number, number][] = [];
  for (const { costs } of steps) {
    const { predicted, came } = costs[cost]!;
    for (let index = 0; index < came.length; index++)
      if (!Number.isNaN(predicted[index]!)) points.push([predicted[index]!, came[index]!]);
  }
  const values = points.flat();
  const least = Math.min(...values, 8);
  const most = Math.max(...values, least + 1);
  const x = (value: number): number => MARGIN + ((value - least) / (most - least)) * (width - MARGIN - 10);
  const y = (value: number): number =>
    HEIGHT - MARGIN - ((value - least) / (most - least)) * (HEIGHT - MARGIN - 10);
  context.beginPath();
  context.moveTo(x(least), y(least));
  context.lineTo(x(most), y(most));
  context.stroke();
  for (const value of [least, most]) {
    context.fillText(value.toFixed(0), 2, y(value) + 4);
    context.fillText(value.toFixed(0), x(value) - (value === most ? 14 : 0), HEIGHT - 10);
  }
  context.fillText("predicted", width / 2 - 24, HEIGHT - 10);
  context.fillStyle = color("--accent");
  points.forEach(([predicted, came], index) => {
    const isRecent = index >= points.length - RECENT;
    context.globalAlpha = isRecent ? 0.9 : 0.22;
    context.beginPath();
    context.arc(x(predicted), y(came), isRecent ? 3.2 : 2.2, 0, 7);
    context.fill();
  });
  context.globalAlpha = 1;
  const { name, error, constantError } = steps.at(-1)?.costs[cost] ?? {};
  canvas.setAttribute(
    "aria-label",
    `Scatter plot of ${name ?? "costs"}${error === undefined || Number.isNaN(error) ? "" : `: off by ${error.toFixed(1)}, the best constant by ${constantError!.toFixed(1)}`}`,
  );
}

/** The errors of all costs over the programs, as shares of those of the best constant. */
export function drawErrors(canvas: HTMLCanvasElement, steps: readonly LessonStep[], programs: number): void {
  const { context, width } = begin(canvas);
  const x = (compiled: number): number => MARGIN + (compiled / programs) * (width - MARGIN - 10);
  const y = (share: number): number => HEIGHT - MARGIN - Math.min(1, share) * (HEIGHT - MARGIN - 16);
  for (const share of [0, 0.5, 1]) {
    context.fillText(`${share * 100} %`, 0, y(share) + 4);
    context.beginPath();
    context.moveTo(x(0), y(share));
    context.lineTo(width - 10, y(share));
    context.stroke();
  }
  context.fillText(`${programs} programs`, width - 86, HEIGHT - 10);
  const since = steps.at(-1)?.paysSince;
  if (since !== undefined) {
    context.strokeStyle = color("--good");
    context.fillStyle = color("--good");
    context.beginPath();
    context.moveTo(x(since), y(1));
    context.lineTo(x(since), y(0));
    context.stroke();
    context.fillText("the model pays", x(since) + 5, y(1) + 12);
  }
  const [first] = steps;
  first?.costs.forEach(({ name }, cost) => {
    context.strokeStyle = color(cost === 0 ? "--accent" : "--second");
    context.fillStyle = context.strokeStyle;
    context.lineWidth = 2;
    context.beginPath();
    let last: [number, number] | undefined;
    for (const { compiled, costs } of steps) {
      const { error, constantError } = costs[cost]!;
      if (Number.isNaN(error)) continue;
      const at: [number, number] = [x(compiled), y(error / constantError)];
      if (last === undefined) context.moveTo(...at);
      else context.lineTo(...at);
      last = at;
    }
    context.stroke();
    if (last !== undefined)
      context.fillText(name, Math.min(last[0] + 4, width - 80), last[1] + (cost === 0 ? 14 : -6));
  });
  canvas.setAttribute("aria-label", "Errors of the predictions over the number of compiled programs");
}
