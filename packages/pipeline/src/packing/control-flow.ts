// The blocks of one function, which branches decide about which blocks, and where registers are read later.
import type { PtxModule } from "@mm-ptx/ptx";
import { accessesOf } from "./memory.js";
import { computesValue, type Operand, type Step } from "./steps.js";

/** What a branch decides about. */
export interface Region {
  /** The blocks that run or not, or not as often, depending on the branch. */
  readonly blocks: ReadonlySet<number>;
  /** The blocks that are reached on several ways from the branch. */
  readonly joins: ReadonlySet<number>;
}

/** What an instruction sets. */
export function targetsOf(step: Step): readonly Operand[] {
  const { name, operands, isScalar } = step;
  if (computesValue(step)) return operands[0] ?? [];
  // The results of a call are a list before the name of the function.
  if (name === "call") return isScalar[0] === false ? (operands[0] ?? []) : [];
  return (accessesOf(step) ?? []).flatMap(({ read, space, written, address }) => {
    if (read !== undefined) return operands[read] ?? [];
    return space === "param" && written !== undefined ? (operands[address[0]!] ?? []) : [];
  });
}

/** What an instruction reads. */
function sourcesOf(step: Step): readonly Operand[] {
  const targets = new Set(targetsOf(step));
  return step.operands.flat().filter((operand) => !targets.has(operand));
}

const ENDS = new Set(["bra", "brx", "ret", "exit", "trap"]);

export class ControlFlow {
  readonly steps: readonly Step[];
  /** By instruction. */
  readonly blockOf: Int32Array;
  /** By block; the last block is the end of the function, which has no instructions. */
  readonly #successors: readonly (readonly number[])[];
  readonly #predecessors: readonly number[][];
  readonly #after: Int32Array;
  readonly #regions = new Map<number, Region>();
  readonly #live = new Map<number, ReadonlySet<number>>();
  /** By register, the blocks that read it before they set it, and those that set it in any case. */
  readonly #reading = new Map<number, Set<number>>();
  readonly #setting = new Map<number, Set<number>>();

