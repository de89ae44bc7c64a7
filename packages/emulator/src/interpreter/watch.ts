// Memory checks on request: races between threads of a block, and reads of unwritten shared memory. Both work on bytes,
// because threads may legitimately write adjacent bytes.

import { RESERVED } from "../program/reserved.js";
import type { LaunchChecks } from "../run/checks.js";
import type { FaultPlace, InstructionPlace, RaceFault } from "../run/fault.js";
import { areInOneWarp, isSynchronizing, ordersOthers } from "../run/synchronizing.js";
import { Clocks, type Release } from "./clocks.js";
import type { Access, Machine } from "./machine.js";
import type { Thread } from "./thread.js";

/** The accesses of a byte since the last plain write: the last one of each kind by thread. */
interface Byte {
  readonly writes: Touches;
  readonly reads: Touches;
}

/** Strong accesses are apart, because those of two threads never race. */
interface Touches {
  readonly plain: Map<number, Touch>;
  readonly strong: Map<number, Touch>;
}

const noTouches = (): Touches => ({ plain: new Map(), strong: new Map() });

interface Touch {
  readonly thread: number;
  readonly place: FaultPlace;
  readonly access: Access;
  readonly moment: number;
  /** Whether the access is itself a synchronization. */
  readonly strong: boolean;
}

/** A race that has been found, with the bytes that both accesses touch. */
interface Conflict {
  readonly before: Touch;
  readonly isWrite: boolean;
  readonly offsets: number[];
}

/** A race between two stores, recorded once the second one has happened: they may write the same value. */
interface Pending {
  readonly fault: Omit<RaceFault, "sameValue">;
  /** Whether lanes of one warp make a store together. */
  readonly isOneStore: boolean;
  readonly offsets: readonly number[];
  /** The bytes at these offsets before the second store. */
  readonly old: readonly number[];
}

/** The releases of threads at a place. */
interface Released {
  /** The last release of each thread. */
  readonly releases: Map<number, Release>;
  /** All of them together; undefined until a thread acquires them. */
  joined: Uint32Array | undefined;
}

export class Watch {
  readonly #bytes = new Map<number, Byte>();
  readonly #written = new Set<number>();
  /** Whether the instructions of a warp order its accesses. */
  #isLockstep = false;
  #clocks = new Clocks(0);
  /** By barrier: the releases of each `bar.arrive` that no thread has waited for yet. */
  readonly #arrivals = new Map<number, Release[]>();
  /** By offset. */
  readonly #released = new Map<number, Released>();

  readonly #checks: LaunchChecks;
  #pending: Pending[] = [];

  constructor(checks: LaunchChecks) {
    this.#checks = checks;
  }

