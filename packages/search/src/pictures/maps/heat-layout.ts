// The places of a heat map's panels, squares and labels.
import { binCount, type PictureAxis } from "../axes.js";
import { type ShownAxis, shownAxis } from "./grid.js";
import { type EdgeLabel, edgeLabels, longestLabel, needsUprightLabels, type Squares } from "./panel.js";

/** The room for all panels, in pixels. */
const ROOM_X = 760;
const ROOM_Y = 520;
const GAP_X = 16;
/** The height of a panel's heading. */
const HEADING = 22;
/** The room for the name of an axis. */
export const AXIS_TITLE = 24;
/** The least size of a square. */
const LEAST = 3;
/** The most panels along the third and the fourth axis. */
const MOST_PANELS = [24, 12] as const;

export interface HeatLayout {
  readonly shown: readonly ShownAxis[];
  readonly squares: Squares;
  /** The panels: how many, and the distances from one to the next. */
  readonly columns: number;
  readonly rows: number;
  readonly panels: number;
  readonly stepX: number;
  readonly stepY: number;
  readonly panelWidth: number;
  readonly panelHeight: number;
  readonly heading: number;
  /** The size of all panels together. */
  readonly width: number;
  readonly height: number;
  readonly below: readonly EdgeLabel[];
  readonly beside: readonly EdgeLabel[];
  readonly isUpright: boolean;
  /** The room that the labels need. */
  readonly belowHeight: number;
  readonly besideWidth: number;
}

export function heatLayout(axes: readonly PictureAxis[]): HeatLayout {
  const [x, y, ...others] = axes;
  const outer = others.map((axis, i) => shownAxis(axis, MOST_PANELS[i]!));
  const panels = outer.reduce((product, { count }) => product * count, 1);
  const columns = outer.length === 1 ? wrapped(panels) : (outer[0]?.count ?? 1);
  const rows = Math.ceil(panels / columns);
  const roomX = (ROOM_X - (columns - 1) * GAP_X) / columns;
  const roomY = outer.length === 0 ? ROOM_Y : Math.max(60, Math.min(260, 640 / rows));
  // Two axes with as many bins are of the same length.
  const isSquare = y !== undefined && x!.kind === "real" && y.kind === "real" && binCount(x!) === binCount(y);
  const most = isSquare ? Math.min(roomX, roomY) : roomX;
  const shownX = shownAxis(x!, Math.floor(most / LEAST));
  const shownY = y === undefined ? undefined : shownAxis(y, Math.floor(roomY / LEAST));
  const [width, height] = squareSize(shownX, shownY, most, roomY, outer.length > 0);
  const squares = { columns: shownX.count, rows: shownY?.count ?? 1, width, height };
  const [panelWidth, panelHeight] = [squares.columns * width, squares.rows * height];
  const heading = outer.length === 0 ? 0 : HEADING;
  // Headings need some room above narrow panels.
  const stepX = Math.max(panelWidth, outer.length === 0 ? 0 : 44) + GAP_X;
  const stepY = panelHeight + heading + 10;
  const isUpright = needsUprightLabels(shownX, width);
  const below = edgeLabels(shownX, width, isUpright);
  const beside = shownY === undefined ? [] : edgeLabels(shownY, height, true);
  return {
    ...{
      shown: [shownX, ...(shownY === undefined ? [] : [shownY]), ...outer],
      squares,
      columns,
      rows,
      panels,
    },
    ...{ stepX, stepY, panelWidth, panelHeight, heading },
    ...{ width: (columns - 1) * stepX + panelWidth, height: rows * stepY - 10 },
    ...{ below, beside, isUpright },
    belowHeight: isUpright ? longestLabel(below, 110) + 12 : 22,
    besideWidth: longestLabel(beside, 120),
  };
}

/** How many panels stand side by side. */
const wrapped = (panels: number): number =>
  panels <= 4 ? panels : Math.min(6, Math.ceil(Math.sqrt(panels * 1.5)));

function squareSize(
  x: ShownAxis,
  y: ShownAxis | undefined,
  roomX: number,
  roomY: number,
  isSmall: boolean,
): [number, number] {
  const [mostX, mostY] = isSmall ? [36, 28] : [64, 40];
  const fit = (room: number, count: number, most: number): number => {
    const each = Math.min(most, room / count);
    // Squares of whole pixels look the same.
    return each >= LEAST ? Math.floor(each) : each;
  };
  const width = fit(roomX, x.count, mostX);
  if (y === undefined) return [width, 48];
  const height = fit(roomY, y.count, mostY);
  const areReal = x.axis.kind === "real" && y.axis.kind === "real";
  if (areReal && x.count === y.count) return [Math.min(width, height), Math.min(width, height)];
  return [width, height];
}
