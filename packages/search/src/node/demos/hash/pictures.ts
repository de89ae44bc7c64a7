// Pictures of avalanches: for each bit of the input and of the output, how far the one is from flipping the other for half of the inputs.
import type { ArchiveRows } from "../../../archives/archive.js";
import type { PictureAxis } from "../../../pictures/axes.js";
import { card, MARGIN, PADDING, page, TOP } from "../../../pictures/drawing/page.js";
import { Picture, type PictureTheme } from "../../../pictures/drawing/svg.js";
import { significant } from "../../../pictures/drawing/words.js";
import { paletteOf } from "../../../pictures/maps/colors.js";
import { shownAxis } from "../../../pictures/maps/grid.js";
import { LEGEND_WIDTH, legend } from "../../../pictures/maps/legend.js";
import { drawRuns, edgeLabels } from "../../../pictures/maps/panel.js";
import { valuesOf } from "../../../pictures/shown-value.js";
import { BIT_PAIRS, BITS } from "./avalanche.js";

/** An avalanche to draw. */
export interface AvalanchePanel {
  readonly title: string;
  readonly note: string;
  /** For each input bit and output bit, 1000 |2 p - 1|, where p is the part of inputs for which the one flips the other. */
  readonly biases: Float64Array;
}

const SQUARE = 8;
const SIDE = BITS * SQUARE;
const GAP = 40;
const HEADING = 44;
const AXIS = 48;
/** Squares from perfect up to what no function of two rounds has. */
const RANGE = [0.02, 1000] as const;

const biasAxis = (name: string): PictureAxis => ({ name, kind: "integer", from: 0, to: BITS - 1, width: 1 });

/** Draws avalanches side by side as SVG. */
export function avalanchePicture(
  panels: readonly AvalanchePanel[],
  { title, note, theme = "auto" }: { title: string; note: string; theme?: PictureTheme },
): string {
  const values = valuesOf(rowsOf(panels), {
    name: "bias",
    scale: "log",
    better: "less",
    range: RANGE,
  });
  const colorOf = paletteOf(values);
  const labels = edgeLabels(shownAxis(biasAxis("bit"), BITS), SQUARE, false);
  const left = MARGIN + PADDING + AXIS;
  const right = left + panels.length * (SIDE + GAP);
  const width = right + LEGEND_WIDTH + PADDING + MARGIN;
  const cardHeight = 2 * PADDING + HEADING + SIDE + AXIS;
  const picture = new Picture(theme);
  page(picture, width, TOP + cardHeight + MARGIN, title, note);
  card(picture, { x: MARGIN, y: TOP, width: width - 2 * MARGIN, height: cardHeight });
  const top = TOP + PADDING + HEADING;
  for (const [index, panel] of panels.entries()) {
    const x = left + index * (SIDE + GAP);
    picture.text(x, top - 28, panel.title, { size: 14, weight: 600 });
    picture.text(x, top - 10, panel.note, { size: 12, ink: "muted" });
    drawPanel(picture, x, top, panel.biases, colorOf);
    for (const { at, words } of labels)
      picture.text(x + at, top + SIDE + 16, words, { size: 11, ink: "muted", anchor: "middle" });
    picture.text(x + SIDE / 2, top + SIDE + 38, "output bit", { size: 12, anchor: "middle" });
  }
  for (const { at, words } of labels)
    picture.text(left - 8, top + SIDE - at + 4, words, { size: 11, ink: "muted", anchor: "end" });
  picture.text(left - 32, top + SIDE / 2, "input bit", { size: 12, anchor: "middle", isUpright: true });
  legend(picture, right - GAP + 28, top, SIDE, values, true);
  return picture.toString(width, TOP + cardHeight + MARGIN, `${title}: ${note}`);
}

/** Draws the squares of an avalanche: input bits upwards, output bits to the right. */
function drawPanel(
  picture: Picture,
  x: number,
  y: number,
  biases: Float64Array,
  colorOf: (value: number) => number,
): void {
  const size = { columns: BITS, rows: BITS, width: SQUARE, height: SQUARE };
  const colorAt = (column: number, row: number): number => colorOf(biases[BITS * row + column]!);
  drawRuns(picture, x, y, size, colorAt, (color) => {
    const [least, most] = rangeOf(biases, (bias) => colorOf(bias) === color);
    return `bias from ${significant(least)} to ${significant(most)}`;
  });
}

/** The least and the greatest of some numbers. */
function rangeOf(all: Float64Array, isMeant: (value: number) => boolean): [number, number] {
  const meant = all.filter(isMeant);
  return [Math.min(...meant), Math.max(...meant)];
}

/** The biases of all panels as the objectives of elites, which is what scales of colours are made for. */
function rowsOf(panels: readonly AvalanchePanel[]): ArchiveRows {
  const count = panels.length * BIT_PAIRS;
  return {
    count,
    cell: new Int32Array(count),
    objective: Float64Array.from(panels.flatMap(({ biases }) => [...biases])),
    measures: new Float64Array(0),
    serial: new Float64Array(count),
    genomes: { words: new Uint32Array(0), offsets: new Uint32Array(count + 1) },
    fields: {},
  };
}
