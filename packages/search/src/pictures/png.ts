// The squares of a heat map as pixels.
import { isOneOf, isWhole } from "@mm-ptx/types/internal";
import { encode } from "fast-png";
import type { ArchiveRows } from "../archives/archive.js";
import { invalid, readOptions } from "../options.js";
import { binCount, checkAxes, type PictureAxis } from "./axes.js";
import { NO_NUMBER, PALETTE, paletteOf } from "./maps/colors.js";
import { heatGrid, shownAxis } from "./maps/grid.js";
import { checkRows } from "./rows.js";
import { isShownValue, type ShownValue, valuesOf } from "./shown-value.js";

/** Options of `archivePng`. */
export interface PngOptions {
  /** What the colours show; by default, the objective. */
  readonly value?: ShownValue;
  /** The pixels along each side of a cell, from 1 to 64; the default makes an image of about 512 pixels. */
  readonly pixels?: number;
  /** The page that the image is for; default `light`. */
  readonly theme?: "light" | "dark";
}

/** The most pixels along a side. */
const MOST_PIXELS = 16_384;
const WANTED = 512;
/** The colours of empty cells and between panels. */
const COLORS = {
  light: { empty: "#efeee8", page: "#ffffff" },
  dark: { empty: "#2d313b", page: "#1d2027" },
} as const;

/**
 * The cells of an archive as a PNG file: a square for each, with the colours of `archiveHeatmap`, the first axis from left to right and
 * the second one upwards. Panels for a third axis are side by side, those for a fourth one below each other. The image has neither text
 * nor legend, which suits sequences of snapshots and thumbnails; `svgToPng` of `@mm-ptx/search/node` draws whole pictures.
 *
 * @throws SearchError INVALID_ARGUMENT, and NOT_FOUND if there is no such field
 */
export function archivePng(
  rows: ArchiveRows,
  axes: readonly PictureAxis[],
  options: PngOptions = {},
): Uint8Array {
  checkAxes(axes, 1, 4);
  checkRows(rows, axes.length);
  const {
    value,
    theme = "light",
    ...given
  } = readOptions<PngOptions>(
    options,
    { value: isShownValue, pixels: isWhole(1, 64), theme: isOneOf(["light", "dark"]) },
    { of: "`archivePng`" },
  );
  const [columns, lines, across, down] = [0, 1, 2, 3].map((i) =>
    axes[i] === undefined ? 1 : binCount(axes[i]),
  );
  const most = Math.max((columns! + 1) * across!, (lines! + 1) * down!);
  const pixels = given.pixels ?? Math.max(1, Math.min(64, Math.floor(WANTED / most)));
  const [stepX, stepY] = [(columns! + 1) * pixels, (lines! + 1) * pixels];
  const [width, height] = [across! * stepX - pixels, down! * stepY - pixels];
  if (width > MOST_PIXELS || height > MOST_PIXELS)
    throw invalid(`an image of at most ${MOST_PIXELS} pixels along each side`, `${width} x ${height}`);

  const values = valuesOf(rows, value);
  const shown = axes.map((axis) => shownAxis(axis, binCount(axis)));
  const { elites } = heatGrid(rows, shown, values);
  const indexOf = paletteOf(values);
  const palette = [COLORS[theme].page, COLORS[theme].empty, NO_NUMBER, ...PALETTE].map(channels);
  const data = new Uint8Array(width * height);
  const panels = across! * down!;
  for (let panel = 0; panel < panels; panel++) {
    const left = Math.floor(panel / down!) * stepX;
    const top = (panel % down!) * stepY;
    for (let line = 0; line < lines!; line++)
      for (let column = 0; column < columns!; column++) {
        const elite = elites[(column * lines! + line) * panels + panel]!;
        const color = elite < 0 ? 1 : 3 + indexOf(values.at(elite));
        const y = top + (lines! - 1 - line) * pixels;
        for (let k = 0; k < pixels; k++) {
          const start = (y + k) * width + left + column * pixels;
          data.fill(color, start, start + pixels);
        }
      }
  }
  return encode({ width, height, data, depth: 8, channels: 1, palette });
}

const channels = (color: string): number[] =>
  [1, 3, 5].map((from) => Number.parseInt(color.slice(from, from + 2), 16));