  /** @param steps the instructions of one function, in the order of the text */
  constructor(module: PtxModule, steps: readonly Step[]) {
    this.steps = steps;
    const targets = labelTargets(module, steps);
    const leaders = new Set([0, ...targets.flat()]);
    steps.forEach(({ name }, index) => {
      if (ENDS.has(name)) leaders.add(index + 1);
    });
    this.blockOf = new Int32Array(steps.length + 1);
    let block = -1;
    for (let index = 0; index < steps.length; index++) {
      if (leaders.has(index)) block++;
      this.blockOf[index] = block;
    }
    const end = block + 1;
    this.blockOf[steps.length] = end;
    const successors: number[][] = Array.from({ length: end + 1 }, () => []);
    steps.forEach(({ name, guard }, index) => {
      if (this.blockOf[index + 1] === this.blockOf[index]) return;
      const own = successors[this.blockOf[index]!]!;
      if (name === "bra" || name === "brx")
        own.push(...targets[index]!.map((target) => this.blockOf[target]!));
      if (name === "ret" || name === "exit" || name === "trap") own.push(end);
      if (!ENDS.has(name) || guard !== undefined) own.push(this.blockOf[index + 1]!);
    });
    this.#successors = successors.map((all) => [...new Set(all)]);
    this.#predecessors = successors.map(() => []);
    this.#successors.forEach((all, from) => {
      for (const to of all) this.#predecessors[to]!.push(from);
    });
    this.#after = this.#nextOnAllWays(end);
    this.#readRegisters();
  }

  /** What the branch at the end of a block decides about. */
  regionOf(block: number): Region {
    let region = this.#regions.get(block);
    if (region === undefined) {
      region = this.#regionOf(block);
      this.#regions.set(block, region);
    }
    return region;
  }

  /** The blocks at whose beginning a register has a value that is read later. */
  liveInto(node: number): ReadonlySet<number> {
    let live = this.#live.get(node);
    if (live === undefined) {
      live = this.#liveInto(node);
      this.#live.set(node, live);
    }
    return live;
  }

  #regionOf(block: number): Region {
    const stop = this.#after[block]!;
    const starts = this.#successors[block]!;
    const reached = starts.map((start) => this.#reach(start, stop));
    const blocks = new Set(reached.flatMap((set) => [...set]));
    const joins = new Set([stop]);
    for (const one of blocks) if (reached.filter((set) => set.has(one)).length > 1) joins.add(one);
    starts.forEach((start, i) => {
      if (reached[i]!.has(block)) joins.add(start);
    });
    return { blocks, joins };
  }

  /** The blocks that are reached from one before another, which is left out. */
  #reach(start: number, stop: number): Set<number> {
    const reached = new Set<number>();
    const open = [start];
    for (let block = open.pop(); block !== undefined; block = open.pop()) {
      if (block === stop || reached.has(block)) continue;
      reached.add(block);
      open.push(...this.#successors[block]!);
    }
    return reached;
  }

  #liveInto(node: number): ReadonlySet<number> {
    const setting = this.#setting.get(node);
    const live = new Set<number>();
    const open = [...(this.#reading.get(node) ?? [])];
    for (let block = open.pop(); block !== undefined; block = open.pop()) {
      if (live.has(block)) continue;
      live.add(block);
      open.push(...this.#predecessors[block]!.filter((before) => setting?.has(before) !== true));
    }
    return live;
  }

  /** Finds out in which blocks each register is read before it is set, and in which it is set. */
  #readRegisters(): void {
    const add = (to: Map<number, Set<number>>, node: number, block: number) => {
      const blocks = to.get(node) ?? new Set<number>();
      to.set(node, blocks.add(block));
    };
    this.steps.forEach((step, index) => {
      const block = this.blockOf[index]!;
      const read = (node: number) => {
        if (this.#setting.get(node)?.has(block) !== true) add(this.#reading, node, block);
      };
      if (step.guard !== undefined) read(step.guard);
      for (const source of sourcesOf(step)) if (source.kind === "node") read(source.node);
      if (step.guard !== undefined) return;
      for (const target of targetsOf(step))
        if (target.kind === "node") add(this.#setting, target.node, block);
    });
  }

  /**
   * For each block, the first one that all ways from it to the end of the function go through: its immediate postdominator
   * (Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm"). It is the end for blocks that never get there.
   */
  #nextOnAllWays(end: number): Int32Array {
    const order: number[] = [];
    const place = new Int32Array(end + 1).fill(-1);
    const visit: [block: number, next: number][] = [[end, 0]];
    const seen = new Set([end]);
    while (visit.length > 0) {
      const top = visit.at(-1)!;
      const before = this.#predecessors[top[0]]![top[1]++];
      if (before === undefined) {
        visit.pop();
        place[top[0]] = order.length;
        order.push(top[0]);
      } else if (!seen.has(before)) {
        seen.add(before);
        visit.push([before, 0]);
      }
    }
    const next = new Int32Array(end + 1).fill(-1);
    next[end] = end;
    for (let changed = true; changed; ) {
      changed = false;
      for (let i = order.length - 2; i >= 0; i--) {
        const block = order[i]!;
        let common = -1;
        for (const after of this.#successors[block]!) {
          if (next[after] === -1) continue;
          if (common === -1) common = after;
          for (let other = after; other !== common; ) {
            if (place[other]! < place[common]!) other = next[other]!;
            else common = next[common]!;
          }
        }
        if (next[block] === common) continue;
        next[block] = common;
        changed = true;
      }
    }
    return next.map((after) => (after === -1 ? end : after));
  }
}

/** For each instruction, the instructions that it may go to; those of a table are all that have a label. */
function labelTargets(module: PtxModule, steps: readonly Step[]): readonly (readonly number[])[] {
  const { names, statements } = module;
  const after = (statement: number): number => {
    let [low, high] = [0, steps.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (steps[middle]!.statement < statement) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const first = steps[0]?.statement ?? 0;
  const last = steps.at(-1)?.statement ?? 0;
  const labels = names.declarations.filter(
    ({ kind, statement }) => kind === "label" && statement >= first - 1 && statement <= last + 1,
  );
  return steps.map(({ name, statement }) => {
    if (name === "brx") return labels.map((label) => after(label.statement));
    if (name !== "bra") return [];
    const span = { start: statements.start(statement), end: statements.end(statement) };
    const target = names.usesIn(span).find(({ declaration }) => declaration?.kind === "label")?.declaration;
    return target === undefined ? [steps.length] : [after(target.statement)];
  });
}
