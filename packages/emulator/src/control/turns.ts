// Loops in which a thread may wait for what another one writes, such as a lock or a flag. At the back edge of such a
// loop, a thread that has gone around often enough waits for its next turn. Otherwise the other threads would never
// run.
import { type Block, type BlockEnd, type Graph, successors, Untranslatable } from "./graph.js";
import { lastOf } from "./loops.js";
import { flowOrder } from "./order.js";
import type { Step } from "./step.js";
import { turnSteps } from "./synthetic.js";

/**
 * The most loops that get turns. Each one adds a function to the kernel, and code with more such loops is not using
 * locks.
 */
const MOST_LOOPS = 16;

/** The most block visits that the search for such loops makes before it gives up. */
const MOST_VISITS = 2e6;

/** An edge on which control returns to the beginning of a loop. */
interface BackEdge {
  readonly from: number;
  readonly header: number;
}

/** Returns the graph with turns added for threads that may wait for each other. */
export function withTurns(graph: Graph): Graph {
  const edges = spinningEdges(graph).slice(0, MOST_LOOPS);
  if (edges.length === 0) return graph;
  const blocks = [...graph.blocks];
  const registerTypes = [...graph.registerTypes];
  const waits = [...graph.waits];
  for (const { from, header } of edges) {
    const { context } = blocks[from]!;
    const at = lastOf(blocks[from]!);
    const { count, ask, wait } = turnSteps(context, at, registerTypes.push("pred") - 1);
    const add = (steps: Step[], end: BlockEnd) => blocks.push({ context, first: at, steps, end }) - 1;
    const waiting = add([], { kind: "wait", step: wait, resume: header });
    const asking = add([count], { kind: "branch", step: ask, taken: waiting, otherwise: header });
    blocks[from] = { ...blocks[from]!, end: redirected(blocks[from]!.end, header, asking) };
    waits.push({ step: wait, resume: header });
  }
  return { ...graph, blocks, registerTypes, waits };
}

/** @throws {@link Untranslatable} when a function that is not inlined has a loop that needs turns */
export function refuseTurns(graph: Graph): void {
  if (spinningEdges(graph).length === 0) return;
  const { name } = graph.blocks[0]!.context.body;
  throw new Untranslatable(`\`${name}\`, which is called, may wait for what another thread writes`);
}

/** Whether a step is a wait for the thread's next turn. */
export const isTurn = ({ operation }: Step): boolean => operation.traits.waits === "turn";

function redirected(end: BlockEnd, target: number, to: number): BlockEnd {
  const next = (block: number) => (block === target ? to : block);
  if (end.kind === "jump") return { ...end, target: next(end.target) };
  if (end.kind === "branch") return { ...end, taken: next(end.taken), otherwise: next(end.otherwise) };
  return end.kind === "switch" ? { ...end, targets: end.targets.map(next) } : end;
}

/**
 * The back edges of loops in which a thread may spin. A loop that contains a wait lets other threads run there anyway.
 */
function spinningEdges({ blocks, waits }: Graph): readonly BackEdge[] {
  const entries = [0, ...waits.map(({ resume }) => resume)];
  const isSpinning = (body: readonly Block[]) => maySpin(body, readsShared);
  return loopsIn(blocks, entries, (end) => successors(end), isSpinning);
}

/**
 * Whether a block of threads may wait in a loop with a wait, such as a barrier, for what another block of threads writes.
 */
export function mayWaitForBlocks({ blocks }: Graph): boolean {
  const next = (end: BlockEnd) => (end.kind === "wait" ? [end.resume] : successors(end));
  const isSpinning = (body: readonly Block[]) =>
    body.some(({ end }) => end.kind === "wait" && !isTurn(end.step)) && maySpin(body, readsGlobal);
  return loopsIn(blocks, [0], next, isSpinning).length > 0;
}

