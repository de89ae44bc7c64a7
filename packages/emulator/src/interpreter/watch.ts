// Looks closer at memory, where a launch asks for it: races between threads of a block, and shared memory that nobody
// wrote. Both see words of 4 bytes, as sanitizers do.

import type { FaultPlace } from "../run/fault.js";
import type { Access, Machine } from "./machine.js";
import { KernelFault } from "./machine.js";
import type { Thread } from "./thread.js";

/** The last accesses of a word. */
interface Word {
  writer: Touch | undefined;
  /** By readers since the last write; of each thread the last one. */
  readonly readers: Map<Thread, Touch>;
}

interface Touch {
  readonly thread: Thread;
  readonly place: FaultPlace;
  readonly time: number;
  readonly atomic: boolean;
}

export class Watch {
  private readonly words = new Map<number, Word>();
  private readonly written = new Set<number>();
  /** Counts barriers and warp operations of the block. */
  private time = 0;

  constructor(
    private readonly races: boolean,
    private readonly uninitialized: boolean,
  ) {}

  /** A new block begins. */
  clear(): void {
    this.words.clear();
    this.written.clear();
    this.time = 0;
  }

  /** Threads have met: what they did before is before what they do from now on. */
  met(threads: readonly Thread[], at: "barrierTime" | "warpTime"): void {
    this.time++;
    for (const thread of threads) thread[at] = this.time;
  }

  touch(machine: Machine, offset: number, bytes: number, access: Access): void {
    if (this.uninitialized && machine.isShared(offset)) this.checkWritten(machine, offset, bytes, access);
    if (!this.races || isOwn(machine, offset)) return;
    for (let word = offset >>> 2; word <= (offset + bytes - 1) >>> 2; word++) {
      this.touchWord(machine, word, access);
    }
  }

  private checkWritten(machine: Machine, offset: number, bytes: number, access: Access): void {
    for (let at = offset; at < offset + bytes; at++) {
      if (access !== "store" && !this.written.has(at)) {
        const address = offset - machine.shared.offset;
        const what = `shared memory at ${address}`;
        throw new KernelFault({ kind: "UNINITIALIZED", what, ...machine.place() });
      }
      this.written.add(at);
    }
  }

  private touchWord(machine: Machine, index: number, access: Access): void {
    let word = this.words.get(index);
    if (word === undefined) {
      word = { writer: undefined, readers: new Map() };
      this.words.set(index, word);
    }
    const { thread } = machine;
    const touch: Touch = { thread, place: machine.place(), time: this.time, atomic: access === "atomic" };
    this.compare(machine, index, touch, word.writer);
    if (access === "load") {
      word.readers.set(thread, touch);
      return;
    }
    for (const reader of word.readers.values()) this.compare(machine, index, touch, reader);
    word.writer = touch;
    word.readers.clear();
  }

  /** @throws KernelFault when nothing came between two accesses */
  private compare(machine: Machine, index: number, now: Touch, before: Touch | undefined): void {
    if (before === undefined || before.thread === now.thread || (before.atomic && now.atomic)) return;
    const sameWarp = before.thread.warp === now.thread.warp;
    const met = Math.max(now.thread.barrierTime, sameWarp ? now.thread.warpTime : 0);
    if (met > before.time) return;
    const offset = 4 * index;
    const isShared = machine.isShared(offset);
    throw new KernelFault({
      kind: "RACE",
      space: isShared ? "shared" : "global",
      address: isShared ? BigInt(offset - machine.shared.offset) : machine.address(offset),
      other: before.place,
      ...machine.place(),
    });
  }
}

/** Local memory and parameters are nobody else's. */
function isOwn({ locals, params }: Machine, offset: number): boolean {
  return (
    (offset >= locals.offset && offset < locals.offset + locals.bytes) ||
    (offset >= params.offset && offset < params.offset + params.bytes)
  );
}
