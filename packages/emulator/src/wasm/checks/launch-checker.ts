// The checks of one launch: takes what translated code and waiting threads find, and passes it on to the log.
import type { Step } from "../../control/step.js";
import type { BarrierFault, Fault, RecordedFault } from "../../run/fault.js";
import type { LaunchPlan } from "../../run/launch.js";
import { NOWHERE_BYTES } from "../../run/memory.js";
import { isSynchronizing } from "../../run/synchronizing.js";
import { isSyncFault } from "../../schedule/sync-check.js";
import type { Access } from "../access.js";
import type { KernelInstance } from "../instance.js";
import type { Translation } from "../translation.js";
import { FoundByThread } from "./found.js";
import { ALONE, EPOCH_BYTES } from "./layout.js";
import { type PlacesInBlock, RaceLog } from "./races.js";
import { accessNumber, touchKind } from "./shape.js";

/** An access of a thread that the checks do not know of yet. */
interface UnobservedAccess {
  readonly step: Step;
  readonly access: Access;
  readonly thread: number;
  readonly place: number;
}

const unwrittenShared = (address: number) => ({
  what: `shared memory at ${address}`,
  address: BigInt(address),
});

export class LaunchChecker {
  readonly #launch: LaunchPlan;
  readonly #translation: Translation;
  readonly #instance: KernelInstance;
  readonly #block: PlacesInBlock;
  readonly #races: RaceLog;
  readonly #found: FoundByThread;
  readonly #unobserved: UnobservedAccess[] = [];

  constructor(launch: LaunchPlan, translation: Translation, instance: KernelInstance, block: PlacesInBlock) {
    this.#launch = launch;
    this.#translation = translation;
    this.#instance = instance;
    this.#block = block;
    this.#found = new FoundByThread(launch.hooks.checks);
    this.#races = new RaceLog(launch, translation, block, ({ thread, other, isDoubtful }, fault) => {
      this.#found.addRace(thread, fault, other, isDoubtful);
      this.#instance.globals.found.value = 1;
    });
  }

  /** Whether synchronization is checked. */
  get checksSync(): boolean {
    return this.#launch.hooks.checks?.sync === true;
  }

  #report(thread: number, fault: RecordedFault): void {
    this.#found.add(thread, fault);
    this.#instance.globals.found.value = 1;
  }

  #buffer(): ArrayBufferLike {
    return this.#launch.loaded.memory.memory.buffer;
  }

  /** Records an access that is not inside of allocations. @returns the offset to which it goes instead */
  outside(fault: Fault, thread: number): number {
    this.#report(thread, fault);
    const { nowhere } = this.#block.areas();
    new Uint8Array(this.#buffer(), nowhere, NOWHERE_BYTES).fill(0);
    return nowhere;
  }

  /** Keeps an access for `observe`. */
  toObserve(access: UnobservedAccess): void {
    this.#unobserved.push(access);
  }

  /** Records the accesses since the last call. Memory may grow. */
  observe(): void {
    for (const access of this.#unobserved.splice(0)) this.#observe(access);
  }

  #observe({ step, access, thread, place }: UnobservedAccess): void {
    const { kind, bytes } = access;
    const { checks, shadow, frame } = this.#translation;
    const { shared, sharedBytes, written, local, threads } = this.#block.areas();
    if (checks.uninitialized && place >= shared && place < shared + sharedBytes) {
      const marks = new Uint8Array(this.#buffer(), written + place - shared, bytes);
      if (kind !== "store" && marks.includes(0))
        this.#report(thread, {
          kind: "UNINITIALIZED",
          ...unwrittenShared(place - shared),
          ...this.#block.placeOf(step, thread),
        });
      marks.fill(0xff);
    }
    const isLocal = place >= local && place < local + threads * this.#translation.localBytes;
    if (shadow === undefined || isLocal) return;
    const touch =
      this.#instance.touch[touchKind(kind, kind === "atomic" || isSynchronizing(step.operation))]!;
    touch(place, bytes, (thread * ALONE) | accessNumber(frame, step, access));
  }

  /** Records a read of a value that was never written: in the site's register, or in shared memory. */
  unwritten(site: number, thread: number, place: number): void {
    const { step, register } = this.#translation.frame.sites[site]!;
    const found =
      register === undefined
        ? unwrittenShared((place >>> 0) - this.#block.areas().shared)
        : { what: `register \`${step!.context.body.registers[register]!.name}\`` };
    this.#report(thread, { kind: "UNINITIALIZED", ...found, ...this.#block.placeOf(step!, thread) });
  }

  /** Records a race, given the records of both accesses in shadow memory. */
  race(place: number, now: number, before: number): void {
    this.#instance.globals.pending.value = Number(this.#races.found(place >>> 0, now, before));
  }

  /** Records the race of two stores, now that both have happened. */
  stored(): void {
    this.#instance.globals.pending.value = 0;
    this.#races.settle();
  }

  /** Begins an epoch for the block, or for the warp that begins with a thread. */
  met(warp?: number): void {
    if (this.#translation.shadow === undefined) return;
    const { clock } = this.#instance.globals;
    clock.value = (clock.value as number) + 1;
    const words = new Int32Array(this.#buffer(), this.#block.areas().epochs, EPOCH_BYTES / 4);
    if (warp === undefined) words.fill(clock.value);
    else words[warp / 32] = clock.value;
  }

  /** Called before a thread may allocate or free memory. */
  beforeCall(): void {
    this.#found.settle();
  }

  /** Passes on the findings of threads before they waited. */
  goesOn(): void {
    this.#races.settle();
    if (this.#found.isEmpty) return;
    this.#found.passOn();
    this.#instance.globals.found.value = 0;
  }

  /** Forgets what a thread and those after it are going to find again. */
  startsOver(thread: number): void {
    this.#found.startOver(thread);
  }

  /** Records what a GPU may carry out differently, though a barrier is complete here. */
  atBarrier(kind: BarrierFault["kind"], detail: string, step: Step, thread: number): void {
    this.#report(thread, { kind, detail, ...this.#block.placeOf(step, thread) });
    this.goesOn();
  }

  /** Whether a fault only ends the block, and was recorded. */
  endsBlock(fault: Fault): boolean {
    if (!this.checksSync || !isSyncFault(fault)) return false;
    this.goesOn();
    this.#launch.hooks.checks!.record(fault);
    return true;
  }
}
