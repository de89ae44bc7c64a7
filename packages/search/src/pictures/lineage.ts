// Which elites of a lineage a picture shows, and how they are connected.
import { describeValue } from "@mm-ptx/types/internal";
import { SearchError } from "../error.js";
import { invalid } from "../options.js";

/** An elite or an ancestor of one. */
export interface LineageEntry {
  /** The serial number of the candidate. */
  readonly serial: number;
  /** The serial numbers of its parents; none if it was sampled or given. Numbers below 0 do not count. */
  readonly parents: readonly number[];
  /** The operator that made it. */
  readonly operator?: string;
  /** Its formula or program. */
  readonly text?: string;
  /** Its objective or error. */
  readonly value?: number;
}

/** An entry with the connections that the picture shows. */
export interface LineageNode {
  readonly entry: LineageEntry;
  readonly links: readonly LineageLink[];
  /** How many of its ancestors are not shown for want of room and are not below a link. */
  readonly hidden: number;
  /** Parents that the record does not have. */
  readonly unknown: number;
}

/** A connection to an ancestor. */
export interface LineageLink {
  readonly to: number;
  /** How many ancestors are left out between the two. */
  readonly skipped: number;
}

export interface Lineage {
  /** In the order of the serial numbers, the youngest first. */
  readonly nodes: readonly LineageNode[];
  /** The number of ancestors, shown or not. */
  readonly ancestors: number;
  /** The number of ancestors from first parent to first parent. */
  readonly generations: number;
}

/** How many of the oldest ancestors are shown in any case. */
const OLDEST = 3;

/**
 * The lineage of an elite with at most `most` entries: the nearest ancestors, and the oldest ones of the line of first parents.
 *
 * @throws SearchError INVALID_ARGUMENT, and NOT_FOUND if there is no such entry
 */
export function lineageOf(entries: Iterable<LineageEntry>, serial: number, most: number): Lineage {
  const known = new Map<number, LineageEntry>();
  for (const entry of entries) {
    checkEntry(entry);
    known.set(entry.serial, entry);
  }
  if (!known.has(serial))
    throw new SearchError(
      "NOT_FOUND",
      `expected an entry with the serial number ${describeValue(serial)}, found none`,
    );
  const parentsOf = (of: number): number[] => {
    const parents = known.get(of)!.parents.filter((parent) => parent >= 0);
    return [...new Set(parents)].filter((parent) => known.has(parent));
  };
  const nearest = breadthFirst(serial, parentsOf);
  const line = lineOfFirstParents(serial, parentsOf);
  const shown = new Set(nearest.length <= most ? nearest : line.slice(-OLDEST).slice(0, most - 1));
  for (const each of nearest) {
    if (shown.size >= most) break;
    shown.add(each);
  }
  shown.add(serial);
  const nodes = [...shown]
    .sort((a, b) => b - a)
    .map((each): LineageNode => {
      const entry = known.get(each)!;
      const links: LineageLink[] = [];
      let hidden = 0;
      for (const parent of parentsOf(each)) {
        const link = shownAncestor(parent, shown, parentsOf);
        if (link === undefined)
          hidden += breadthFirst(parent, parentsOf).filter((one) => !shown.has(one)).length;
        else links.push(link);
      }
      const unknown = new Set(entry.parents.filter((parent) => parent >= 0 && !known.has(parent))).size;
      return { entry, links, hidden, unknown };
    });
  return { nodes, ancestors: nearest.length - 1, generations: line.length - 1 };
}

/** The nearest shown ancestor in the line of first parents. */
function shownAncestor(
  parent: number,
  shown: ReadonlySet<number>,
  parentsOf: (of: number) => number[],
): LineageLink | undefined {
  let skipped = 0;
  for (let at: number | undefined = parent; at !== undefined; at = parentsOf(at)[0]) {
    if (shown.has(at)) return { to: at, skipped };
    skipped++;
  }
  return undefined;
}

function breadthFirst(serial: number, parentsOf: (of: number) => number[]): number[] {
  const found = new Set([serial]);
  // The set grows while it is read.
  for (const each of found) for (const parent of parentsOf(each)) found.add(parent);
  return [...found];
}

function lineOfFirstParents(serial: number, parentsOf: (of: number) => number[]): number[] {
  const line: number[] = [];
  for (let at: number | undefined = serial; at !== undefined; at = parentsOf(at)[0]) line.push(at);
  return line;
}

function checkEntry(entry: unknown): asserts entry is LineageEntry {
  if (typeof entry !== "object" || entry === null) throw invalid("an entry of a lineage", entry);
  const { serial, parents } = entry as Partial<Record<keyof LineageEntry, unknown>>;
  if (!Number.isSafeInteger(serial)) throw invalid("a whole number as the serial number of an entry", serial);
  const isList = Array.isArray(parents) || ArrayBuffer.isView(parents);
  if (!isList) throw invalid(`a list as the parents of ${serial}`, parents);
  // Ancestors are older, so a lineage has no circle.
  for (const parent of parents as Iterable<unknown>)
    if (!(Number.isSafeInteger(parent) && (parent as number) < (serial as number)))
      throw invalid(`serial numbers below ${serial} as its parents`, parent);
}
