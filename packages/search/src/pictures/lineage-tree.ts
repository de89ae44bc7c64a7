// The ancestors of an elite, each with the operator that made it.
import { isOneOf, isText, isWhole, svgNumber } from "@mm-ptx/types/internal";
import { readOptions } from "../options.js";
import { card, MARGIN, PADDING, page, TOP } from "./drawing/page.js";
import { fitted, type Ink, Picture, type PictureTheme, SERIES } from "./drawing/svg.js";
import { counted, grouped, significant, widthOf } from "./drawing/words.js";
import { type LineageEntry, type LineageNode, lineageOf } from "./lineage.js";
import { isShownValue, type ShownValue } from "./shown-value.js";

/** Options of `lineageTree`. */
export interface LineageOptions {
  readonly title?: string;
  readonly theme?: PictureTheme;
  /** The most elites that are shown, from 2 to 200; default 20. */
  readonly most?: number;
  /** What the values of the entries are. */
  readonly value?: Pick<ShownValue, "name" | "unit" | "scale">;
}

const WIDTH = 1000;
const ROW = 46;
/** The distance of the lines of a tree. */
const LANE = 22;
const MOST_LANES = 10;

/**
 * Draws the ancestors of an elite as SVG, the elite first and the oldest ancestor last: formulas with lines to their parents, and on these
 * the operator that made the child. Where a lineage has more ancestors than are shown, broken lines say how many are left out.
 *
 * @param entries elites and former elites, such as those of a run's log, in any order
 * @param serial the serial number of the elite
 * @throws SearchError INVALID_ARGUMENT, and NOT_FOUND if there is no such entry
 */
export function lineageTree(
  entries: Iterable<LineageEntry>,
  serial: number,
  options: LineageOptions = {},
): string {
  const {
    theme = "auto",
    most = 20,
    value = {},
    ...given
  } = readOptions<LineageOptions>(
    options,
    { title: isText, theme: isOneOf(["auto", "light", "dark"]), most: isWhole(2, 200), value: isShownValue },
    { of: "`lineageTree`" },
  );
  const { nodes, ancestors, generations } = lineageOf(entries, serial, most);
  const title = given.title ?? `Lineage of candidate ${grouped(serial)}`;
  const shown = nodes.length - 1;
  const note = [
    ancestors === 0 ? "no ancestors" : counted(ancestors, "ancestor"),
    ...(generations > 0 ? [`${grouped(generations)} from first parent to first parent`] : []),
    ...(shown < ancestors ? [`${grouped(shown)} shown`] : []),
    ...(nodes.some(({ entry }) => entry.value !== undefined)
      ? [`on the right: ${value.name ?? "objective"}`]
      : []),
  ].join("; ");
  const cardHeight = 2 * PADDING + nodes.length * ROW;
  const height = TOP + cardHeight + MARGIN;
  const picture = new Picture(theme);
  page(picture, WIDTH, height, title, note);
  card(picture, { x: MARGIN, y: TOP, width: WIDTH - 2 * MARGIN, height: cardHeight });
  drawTree(picture, nodes, value.scale ?? "linear");
  return picture.toString(WIDTH, height, `${title}: ${note}`);
}

/** A line from an elite to a parent or an older ancestor. */
interface Edge {
  readonly to: number;
  readonly skipped: number;
  readonly ink: Ink;
  readonly from: Spot;
  /** The lane between the two. */
  readonly lane: number;
  end?: Spot;
}

interface Spot {
  readonly row: number;
  readonly lane: number;
}

interface Layout {
  readonly spots: readonly (Spot & { readonly ink: Ink })[];
  readonly edges: readonly Edge[];
  readonly lanes: number;
}

/** Gives each elite and each line between two of them a lane, as pictures of version histories do. */
function layoutOf(nodes: readonly LineageNode[]): Layout {
  const active: (Edge | undefined)[] = [];
  const edges: Edge[] = [];
  let inks = 0;
  let lanes = 1;
  const freeLane = (): number => {
    const free = active.indexOf(undefined);
    return free === -1 ? active.length : free;
  };
  const spots = nodes.map(({ entry, links }, row) => {
    const arriving = active.flatMap((edge, lane) => (edge?.to === entry.serial ? [lane] : []));
    const lane = arriving[0] ?? freeLane();
    const ink = active[lane]?.ink ?? SERIES[inks++ % SERIES.length]!;
    for (const each of arriving) {
      active[each]!.end = { row, lane };
      active[each] = undefined;
    }
    active[lane] = undefined;
    for (const [i, { to, skipped }] of links.entries()) {
      const own = i === 0 ? lane : freeLane();
      const edge: Edge = {
        to,
        skipped,
        ink: i === 0 ? ink : SERIES[inks++ % SERIES.length]!,
        from: { row, lane },
        lane: own,
      };
      active[own] = edge;
      edges.push(edge);
      lanes = Math.max(lanes, own + 1);
    }
    lanes = Math.max(lanes, lane + 1);
    return { row, lane, ink };
  });
  return { spots, edges, lanes };
}

