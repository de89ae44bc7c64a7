// The shadow memory of a launch: a table with an entry for each page of linear memory, and shadows of the pages that
// are accessed.
import type { LinearMemory } from "../../run/memory.js";
import { cellOf, ENTRY, NO_PAGE, SHADOW_PAGE, type ShadowShape } from "./layout.js";

export class ShadowMemory {
  /** Offset of the table in linear memory. */
  readonly table: number;
  readonly #memory: LinearMemory;
  /** The number of pages. */
  readonly #count: number;
  readonly #taken: number[] = [];
  /** The bytes of a page's cells and lines. */
  readonly #cells: number;
  readonly #lines: number;

  /** @throws EmulatorError `OUT_OF_MEMORY` */
  constructor(memory: LinearMemory, shape: ShadowShape) {
    this.#memory = memory;
    this.#count = Math.ceil(memory.limit / 2 ** SHADOW_PAGE);
    this.#cells = 2 ** (SHADOW_PAGE + cellOf(shape) - shape.granule);
    this.#lines = 2 ** (SHADOW_PAGE - shape.granule);
    this.table = this.#take(this.#count * 2 ** ENTRY, false);
    const zeros = this.#take(this.#lines, true);
    const entries = this.#entries();
    for (let page = 0; page < this.#count; page++) {
      entries[2 * page] = NO_PAGE;
      entries[2 * page + 1] = zeros - page * this.#lines;
    }
  }

  /**
   * Adds the shadow of a page, unless it has one.
   * @throws EmulatorError `OUT_OF_MEMORY`
   */
  add(page: number): void {
    this.cover(page * 2 ** SHADOW_PAGE, 1);
  }

  /**
   * Adds one shadow for all pages of a range of memory, so that they have the same entry.
   * @throws EmulatorError `OUT_OF_MEMORY`
   */
  cover(offset: number, bytes: number): void {
    const first = Math.floor(offset / 2 ** SHADOW_PAGE);
    const count = Math.floor((offset + Math.max(bytes, 1) - 1) / 2 ** SHADOW_PAGE) - first + 1;
    const known = this.#entries();
    if (count === 1 && known[2 * first] !== NO_PAGE) return;
    const cells = this.#take(count * this.#cells, true);
    const lines = this.#take(count * this.#lines, true);
    const entries = this.#entries();
    const all = new Uint8Array(this.#memory.memory.buffer);
    for (let i = 0; i < count; i++) {
      const page = first + i;
      const [oldCells, size] = [entries[2 * page]!, this.#cells];
      if (oldCells !== NO_PAGE) {
        const from = (oldCells + page * size) >>> 0;
        all.copyWithin(cells + i * size, from, from + size);
      }
      entries[2 * page] = cells - first * this.#cells;
      entries[2 * page + 1] = lines - first * this.#lines;
    }
  }

  /** Forgets all accesses. */
  clear(): void {
    const entries = this.#entries();
    const all = new Uint8Array(this.#memory.memory.buffer);
    for (let page = 0; page < this.#count; page++) {
      if (entries[2 * page] === NO_PAGE) continue;
      const cells = (entries[2 * page]! + page * this.#cells) >>> 0;
      const lines = (entries[2 * page + 1]! + page * this.#lines) >>> 0;
      all.fill(0, cells, cells + this.#cells);
      all.fill(0, lines, lines + this.#lines);
    }
  }

  /** Frees all of it. */
  give(): void {
    for (const offset of this.#taken.splice(0)) this.#memory.give(offset);
  }

  #entries(): Int32Array {
    return new Int32Array(this.#memory.memory.buffer, this.table, 2 * this.#count);
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
