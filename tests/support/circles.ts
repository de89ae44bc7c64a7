// Circles of imports. A circle is a list in which each file imports the next, and the last file is the first.

/** The imports of each file, by its path. Files that are not among the keys are ignored. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/**
 * Finds the circles of a graph, one for each group of files that reach each other.
 *
 * @param counts whether a circle through an import is to be reported; all are by default
 * @returns the shortest circle of each group that has such an import
 */
export function circlesOf(
  graph: ImportGraph,
  counts: (from: string, to: string) => boolean = () => true,
): readonly (readonly string[])[] {
  const reached = new Map([...graph.keys()].map((file) => [file, reachedFrom(graph, file)]));
  const told = new Set<string>();
  const circles: (readonly string[])[] = [];
  for (const file of graph.keys()) {
    if (told.has(file) || !reached.get(file)!.has(file)) continue;
    const group = [...reached.get(file)!.keys()].filter((other) => reached.get(other)!.has(file));
    for (const member of group) told.add(member);
    const inGroup = new Set(group);
    const ways = group.flatMap((from) =>
      graph
        .get(from)!
        .filter((to) => inGroup.has(to) && counts(from, to))
        .map((to) => [from, ...wayTo(reached.get(to)!, to, from)]),
    );
    const shortest = ways.sort((a, b) => a.length - b.length || (a.join() < b.join() ? -1 : 1))[0];
    if (shortest !== undefined) circles.push(shortest);
  }
  return circles;
}

/** The files that a file imports, directly or not, each with the one that imports it on a shortest path. */
function reachedFrom(graph: ImportGraph, start: string): ReadonlyMap<string, string> {
  const from = new Map<string, string>();
  const waiting = [start];
  for (let next = 0; next < waiting.length; next++) {
    const file = waiting[next]!;
    for (const imported of graph.get(file)!) {
      if (!graph.has(imported) || from.has(imported)) continue;
      from.set(imported, file);
      waiting.push(imported);
    }
  }
  return from;
}

/** The files on the way from one to another that it reaches, both included. */
function wayTo(reached: ReadonlyMap<string, string>, start: string, end: string): readonly string[] {
  const way = [end];
  while (way[0] !== start) way.unshift(reached.get(way[0]!)!);
  return way;
}
