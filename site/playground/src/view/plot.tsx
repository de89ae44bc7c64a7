// Lines and histograms with uPlot, which is loaded by the first one.
import { useEffect, useRef, useState } from "preact/hooks";
import type uPlot from "uplot";
import { histogram, numbersOf } from "../model/results.js";
import type { RunResult, ShownBuffer } from "../model/run.js";
import type { Picture } from "../model/state.js";
import { useDark } from "./theme.js";

type Chart = { readonly data: uPlot.AlignedData; readonly names: readonly string[]; readonly bars: boolean };

const LINES = ["--series-1", "--series-2", "--series-3", "--series-4"];

function chartOf(
  { kind, x }: Picture,
  buffers: readonly ShownBuffer[],
  inputs: readonly ShownBuffer[],
): Chart {
  if (kind === "histogram") {
    const [first] = buffers;
    const { centers, counts } = histogram(first ? numbersOf(first.values) : [], 60);
    return { data: [[...centers], [...counts]], names: [first?.name ?? "", "count"], bars: true };
  }
  const axis = numbered([...inputs, ...buffers]).find(({ name }) => name === x);
  const shown = numbered(buffers.filter(({ name }) => name !== axis?.name));
  const length = Math.max(0, ...shown.map(({ values }) => values.length));
  const xs = axis ? Array.from(axis.values) : Array.from({ length }, (_, i) => i);
  const order = xs.map((_, i) => i).sort((a, b) => (xs[a] ?? 0) - (xs[b] ?? 0));
  const column = (values: ArrayLike<number>) => order.map((i) => finite(values[i]));
  return {
    data: [column(xs) as number[], ...shown.map(({ values }) => column(values))],
    names: [axis?.name ?? "index", ...shown.map(({ name }) => name)],
    bars: false,
  };
}

const numbered = (buffers: readonly ShownBuffer[]) =>
  buffers.map(({ name, values }) => ({ name, values: numbersOf(values) }));

const finite = (value: number | undefined) => (value !== undefined && Number.isFinite(value) ? value : null);

export function Plot({ picture, result }: { picture: Picture; result: RunResult }) {
  const parent = useRef<HTMLDivElement>(null);
  const [library, setLibrary] = useState<typeof uPlot>();
  const dark = useDark();
  useEffect(() => {
    void import("uplot").then((module) => setLibrary(() => module.default));
  }, []);
  useEffect(() => {
    const element = parent.current;
    if (library === undefined || element === null) return;
    const chart = chartOf(picture, result.buffers, result.inputs);
    const plot = new library(optionsOf(library, chart, element), chart.data, element);
    let frame = 0;
    const observer = new ResizeObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() =>
        plot.setSize({ width: element.clientWidth, height: heightOf(element.clientWidth) }),
      );
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      plot.destroy();
    };
  }, [library, picture, result, dark]);
  return (
    <div
      class="plot"
      ref={parent}
      role="img"
      aria-label={`Plot of ${result.buffers.map(({ name }) => name).join(" and ")}; the table has the values`}
    />
  );
}

const heightOf = (width: number) => Math.round(Math.min(360, Math.max(220, width * 0.6)));

function optionsOf(library: typeof uPlot, { names, bars }: Chart, element: HTMLElement): uPlot.Options {
  const style = getComputedStyle(element);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const axis: uPlot.Axis = {
    stroke: color("--muted"),
    grid: { stroke: color("--grid"), width: 1 },
    ticks: { stroke: color("--grid"), width: 1 },
    font: "12px system-ui, sans-serif",
  };
  return {
    width: element.clientWidth,
    height: heightOf(element.clientWidth),
    scales: { x: { time: false } },
    axes: [
      { ...axis, label: names[0] ?? "", labelSize: 22, labelFont: "12px system-ui, sans-serif" },
      { ...axis, size: 60 },
    ],
    cursor: { drag: { x: true, y: false } },
    series: [
      { label: names[0] ?? "" },
      ...names.slice(1).map((label, i) => {
        const stroke = color(LINES[i % LINES.length] ?? "");
        if (!bars) return { label, stroke, width: 2, pxAlign: 0 };
        const paths = library.paths.bars?.({ size: [0.92, 100] });
        return { label, stroke, fill: stroke, width: 0, points: { show: false }, ...(paths && { paths }) };
      }),
    ],
  };
}