const laneX = (lane: number): number => MARGIN + PADDING + 8 + Math.min(lane, MOST_LANES) * LANE;
const rowY = (row: number): number => TOP + PADDING + 14 + row * ROW;

function drawTree(picture: Picture, nodes: readonly LineageNode[], scale: "linear" | "log"): void {
  const { spots, edges, lanes } = layoutOf(nodes);
  const left = laneX(lanes - 1) + 24;
  for (const edge of edges) drawEdge(picture, edge);
  for (const [row, node] of nodes.entries()) {
    const { lane, ink } = spots[row]!;
    const [x, y] = [laneX(lane), rowY(row)];
    picture.dot(x, y, row === 0 ? 7 : 5.5, {
      fill: ink,
      stroke: "card",
      width: 2,
      title: hoverOf(node.entry, scale),
    });
    drawTexts(picture, node, ink, left, y, scale);
  }
}

function drawEdge(picture: Picture, { from, lane, end, skipped, ink }: Edge): void {
  const { row, lane: last } = end!;
  const [x1, x2, x3] = [laneX(from.lane), laneX(lane), laneX(last)];
  const [y1, y3] = [rowY(from.row), rowY(row)];
  const bend = (a: number, y: number, b: number): string =>
    a === b
      ? ""
      : `C${svgNumber(a)} ${svgNumber(y + ROW / 2)} ${svgNumber(b)} ${svgNumber(y)} ${svgNumber(b)} ${svgNumber(y + ROW / 2)}`;
  const data = `M${svgNumber(x1)} ${svgNumber(y1)}${bend(x1, y1, x2)}V${svgNumber(y3 - ROW / 2)}${bend(x2, y3 - ROW / 2, x3)}V${svgNumber(y3)}`;
  const title = skipped === 0 ? {} : { dash: "2 5", title: `${counted(skipped, "ancestor")} left out` };
  picture.path(data, { stroke: ink, width: 2, ...title });
}

function drawTexts(
  picture: Picture,
  { entry, links, hidden, unknown }: LineageNode,
  ink: Ink,
  left: number,
  y: number,
  scale: "linear" | "log",
): void {
  const right = WIDTH - MARGIN - PADDING;
  const value = entry.value === undefined ? "" : significant(entry.value, 3, scale);
  const number = `candidate ${grouped(entry.serial)}`;
  picture.text(right, y + 4, value, { size: 13, weight: 600, anchor: "end" });
  picture.text(right, y + 21, number, { size: 11, ink: "muted", anchor: "end" });
  const room = right - left - Math.max(widthOf(value, 13), widthOf(number, 11)) - 24;
  const text = (entry.text ?? number).replace(/\s+/g, " ").trim();
  const shown = fitted(text, 13, room);
  picture.text(left, y + 4, shown, { ...(shown === text ? {} : { title: entry.text ?? number }) });
  const operator = entry.operator ?? (entry.parents.some((parent) => parent >= 0) ? "" : "no parents");
  const skipped = links.reduce((sum, link) => sum + link.skipped, 0);
  const more = [
    ...(skipped === 0 ? [] : [`${counted(skipped, "ancestor")} left out below`]),
    ...(hidden === 0 ? [] : [`${counted(hidden, "more ancestor")} not shown`]),
    ...(unknown === 0 ? [] : [`${counted(unknown, "parent")} not in the record`]),
  ].join("; ");
  const name = fitted(operator, 11, room);
  picture.text(left, y + 21, name, { size: 11, weight: 600, ink });
  const start = left + (name === "" ? 0 : widthOf(name, 11) * 1.08 + 10);
  if (more !== "")
    picture.text(start, y + 21, fitted(more, 11, right - start - 140), { size: 11, ink: "muted" });
}

const hoverOf = ({ serial, operator, text, value, parents }: LineageEntry, scale: "linear" | "log"): string =>
  [
    `candidate ${grouped(serial)}${value === undefined ? "" : `: ${significant(value, 3, scale)}`}`,
    ...(operator === undefined
      ? []
      : [
          `by ${operator} from ${[...parents]
            .filter((one) => one >= 0)
            .map(grouped)
            .join(" and ")}`,
        ]),
    ...(text === undefined ? [] : [text]),
  ].join("\n");
