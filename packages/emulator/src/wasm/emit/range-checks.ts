// Code that checks a range of accesses at once, and that computes the offsets of these accesses afterwards.
import { TYPES } from "../../program/types.js";
import type { Label } from "../binary/code.js";
import { leaveUnlessInside, leaveUnlessMapped, pushLikelyPlaces } from "./bounds.js";
import type { Emitter } from "./emitter.js";
import type { Range } from "./ranges.js";

/** Branches away, before the range's first access, unless all of the range is inside. */
export function leaveUnlessInRange(emitter: Emitter, range: Range, away: Label): void {
  const { code, facts } = emitter;
  const from = range.from + Math.min(0, range.spread);
  const extent = { bytes: range.to + Math.max(0, range.spread) - from, alignment: range.size };
  code.scratch("i64", (full) => {
    const isNarrow = TYPES[facts.registerTypes[range.register]!].bits === 32;
    emitter.getRegister(range.register);
    emitter.convert(facts.types[range.register]!, isNarrow ? "i32" : "i64");
    if (from !== 0 && isNarrow) code.i32(from).op("i32.add");
    if (isNarrow) code.op("i64.extend_i32_u");
    else if (from !== 0) code.i64(BigInt(from)).op("i64.add");
    code.set(full);
    if (range.isShared) {
      leaveUnlessInside(emitter, full, range.size, () => pushLikelyPlaces(emitter, extent), away);
    } else code.scratch("i32", (low) => leaveUnlessMapped(emitter, full, low, extent, away));
  });
}

/**
 * Pushes the offset in linear memory at which a checked range begins, and returns the distance of an access from there.
 * The beginning of the range is valid even where the register alone is not.
 */
export function pushCheckedBase(emitter: Emitter, range: Range, offset: number): number {
  const { code, facts } = emitter;
  const { register, isShared, from } = range;
  const cursor = emitter.cursors?.get(range);
  if (cursor !== undefined) {
    emitter.pushCursor(cursor);
    return offset - from;
  }
  emitter.getRegister(register);
  emitter.convert(facts.types[register]!, "i32");
  if (isShared) {
    emitter.hoisted(`shared ${from}`, "i32", () => {
      code.getGlobal(facts.module.globals.shared).i32(from).op("i32.add");
    });
    code.op("i32.add");
  } else if (from !== 0) code.i32(from).op("i32.add");
  return offset - from;
}
