// The shadow memory of a launch: a table with an entry for each page of linear memory, and shadows of the pages that
// are accessed.
import type { LinearMemory } from "../../run/memory.js";
import { cellOf, NO_PAGE, SHADOW_PAGE, type ShadowShape } from "./layout.js";

const ENTRIES = 2 ** (32 - SHADOW_PAGE);
const ENTRY_BYTES = 4;

export class ShadowMemory {
  /** Offset of the table in linear memory. */
  readonly table: number;
  readonly #memory: LinearMemory;
  readonly #shape: ShadowShape;
  readonly #taken: number[] = [];

  /** @throws EmulatorError `OUT_OF_MEMORY` */
  constructor(memory: LinearMemory, shape: ShadowShape) {
    this.#memory = memory;
    this.#shape = shape;
    this.table = this.#take(ENTRIES * ENTRY_BYTES, false);
    new Int32Array(memory.memory.buffer, this.table, ENTRIES).fill(NO_PAGE);
  }

  /**
   * Adds the shadow of a page. Its entry is the offset at which the shadow would be if the page were the first.
   * @throws EmulatorError `OUT_OF_MEMORY`
   */
  add(page: number): void {
    const scale = cellOf(this.#shape) - this.#shape.granule;
    const offset = this.#take(2 ** (SHADOW_PAGE + scale), true);
    const words = new Int32Array(this.#memory.memory.buffer, this.table, ENTRIES);
    words[page] = offset - page * 2 ** (SHADOW_PAGE + scale);
  }

  /** Frees all of it. */
  give(): void {
    for (const offset of this.#taken.splice(0)) this.#memory.give(offset);
  }

  #take(bytes: number, zero: boolean): number {
    const offset = this.#memory.take(bytes, {
      label: "shadow memory of the race check",
      visible: false,
      zero,
    });
    this.#taken.push(offset);
    return offset;
  }
}
