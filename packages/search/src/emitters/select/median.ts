// Medians without sorting. Loops over all numbers have no branches that depend on them, because processors guess half of those wrong.

const SAMPLES = 21;
/** The bounds are this many places of the sorted sample below and above the place that is sought. */
const MARGIN = 3;
const FEW = 16;

/** Finds elements by their places in sorted order, in arrays of limited length. */
export class Medians {
  readonly #sample = new Float64Array(SAMPLES);
  readonly #few = new Float64Array(FEW);
  #between = new Float64Array(0);
  #one = new Float64Array(0);
  #other = new Float64Array(0);
  #distances = new Float64Array(0);

  /** Makes room for this number of values. */
  reserve(count: number): void {
    if (count <= this.#between.length) return;
    this.#between = new Float64Array(count);
    this.#one = new Float64Array(count);
    this.#other = new Float64Array(count);
    this.#distances = new Float64Array(count);
  }

  /** The median of `count` finite numbers from `start` on, the lower one of two. */
  median(values: Float64Array, start: number, count: number): number {
    const place = (count - 1) >> 1;
    if (count < 4 * SAMPLES) return this.#select(values, start, count, place);
    const sample = this.#sample;
    const stride = Math.floor(count / SAMPLES);
    for (let index = 0; index < SAMPLES; index++) sample[index] = values[start + index * stride]!;
    sortFew(sample, SAMPLES);
    // Most likely the median lies between two numbers of the sample, and a fourth of all numbers do.
    const least = sample[(SAMPLES >> 1) - MARGIN]!;
    const most = sample[(SAMPLES >> 1) + MARGIN]!;
    const between = this.#between;
    let below = 0;
    let found = 0;
    for (let index = 0; index < count; index++) {
      const value = values[start + index]!;
      between[found] = value;
      const isBelow = Number(value < least);
      below += isBelow;
      found += Number(value <= most) - isBelow;
    }
    if (place < below || place >= below + found) return this.#select(values, start, count, place);
    return least === most ? least : this.#select(between, 0, found, place - below);
  }

  /** The median of the distances from the median. */
  absoluteDeviation(values: Float64Array, start: number, count: number): number {
    const median = this.median(values, start, count);
    const distances = this.#distances;
    for (let index = 0; index < count; index++) distances[index] = Math.abs(values[start + index]! - median);
    return this.median(distances, 0, count);
  }

  /** Quickselect, which writes the parts of an array into another one, and leaves the numbers as they are. */
  #select(values: Float64Array, first: number, count: number, place: number): number {
    let from: Float64Array = values;
    let to = this.#one;
    /** Where the numbers begin in `from`. */
    let offset = first;
    let start = 0;
    let stop = count;
    while (stop - start > FEW) {
      const [a, b, c] = [
        from[offset + start]!,
        from[offset + ((start + stop) >> 1)]!,
        from[offset + stop - 1]!,
      ];
      const pivot = Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
      let low = start;
      let high = stop - 1;
      for (let index = start; index < stop; index++) {
        const value = from[offset + index]!;
        to[low] = value;
        to[high] = value;
        low += Number(value < pivot);
        high -= Number(value > pivot);
      }
      // Places from `low` up to `high` belong to numbers equal to the pivot.
      if (place >= low && place <= high) return pivot;
      if (place < low) stop = low;
      else start = high + 1;
      from = to;
      offset = 0;
      to = to === this.#one ? this.#other : this.#one;
    }
    const few = this.#few;
    for (let index = start; index < stop; index++) few[index - start] = from[offset + index]!;
    sortFew(few, stop - start);
    return few[place - start]!;
  }
}

/** Sorts the first numbers by insertion. */
function sortFew(values: Float64Array, count: number): void {
  for (let index = 1; index < count; index++) {
    const value = values[index]!;
    let place = index - 1;
    while (place >= 0 && values[place]! > value) {
      values[place + 1] = values[place]!;
      place--;
    }
    values[place + 1] = value;
  }
}
