// Loops in which a thread may wait for what another one writes: a lock, a flag. Where such a loop goes back, a thread that
// has gone around often enough waits for its next turn, so that the others have theirs. Else they would never run.
import { type Block, type BlockEnd, type Graph, type Step, successors, Untranslatable } from "./graph.js";
import { lastOf } from "./loops.js";
import { flowOrder } from "./order.js";
import { turnSteps } from "./synthetic.js";

/** Loops that get turns: each makes one more function of the kernel, and so many are no locks. */
const MOST_LOOPS = 16;

/** Blocks of loops that are looked through: in so many of them nobody would look for a lock. */
const MOST_VISITS = 2e6;

/** Where control goes back to the beginning of a loop. */
interface BackEdge {
  readonly from: number;
  readonly header: number;
}

/** The graph with turns for threads that may wait for each other. */
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

/** @throws Untranslatable when a function that is not put in its call's place has a loop that needs turns */
export function refuseTurns(graph: Graph): void {
  if (spinningEdges(graph).length === 0) return;
  const { name } = graph.blocks[0]!.context.body;
  throw new Untranslatable(`\`${name}\`, which is called, may wait for what another thread writes`);
}

/** Whether a step is where a thread waits for its next turn. */
export const isTurn = ({ source }: Step): boolean => source.name === "turn";

function redirected(end: BlockEnd, target: number, to: number): BlockEnd {
  const next = (block: number) => (block === target ? to : block);
  if (end.kind === "jump") return { ...end, target: next(end.target) };
  if (end.kind === "branch") return { ...end, taken: next(end.taken), otherwise: next(end.otherwise) };
  return end.kind === "switch" ? { ...end, targets: end.targets.map(next) } : end;
}

/** Where loops go back in which a thread may wait. One that waits in a loop anyhow lets others run there. */
function spinningEdges({ blocks, waits }: Graph): readonly BackEdge[] {
  if (!blocks.some(({ steps }) => steps.some(readsShared))) return [];
  const start = blocks.length;
  const entries = [0, ...waits.map(({ resume }) => resume)];
  const flow = flowOrder(start, start + 1, (block) =>
    block === start ? entries : successors(blocks[block]!.end),
  );
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
    return maySpin([...body].filter((block) => block !== start).map((block) => blocks[block]!));
  });
}

/** Whether the way through a loop depends on something that another thread may change. */
function maySpin(body: readonly Block[]): boolean {
  const steps = body.flatMap((block) => block.steps);
  if (!steps.some(readsShared)) return false;
  const changed = changedBy(steps);
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

const READING = new Set(["ld", "ldu", "atom", "call"]);

/** Registers that hold something else each time around: not those that are computed anew from what stays. */
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
      const isSame = second === undefined && !READING.has(writer!.source.name);
      if (!isSame || writer!.reads.some((read) => changed.has(read))) continue;
      changed.delete(register);
      fewer = true;
    }
  }
  return changed;
}

const STRONG = ["volatile", "relaxed", "acquire", "mmio"] as const;
const PRIVATE = ["const", "local", "param", "nc"] as const;

/** Whether a step reads what other threads may change. */
const readsShared = ({ source: { name }, words }: Step): boolean =>
  name === "atom" || (name === "ld" && !PRIVATE.some((word) => words.has(word)));

/** Whether a step reads what other threads may change while this one goes around. */
function isChanging(step: Step, changed: ReadonlySet<number>): boolean {
  const { source, words, context } = step;
  const { name, operands, results } = source;
  const isFixed = (i: number) => {
    const operand = operands[i];
    const base = operand?.kind === "address" ? operand.base : operand;
    return base?.kind !== "register" || !changed.has(context.registerBase + base.register);
  };
  if (name === "ld") {
    if (!readsShared(step)) return false;
    return STRONG.some((word) => words.has(word)) || isFixed(results);
  }
  // One that is tried again with what it found succeeds when nobody else runs.
  return name === "atom" && (!words.has("cas") || isFixed(results + 1));
}
