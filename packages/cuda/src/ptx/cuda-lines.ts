// Finds the CUDA source line that a line of PTX was compiled from, using the `.loc` and `.file` directives that
// `-lineinfo` leaves (PTX ISA, Debugging Directives).

import type { CudaLine } from "../error.js";

/**
 * A `.loc`, or a construct that ends the scope of earlier ones: another function, or files and sections after the last
 * one.
 */
const PLACE =
  /^[ \t]*(?:\.loc[ \t]+(\d+)[ \t]+(\d+)[ \t]+(\d+)|(?:\.(?:visible|weak|extern)[ \t]+)*\.(?:entry|func|file|section)\b)/gm;
const FILE = /^[ \t]*\.file[ \t]+(\d+)[ \t]+"([^"\n]*)"/gm;

/** The lines of the CUDA source that a PTX text names. */
export class CudaLines {
  readonly #offsets: number[] = [];
  readonly #places: (CudaLine | undefined)[] = [];

  constructor(ptx: string) {
    if (!ptx.includes(".loc")) return;
    const files = new Map([...ptx.matchAll(FILE)].map(([, index, path]) => [index!, path!]));
    for (const { index, 1: fileIndex, 2: line, 3: column } of ptx.matchAll(PLACE)) {
      const file = fileIndex === undefined ? undefined : files.get(fileIndex);
      this.#offsets.push(index);
      this.#places.push(
        file === undefined ? undefined : { file, line: Number(line), column: Number(column) },
      );
    }
  }

  /** The CUDA line for the PTX at an offset; `undefined` if the text does not name one. */
  at(offset: number): CudaLine | undefined {
    let low = 0;
    let high = this.#offsets.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#offsets[middle]! <= offset) low = middle + 1;
      else high = middle;
    }
    return this.#places[low - 1];
  }
}
