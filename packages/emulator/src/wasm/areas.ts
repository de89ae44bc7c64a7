// The memory that a launch itself needs: shared and local memory, parameters, saved registers and states of threads.
import { type LaunchPlan, MOST_RESIDENTS } from "../run/launch.js";
import { NOWHERE_BYTES } from "../run/memory.js";
import { ifThereIsRoom } from "../run/room.js";
import { EPOCH_BYTES } from "./checks/layout.js";
import { ShadowMemory } from "./checks/shadow-memory.js";
import type { Translation } from "./translation.js";

/** Offsets in linear memory, and sizes. */
export interface Areas {
  readonly threads: number;
  readonly shared: number;
  readonly sharedBytes: number;
  readonly local: number;
  readonly params: number;
  readonly frame: number;
  /** One word for each thread: what it waits for. */
  readonly states: number;
  /** For each byte of shared memory, whether it was written; 0 without the check for that. */
  readonly written: number;
  /** Memory to which the memory check redirects invalid accesses; 0 without it. */
  readonly nowhere: number;
  /** The epochs of the block; 0 without the check for races. */
  readonly epochs: number;
}

const STATE_BYTES = 4;

/** Provides the memory of blocks. */
export interface AreaSource {
  /** Memory for the first block. */
  take(): Areas;
  /** Memory for a block alongside others; undefined when there is no more room. */
  more(): Areas | undefined;
  /** The shadow memory of the launch, once the first block has memory; undefined without the check for races. */
  readonly shadow?: ShadowMemory | undefined;
}

/** Allocates and frees the memory of a launch's blocks. */
export class LaunchAreas implements AreaSource {
  readonly #launch: LaunchPlan;
  readonly #translation: Translation;
  readonly #taken: number[] = [];
  #count = 0;
  #shadow: ShadowMemory | undefined;

  constructor(launch: LaunchPlan, translation: Translation) {
    this.#launch = launch;
    this.#translation = translation;
  }

  get shadow(): ShadowMemory | undefined {
    return this.#shadow;
  }

  /** @throws EmulatorError `OUT_OF_MEMORY` */
  take(): Areas {
    const { kernel, block, dynamicSharedBytes, params, loaded } = this.#launch;
    const { localBytes, frameBytes, checks } = this.#translation;
    const { memory, races, uninitialized } = checks;
    const { shadow } = this.#translation;
    if (shadow !== undefined) this.#shadow ??= new ShadowMemory(loaded.memory, shadow);
    const [x, y, z] = block;
    const threads = x * y * z;
    const sharedBytes = kernel.sharedBytes + dynamicSharedBytes;
    const areas: Areas = {
      threads,
      sharedBytes,
      shared: this.#take(sharedBytes, "shared memory", true),
      local: this.#take(localBytes * threads, "local memory", true),
      params: this.#take(params.length, "the kernel's parameters", true),
      frame: this.#take(frameBytes, "saved registers", false),
      states: this.#take(threads * STATE_BYTES, "states of threads", false),
      written: this.#take(uninitialized ? sharedBytes : 0, "a check of shared memory", false),
      nowhere: this.#take(memory ? NOWHERE_BYTES : 0, "memory for wrong accesses", false),
      epochs: this.#take(races ? EPOCH_BYTES : 0, "epochs of a block", false),
    };
    if (sharedBytes > 0) this.#shadow?.cover(areas.shared, sharedBytes);
    new Uint8Array(loaded.memory.memory.buffer).set(params, areas.params);
    this.#count++;
    return areas;
  }

  more(): Areas | undefined {
    return this.#count >= MOST_RESIDENTS ? undefined : ifThereIsRoom(() => this.take());
  }

  /** Frees all of it. */
  give(): void {
    this.#shadow?.give();
    for (const offset of this.#taken.splice(0)) this.#launch.loaded.memory.give(offset);
  }

  #take(bytes: number, label: string, visible: boolean): number {
    if (bytes === 0) return 0;
    const offset = this.#launch.loaded.memory.take(bytes, { label, visible, ofLaunch: true });
    this.#taken.push(offset);
    return offset;
  }
}