/** The back edges of loops that fulfil a condition. */
function loopsIn(
  blocks: readonly Block[],
  entries: readonly number[],
  next: (end: BlockEnd) => readonly number[],
  isOne: (body: readonly Block[]) => boolean,
): readonly BackEdge[] {
  if (!blocks.some(({ steps }) => steps.some(readsShared))) return [];
  const start = blocks.length;
  const flow = flowOrder(start, start + 1, (block) => (block === start ? entries : next(blocks[block]!.end)));
  const edges = flow.predecessors.flatMap((from, header) =>
    [...new Set(from)]
      .filter((at) => at >= header)
      .map((at) => ({ from: flow.order[at]!, header: flow.order[header]! })),
  );
  const before = (block: number) => flow.predecessors[flow.place[block]!]!.map((at) => flow.order[at]!);
  let visits = 0;
  return edges.filter(({ from, header }) => {
    const body = new Set([header]);
    const open = [from];
    while (open.length > 0) {
      if (++visits > MOST_VISITS) return false;
      const block = open.pop()!;
      if (body.has(block)) continue;
      body.add(block);
      open.push(...before(block));
    }
    return isOne([...body].filter((block) => block !== start).map((block) => blocks[block]!));
  });
}

/**
 * Whether the path through a loop depends on something that another thread may change.
 *
 * @param reads chooses the steps that read it
 */
function maySpin(body: readonly Block[], reads: (step: Step) => boolean): boolean {
  // Waits that exchange values between threads are steps of the path, too.
  const steps = body.flatMap(({ steps: own, end }) => (end.kind === "wait" ? [...own, end.step] : own));
  const changed = changedBy(steps);
  if (!steps.some((step) => reads(step) && isChanging(step, changed))) return false;
  const foreign = new Set<number>();
  const isForeign = (step: Step) =>
    isChanging(step, changed) || step.reads.some((register) => foreign.has(register));
  for (let more = true; more; ) {
    more = false;
    for (const step of steps) {
      if (step.writes.every((register) => foreign.has(register)) || !isForeign(step)) continue;
      for (const register of step.writes) foreign.add(register);
      more = true;
    }
  }
  return body.some(({ end }) => "step" in end && end.step.reads.some((register) => foreign.has(register)));
}

/**
 * Registers whose value may change between iterations. Those that are recomputed from unchanged inputs are not
 * included.
 */
function changedBy(steps: readonly Step[]): ReadonlySet<number> {
  const writers = new Map<number, Step[]>();
  for (const step of steps) {
    for (const register of step.writes) {
      const known = writers.get(register);
      if (known === undefined) writers.set(register, [step]);
      else known.push(step);
    }
  }
  const changed = new Set(writers.keys());
  for (let fewer = true; fewer; ) {
    fewer = false;
    for (const register of changed) {
      const [writer, second] = writers.get(register)!;
      const isSame = second === undefined && !writer!.operation.traits.reads;
      if (!isSame || writer!.reads.some((read) => changed.has(read))) continue;
      changed.delete(register);
      fewer = true;
    }
  }
  return changed;
}

const PRIVATE: ReadonlySet<string> = new Set(["const", "local", "param"]);

/** Whether a step reads memory that other threads may change. */
const readsShared = ({ operation: { traits, space, words, results } }: Step): boolean =>
  traits.reads && results > 0 && !PRIVATE.has(space) && !words.has("nc");

/** Whether a step reads memory that other blocks may change. */
const readsGlobal = (step: Step): boolean => readsShared(step) && step.operation.space !== "shared";

/** Whether a step reads something that other threads may change while this one loops. */
function isChanging(step: Step, changed: ReadonlySet<number>): boolean {
  const { source, operation, context } = step;
  const { results, traits, words } = operation;
  const { operands } = source;
  const isFixed = (i: number) => {
    const operand = operands[i];
    const base = operand?.kind === "address" ? operand.base : operand;
    return base?.kind !== "register" || !changed.has(context.registerBase + base.register);
  };
  if (!readsShared(step)) return false;
  // A `cas` that is retried with the value that it found succeeds when no other thread runs.
  if (traits.atomic) return !words.has("cas") || isFixed(results + 1);
  return traits.strong || isFixed(results);
}
