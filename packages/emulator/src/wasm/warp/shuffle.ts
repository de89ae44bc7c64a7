// `shfl.sync` of whole warps. When the operands that say which lane to read are constants, each vector of results is a
// permutation of one or two vectors of sources; otherwise lanes are read one by one.
import type { Code } from "../binary/code.js";
import { SHUFFLES, sourceLanes } from "./source-lane.js";
import { LEAST_TILE } from "./tiles.js";
import { GROUPS, LANES, type WarpCode, type WarpValue } from "./values.js";

export function writeShuffle(
  warp: WarpCode,
  words: ReadonlySet<string>,
  [a, b, c]: readonly WarpValue[],
  [result, inRange]: readonly WarpValue[],
): void {
  const mode = Object.keys(SHUFFLES).find((word) => words.has(word))!;
  if (b !== undefined && c !== undefined && "constant" in b && "constant" in c) {
    writeConstant(warp, sourceLanes(SHUFFLES[mode]!, Number(b.constant & 31n), Number(c.constant)), a, [
      result,
      inRange,
    ]);
  } else writeChosen(warp, mode, [a, b, c], [result, inRange]);
}

/** The least lanes of a tile that reads no lane of another one, or 4 when lanes say at run time which ones they read. */
export function leastTileOfShuffle(words: ReadonlySet<string>, [, b, c]: readonly WarpValue[]): number {
  if (b === undefined || c === undefined || !("constant" in b && "constant" in c)) return LEAST_TILE;
  const mode = Object.keys(SHUFFLES).find((word) => words.has(word))!;
  const from = sourceLanes(SHUFFLES[mode]!, Number(b.constant & 31n), Number(c.constant));
  const isInside = (tile: number) =>
    from.every((source, lane) => source < 0 || Math.floor(source / tile) === Math.floor(lane / tile));
  return [4, 8, 16].find(isInside) ?? LANES;
}

function writeConstant(
  warp: WarpCode,
  from: readonly number[],
  source: WarpValue,
  [result, inRange]: readonly WarpValue[],
): void {
  const { code } = warp;
  warp.withVectors(source, (vectors) => {
    for (let group = 0; group < GROUPS; group++)
      warp.store(result, group, () => writePermutation(code, vectors, from, group));
  });
  for (let group = 0; group < GROUPS; group++)
    warp.store(inRange, group, () =>
      code.v128(
        [0, 1, 2, 3].map((lane) => (from[4 * group + lane]! < 0 ? 0n : 1n)),
        32,
      ),
    );
}

/**
 * Pushes four lanes of a shuffle's result.
 *
 * @param vectors the locals with all lanes of its source
 * @param from for each lane, the lane that it reads; -1 when that is out of range
 */
export function writePermutation(
  code: Code,
  vectors: readonly number[],
  from: readonly number[],
  group: number,
): void {
  const read = [0, 1, 2, 3].map((lane) => {
    const own = 4 * group + lane;
    return from[own]! < 0 ? own : from[own]!;
  });
  const groups = [...new Set(read.map((lane) => lane >> 2))];
  const [first, second = first] = groups as [number, number?];
  code.get(vectors[first]!);
  if (groups.length > 2) {
    read.forEach((lane, at) => {
      code.get(vectors[lane >> 2]!).lane("i32x4.extract_lane", lane & 3);
      code.lane("i32x4.replace_lane", at);
    });
    return;
  }
  if (groups.length === 1 && read.every((lane, at) => (lane & 3) === at)) return;
  code.get(vectors[second]!);
  code.shuffle(
    read.flatMap((lane) => {
      const byte = 4 * (lane & 3) + (lane >> 2 === first ? 0 : 16);
      return [byte, byte + 1, byte + 2, byte + 3];
    }),
  );
}

/** Lanes say at run time which lanes they read. */
function writeChosen(
  warp: WarpCode,
  mode: string,
  [a, b, c]: readonly WarpValue[],
  [result, inRange]: readonly WarpValue[],
): void {
  const { code } = warp;
  const locals = Array.from({ length: 6 }, () => code.take("i32"));
  const [lane, limits, segment, last, from, isInRange] = locals as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  warp.eachLane((offset) => {
    code.get(offset).i32(2).op("i32.shr_u").set(lane);
    warp.pushLane(c, offset);
    code.tee(limits).i32(8).op("i32.shr_u").i32(31).op("i32.and").set(segment);
    // The lane's own segment, and the last lane of it.
    code.get(lane).get(segment).op("i32.and");
    code.get(limits).i32(31).op("i32.and").get(segment).i32(-1).op("i32.xor").op("i32.and");
    code.op("i32.or").set(last);
    const pushB = () => {
      warp.pushLane(b, offset);
      code.i32(31).op("i32.and");
    };
    if (mode === "idx") {
      code.get(lane).get(segment).op("i32.and");
      pushB();
      code.get(segment).i32(-1).op("i32.xor").op("i32.and").op("i32.or").set(from);
    } else {
      code.get(lane);
      pushB();
      code.op(mode === "up" ? "i32.sub" : mode === "down" ? "i32.add" : "i32.xor").set(from);
    }
    code.get(from).get(last);
    code.op(mode === "up" ? "i32.ge_s" : "i32.le_s").set(isInRange);
    code.get(from).get(lane).get(isInRange).op("select").set(from);
    const { tile } = warp;
    // Lanes of other tiles do not take part.
    if (tile !== undefined) code.get(from).get(lane).op("i32.xor").get(tile).op("i32.lt_u").set(lane);
    code.get(from).i32(2).op("i32.shl").set(from);
    warp.keep(offset, () => {
      warp.pushLane(a, from);
      if (tile !== undefined) code.i32(0).get(lane).op("select");
    });
    if (inRange !== undefined && "slot" in inRange) {
      code.get(warp.base).get(offset).op("i32.add");
      code.get(isInRange).memory("i32.store", inRange.slot);
    }
  });
  warp.storeKept(result);
  for (const local of locals) code.release("i32", local);
}