  /** Begins a block. */
  begin(machine: Machine, threads: number): void {
    this.#isLockstep = machine.launch.lockstep === true;
    this.#pending = [];
    this.#bytes.clear();
    this.#written.clear();
    this.#arrivals.clear();
    this.#released.clear();
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
   * Records that a thread has released what it did through the place at an offset, or has acquired what others released there:
   * by a barrier object, or by accesses with that meaning.
   */
  synchronize(kind: "release" | "acquire", offset: number, { index }: Thread): void {
    if (!this.#checks.races) return;
    let known = this.#released.get(offset);
    if (known === undefined) {
      known = { releases: new Map(), joined: undefined };
      this.#released.set(offset, known);
    }
    if (kind === "release") {
      known.releases.set(index, this.#clocks.release(index));
      known.joined = undefined;
      return;
    }
    known.joined ??= this.#clocks.join(known.releases.values());
    this.#clocks.acquireJoined(index, known.joined, known.releases.get(index));
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
   * Orders the actions of threads before they met ahead of their actions from now on.
   *
   * @param around the threads that could take part; those that have exited count as having met the others
   */
  met(threads: readonly Thread[], around: readonly Thread[], arrivals: readonly Release[] = []): void {
    if (!this.#checks.races) return;
    const before = [...threads, ...around.filter(({ exited }) => exited)];
    this.#clocks.acquire(
      threads.map(({ index }) => index),
      [...before.map(({ index }) => this.#clocks.release(index)), ...arrivals],
    );
  }

  touch(machine: Machine, offset: number, bytes: number, access: Access): void {
    this.settle(machine);
    if (this.#checks.uninitialized && machine.isShared(offset))
      this.#checkWritten(machine, offset, bytes, access);
    if (!this.#checks.races || isOwn(machine, offset)) return;
    const { index } = machine.thread;
    const touch: Touch = {
      thread: index,
      place: machine.place(),
      access,
      moment: this.#clocks.moment(index),
      strong: access === "atomic" || isSynchronizing(machine.operation),
    };
    const conflicts: Conflict[] = [];
    for (let at = offset; at < offset + bytes; at++) this.#touchByte(at, touch, conflicts);
    for (const conflict of conflicts) this.#report(machine, touch, conflict, bytes);
    const { before, after } = ordersOthers(machine.operation);
    if (after && access !== "store") this.synchronize("acquire", offset, machine.thread);
    if (before && access !== "load") this.synchronize("release", offset, machine.thread);
  }

  /** Records that another block of the cluster has written shared memory of this one. */
  wrote(offset: number, bytes: number): void {
    if (!this.#checks.uninitialized) return;
    for (let at = offset; at < offset + bytes; at++) this.#written.add(at);
  }

  /** Records the races between stores that have happened by now. */
  settle({ bytes }: Machine): void {
    if (this.#pending.length === 0) return;
    for (const { fault, isOneStore, offsets, old } of this.#pending) {
      const sameValue = offsets.every((at, i) => bytes[at] === old[i]);
      if (!sameValue || !isOneStore) this.#checks.record({ ...fault, sameValue });
    }
    this.#pending = [];
  }

  #checkWritten(machine: Machine, offset: number, bytes: number, access: Access): void {
    let isWritten = true;
    for (let at = offset; at < offset + bytes; at++) {
      isWritten &&= this.#written.has(at);
      this.#written.add(at);
    }
    if (isWritten || access === "store") return;
    const address = offset - machine.shared.offset;
    const what = `shared memory at ${address}`;
    this.#checks.record({ kind: "UNINITIALIZED", what, address: BigInt(address), ...machine.place() });
  }

  #touchByte(offset: number, touch: Touch, conflicts: Conflict[]): void {
    let byte = this.#bytes.get(offset);
    if (byte === undefined) {
      byte = { writes: noTouches(), reads: noTouches() };
      this.#bytes.set(offset, byte);
    }
    const { writes, reads } = byte;
    const kind = touch.strong ? "strong" : "plain";
    this.#compare(offset, touch, writes, true, conflicts);
    if (touch.access === "load") {
      reads[kind].set(touch.thread, touch);
      return;
    }
    this.#compare(offset, touch, reads, false, conflicts);
    if (!touch.strong) {
      // All of them precede this write, and thus everything that is ordered after it.
      for (const { plain, strong } of [writes, reads]) {
        plain.clear();
        strong.clear();
      }
    }
    writes[kind].set(touch.thread, touch);
  }

  /** Finds earlier accesses that nothing orders before this one; of each instruction, the first is enough. */
  #compare(
    offset: number,
    now: Touch,
    { plain, strong }: Touches,
    isWrite: boolean,
    conflicts: Conflict[],
  ): void {
    for (const before of plain.values()) this.#compareOne(offset, now, before, isWrite, conflicts);
    if (now.strong) return;
    for (const before of strong.values()) this.#compareOne(offset, now, before, isWrite, conflicts);
  }

  #compareOne(offset: number, now: Touch, before: Touch, isWrite: boolean, conflicts: Conflict[]): void {
    if (this.#isLockstep && before.thread >> 5 === now.thread >> 5) return;
    if (this.#clocks.isBefore(before.thread, before.moment, now.thread)) return;
    const known = conflicts.find((conflict) => isSameInstruction(conflict.before.place, before.place));
    if (known === undefined) conflicts.push({ before, isWrite, offsets: [offset] });
    else if (known.before === before) known.offsets.push(offset);
  }

  #report(machine: Machine, now: Touch, { before, isWrite, offsets }: Conflict, bytes: number): void {
    const first = offsets[0]!;
    const isShared = machine.isShared(first);
    const fault: Omit<RaceFault, "sameValue"> = {
      kind: "RACE",
      space: isShared ? "shared" : "global",
      address: isShared ? BigInt(first - machine.shared.offset) : machine.address(first),
      bytes,
      access: now.access,
      other: before.place,
      otherAccess: before.access,
      ...now.place,
    };
    const areStores = isWrite && !before.strong && !now.strong && now.access === "store";
    const isOneStore = isSameInstruction(before.place, now.place) && areInOneWarp(before.thread, now.thread);
    if (areStores)
      this.#pending.push({ fault, isOneStore, offsets, old: offsets.map((at) => machine.bytes[at]!) });
    else this.#checks.record({ ...fault, sameValue: false });
  }
}

const isSameInstruction = (one: InstructionPlace, other: InstructionPlace): boolean =>
  one.instruction === other.instruction && one.function === other.function;

/** Local memory and parameters are not shared with other threads. */
function isOwn({ locals, params }: Machine, offset: number): boolean {
  return (
    (offset >= locals.offset && offset < locals.offset + locals.bytes) ||
    (offset >= params.offset && offset < params.offset + params.bytes)
  );
}
