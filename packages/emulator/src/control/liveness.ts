// Which registers are live where, and which of them can share a local. The time in which an engine's baseline tier
// compiles a function grows with the product of its locals and branches, so a large kernel with few locals starts
// sooner.
import type { ValueType } from "../program/types.js";
import { type Block, type Graph, successors } from "./graph.js";
import type { FlowOrder } from "./order.js";

/** Sets of registers, one for each block. */
export class RegisterSets {
  readonly #words: Uint32Array;
  readonly #width: number;

  constructor(blocks: number, registers: number) {
    this.#width = (registers + 31) >>> 5;
    this.#words = new Uint32Array(blocks * this.#width);
  }

  has(block: number, register: number): boolean {
    return (this.#words[block * this.#width + (register >>> 5)]! & (1 << (register & 31))) !== 0;
  }

  add(block: number, register: number): void {
    this.#words[block * this.#width + (register >>> 5)]! |= 1 << (register & 31);
  }

  delete(block: number, register: number): void {
    this.#words[block * this.#width + (register >>> 5)]! &= ~(1 << (register & 31));
  }

  /** Adds the difference of two other sets to a block's set; returns whether that added anything. */
  addAll(block: number, from: RegisterSets, fromBlock: number, except?: RegisterSets): boolean {
    let changed = false;
    const at = block * this.#width;
    const other = fromBlock * this.#width;
    for (let i = 0; i < this.#width; i++) {
      const more = from.#words[other + i]! & ~(except === undefined ? 0 : except.#words[at + i]!);
      if ((more & ~this.#words[at + i]!) === 0) continue;
      this.#words[at + i]! |= more;
      changed = true;
    }
    return changed;
  }

  forEach(block: number, visit: (register: number) => void): void {
    for (let i = 0; i < this.#width; i++) {
      for (let word = this.#words[block * this.#width + i]!; word !== 0; word &= word - 1) {
        visit(i * 32 + 31 - Math.clz32(word & -word));
      }
    }
  }

  members(block: number): number[] {
    const found: number[] = [];
    this.forEach(block, (register) => found.push(register));
    return found;
  }
}

/** Which registers are live at the beginning and at the end of each block, continuing across waits. */
export interface Liveness {
  readonly before: RegisterSets;
  readonly after: RegisterSets;
}

export function liveness({ blocks, registerTypes }: Graph): Liveness {
  const before = new RegisterSets(blocks.length, registerTypes.length);
  const after = new RegisterSets(blocks.length, registerTypes.length);
  const written = new RegisterSets(blocks.length, registerTypes.length);
  const predecessors: number[][] = blocks.map(() => []);
  blocks.forEach((block, i) => {
    const write = (register: number) => {
      before.delete(i, register);
      written.add(i, register);
    };
    const read = (register: number) => before.add(i, register);
    forEachStepBackward(block, ({ reads, writes }) => {
      writes.forEach(write);
      reads.forEach(read);
    });
    for (const next of following(block)) predecessors[next]!.push(i);
  });
  const waiting = blocks.map((_, i) => i);
  const queued = new Uint8Array(blocks.length).fill(1);
  while (waiting.length > 0) {
    const block = waiting.pop()!;
    queued[block] = 0;
    for (const from of predecessors[block]!) {
      if (!after.addAll(from, before, block)) continue;
      if (!before.addAll(from, after, from, written) || queued[from]) continue;
      queued[from] = 1;
      waiting.push(from);
    }
  }
  return { before, after };
}

/** The blocks in which a thread may continue after a block, immediately or after a wait. */
export function following({ end }: Block): readonly number[] {
  return end.kind === "wait" ? [end.resume] : successors(end);
}

function forEachStepBackward({ steps, end }: Block, visit: (step: Block["steps"][number]) => void): void {
  if ("step" in end) visit(end.step);
  for (let i = steps.length - 1; i >= 0; i--) visit(steps[i]!);
}

/** Lists of registers, one for each place, in ascending order. */
class RegistersByPlace {
  readonly #first: Int32Array;
  readonly #next: Int32Array;

  constructor(places: number, registers: number) {
    this.#first = new Int32Array(places).fill(-1);
    this.#next = new Int32Array(registers);
  }

  /** Registers have to be added in descending order. */
  add(place: number, register: number): void {
    this.#next[register] = this.#first[place]!;
    this.#first[place] = register;
  }

  forEach(place: number, visit: (register: number) => void): void {
    for (let register = this.#first[place]!; register >= 0; register = this.#next[register]!) visit(register);
  }
}

/**
 * Assigns locals of a function to registers, as few as there are registers live at once: a linear scan over the
 * intervals from their first to their last places in block order (Poletto and Sarkar, Linear Scan Register Allocation).
 *
 * @param newLocal creates as many locals as a register of its kind takes
 * @returns for each register, its first local; -1 for registers that the function does not touch
 */
export function assignLocals(
  { blocks, registerTypes }: Graph,
  { order }: FlowOrder,
  { before, after }: Liveness,
  kindOf: (register: number) => string,
  newLocal: (register: number) => number,
): Int32Array {
  const first = new Int32Array(registerTypes.length).fill(-1);
  const last = new Int32Array(registerTypes.length);
  let at = 0;
  const touch = (register: number) => {
    if (first[register]! < 0) first[register] = at;
    last[register] = at;
  };
  const visit = ({ reads, writes }: Block["steps"][number]) => {
    at++;
    reads.forEach(touch);
    writes.forEach(touch);
  };
  for (const number of order) {
    before.forEach(number, touch);
    const block = blocks[number]!;
    block.steps.forEach(visit);
    if ("step" in block.end) visit(block.end.step);
    after.forEach(number, touch);
  }
  const beginning = new RegistersByPlace(at + 1, registerTypes.length);
  const ending = new RegistersByPlace(at + 1, registerTypes.length);
  for (let register = registerTypes.length - 1; register >= 0; register--) {
    if (first[register]! < 0) continue;
    beginning.add(first[register]!, register);
    ending.add(last[register]!, register);
  }
  const locals = new Int32Array(registerTypes.length).fill(-1);
  const free = new Map<string, number[]>();
  const take = (register: number) => {
    locals[register] = free.get(kindOf(register))?.pop() ?? newLocal(register);
  };
  const give = (register: number) => {
    const kind = kindOf(register);
    const list = free.get(kind);
    if (list === undefined) free.set(kind, [locals[register]!]);
    else list.push(locals[register]!);
  };
  for (let place = 0; place <= at; place++) {
    beginning.forEach(place, take);
    // A local is free right after its last read, because an instruction writes after it has read.
    ending.forEach(place, give);
  }
  return locals;
}

/** The bytes that a register of this type takes in a frame. */
export function bytesOf(type: ValueType): 4 | 8 {
  return type === "i64" || type === "f64" ? 8 : 4;
}
