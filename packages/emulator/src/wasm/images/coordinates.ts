// Code that computes the coordinates of a fetch from its parameters: along each axis in elements, and the layer or face.
import { FACES, IMAGE_FLAGS, IMAGE_LAYOUT } from "../../procedures/image-record.js";
import type { Code } from "../binary/code.js";
import { pushDouble } from "./numbers.js";
import type { Geometry, RecordCode } from "./record.js";

/** Coordinates beyond this are the same as this. */
const MOST = 2 ** 40;

/** The parameter with a coordinate. */
export const parameterOf = ({ isLayered }: Geometry, axis: number): number => 1 + Number(isLayered) + axis;

/** Pushes the parameter with a coordinate, which is an f32, as an f64. */
const pushFloat = ({ code }: RecordCode, geometry: Geometry, axis: number): Code =>
  code.get(parameterOf(geometry, axis)).op("f32.reinterpret_i32").op("f64.promote_f32");

/** Limits a coordinate, which is on the stack and in a local; a NaN stands for 0. */
function limit(code: Code, value: number): Code {
  pushDouble(code, 0).get(value).get(value).op("f64.eq").op("select");
  pushDouble(code, -MOST).op("f64.max");
  return pushDouble(code, MOST).op("f64.min");
}

/** A local with the coordinate along an axis. */
function coordinate(image: RecordCode, geometry: Geometry, axis: number): number {
  const { code } = image;
  const value = code.local("f64");
  pushFloat(image, geometry, axis).tee(value);
  limit(code, value);
  image.size(axis).op("f64.convert_i32_u");
  pushDouble(code, 1);
  image.field(IMAGE_LAYOUT.flags).i32(IMAGE_FLAGS.normalized).op("i32.and");
  code.op("select").op("f64.mul").set(value);
  return value;
}

/** Locals with the coordinates along each axis. For cubes, it adds the face to the layer. */
export function coordinates(
  image: RecordCode,
  geometry: Geometry,
  layer: number | undefined,
): readonly number[] {
  if (geometry.isCube) return cubeCoordinates(image, geometry, layer!);
  return [0, 1, 2].slice(0, geometry.dimensions).map((axis) => coordinate(image, geometry, axis));
}

/** Sets the local of the layer, which is at most the last one; for cubes, to the first face. */
export function findLayer(image: RecordCode, { isLayered, isCube }: Geometry, layer: number): void {
  const { code } = image;
  if (!isLayered) return;
  image.field(IMAGE_LAYOUT.depth);
  if (isCube) code.i32(FACES).op("i32.div_u");
  code.i32(1).op("i32.sub").set(layer);
  code.get(1).get(layer).get(1).get(layer).op("i32.lt_u").op("select");
  if (isCube) code.i32(FACES).op("i32.mul");
  code.set(layer);
}

/** The point of a direction: see `cubePoint` in ../../procedures/texture.ts. */
function cubeCoordinates(image: RecordCode, geometry: Geometry, layer: number): readonly number[] {
  const { code } = image;
  const double = () => code.local("f64");
  const [x, y, z, a, b, c] = [double(), double(), double(), double(), double(), double()];
  const [magnitude, s, t] = [double(), double(), double()];
  const point = [x, y, z];
  point.forEach((local, axis) => {
    pushFloat(image, geometry, axis).tee(local).op("f64.abs").set([a, b, c][axis]!);
  });
  /** Pushes a coordinate, or its negation where another one is negative. */
  const negatedWhere = (value: number, other: number) => {
    code.get(value).op("f64.neg").get(value).get(other);
    pushDouble(code, 0).op("f64.lt").op("select");
  };
  const choose = (axis: number, size: number) => {
    code.get(layer).get(point[axis]!);
    pushDouble(code, 0).op("f64.lt");
    code.i32(2 * axis).op("i32.add");
    code.op("i32.add").set(layer).get(size).set(magnitude);
  };
  const negated = (value: number) => code.get(value).op("f64.neg");
  code.get(a).get(b).op("f64.ge").get(a).get(c).op("f64.ge").op("i32.and").if();
  choose(0, a);
  code.get(z);
  negated(z).get(x);
  pushDouble(code, 0).op("f64.lt").op("select").set(s);
  negated(y).set(t).else();
  code.get(b).get(c).op("f64.ge").if();
  choose(1, b);
  code.get(x).set(s);
  negatedWhere(z, y);
  code.set(t).else();
  choose(2, c);
  negatedWhere(x, z);
  code.set(s);
  negated(y).set(t).end().end();
  [s, t].forEach((value, axis) => {
    code.get(value).get(magnitude).op("f64.div");
    pushDouble(code, 1).op("f64.add");
    pushDouble(code, 0.5).op("f64.mul").tee(value);
    limit(code, value);
    image.size(axis).op("f64.convert_i32_u").op("f64.mul").set(value);
  });
  return [s, t];
}
