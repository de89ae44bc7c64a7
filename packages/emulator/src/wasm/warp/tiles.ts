// Tiles of a warp: 4, 8 or 16 neighbouring lanes that take part in an operation on their own, as those of cooperative groups do. When
// all lanes of a warp are at the operation and their masks say so, the whole warp is carried out at once.
import type { Label } from "../binary/code.js";
import { LANES, type WarpCode } from "./values.js";

/** Lanes of four are in one vector. */
export const LEAST_TILE = 4;

/** The places of the first lane, and of the lane after the last, in a slot at the frame's beginning. */
interface Places {
  readonly pushFirst: () => void;
  readonly pushEnd: () => void;
  readonly leave: Label;
}

/**
 * Branches away unless the masks of each warp are those of its tiles, or name all lanes.
 *
 * @param slot where the masks are
 * @param least the lanes of the smallest tile that has code
 */
export function leaveUnlessTiles(
  { code }: WarpCode,
  slot: number,
  least: number,
  { pushFirst, pushEnd, leave }: Places,
): void {
  const [at, begin, last, lane, mask, tile] = Array.from({ length: 6 }, () => code.local("i32")) as [
    ...[number, number, number, number, number, number],
  ];
  pushFirst();
  code.tee(at).set(begin);
  pushEnd();
  code.set(last);
  const loop = code.loop();
  code
    .get(at)
    .get(begin)
    .op("i32.sub")
    .i32(2)
    .op("i32.shr_u")
    .i32(LANES - 1)
    .op("i32.and")
    .tee(lane);
  code.op("i32.eqz").if();
  // The first tile has the lowest bits.
  code.get(at).memory("i32.load", slot).tee(mask).op("i32.popcnt").set(tile);
  code.get(mask).get(mask).i32(1).op("i32.add").op("i32.and").brIf(leave);
  code.get(tile).get(tile).i32(1).op("i32.sub").op("i32.and").brIf(leave);
  code.get(tile).i32(least).op("i32.lt_u").brIf(leave).end();
  code.get(at).memory("v128.load", slot);
  code.get(mask);
  pushTileBegin();
  code.op("i32.shl").op("i32x4.splat").op("i32x4.eq").op("i32x4.all_true").op("i32.eqz").brIf(leave);
  code.get(at).i32(16).op("i32.add").tee(at).get(last).op("i32.lt_u").brIf(loop);
  code.end();

  /** Pushes the first lane of the tile of a lane. */
  function pushTileBegin(): void {
    code.get(lane).i32(0).get(tile).op("i32.sub").op("i32.and");
  }
}
