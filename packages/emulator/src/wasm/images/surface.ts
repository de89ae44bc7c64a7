// Functions of a translated module that find elements of surfaces: the same steps as the procedures in
// ../../procedures/surface.ts. They take the handle and the coordinates (the first one counts bytes), and return where
// the element is in linear memory, or one of two numbers that are not offsets.
import { IMAGE_MARKS } from "../../procedures/image.js";
import { IMAGE_LAYOUT } from "../../procedures/image-record.js";
import { Code } from "../binary/code.js";
import type { ModuleBuilder } from "../binary/module.js";
import { coordinatesOf, GEOMETRIES, RecordCode } from "./record.js";

/** The procedure has to be called. */
export const UNUSUAL = 0;
/** The access is outside of the surface, so that it has no effect and reads 0. */
export const OUTSIDE = 1;

/** The form of an access: how its element is found. */
export interface SurfaceForm {
  readonly geometry: string;
  /** How accesses outside of the surface are treated. */
  readonly clamp: string;
  readonly bytes: number;
}

/** Adds the function of a form. */
export function surfaceFunction(builder: ModuleBuilder, form: SurfaceForm, pageTable: number): number {
  const { clamp, bytes } = form;
  const geometry = GEOMETRIES[form.geometry]!;
  const count = coordinatesOf(geometry);
  const code = new Code(1 + count);
  const image = new RecordCode(code, pageTable);
  const [at, most] = [code.local("i32"), code.local("i32")];
  const first = 1 + Number(geometry.isLayered);
  const [x, y] = [first, geometry.dimensions > 1 ? first + 1 : undefined];
  const z = geometry.isLayered ? 1 : geometry.dimensions > 2 ? first + 2 : undefined;
  const away = code.block();
  image.open(0, IMAGE_MARKS.surface, geometry, away);
  /** Emits the check of a coordinate, given the most that it may be. */
  const check = (coordinate: number, pushMost: () => void) => {
    pushMost();
    code.set(most);
    code.get(coordinate).get(most).op("i32.gt_u").if();
    if (clamp === "trap") code.br(away);
    else if (clamp === "zero") code.i32(OUTSIDE).op("return");
    else {
      code.i32(0).get(most).get(coordinate).i32(0).op("i32.lt_s").op("select").set(coordinate);
    }
    code.end();
  };
  code
    .get(x)
    .i32(bytes - 1)
    .op("i32.and")
    .brIf(away);
  check(x, () => {
    image.load(IMAGE_LAYOUT.width);
    image.load(IMAGE_LAYOUT.channels).op("i32.mul");
    image.load(IMAGE_LAYOUT.bits).op("i32.mul").i32(3).op("i32.shr_u").i32(bytes).op("i32.sub").tee(most);
    code.i32(0).op("i32.lt_s").brIf(away).get(most);
  });
  if (y !== undefined) check(y, () => image.load(IMAGE_LAYOUT.height).i32(1).op("i32.sub"));
  if (z !== undefined) check(z, () => image.load(IMAGE_LAYOUT.depth).i32(1).op("i32.sub"));
  image.place(() => code.get(x), y, z).set(at);
  image.leaveUnlessAllocated(at, bytes, away);
  code.get(at).op("return").end().i32(UNUSUAL);
  const added = builder.function({
    parameters: ["i64", ...Array<"i32">(count).fill("i32")],
    results: ["i32"],
  });
  builder.define(added, code);
  return added;
}
