// Memory checks on request: races between threads of a block, and reads of unwritten shared memory. Both work on bytes,
// because threads may legitimately write adjacent bytes.

import { RESERVED } from "../program/reserved.js";
import type { FaultPlace } from "../run/fault.js";
import { isSynchronizing } from "../run/synchronizing.js";
import { Clocks, type Release } from "./clocks.js";
import type { Access, Machine } from "./machine.js";
import { KernelFault } from "./machine.js";
import type { Thread } from "./thread.js";

/**
 * The accesses of a byte since the last plain write: the last one of each thread and kind, keyed by both (plain or
 * strong).
 */
interface Byte {
  readonly writes: Map<number, Touch>;
  readonly reads: Map<number, Touch>;
}

interface Touch {
  readonly thread: number;
  readonly place: FaultPlace;
  readonly moment: number;
  /** Whether the access is itself a synchronization. */
  readonly strong: boolean;
}

export class Watch {
  readonly #bytes = new Map<number, Byte>();
  readonly #written = new Set<number>();
  #clocks = new Clocks(0);
  /** By barrier: the releases of each `bar.arrive` that no thread has waited for yet. */
  readonly #arrivals = new Map<number, Release[]>();

  readonly #races: boolean;
  readonly #uninitialized: boolean;

  constructor(races: boolean, uninitialized: boolean) {
    this.#races = races;
    this.#uninitialized = uninitialized;
  }

  /** Begins a block. */
  begin(machine: Machine, threads: number): void {
    this.#bytes.clear();
    this.#written.clear();
    this.#arrivals.clear();
    this.#clocks = new Clocks(threads);
    // Code that uses reserved memory only relies on single bits, which it accesses with atomic operations on whole
    // words.
    const { loaded, kernel } = machine.launch;
    const reserved = kernel.shared.find(({ variable }) => loaded.program.variables[variable] === RESERVED);
    if (reserved === undefined) return;
    const first = machine.shared.offset + reserved.offset;
    for (let at = first; at < first + RESERVED.bytes; at++) this.#written.add(at);
  }

  /** Records a `bar.arrive`: threads that wait at the barrier are ordered after what the thread did before. */
  arrived(barrier: number, { index }: Thread): void {
    const known = this.#arrivals.get(barrier);
    const release = this.#clocks.release(index);
    if (known === undefined) this.#arrivals.set(barrier, [release]);
    else known.push(release);
  }

  /**
   * Records that threads have waited for each other and for the arrivals at a barrier.
   *
   * @param count the number of threads that the barrier was for; undefined for all of the block
   */
  metAtBarrier(
    barrier: number,
    count: number | undefined,
    threads: readonly Thread[],
    warps: readonly (readonly Thread[])[],
  ): void {
    const around =
      count === undefined ? warps : warps.filter((warp) => threads.some((thread) => warp.includes(thread)));
    this.met(threads, around.flat(), this.#arrivals.get(barrier));
    this.#arrivals.delete(barrier);
  }

  /**
   * Orders what threads did before they met ahead of what they do from now on.
   *
   * @param around the threads that could take part; those that have exited count as having met the others
   */
  met(threads: readonly Thread[], around: readonly Thread[], arrivals: readonly Release[] = []): void {
    if (!this.#races) return;
    const before = [...threads, ...around.filter(({ exited }) => exited)];
    this.#clocks.acquire(
      threads.map(({ index }) => index),
      [...before.map(({ index }) => this.#clocks.release(index)), ...arrivals],
    );
  }

  touch(machine: Machine, offset: number, bytes: number, access: Access): void {
    if (this.#uninitialized && machine.isShared(offset)) this.#checkWritten(machine, offset, bytes, access);
    if (!this.#races || isOwn(machine, offset)) return;
    const { index } = machine.thread;
    const touch: Touch = {
      thread: index,
      place: machine.place(),
      moment: this.#clocks.moment(index),
      strong: isSynchronizing(machine.operation),
    };
    for (let at = offset; at < offset + bytes; at++) this.#touchByte(machine, at, access, touch);
  }

  #checkWritten(machine: Machine, offset: number, bytes: number, access: Access): void {
    for (let at = offset; at < offset + bytes; at++) {
      if (access !== "store" && !this.#written.has(at)) {
        const address = offset - machine.shared.offset;
        const what = `shared memory at ${address}`;
        throw new KernelFault({ kind: "UNINITIALIZED", what, ...machine.place() });
      }
      this.#written.add(at);
    }
  }

  #touchByte(machine: Machine, offset: number, access: Access, touch: Touch): void {
    let byte = this.#bytes.get(offset);
    if (byte === undefined) {
      byte = { writes: new Map(), reads: new Map() };
      this.#bytes.set(offset, byte);
    }
    const { writes, reads } = byte;
    const kind = 2 * touch.thread + (touch.strong ? 1 : 0);
    this.#compare(machine, offset, touch, writes);
    if (access === "load") {
      reads.set(kind, touch);
      return;
    }
    this.#compare(machine, offset, touch, reads);
    if (!touch.strong) {
      // All of them precede this write, and thus everything that is ordered after it.
      writes.clear();
      reads.clear();
    }
    writes.set(kind, touch);
  }

  /** @throws KernelFault if nothing orders an earlier access before this one */
  #compare(machine: Machine, offset: number, now: Touch, earlier: ReadonlyMap<number, Touch>): void {
    for (const before of earlier.values()) {
      if (before.strong && now.strong) continue;
      if (this.#clocks.isBefore(before.thread, before.moment, now.thread)) continue;
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

/** Local memory and parameters are not shared with other threads. */
function isOwn({ locals, params }: Machine, offset: number): boolean {
  return (
    (offset >= locals.offset && offset < locals.offset + locals.bytes) ||
    (offset >= params.offset && offset < params.offset + params.bytes)
  );
}
