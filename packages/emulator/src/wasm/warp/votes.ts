// Operations of whole warps whose results depend on all lanes: votes, `match`, `redux`, `elect` and `activemask`.
import type { Opcode } from "../binary/opcodes.js";
import { GROUPS, LANES, type WarpCode, type WarpValue } from "./values.js";

const ALL = -1;

/** Pushes the bits of the lanes for which `push`, called for each group of lanes, leaves true lanes. */
function pushBits(
  { code }: WarpCode,
  groups: number,
  name: "i32x4.bitmask" | "i64x2.bitmask",
  push: (group: number) => void,
): void {
  for (let group = 0; group < groups; group++) {
    push(group);
    code.op(name);
    if (group === 0) continue;
    code
      .i32((LANES / groups) * group)
      .op("i32.shl")
      .op("i32.or");
  }
}

export function writeVote(
  warp: WarpCode,
  words: ReadonlySet<string>,
  [predicate]: readonly WarpValue[],
  [result]: readonly WarpValue[],
): void {
  const { code } = warp;
  const isNegated = predicate !== undefined && "slot" in predicate && predicate.negated;
  code.scratch("i32", (holds) => {
    pushBits(warp, GROUPS, "i32x4.bitmask", (group) => {
      warp.push(predicate, group);
      code.v128([0n, 0n, 0n, 0n], 32).op(isNegated ? "i32x4.eq" : "i32x4.ne");
    });
    code.set(holds);
    if (warp.tile !== undefined) {
      storeOfTiles(warp, words, holds, result);
      return;
    }
    warp.storeAll(result, () => {
      const isAll = () => code.get(holds).i32(ALL).op("i32.eq");
      if (words.has("ballot")) code.get(holds);
      else if (words.has("all")) isAll();
      else if (words.has("any")) code.get(holds).i32(0).op("i32.ne");
      else {
        isAll();
        code.get(holds).op("i32.eqz").op("i32.or");
      }
    });
  });
}

/** Stores the result of a vote whose lanes are in a local, for each tile of the warp. */
function storeOfTiles(warp: WarpCode, words: ReadonlySet<string>, holds: number, result: WarpValue): void {
  const { code } = warp;
  const tile = warp.tile!;
  const [own, mask] = [code.take("i32"), code.take("i32")];
  for (let group = 0; group < GROUPS; group++) {
    // The mask of 32 lanes would be a shift by 32, which is one by 0.
    code.i32(-1).i32(LANES).get(tile).op("i32.sub").op("i32.shr_u");
    code
      .i32(4 * group)
      .i32(0)
      .get(tile)
      .op("i32.sub")
      .op("i32.and")
      .op("i32.shl")
      .tee(mask);
    code.get(holds).op("i32.and").set(own);
    warp.store(result, group, () => {
      const isAll = () => code.get(own).get(mask).op("i32.eq");
      if (words.has("ballot")) code.get(own);
      else if (words.has("all")) isAll();
      else if (words.has("any")) code.get(own).i32(0).op("i32.ne");
      else {
        isAll();
        code.get(own).op("i32.eqz").op("i32.or");
      }
      code.op("i32x4.splat");
    });
  }
  for (const local of [own, mask]) code.release("i32", local);
}

