// Looks closer at memory, where a launch asks for it: races between threads of a block, and shared memory that nobody
// wrote. Both look at bytes: threads may well write bytes side by side.

import { RESERVED } from "../program/reserved.js";
import type { FaultPlace } from "../run/fault.js";
import type { ReleasedBarrier } from "./barriers.js";
import { Clocks, type Release } from "./clocks.js";
import type { Access, Machine } from "./machine.js";
import { KernelFault } from "./machine.js";
import type { Thread } from "./thread.js";

/** The accesses of a byte since the last plain write, the last one of each thread of a kind: by thread, plain or strong. */
interface Byte {
  readonly writes: Map<number, Touch>;
  readonly reads: Map<number, Touch>;
}

interface Touch {
  readonly thread: number;
  readonly place: FaultPlace;
  readonly moment: number;
  /** Whether it synchronises by itself. */
  readonly strong: boolean;
}

/** Loads and stores that take part in synchronisation as atomic operations do; `volatile` promises no order to other threads. */
const STRONG = /\.(relaxed|acquire|release|acq_rel)\b/;

export class Watch {
  private readonly bytes = new Map<number, Byte>();
  private readonly written = new Set<number>();
  private clocks = new Clocks(0);
  /** By barrier: what came before each `bar.arrive` that nobody has waited for. */
  private readonly arrivals = new Map<number, Release[]>();

  constructor(
    private readonly races: boolean,
    private readonly uninitialized: boolean,
  ) {}

  /** A block of so many threads begins. */
  begin(machine: Machine, threads: number): void {
    this.bytes.clear();
    this.written.clear();
    this.arrivals.clear();
    this.clocks = new Clocks(threads);
    // Who uses reserved memory relies on nothing but single bits in it, with atomic operations on whole words.
    const { loaded, kernel } = machine.launch;
    const reserved = kernel.shared.find(({ variable }) => loaded.program.variables[variable] === RESERVED);
    if (reserved === undefined) return;
    const first = machine.shared.offset + reserved.offset;
    for (let at = first; at < first + RESERVED.size; at++) this.written.add(at);
  }

  /** A thread goes on, and is waited for at a barrier by what it did before. */
  arrived(barrier: number, { index }: Thread): void {
    const known = this.arrivals.get(barrier);
    const release = this.clocks.release(index);
    if (known === undefined) this.arrivals.set(barrier, [release]);
    else known.push(release);
  }

  /** Threads have waited for those that arrived at a barrier, and for each other. */
  metAtBarrier({ barrier, threads, count }: ReleasedBarrier, warps: readonly (readonly Thread[])[]): void {
    const around =
      count === undefined ? warps : warps.filter((warp) => threads.some((thread) => warp.includes(thread)));
    this.met(threads, around.flat(), this.arrivals.get(barrier));
    this.arrivals.delete(barrier);
  }

  /**
   * Threads have waited for each other: what they did is before what they do from now on.
   *
   * @param around threads, of which those that have exited are as good as met
   */
  met(threads: readonly Thread[], around: readonly Thread[], arrivals: readonly Release[] = []): void {
    if (!this.races) return;
    const before = [...threads, ...around.filter(({ exited }) => exited)];
    this.clocks.acquire(
      threads.map(({ index }) => index),
      [...before.map(({ index }) => this.clocks.release(index)), ...arrivals],
    );
  }

  touch(machine: Machine, offset: number, bytes: number, access: Access): void {
    if (this.uninitialized && machine.isShared(offset)) this.checkWritten(machine, offset, bytes, access);
    if (!this.races || isOwn(machine, offset)) return;
    const { index } = machine.thread;
    const touch: Touch = {
      thread: index,
      place: machine.place(),
      moment: this.clocks.moment(index),
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
      byte = { writes: new Map(), reads: new Map() };
      this.bytes.set(offset, byte);
    }
    const { writes, reads } = byte;
    const kind = 2 * touch.thread + (touch.strong ? 1 : 0);
    this.compare(machine, offset, touch, writes);
    if (access === "load") {
      reads.set(kind, touch);
      return;
    }
    this.compare(machine, offset, touch, reads);
    if (!touch.strong) {
      // All of them are before it, and so before whatever is found to be behind it.
      writes.clear();
      reads.clear();
    }
    writes.set(kind, touch);
  }

  /** @throws KernelFault when nothing orders an earlier access before this one */
  private compare(machine: Machine, offset: number, now: Touch, earlier: ReadonlyMap<number, Touch>): void {
    for (const before of earlier.values()) {
      if (before.strong && now.strong) continue;
      if (this.clocks.isBefore(before.thread, before.moment, now.thread)) continue;
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
}

/** Local memory and parameters are nobody else's. */
function isOwn({ locals, params }: Machine, offset: number): boolean {
  return (
    (offset >= locals.offset && offset < locals.offset + locals.bytes) ||
    (offset >= params.offset && offset < params.offset + params.bytes)
  );
}
