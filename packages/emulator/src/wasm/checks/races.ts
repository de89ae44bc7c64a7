// Turns the records of two accesses in shadow memory into findings.
import type { Step } from "../../control/step.js";
import type { FaultPlace, RaceFault } from "../../run/fault.js";
import type { LaunchPlan } from "../../run/launch.js";
import { ADDRESS_BASE } from "../../run/memory.js";
import { isSynchronizing } from "../../run/synchronizing.js";
import type { Areas } from "../areas.js";
import type { Translation } from "../translation.js";
import { ACCESS_BITS, FIRST_THREAD, THREAD_MASK } from "./layout.js";

/** A race between two stores, recorded once the second one has happened: they may write the same value. */
interface Pending {
  readonly thread: number;
  readonly fault: Omit<RaceFault, "sameValue">;
  readonly place: number;
  readonly old: Uint8Array;
}

/** The running block. */
export interface PlacesInBlock {
  readonly areas: () => Areas;
  readonly placeOf: (step: Step, thread: number) => FaultPlace;
}

export class RaceLog {
  readonly #launch: LaunchPlan;
  readonly #translation: Translation;
  readonly #block: PlacesInBlock;
  readonly #record: (thread: number, fault: RaceFault) => void;
  #pending: Pending | undefined;
  /** The last race: accesses of several granules are one. */
  #last = { place: -1, now: -1, access: -1 };

  constructor(
    launch: LaunchPlan,
    translation: Translation,
    block: PlacesInBlock,
    record: (thread: number, fault: RaceFault) => void,
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
    const { frame, shadow } = this.#translation;
    const number = before & ((1 << ACCESS_BITS) - 1);
    const last = this.#last;
    const size = 2 ** shadow!.granule;
    const isNext = last.place + size === place && last.now === now && last.access === number;
    this.#last = { place, now, access: number };
    if (isNext) return this.#pending !== undefined;
    this.settle();
    const first = frame.accesses[number]!;
    const second = frame.accesses[now & ((1 << ACCESS_BITS) - 1)]!;
    const threadOf = (record: number) => (record >>> FIRST_THREAD) & THREAD_MASK;
    const thread = threadOf(now);
    const { shared, sharedBytes } = this.#block.areas();
    const isShared = place >= shared && place < shared + sharedBytes;
    const fault: Omit<RaceFault, "sameValue"> = {
      kind: "RACE",
      space: isShared ? "shared" : "global",
      address: isShared ? BigInt(place - shared) : BigInt(ADDRESS_BASE + place),
      bytes: second.access.bytes,
      access: second.access.kind,
      other: this.#block.placeOf(first.step, threadOf(before)),
      otherAccess: first.access.kind,
      ...this.#block.placeOf(second.step, thread),
    };
    const areStores = [first, second].every(
      ({ step, access }) => access.kind === "store" && !isSynchronizing(step.operation),
    );
    if (areStores) {
      const bytes = Math.max(size, Math.min(first.access.bytes, second.access.bytes));
      this.#pending = { thread, fault, place, old: this.#bytesAt(place, bytes).slice() };
    } else this.#record(thread, { ...fault, sameValue: false });
    return this.#pending !== undefined;
  }

  /** Records the race between stores that have happened by now. */
  settle(): void {
    const pending = this.#pending;
    if (pending === undefined) return;
    this.#pending = undefined;
    const { thread, fault, place, old } = pending;
    const sameValue = this.#bytesAt(place, old.length).every((byte, i) => byte === old[i]);
    this.#record(thread, { ...fault, sameValue });
  }

  #bytesAt(place: number, bytes: number): Uint8Array {
    return new Uint8Array(this.#launch.loaded.memory.memory.buffer, place, bytes);
  }
}
