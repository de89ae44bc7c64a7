// The search of `shrink`: short programs one after the other, a random walk over equal ones, and the comparison in the end.
import type { Column } from "@mm-ptx/columns";
import { CodeBuffer } from "@mm-ptx/types/code";
import { turn } from "@mm-ptx/types/internal";
import { Draws } from "../draws.js";
import { invalid } from "../options.js";
import { compareGraphs } from "./compare.js";
import type { Equality } from "./equality.js";
import { ExactSearch, leafValues } from "./exact.js";
import {
  appendGraph,
  classOf,
  type Graph,
  type GraphConstant,
  type GraphNode,
  graphKey,
  rebuilt,
} from "./graph.js";
import { Neighborhood, withConstants } from "./neighborhood.js";
import { CORE_INSTRUCTIONS, requireOperation, ValueClass, type WordOperation } from "./operations.js";
import { Rewriter } from "./rewrite.js";
import { drawRows, outputsOn, type Rows, withRow } from "./rows.js";
import type { ShrinkOptions, ShrinkResult } from "./shrink.js";

const DEFAULT_CONSTANTS = [1, 31, 0xffffffff];
const DEFAULT_SECONDS = 10;
const PROBES = 24;
/** Probes that the search for the shortest program leaves out, until a program is compared. */
const SPARED_ROWS = 12;
const WIDE_ROWS = 4096;
/** Milliseconds between two turns of the event loop. */
const SLICE = 20;
/** Values that the search for the shortest program computes for each length at first. */
const FIRST_EVALUATIONS = 4e7;
const MOST_EVALUATIONS = 1e9;
const LONGEST_EXACT = 7;
/** Steps of the walk between two tries of the search for the shortest program. */
const WALK_STEPS = 100;
/** Steps without a shorter program after which the walk begins again at another program. */
const PATIENCE = 3000;
const MOST_VISITED = 20000;
/** Coincidences on the probes after which a search begins again with more of them. */
const MOST_COINCIDENCES = 4;

/** One search. */
export class Shrinker {
  readonly #start: Graph;
  readonly #options: ShrinkOptions;
  readonly #operations: readonly WordOperation[];
  readonly #pool: readonly GraphConstant[];
  readonly #draws = new Draws();
  readonly #arity: number;
  #probes: Rows;
  #target: Int32Array;
  #wide: Rows;
  #wideTarget: Int32Array;
  /** Programs that passed all comparisons until now, each shorter than the one before. */
  #best: Graph[];
  #around: Neighborhood;
  readonly #rewriter: Rewriter;
  readonly #visited = new Set<string>();
  #patience = PATIENCE;
  #excluded = 0;
  #evaluations = FIRST_EVALUATIONS;
  /** The number of values that searches for the shortest program computed. */
  #exactWork = 0;
  /** When to stop, as `performance.now` says it. */
  #until = Number.POSITIVE_INFINITY;
  #steps = 0;

