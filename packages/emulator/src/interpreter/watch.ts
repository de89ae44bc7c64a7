// Looks closer at memory, where a launch asks for it: races between threads of a block, and shared memory that nobody
// wrote. Both look at bytes: threads may well write bytes side by side.

import type { FaultPlace } from "../run/fault.js";
import type { Access, Machine } from "./machine.js";
import { KernelFault } from "./machine.js";
import type { Thread } from "./thread.js";

/** The last accesses of a byte. */
interface Byte {
  writer: Touch | undefined;
  /** By readers since the last write; of each thread the last one. */
  readonly readers: Map<Thread, Touch>;
}

interface Touch {
  readonly thread: Thread;
  readonly place: FaultPlace;
  readonly time: number;
  /** Whether it synchronises by itself. */
  readonly strong: boolean;
}

/** Loads and stores that take part in synchronisation as atomic operations do; `volatile` promises no order to other threads. */
const STRONG = /\.(relaxed|acquire|release|acq_rel)\b/;

export class Watch {
  private readonly bytes = new Map<number, Byte>();
  private readonly written = new Set<number>();
  /** Counts barriers and warp operations of the block. */
  private time = 0;

  constructor(
    private readonly races: boolean,
    private readonly uninitialized: boolean,
  ) {}

  /** A new block begins. */
  clear(): void {
    this.bytes.clear();
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
    const touch: Touch = {
      thread: machine.thread,
      place: machine.place(),
      time: this.time,
      strong: access === "atomic" || STRONG.test(machine.opcode),
    };
    for (let at = offset; at < offset + bytes; at++) this.touchByte(machine, at, access, touch);
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

  private touchByte(machine: Machine, offset: number, access: Access, touch: Touch): void {
    let byte = this.bytes.get(offset);
    if (byte === undefined) {
      byte = { writer: undefined, readers: new Map() };
      this.bytes.set(offset, byte);
    }
    this.compare(machine, offset, touch, byte.writer);
    if (access === "load") {
      byte.readers.set(touch.thread, touch);
      return;
    }
    for (const reader of byte.readers.values()) this.compare(machine, offset, touch, reader);
    byte.writer = touch;
    byte.readers.clear();
  }

  /** @throws KernelFault when nothing came between two accesses */
  private compare(machine: Machine, offset: number, now: Touch, before: Touch | undefined): void {
    if (before === undefined || before.thread === now.thread || (before.strong && now.strong)) return;
    const sameWarp = before.thread.warp === now.thread.warp;
    const met = Math.max(now.thread.barrierTime, sameWarp ? now.thread.warpTime : 0);
    if (met > before.time) return;
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
