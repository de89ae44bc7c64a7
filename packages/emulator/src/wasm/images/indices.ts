// Code that computes the indices of elements from coordinates, which are locals: the index of the nearest element, or
// of the two elements between which linear filtering interpolates along an axis.
import { IMAGE_LAYOUT } from "../../procedures/image-record.js";
import { pushDouble } from "./numbers.js";
import type { RecordCode } from "./record.js";

/** The steps of a weight from one element to the next. */
const STEPS = 256;

/** The elements of a footprint along an axis: locals. */
export interface Pair {
  readonly low: number;
  readonly high: number;
  /** The weights of both. */
  readonly lowWeight: number;
  readonly highWeight: number;
}

export class IndexCode {
  readonly #image: RecordCode;
  readonly #outside: number;

  /** @param outside the function for indices beyond the image */
  constructor(image: RecordCode, outside: number) {
    this.#image = image;
    this.#outside = outside;
  }

  /** A local with the index for an integer coordinate. */
  ofInteger(axis: number, coordinate: number): number {
    const { code } = this.#image;
    const index = code.local("i32");
    code.get(coordinate).set(index);
    this.#turnIn(index, axis, () => code.get(index).op("f64.convert_i32_s"));
    return index;
  }

  /** A local with the index of the nearest element. */
  ofFloat(axis: number, coordinate: number): number {
    const { code } = this.#image;
    const whole = code.local("f64");
    code.get(coordinate).op("f64.floor").set(whole);
    return this.#ofWhole(axis, whole);
  }

  pair(axis: number, coordinate: number): Pair {
    const { code } = this.#image;
    const double = () => code.local("f64");
    const [steps, whole, lowWeight, highWeight] = [double(), double(), double(), double()];
    code.get(coordinate);
    pushDouble(code, 0.5).op("f64.sub");
    pushDouble(code, STEPS).op("f64.mul");
    pushDouble(code, 0.5).op("f64.add").op("f64.floor").tee(steps);
    pushDouble(code, 1 / STEPS)
      .op("f64.mul")
      .op("f64.floor")
      .set(whole);
    code.get(steps).get(whole);
    pushDouble(code, STEPS).op("f64.mul").op("f64.sub");
    pushDouble(code, 1 / STEPS)
      .op("f64.mul")
      .set(highWeight);
    pushDouble(code, 1).get(highWeight).op("f64.sub").set(lowWeight);
    const low = this.#ofWhole(axis, whole);
    code.get(whole);
    pushDouble(code, 1).op("f64.add").set(whole);
    return { low, high: this.#ofWhole(axis, whole), lowWeight, highWeight };
  }

  /** A local with the index of the element whose whole number is in another local. */
  #ofWhole(axis: number, whole: number): number {
    const { code } = this.#image;
    const index = code.local("i32");
    code.get(whole).op("i32.trunc_sat_f64_s").set(index);
    this.#turnIn(index, axis, () => code.get(whole));
    return index;
  }

  /** Replaces an index that is beyond the image. */
  #turnIn(index: number, axis: number, pushWide: () => void): void {
    const image = this.#image;
    const { code, record } = image;
    code.get(index);
    image.size(axis).op("i32.ge_u").if();
    pushWide();
    image
      .size(axis)
      .get(record)
      .memory("i32.load8_u", IMAGE_LAYOUT.modes + axis);
    image.field(IMAGE_LAYOUT.flags).call(this.#outside).set(index).end();
  }
}