/** `match.any`: each lane gets the lanes with the same value. `match.all`: all lanes if their values are equal. */
export function writeMatch(
  warp: WarpCode,
  words: ReadonlySet<string>,
  [value]: readonly WarpValue[],
  [result, areEqual]: readonly WarpValue[],
  bits: number,
): void {
  const { code } = warp;
  const isWide = bits === 64;
  const groups = isWide ? 2 * GROUPS : GROUPS;
  const push = (group: number) => (isWide ? warp.pushWide(value, group) : warp.push(value, group));
  const same = (wanted: number) =>
    pushBits(warp, groups, isWide ? "i64x2.bitmask" : "i32x4.bitmask", (group) => {
      push(group);
      code.get(wanted).op(isWide ? "i64x2.eq" : "i32x4.eq");
    });
  code.scratch("v128", (wanted) => {
    if (words.has("any")) {
      warp.eachLane((offset) => {
        if (value === undefined || "constant" in value) push(0);
        else if (isWide) {
          code.get(warp.wideBase).get(offset).i32(1).op("i32.shl").op("i32.add");
          code.memory("v128.load64_splat", value.slot);
        } else code.get(warp.base).get(offset).op("i32.add").memory("v128.load32_splat", value.slot);
        code.set(wanted);
        warp.keep(offset, () => same(wanted));
      });
      warp.storeKept(result);
      return;
    }
    push(0);
    if (isWide) code.lane("i64x2.extract_lane", 0).op("i64x2.splat");
    else code.lane("i32x4.extract_lane", 0).op("i32x4.splat");
    code.set(wanted);
    code.scratch("i32", (isSame) => {
      same(wanted);
      code.i32(ALL).op("i32.eq").set(isSame);
      warp.storeAll(result, () => code.i32(0).get(isSame).op("i32.sub"));
      warp.storeAll(areEqual, () => code.get(isSame));
    });
  });
}

/** The combination of two vectors, by the words of the instruction; undefined for floats. */
function combination(words: ReadonlySet<string>, type: string): Opcode | undefined {
  if (type === "f32") return undefined;
  for (const name of ["and", "or", "xor"] as const) if (words.has(name)) return `v128.${name}`;
  if (words.has("add")) return "i32x4.add";
  const sign = type === "s32" ? "s" : "u";
  return words.has("min") ? `i32x4.min_${sign}` : `i32x4.max_${sign}`;
}

/** @returns false for reductions that have no code */
export function writeReduction(
  warp: WarpCode,
  words: ReadonlySet<string>,
  [value]: readonly WarpValue[],
  [result]: readonly WarpValue[],
  type: string,
): boolean {
  const { code } = warp;
  const combine = combination(words, type);
  if (combine === undefined) return false;
  if (warp.tile !== undefined) {
    reduceTiles(warp, value, result, combine);
    return true;
  }
  code.scratch("v128", (vector) => {
    for (let group = 0; group < GROUPS; group++) {
      warp.push(value, group);
      if (group > 0) code.op(combine);
    }
    // Halves, and then pairs.
    for (const bytes of [8, 4]) {
      code.tee(vector).get(vector).get(vector);
      code.shuffle(Array.from({ length: 16 }, (_, byte) => (byte + bytes) % 16)).op(combine);
    }
    code.set(vector);
    warp.storeAll(result, () => code.get(vector).lane("i32x4.extract_lane", 0));
  });
  return true;
}

/** Combines lanes with those at a distance of 1, 2, 4 and so on, as far as these are in the same tile. */
function reduceTiles(warp: WarpCode, value: WarpValue, result: WarpValue, combine: Opcode): void {
  const { code } = warp;
  warp.withVectors(value, (vectors) => {
    for (const vector of vectors) {
      for (const bytes of [4, 8]) {
        const from = Array.from({ length: 16 }, (_, byte) => byte ^ bytes);
        code.get(vector).get(vector).get(vector).shuffle(from).op(combine).set(vector);
      }
    }
    for (const distance of [1, 2, 4]) {
      code
        .get(warp.tile!)
        .i32(4 * distance)
        .op("i32.gt_u")
        .if();
      for (let group = 0; group < GROUPS; group++) {
        const other = group ^ distance;
        if (other < group) continue;
        code.get(vectors[group]!).get(vectors[other]!).op(combine).tee(vectors[group]!).set(vectors[other]!);
      }
      code.end();
    }
    vectors.forEach((vector, group) => {
      warp.store(result, group, () => code.get(vector));
    });
  });
}

/** The first lane is elected. */
export function writeElection(warp: WarpCode, [leader, isElected]: readonly WarpValue[]): void {
  const { code } = warp;
  warp.storeAll(leader, () => code.i32(0));
  for (let group = 0; group < GROUPS; group++)
    warp.store(isElected, group, () => code.v128([group === 0 ? 1n : 0n, 0n, 0n, 0n], 32));
}

export function writeActiveMask(warp: WarpCode, [result]: readonly WarpValue[]): void {
  warp.storeAll(result, () => warp.code.i32(ALL));
}
