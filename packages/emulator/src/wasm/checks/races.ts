// Turns the records of two accesses in shadow memory into findings.
import type { Step } from "../../control/step.js";
import type { FaultPlace, RaceFault } from "../../run/fault.js";
import type { LaunchPlan } from "../../run/launch.js";
import { ADDRESS_BASE } from "../../run/memory.js";
import { areInOneWarp, isSynchronizing } from "../../run/synchronizing.js";
import type { Areas } from "../areas.js";
import type { RecordedAccess } from "../frame.js";
import type { Translation } from "../translation.js";
import { ACCESS_BITS, FIRST_THREAD, THREAD_MASK } from "./layout.js";

/** A race between two stores, recorded once the second one has happened: they may write the same value. */
interface Pending {
  readonly order: Order;
  readonly place: number;
  readonly old: Uint8Array;
}

/** Two accesses in the order that they have when threads run one by one. */
interface Order {
  readonly earlier: RecordedAccess;
  readonly later: RecordedAccess;
  readonly threads: RacingThreads;
}

/** The threads of a race. */
export interface RacingThreads {
  readonly thread: number;
  /** The one whose access came first. */
  readonly other: number;
  /** Whether its access may come later after all, because it has started over. */
  readonly isDoubtful: boolean;
}

/** The running block. */
export interface PlacesInBlock {
  readonly areas: () => Areas;
  readonly placeOf: (step: Step, thread: number) => FaultPlace;
  /** The global that says which group of four threads is running. */
  readonly group: () => number;
}

export class RaceLog {
  readonly #launch: LaunchPlan;
  readonly #translation: Translation;
  readonly #block: PlacesInBlock;
  readonly #record: (threads: RacingThreads, fault: RaceFault) => void;
  /** Races of the store that is about to happen. */
  #pending: Pending[] = [];
  /** The last race: accesses of several granules are one. */
  #last = { place: -1, now: -1, access: -1 };

  constructor(
    launch: LaunchPlan,
    translation: Translation,
    block: PlacesInBlock,
    record: (threads: RacingThreads, fault: RaceFault) => void,
  ) {
    this.#record = record;
    this.#launch = launch;
    this.#translation = translation;
    this.#block = block;
  }

  /**
   * Records a race, given the records of the access that comes now and of the one before.
   * @returns whether `settle` has to be called when the access has happened
   */
  found(place: number, now: number, before: number): boolean {
    const { shadow } = this.#translation;
    const number = before & ((1 << ACCESS_BITS) - 1);
    const last = this.#last;
    const size = 2 ** shadow!.granule;
    const isNext = last.place + size === place && last.now === now && last.access === number;
    this.#last = { place, now, access: number };
    if (isNext) return this.#pending.length > 0;
    const order = this.#inOrder(before, now);
    const { earlier, later } = order;
    const areStores = [earlier, later].every(
      ({ step, access }) => access.kind === "store" && !isSynchronizing(step.operation),
    );
    if (areStores) {
      const bytes = Math.max(size, Math.min(earlier.access.bytes, later.access.bytes));
      this.#pending.push({ order, place, old: this.#bytesAt(place, bytes).slice() });
    } else this.#report(order, place, false);
    return this.#pending.length > 0;
  }

  #report({ earlier, later, threads }: Order, place: number, sameValue: boolean): void {
    const { shared, sharedBytes } = this.#block.areas();
    const isShared = place >= shared && place < shared + sharedBytes;
    this.#record(threads, {
      kind: "RACE",
      space: isShared ? "shared" : "global",
      address: isShared ? BigInt(place - shared) : BigInt(ADDRESS_BASE + place),
      bytes: later.access.bytes,
      access: later.access.kind,
      other: this.#block.placeOf(earlier.step, threads.other),
      otherAccess: earlier.access.kind,
      sameValue,
      ...this.#block.placeOf(later.step, threads.thread),
    });
  }

  /** The accesses of two records in the order that they have when threads run one by one. */
  #inOrder(before: number, now: number): Order {
    const accessOf = (record: number) => this.#translation.frame.accesses[record & ((1 << ACCESS_BITS) - 1)]!;
    const threadOf = (record: number) => (record >>> FIRST_THREAD) & THREAD_MASK;
    const group = this.#block.group();
    const first = group >> 1;
    const isInGroup = (thread: number) => group >= 0 && thread >= first && thread < first + 4;
    const [thread, other] = [threadOf(now), threadOf(before)];
    const isEarly = other > thread && isInGroup(other) && isInGroup(thread);
    const isAlone = (group & 1) === 1;
    if (isEarly && !isAlone)
      return {
        ...{ earlier: accessOf(now), later: accessOf(before) },
        threads: { thread: other, other: thread, isDoubtful: false },
      };
    return {
      ...{ earlier: accessOf(before), later: accessOf(now) },
      threads: { thread, other, isDoubtful: isEarly },
    };
  }

  /** Records the races between stores that have happened by now. */
  settle(): void {
    if (this.#pending.length === 0) return;
    for (const { order, place, old } of this.#pending.splice(0)) {
      const sameValue = this.#bytesAt(place, old.length).every((byte, i) => byte === old[i]);
      if (!sameValue || !isOneStore(order)) this.#report(order, place, sameValue);
    }
  }

  #bytesAt(place: number, bytes: number): Uint8Array {
    return new Uint8Array(this.#launch.loaded.memory.memory.buffer, place, bytes);
  }
}

/** Whether lanes of one warp make a store together. */
const isOneStore = ({ earlier, later, threads }: Order): boolean =>
  earlier.step === later.step && areInOneWarp(threads.thread, threads.other);