  constructor(start: Graph, options: ShrinkOptions) {
    const { instructions, columns, constants = DEFAULT_CONSTANTS, seed = 0 } = options;
    this.#start = start;
    this.#options = options;
    this.#draws.start(seed, 0, 0);
    this.#operations = readOperations(start, instructions);
    this.#pool = readConstants(start, constants);
    this.#arity = Math.max(0, ...start.inputs.map(({ index }) => index + 1), columns?.length ?? 0);
    if (columns !== undefined) checkColumns(start, columns);
    this.#wide =
      columns === undefined ? drawRows(start.inputs, WIDE_ROWS, this.#draws) : this.#drawFrom(columns);
    const width = start.inputs.length;
    const probes = Math.min(PROBES, this.#wide.count);
    this.#probes = { count: probes, values: this.#wide.values.slice(0, probes * width) };
    this.#target = outputsOn(start, this.#probes);
    this.#wideTarget = outputsOn(start, this.#wide);
    this.#best = [start];
    this.#rewriter = new Rewriter(this.#operations, this.#draws);
    this.#around = this.#neighborhood(start);
  }

  async run(): Promise<ShrinkResult> {
    const { seconds, steps, signal } = this.#options;
    this.#until =
      performance.now() +
      1000 * (seconds ?? (steps === undefined ? DEFAULT_SECONDS : Number.POSITIVE_INFINITY));
    const mostSteps = steps ?? Number.POSITIVE_INFINITY;
    const isOver = (): boolean =>
      performance.now() >= this.#until ||
      this.#steps >= mostSteps ||
      this.#shortest.nodes.length <= this.#excluded + 1;
    for (;;) {
      while (!isOver()) {
        this.#searchExactly();
        for (let step = 0; step < WALK_STEPS && !isOver(); ) {
          const end = performance.now() + SLICE;
          do {
            this.#walk();
            step++;
          } while (performance.now() < end && step < WALK_STEPS && !isOver());
          await turn();
          signal?.throwIfAborted();
        }
      }
      const shortest = this.#shortest;
      const found = await this.#compare(shortest);
      if (!("row" in found)) return this.#result(shortest, found);
      this.#addRow(found.row);
    }
  }

  get #shortest(): Graph {
    return this.#best[this.#best.length - 1]!;
  }

  #result(graph: Graph, equality: Equality): ShrinkResult {
    const code = new CodeBuffer();
    appendGraph(graph, this.#arity, code);
    return {
      code,
      length: graph.nodes.length,
      before: this.#start.nodes.length,
      equality,
      excluded: Math.min(this.#excluded, graph.nodes.length - 1),
      steps: this.#steps,
    };
  }

  #neighborhood(graph: Graph): Neighborhood {
    return new Neighborhood(withConstants(graph, this.#pool), this.#probes, this.#target);
  }

  /** One step of the walk. */
  #walk(): void {
    this.#steps++;
    const probes = this.#probes;
    const found = this.#rewriter.step(this.#around, (graph) => {
      const key = graphKey(graph);
      if (this.#visited.has(key)) return false;
      if (this.#visited.size >= MOST_VISITED) this.#visited.clear();
      this.#visited.add(key);
      return this.#isEqual(graph);
    });
    if (found !== undefined) {
      this.#take(found);
      this.#around = this.#neighborhood(found);
    } else if (probes !== this.#probes) this.#around = this.#neighborhood(rebuilt(this.#around.graph));
    if (this.#patience-- > 0) return;
    this.#patience = PATIENCE;
    this.#visited.clear();
    // A walk from the start can end at other programs than one from the shortest one.
    const from =
      this.#best[this.#draws.below(4) === 0 ? this.#draws.below(this.#best.length) : this.#best.length - 1]!;
    this.#around = this.#neighborhood(from);
  }

  /** Keeps a program if it is the shortest one. */
  #take(graph: Graph): void {
    if (graph.nodes.length >= this.#shortest.nodes.length) return;
    this.#best.push(graph);
    this.#patience = PATIENCE;
    this.#visited.clear();
    this.#options.progress?.(graph.nodes.length);
  }

  /** Searches programs by increasing length, as long as this does not take more time than the walk. */
  #searchExactly(): void {
    const share = this.#rewriter.work + 2 * FIRST_EVALUATIONS;
    while (this.#exactWork + this.#evaluations <= share && this.#searchLength()) {}
  }

  /**
   * Searches all programs of the next length; if there are too many, a part of them, and more the next time.
   * @returns whether all programs of that length were searched and none of them is equal
   */
  #searchLength(): boolean {
    const { inputs, outputs } = this.#start;
    const length = this.#excluded + 1;
    if (outputs.length !== 1 || length > LONGEST_EXACT || length >= this.#shortest.nodes.length) return false;
    const constants = this.#pool;
    let found: Graph | undefined;
    let state: "found" | "none" | "cut";
    do {
      let coincidences = 0;
      const rows = lastRows(this.#probes, SPARED_ROWS, inputs.length);
      const problem = {
        operations: this.#operations.filter(({ args }) => args.length <= 3),
        classes: [...inputs, ...constants].map((leaf) => leaf.class),
        isConstant: [...inputs.map(() => false), ...constants.map(() => true)],
        leaves: leafValues(inputs, constants, rows),
        rows: rows.count,
        target: outputsOn(this.#start, rows),
        targetClass: classOf(this.#start, outputs[0]!),
      };
      const search = new ExactSearch(problem, (nodes: readonly GraphNode[]) => {
        const last = inputs.length + constants.length + nodes.length - 1;
        const graph = rebuilt({ ...this.#start, constants, nodes, outputs: [last] });
        if (this.#isEqual(graph)) {
          found = graph;
          return true;
        }
        return ++coincidences >= MOST_COINCIDENCES;
      });
      state = search.run(length, this.#evaluations, this.#until);
      this.#exactWork += this.#evaluations - search.left;
    } while (state === "found" && found === undefined);
    if (found !== undefined) {
      this.#take(found);
      this.#around = this.#neighborhood(found);
    } else if (state === "none") this.#excluded = length;
    else this.#evaluations = Math.min(4 * this.#evaluations, MOST_EVALUATIONS);
    return state === "none";
  }

  /** Whether a program has the right outputs on many rows. Otherwise the row that shows it becomes a probe. */
  #isEqual(graph: Graph): boolean {
    const outputs = outputsOn(graph, this.#wide);
    const wrong = outputs.findIndex((value, index) => value !== this.#wideTarget[index]);
    if (wrong < 0) return true;
    const width = this.#start.inputs.length;
    const row = Math.floor(wrong / this.#start.outputs.length);
    this.#probes = withRow(this.#probes, this.#wide.values.subarray(row * width, (row + 1) * width));
    this.#target = outputsOn(this.#start, this.#probes);
    return false;
  }

  /** Adds a row on which a program was wrong, and forgets all programs that are wrong on it. */
  #addRow(row: Int32Array): void {
    this.#wide = withRow(this.#wide, row);
    this.#wideTarget = outputsOn(this.#start, this.#wide);
    this.#probes = withRow(this.#probes, row);
    this.#target = outputsOn(this.#start, this.#probes);
    const only = { count: 1, values: row };
    const expected = outputsOn(this.#start, only).join();
    this.#best = this.#best.filter((graph) => outputsOn(graph, only).join() === expected);
    this.#around = this.#neighborhood(this.#shortest);
  }

  async #compare(graph: Graph): Promise<Equality | { readonly row: Int32Array }> {
    const { columns, exhaustive, rows, workers, signal } = this.#options;
    const options = { columns, exhaustive, rows, workers, signal };
    const found = await compareGraphs(this.#start, graph, this.#arity, this.#draws, options);
    if ("kind" in found) return found;
    return { row: Int32Array.from(this.#start.inputs, ({ index }) => found.difference[index]!) };
  }

  /** Rows of the caller's columns: all, or as many as are compared often. */
  #drawFrom(columns: readonly Column[]): Rows {
    const { inputs } = this.#start;
    const rows = columns[0]?.length ?? 1;
    const count = Math.min(rows, WIDE_ROWS);
    const words = columns.map((column) =>
      column.BYTES_PER_ELEMENT === 4
        ? new Int32Array(column.buffer as ArrayBuffer, column.byteOffset, column.length)
        : Int32Array.from(column as Uint8Array),
    );
    const values = new Int32Array(count * inputs.length);
    for (let row = 0; row < count; row++) {
      const from = rows <= WIDE_ROWS ? row : this.#draws.below(rows);
      inputs.forEach(({ index }, input) => {
        values[row * inputs.length + input] = words[index]![from]!;
      });
    }
    return { count, values };
  }
}

/** Rows without the first ones. */
function lastRows({ count, values }: Rows, spared: number, width: number): Rows {
  const from = Math.min(spared, count - 1);
  return { count: count - from, values: values.subarray(from * width) };
}

/** @throws SearchError INVALID_ARGUMENT */
function readOperations(start: Graph, names: readonly string[] | undefined): readonly WordOperation[] {
  if (names !== undefined && (!Array.isArray(names) || names.length === 0)) {
    throw invalid("`instructions` as names of PTX instructions", names);
  }
  const given = names ?? [...CORE_INSTRUCTIONS, ...start.nodes.map(({ operation }) => operation.text)];
  return [...new Set(given)].map(requireOperation);
}

/** The constants of the program and those that may be used besides. @throws SearchError INVALID_ARGUMENT */
function readConstants(start: Graph, more: readonly number[]): readonly GraphConstant[] {
  const kinds = new Set(start.nodes.flatMap(({ operation }) => operation.args));
  if (!Array.isArray(more) || more.some((value) => typeof value !== "number" || !Number.isInteger(value))) {
    throw invalid("`constants` as whole numbers", more);
  }
  const pool = [...start.constants];
  if (!kinds.has(ValueClass.word)) return pool;
  for (const value of more) {
    const bits = value | 0;
    if (!pool.some((each) => each.bits === bits && each.class === ValueClass.word))
      pool.push({ bits, class: ValueClass.word });
  }
  return pool;
}

/** @throws SearchError INVALID_ARGUMENT */
function checkColumns(start: Graph, columns: readonly Column[]): void {
  if (!Array.isArray(columns)) throw invalid("`columns` as an array of typed arrays", columns);
  const most = Math.max(-1, ...start.inputs.map(({ index }) => index));
  if (columns.length <= most) throw invalid(`a column for each of ${most + 1} inputs`, columns.length);
  const wrong = (columns as readonly Column[]).find(
    (column) => !ArrayBuffer.isView(column) || column.length === 0 || column.length !== columns[0]!.length,
  );
  if (wrong !== undefined)
    throw invalid("`columns` as typed arrays of one length, with at least one row", wrong);
}
