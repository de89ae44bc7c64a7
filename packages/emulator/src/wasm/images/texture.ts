// Functions of a translated module that read textures: the same steps as the procedures in ../../procedures/texture.ts,
// with the same bits. They return four channels, and whether they could do so; if not, the procedure has to be called.
import { NAN_32 } from "@mm-ptx/types/internal/floats";
import { IMAGE_MARKS } from "../../procedures/image.js";
import { IMAGE_FLAGS, IMAGE_LAYOUT } from "../../procedures/image-record.js";
import { Code } from "../binary/code.js";
import type { ModuleBuilder } from "../binary/module.js";
import { pushDouble } from "./numbers.js";
import { coordinatesOf, GEOMETRIES, type Geometry, RecordCode } from "./record.js";

/** What a function reads. */
export interface TextureForm {
  readonly geometry: string;
  /** Whether coordinates are integers. */
  readonly isInteger: boolean;
  /** The channel that is gathered from four elements. */
  readonly gathered?: number | undefined;
}

/** What all functions of a module use. */
export interface TextureParts {
  readonly pageTable: number;
  /** The functions of ./element-functions.ts. */
  readonly outside: number;
  readonly narrow: number;
  /** The function that records a read, with the check for races. */
  readonly touch: number | undefined;
}

const CHANNELS = [0, 1, 2, 3] as const;
/** The steps of a weight from one element to the next. */
const STEPS = 256;
/** Coordinates beyond this are the same as this. */
const MOST = 2 ** 40;

/** The elements of a footprint along an axis: locals. */
interface Pair {
  readonly low: number;
  readonly high: number;
  /** The weights of both. */
  readonly lowWeight: number;
  readonly highWeight: number;
}

/**
 * Adds the function of a form: it takes the handle, the bits of the coordinates and, with the check for races, the record
 * of a read of one byte.
 */
export function textureFunction(builder: ModuleBuilder, form: TextureForm, parts: TextureParts): number {
  const geometry = GEOMETRIES[form.geometry]!;
  const words = coordinatesOf(geometry) + Number(parts.touch !== undefined);
  const code = new TextureWriter(form, geometry, parts).write();
  const added = builder.function({
    parameters: ["i64", ...Array<"i32">(words).fill("i32")],
    results: ["i32", "i32", "i32", "i32", "i32"],
  });
  builder.define(added, code);
  return added;
}

class TextureWriter {
  readonly #code: Code;
  readonly #form: TextureForm;
  readonly #geometry: Geometry;
  readonly #parts: TextureParts;
  readonly #image: RecordCode;
  /** The bytes of an element; where the current one is; whether its channels are words; the bytes of a channel. */
  readonly #bytes: number;
  readonly #at: number;
  readonly #isRaw: number;
  readonly #step: number;
  readonly #layer: number | undefined;

