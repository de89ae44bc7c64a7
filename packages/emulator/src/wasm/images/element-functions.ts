// Functions of a translated module that textures share: the index of an element beyond an image, and the value of a
// channel of 8 or 16 bits.
import { ADDRESS_MODES, CHANNEL_KINDS } from "../../procedures/image.js";
import { IMAGE_FLAGS, IMAGE_LAYOUT } from "../../procedures/image-record.js";
import { Code } from "../binary/code.js";
import type { ModuleBuilder } from "../binary/module.js";
import { pushDouble } from "./numbers.js";

const [WRAP, MIRROR, BORDER] = (["wrap", "mirror", "border"] as const).map((mode) =>
  ADDRESS_MODES.indexOf(mode),
) as [number, number, number];
const [SIGNED, FLOAT] = [CHANNEL_KINDS.indexOf("signed"), CHANNEL_KINDS.indexOf("float")];

/** Adds a function of an index, which is a whole f64, a size, an address mode and flags. It returns -1 for the border. */
export function outsideFunction(builder: ModuleBuilder): number {
  const code = new Code(4);
  const [index, size, mode, flags] = [0, 1, 2, 3];
  const [period, turned] = [code.local("i64"), code.local("i64")];
  const isMode = (which: number) => code.get(mode).i32(which).op("i32.eq");
  const pushSize = () => code.get(size).op("i64.extend_i32_u");
  /** Leaves the index within a period in `turned`. */
  const turn = () => {
    code.get(index).op("i64.trunc_sat_f64_s").get(period).op("i64.rem_s");
    code.get(period).op("i64.add").get(period).op("i64.rem_s").set(turned);
  };
  isMode(BORDER).get(flags).i32(IMAGE_FLAGS.linear).op("i32.and").op("i32.or").if();
  code.i32(-1).op("return").end();
  code.get(flags).i32(IMAGE_FLAGS.normalized).op("i32.and").if();
  isMode(WRAP).if();
  pushSize().set(period);
  turn();
  code.get(turned).op("i32.wrap_i64").op("return").end();
  isMode(MIRROR).if();
  pushSize().i64(1n).op("i64.shl").set(period);
  turn();
  code.get(turned).get(period).i64(1n).op("i64.sub").get(turned).op("i64.sub").get(turned);
  pushSize().op("i64.lt_s").op("select").op("i32.wrap_i64").op("return").end().end();
  code.i32(0).get(size).i32(1).op("i32.sub").get(index);
  pushDouble(code, 0).op("f64.lt").op("select");
  const added = builder.function({ parameters: ["f64", "i32", "i32", "i32"], results: ["i32"] });
  builder.define(added, code);
  return added;
}

/** Adds a function of a record and the place of a channel of 8 or 16 bits. It returns the bits that a register gets. */
export function narrowFunction(builder: ModuleBuilder, halfToFloat: number): number {
  const code = new Code(2);
  const [record, at] = [0, 1];
  const [isSigned, value] = [code.local("i32"), code.local("i32")];
  const field = (offset: number) => code.get(record).memory("i32.load", offset);
  field(IMAGE_LAYOUT.channelKind).i32(SIGNED).op("i32.eq").set(isSigned);
  field(IMAGE_LAYOUT.bits).i32(8).op("i32.eq").if("i32");
  code.get(isSigned).if("i32");
  code.get(at).memory("i32.load8_s").else();
  code.get(at).memory("i32.load8_u").end().else();
  field(IMAGE_LAYOUT.channelKind).i32(FLOAT).op("i32.eq").if();
  code.get(at).memory("i32.load16_u").call(halfToFloat).op("i32.reinterpret_f32").op("return").end();
  code.get(isSigned).if("i32");
  code.get(at).memory("i32.load16_s").else();
  code.get(at).memory("i32.load16_u").end().end().set(value);
  field(IMAGE_LAYOUT.flags).i32(IMAGE_FLAGS.readsNormalized).op("i32.and").op("i32.eqz").if();
  code.get(value).op("return").end();
  // The greatest value is divided by itself; the least one of a signed format is below -1.
  code.get(value).op("f64.convert_i32_s");
  code.i32(1);
  field(IMAGE_LAYOUT.bits).get(isSigned).op("i32.sub").op("i32.shl").i32(1).op("i32.sub");
  code.op("f64.convert_i32_s").op("f64.div");
  pushDouble(code, -1).op("f64.max").op("f32.demote_f64").op("i32.reinterpret_f32");
  const added = builder.function({ parameters: ["i32", "i32"], results: ["i32"] });
  builder.define(added, code);
  return added;
}
