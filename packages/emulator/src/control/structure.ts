// Generates structured control flow from a graph by its dominator tree (Ramsey, Beyond Relooper, ICFP 2022): a merge
// point is placed after a WebAssembly block that its predecessors branch out of, and the target of a back edge opens a
// loop. Irreducible graphs use a loop over a table of all blocks instead.
import type { Code, Label } from "../wasm/binary/code.js";
import type { BlockEnd } from "./graph.js";
import { type FlowOrder, isReducible } from "./order.js";

/** Writes the contents of blocks. Every method emits instructions. */
export interface BlockWriter {
  end(block: number): BlockEnd;
  /** Emits what a block does, without its end. */
  steps(block: number): void;
  /** Pushes whether a block's branch is taken. */
  condition(block: number): void;
  /** Pushes the index of the target that a block's switch takes. */
  selector(block: number): void;
  /** Emits what happens when a switch's index is out of range. No code follows it. */
  beyond(block: number): void;
  /** Leaves the function for good: the thread waits or exits. */
  leave(block: number): void;
  /** Called before control returns to the header of a loop. */
  again(from: number, header: number): void;
}

/** Writes the blocks of a part of a graph, starting at its entry. */
export function writeStructured(code: Code, flow: FlowOrder, writer: BlockWriter): void {
  if (isReducible(flow)) new StructureWriter(code, flow, writer).write();
  else writeTable(code, flow, writer);
}

class StructureWriter {
  readonly #code: Code;
  readonly #flow: FlowOrder;
  readonly #writer: BlockWriter;
  /** For each place, the blocks to be placed after it, with the last in the order first. */
  readonly #followers: readonly number[][];
  readonly #isMerge: Uint8Array;
  readonly #isHeader: Uint8Array;
  readonly #labels: Label[] = [];
  readonly #loops: Label[] = [];

  constructor(code: Code, flow: FlowOrder, writer: BlockWriter) {
    this.#code = code;
    this.#flow = flow;
    this.#writer = writer;
    const count = flow.order.length;
    this.#isMerge = new Uint8Array(count);
    this.#isHeader = new Uint8Array(count);
    this.#followers = flow.order.map(() => []);
    flow.predecessors.forEach((from, to) => {
      if (from.some((at) => at >= to)) this.#isHeader[to] = 1;
      if (from.filter((at) => at < to).length > 1) this.#isMerge[to] = 1;
    });
    for (let at = count - 1; at > 0; at--) {
      if (this.#isMerge[at]) this.#followers[flow.dominator[at]!]!.push(at);
    }
  }

  write(): void {
    this.#tree(0);
    this.#code.op("unreachable");
  }

  /** Writes a block and everything that it dominates. Long chains are followed by a loop, not by recursion. */
  #tree(start: number): void {
    let at = start;
    for (;;) {
      const header = this.#isHeader[at] === 1;
      const followers = this.#followers[at]!;
      if (header) this.#loops[at] = this.#code.loop();
      for (const follower of followers) this.#labels[follower] = this.#code.block();
      const block = this.#flow.order[at]!;
      this.#writer.steps(block);
      const end = this.#writer.end(block);
      if (end.kind === "jump" && followers.length === 0 && !header && this.#isInline(at, end.target)) {
        at = this.#flow.place[end.target]!;
        continue;
      }
      this.#end(at, end);
      for (let i = followers.length - 1; i > 0; i--) {
        this.#code.end();
        this.#tree(followers[i]!);
      }
      if (followers.length > 0) this.#code.end();
      if (!header) {
        if (followers.length === 0) return;
        at = followers[0]!;
        continue;
      }
      if (followers.length > 0) this.#tree(followers[0]!);
      this.#code.op("unreachable").end();
      return;
    }
  }

  /** Whether a target is written at the place of the branch to it. */
  #isInline(from: number, target: number): boolean {
    const to = this.#flow.place[target]!;
    return to > from && this.#isMerge[to] === 0;
  }

  #end(at: number, end: BlockEnd): void {
    const block = this.#flow.order[at]!;
    const code = this.#code;
    switch (end.kind) {
      case "jump":
        this.#goTo(at, end.target);
        return;
      case "branch": {
        this.#writer.condition(block);
        code.if();
        this.#goTo(at, end.taken);
        code.end();
        this.#goTo(at, end.otherwise);
        return;
      }
      case "switch": {
        // Each target gets a small separate block, so that loop targets can count their iterations.
        const beyond = code.block();
        const labels = end.targets.map(() => code.block());
        this.#writer.selector(block);
        code.brTable([...labels.toReversed(), beyond]);
        for (const target of end.targets) {
          code.end();
          this.#goTo(at, target);
        }
        code.end();
        this.#writer.beyond(block);
        return;
      }
      default:
        this.#writer.leave(block);
    }
  }

  #goTo(from: number, target: number): void {
    const to = this.#flow.place[target]!;
    if (to <= from) {
      this.#writer.again(this.#flow.order[from]!, target);
      this.#code.br(this.#loops[to]!);
    } else if (this.#isMerge[to]) this.#code.br(this.#labels[to]!);
    else this.#tree(to);
  }
}

/** Writes a loop over a table of all blocks; a local holds the index of the next block. */
function writeTable(code: Code, flow: FlowOrder, writer: BlockWriter): void {
  code.scratch("i32", (next) => {
    code.i32(0).set(next);
    const loop = code.loop();
    const labels = flow.order.map(() => code.block()).reverse();
    code.get(next).brTable([...labels, labels[0]!]);
    const goTo = (from: number, target: number) => {
      const to = flow.place[target]!;
      if (to <= from) writer.again(flow.order[from]!, target);
      code.i32(to).set(next).br(loop);
    };
    flow.order.forEach((block, at) => {
      code.end();
      writer.steps(block);
      const end = writer.end(block);
      if (end.kind === "jump") goTo(at, end.target);
      else if (end.kind === "branch") {
        writer.condition(block);
        code.if();
        goTo(at, end.taken);
        code.end();
        goTo(at, end.otherwise);
      } else if (end.kind === "switch") {
        const beyond = code.block();
        const cases = end.targets.map(() => code.block());
        writer.selector(block);
        code.brTable([...cases.toReversed(), beyond]);
        for (const target of end.targets) {
          code.end();
          goTo(at, target);
        }
        code.end();
        writer.beyond(block);
      } else writer.leave(block);
    });
    code.op("unreachable").end().op("unreachable");
  });
}
