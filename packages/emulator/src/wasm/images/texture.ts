// Functions of a translated module that read textures: the same steps as the procedures in ../../procedures/texture.ts,
// with the same bits. They return four channels, and whether they could do so; if not, the procedure has to be called.
import { NAN_32 } from "@mm-ptx/types/internal/floats";
import { IMAGE_MARKS } from "../../procedures/image.js";
import { IMAGE_FLAGS, IMAGE_LAYOUT } from "../../procedures/image-record.js";
import { Code } from "../binary/code.js";
import type { ModuleBuilder } from "../binary/module.js";
import { coordinates, findLayer, parameterOf } from "./coordinates.js";
import { IndexCode, type Pair } from "./indices.js";
import { pushDouble } from "./numbers.js";
import { coordinatesOf, GEOMETRIES, type Geometry, RecordCode } from "./record.js";

/** The form of a read. */
export interface TextureForm {
  readonly geometry: string;
  /** Whether coordinates are integers. */
  readonly isInteger: boolean;
  /** The channel that is gathered from four elements. */
  readonly gathered?: number | undefined;
}

/** The parts that all functions of a module use. */
export interface TextureParts {
  readonly pageTable: number;
  /** The functions of ./element-functions.ts. */
  readonly outside: number;
  readonly narrow: number;
  /** The function that records a read, with the check for races. */
  readonly touch: number | undefined;
}

const CHANNELS = [0, 1, 2, 3] as const;
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
  readonly #indices: IndexCode;
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
    this.#layer = geometry.isLayered || geometry.isCube ? word() : undefined;
    this.#image = new RecordCode(this.#code, parts.pageTable);
    this.#indices = new IndexCode(this.#image, parts.outside);
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
    if (this.#layer !== undefined) findLayer(image, this.#geometry, this.#layer);
    const place = (x: number, y?: number, z?: number) => this.#place([x, y, z], away);
    if (this.#form.isInteger)
      this.#nearest(place, (axis) => this.#indices.ofInteger(axis, parameterOf(this.#geometry, axis)));
    else {
      const point = coordinates(image, this.#geometry, this.#layer);
      if (this.#form.gathered !== undefined) this.#gather(place, point, this.#form.gathered);
      else {
        image.field(IMAGE_LAYOUT.flags).i32(IMAGE_FLAGS.filtered).op("i32.and").if();
        this.#filter(place, point);
        code.else();
        this.#nearest(place, (axis) => this.#indices.ofFloat(axis, point[axis]!));
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

  #filter(place: (x: number, y?: number, z?: number) => void, point: readonly number[]): void {
    const code = this.#code;
    const pairs = point.map((coordinate, axis) => this.#indices.pair(axis, coordinate));
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
  #gather(place: (x: number, y: number) => void, point: readonly number[], channel: number): void {
    const code = this.#code;
    const [x, y] = point.map((coordinate, axis) => this.#indices.pair(axis, coordinate)) as [Pair, Pair];
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
