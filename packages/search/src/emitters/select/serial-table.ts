// Numbers of elites by their serial numbers.

const EMPTY = -1;
const FIRST_PLACES = 1024;

/** A hash table from serial numbers to numbers, in typed arrays. What it answers does not depend on the order of insertions. */
export class SerialTable {
  #serials = new Float64Array(FIRST_PLACES).fill(EMPTY);
  #values = new Float64Array(FIRST_PLACES);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The number of a serial number, or `otherwise`. */
  get(serial: number, otherwise: number): number {
    const place = this.#placeOf(serial);
    return this.#serials[place] === serial ? this.#values[place]! : otherwise;
  }

  set(serial: number, value: number): void {
    const place = this.#placeOf(serial);
    this.#values[place] = value;
    if (this.#serials[place] === serial) return;
    this.#serials[place] = serial;
    // At most half of the places are taken, so that searches are short.
    if (2 * ++this.#count > this.#serials.length) this.#grow();
  }

  /** All serial numbers, in ascending order. */
  serials(): Float64Array {
    return this.#serials.filter((serial) => serial !== EMPTY).sort();
  }

  clear(): void {
    this.#serials.fill(EMPTY);
    this.#count = 0;
  }

  /** The place of a serial number, or the empty one where it would be. */
  #placeOf(serial: number): number {
    const serials = this.#serials;
    const mask = serials.length - 1;
    const low = serial >>> 0;
    const high = Math.floor(serial / 4294967296);
    let place = Math.imul(low ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1);
    place = (place ^ (place >>> 15)) & mask;
    while (serials[place] !== EMPTY && serials[place] !== serial) place = (place + 1) & mask;
    return place;
  }

  #grow(): void {
    const [serials, values] = [this.#serials, this.#values];
    this.#serials = new Float64Array(2 * serials.length).fill(EMPTY);
    this.#values = new Float64Array(2 * serials.length);
    for (let index = 0; index < serials.length; index++) {
      if (serials[index] === EMPTY) continue;
      const place = this.#placeOf(serials[index]!);
      this.#serials[place] = serials[index]!;
      this.#values[place] = values[index]!;
    }
  }
}