  constructor(form: TextureForm, geometry: Geometry, parts: TextureParts) {
    this.#code = new Code(1 + coordinatesOf(geometry) + Number(parts.touch !== undefined));
    this.#form = form;
    this.#geometry = geometry;
    this.#parts = parts;
    const word = () => this.#code.local("i32");
    [this.#bytes, this.#at, this.#isRaw, this.#step] = [word(), word(), word(), word()];
    this.#layer = geometry.isLayered ? word() : undefined;
    this.#image = new RecordCode(this.#code, parts.pageTable);
  }

  write(): Code {
    const code = this.#code;
    const image = this.#image;
    const away = code.block();
    image.open(0, IMAGE_MARKS.texture, this.#geometry, away);
    image.keepSizes(this.#geometry);
    image.keep([IMAGE_LAYOUT.channels, IMAGE_LAYOUT.bits]);
    image.field(IMAGE_LAYOUT.channels);
    image.field(IMAGE_LAYOUT.bits).op("i32.mul").i32(3).op("i32.shr_u").set(this.#bytes);
    if (this.#layer !== undefined) this.#findLayer(this.#layer);
    const place = (x: number, y?: number, z?: number) => this.#place([x, y, z], away);
    if (this.#form.isInteger) this.#nearest(place, (axis) => this.#integerIndex(axis));
    else {
      const coordinates = this.#axes().map((axis) => this.#coordinate(axis));
      if (this.#form.gathered !== undefined) this.#gather(place, coordinates, this.#form.gathered);
      else {
        image.field(IMAGE_LAYOUT.flags).i32(IMAGE_FLAGS.filtered).op("i32.and").if();
        this.#filter(place, coordinates);
        code.else();
        this.#nearest(place, (axis) => this.#floatIndex(axis, coordinates[axis]!));
        code.end();
      }
    }
    code.end();
    for (let i = 0; i < 5; i++) code.i32(0);
    return code;
  }

  #axes(): readonly number[] {
    return [0, 1, 2].slice(0, this.#geometry.dimensions);
  }

  /** The parameter with the coordinate along an axis. */
  #parameter(axis: number): number {
    return 1 + Number(this.#geometry.isLayered) + axis;
  }

  /** The layer, at most the last one. */
  #findLayer(layer: number): void {
    const last = () => this.#image.field(IMAGE_LAYOUT.depth).i32(1).op("i32.sub");
    const code = this.#code;
    code.get(1);
    last().get(1);
    last().op("i32.lt_u").op("select").set(layer);
  }

  /** A local with the coordinate along an axis, in elements. */
  #coordinate(axis: number): number {
    const code = this.#code;
    const value = code.local("f64");
    code.get(this.#parameter(axis)).op("f32.reinterpret_i32").op("f64.promote_f32").tee(value);
    // A NaN stands for 0.
    pushDouble(code, 0).get(value).get(value).op("f64.eq").op("select");
    pushDouble(code, -MOST).op("f64.max");
    pushDouble(code, MOST).op("f64.min");
    this.#image.size(axis).op("f64.convert_i32_u");
    pushDouble(code, 1);
    this.#image.field(IMAGE_LAYOUT.flags).i32(IMAGE_FLAGS.normalized).op("i32.and");
    code.op("select").op("f64.mul").set(value);
    return value;
  }

  /** Replaces an index that is beyond the image. */
  #turnIn(index: number, axis: number, pushWide: () => void): void {
    const code = this.#code;
    code.get(index);
    this.#image.size(axis).op("i32.ge_u").if();
    pushWide();
    this.#image
      .size(axis)
      .get(this.#image.record)
      .memory("i32.load8_u", IMAGE_LAYOUT.modes + axis);
    this.#image.field(IMAGE_LAYOUT.flags).call(this.#parts.outside).set(index).end();
  }

  #integerIndex(axis: number): number {
    const code = this.#code;
    const index = code.local("i32");
    code.get(this.#parameter(axis)).set(index);
    this.#turnIn(index, axis, () => code.get(index).op("f64.convert_i32_s"));
    return index;
  }

  /** A local with the index of the element whose whole number is in another local. */
  #wholeIndex(axis: number, whole: number): number {
    const code = this.#code;
    const index = code.local("i32");
    code.get(whole).op("i32.trunc_sat_f64_s").set(index);
    this.#turnIn(index, axis, () => code.get(whole));
    return index;
  }

  #floatIndex(axis: number, coordinate: number): number {
    const code = this.#code;
    const whole = code.local("f64");
    code.get(coordinate).op("f64.floor").set(whole);
    return this.#wholeIndex(axis, whole);
  }

  #pair(axis: number, coordinate: number): Pair {
    const code = this.#code;
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
    const low = this.#wholeIndex(axis, whole);
    code.get(whole);
    pushDouble(code, 1).op("f64.add").set(whole);
    return { low, high: this.#wholeIndex(axis, whole), lowWeight, highWeight };
  }

  /** Finds the element at indices, which are locals; a negative one stands for the border. */
  #place(
    indices: readonly [number, number | undefined, number | undefined],
    away: { readonly depth: number },
  ): void {
    const code = this.#code;
    const [x, y, z = this.#layer] = indices;
    code.get(x);
    for (const index of indices.slice(1)) if (index !== undefined) code.get(index).op("i32.or");
    code.i32(0).op("i32.lt_s").if();
    code.get(this.#image.record).i32(IMAGE_LAYOUT.border).op("i32.add").set(this.#at);
    code.i32(1).set(this.#isRaw).else();
    this.#image.place(() => code.get(x).get(this.#bytes).op("i32.mul"), y, z).set(this.#at);
    this.#image.leaveUnlessAllocated(this.#at, { local: this.#bytes }, away);
    this.#recordRead();
    this.#image.field(IMAGE_LAYOUT.bits).i32(32).op("i32.eq").set(this.#isRaw);
    this.#image.field(IMAGE_LAYOUT.bits).i32(3).op("i32.shr_u").set(this.#step);
    code.end();
  }

  #recordRead(): void {
    const { touch } = this.#parts;
    if (touch === undefined) return;
    const code = this.#code;
    code.get(this.#at).get(this.#bytes);
    code
      .get(1 + coordinatesOf(this.#geometry))
      .get(this.#bytes)
      .op("i32.ctz")
      .op("i32.add")
      .call(touch);
  }

  /** Pushes the bits of a channel of the element. */
  #channel(channel: number): void {
    const code = this.#code;
    code.get(this.#isRaw).if("i32");
    code
      .get(this.#at)
      .memory("i32.load", 4 * channel)
      .else();
    this.#pushNarrow(channel);
    code.end();
  }

  /** Pushes a channel of the element as an f64. */
  #number(channel: number): void {
    const code = this.#code;
    code.get(this.#isRaw).if("f32");
    code
      .get(this.#at)
      .memory("f32.load", 4 * channel)
      .else();
    this.#pushNarrow(channel);
    code.op("f32.reinterpret_i32").end().op("f64.promote_f32");
  }

  #pushNarrow(channel: number): void {
    const code = this.#code;
    code.get(this.#image.record).get(this.#at);
    if (channel > 0) code.get(this.#step).i32(channel).op("i32.mul").op("i32.add");
    code.call(this.#parts.narrow);
  }

  /** Calls `use` for each channel, in code that runs for the channels of the image. */
  #forChannels(use: (channel: number) => void): void {
    const code = this.#code;
    const has = (channel: number) =>
      this.#image.field(IMAGE_LAYOUT.channels).i32(channel).op("i32.gt_u").if();
    use(0);
    has(1);
    use(1);
    has(2);
    use(2);
    use(3);
    code.end().end();
  }

  #return(push: (channel: number) => void): void {
    for (const channel of CHANNELS) push(channel);
    this.#code.i32(1).op("return");
  }

  #nearest(place: (x: number, y?: number, z?: number) => void, indexOf: (axis: number) => number): void {
    const code = this.#code;
    const [x, y, z] = this.#axes().map(indexOf);
    place(x!, y, z);
    const results = CHANNELS.map(() => code.local("i32"));
    this.#forChannels((channel) => {
      this.#channel(channel);
      code.set(results[channel]!);
    });
    this.#return((channel) => code.get(results[channel]!));
  }

  #filter(place: (x: number, y?: number, z?: number) => void, coordinates: readonly number[]): void {
    const code = this.#code;
    const pairs = coordinates.map((coordinate, axis) => this.#pair(axis, coordinate));
    const sums = CHANNELS.map(() => code.local("f64"));
    const weight = code.local("f64");
    for (let corner = 0; corner < 1 << pairs.length; corner++) {
      const isHigh = (axis: number) => ((corner >> axis) & 1) === 1;
      const next = code.block();
      pairs.forEach(({ lowWeight, highWeight }, axis) => {
        code.get(isHigh(axis) ? highWeight : lowWeight);
        if (axis > 0) code.op("f64.mul");
      });
      code.tee(weight);
      pushDouble(code, 0).op("f64.eq").brIf(next);
      const [x, y, z] = pairs.map(({ low, high }, axis) => (isHigh(axis) ? high : low));
      place(x!, y, z);
      this.#forChannels((channel) => {
        code.get(sums[channel]!).get(weight);
        this.#number(channel);
        code.op("f64.mul").op("f64.add").set(sums[channel]!);
      });
      code.end();
    }
    const single = code.local("f32");
    this.#return((channel) => {
      code.get(sums[channel]!).op("f32.demote_f64").tee(single);
      code.f32(BigInt(NAN_32)).get(single).get(single).op("f32.eq").op("select").op("i32.reinterpret_f32");
    });
  }

  /** The same channel of four neighbours, counterclockwise from the lower left. */
  #gather(place: (x: number, y: number) => void, coordinates: readonly number[], channel: number): void {
    const code = this.#code;
    const [x, y] = coordinates.map((coordinate, axis) => this.#pair(axis, coordinate)) as [Pair, Pair];
    const results = CHANNELS.map(() => code.local("i32"));
    const corners = [
      [x.low, y.high],
      [x.high, y.high],
      [x.high, y.low],
      [x.low, y.low],
    ] as const;
    corners.forEach(([i, j], corner) => {
      place(i, j);
      this.#image.field(IMAGE_LAYOUT.channels).i32(channel).op("i32.gt_u").if();
      this.#channel(channel);
      code.set(results[corner]!).end();
    });
    this.#return((corner) => code.get(results[corner]!));
  }
}
