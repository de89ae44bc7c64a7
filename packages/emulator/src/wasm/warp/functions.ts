// Generates a function for each operation of whole warps, which reads and writes the registers that waiting threads have
// saved. It takes the first thread of a warp and the one after the last of the same or a later warp, and returns 1; or 0, and has
// changed nothing, unless all lanes of all these warps take part.
import type { Step } from "../../control/step.js";
import { TYPES } from "../../program/types.js";
import { Code, type Label } from "../binary/code.js";
import type { ModuleFrame } from "../frame.js";
import { writeDoubleProduct } from "./double-matrix.js";
import { writeFragmentMove } from "./fragments.js";
import { multipliesMatrices, writeProduct } from "./matrix.js";
import { leastTileOfShuffle, writeShuffle } from "./shuffle.js";
import { LEAST_TILE, leaveUnlessTiles } from "./tiles.js";
import { LANES, type SavedPlaces, WarpCode, type WarpValue, warpValue } from "./values.js";
import { writeActiveMask, writeElection, writeMatch, writeReduction, writeVote } from "./votes.js";

/** The export name of the function of each wait. */
export const warpName = (wait: number): string => `warp${wait}`;

/** The resources that the code of an operation may use besides the warp's registers. */
export interface WarpSetting {
  readonly module: ModuleFrame;
  readonly places: SavedPlaces;
  /** The offset of the room for matrices in a frame. */
  readonly room: number;
  readonly pageTable: number;
  /** Whether f64x2.relaxed_madd rounds once. */
  readonly fusedMultiplyAdd: boolean;
  /** Whether accesses to memory are checked for more than their bounds. */
  readonly isChecked: boolean;
}

/** Writes the operation for one warp; returns false when it has no code. */
type Write = (
  warp: WarpCode,
  step: Step,
  sources: readonly WarpValue[],
  results: readonly WarpValue[],
  setting: WarpSetting & { readonly leave: Label },
) => boolean;

/** How an operation is written. */
interface Writer {
  readonly write: Write;
  /**
   * The least lanes of a tile for which it has code, when the masks of a warp say that tiles of it take part on their own; undefined
   * when only whole warps have code.
   */
  readonly leastTile?: (step: Step, sources: readonly WarpValue[]) => number;
}

const always =
  (write: (...parameters: Parameters<Write>) => void): Write =>
  (...parameters) => {
    write(...parameters);
    return true;
  };

const inTiles = () => LEAST_TILE;

const WRITERS: Readonly<Record<string, Writer>> = {
  shfl: {
    write: always((warp, { operation }, sources, results) =>
      writeShuffle(warp, operation.words, sources, results),
    ),
    leastTile: ({ operation }, sources) => leastTileOfShuffle(operation.words, sources),
  },
  vote: {
    write: always((warp, { operation }, sources, results) =>
      writeVote(warp, operation.words, sources, results),
    ),
    leastTile: inTiles,
  },
  match: {
    write: always((warp, { operation }, sources, results) =>
      writeMatch(warp, operation.words, sources, results, TYPES[operation.types[0]!].bits),
    ),
  },
  redux: {
    write: (warp, { operation }, sources, results) =>
      writeReduction(warp, operation.words, sources, results, operation.types[0]!),
    leastTile: inTiles,
  },
  elect: { write: always((warp, _, __, results) => writeElection(warp, results)) },
  activemask: { write: always((warp, _, __, results) => writeActiveMask(warp, results)) },
  bar: { write: always(() => {}), leastTile: inTiles },
  mma: { write: (warp, step, _, __, setting) => multiply(warp, step, setting) },
  wmma: {
    write: (warp, step, _, __, setting) =>
      multipliesMatrices(step) ? multiply(warp, step, setting) : moveFragment(warp, step, setting),
  },
};

const multiply = (warp: WarpCode, step: Step, setting: WarpSetting): boolean =>
  step.operation.types[0] === "f64"
    ? writeDoubleProduct(warp, step, setting)
    : writeProduct(warp, step, setting);

/** With checks, each access is reported separately. */
const moveFragment = (
  warp: WarpCode,
  step: Step,
  { places, isChecked, ...setting }: WarpSetting & { readonly leave: Label },
): boolean => !isChecked && writeFragmentMove(warp, step, places, setting);

/** @returns undefined when the engine has to carry out the operation */
export function writeWarpFunction(step: Step, setting: WarpSetting): Code | undefined {
  const { module, places } = setting;
  const { operation, source } = step;
  const writer = WRITERS[operation.name];
  if (writer === undefined || operation.traits.waits === "barrier") return undefined;
  const values = source.operands.map((operand) => warpValue(step, operand, places));
  const sources = values.slice(operation.results);
  const hasMask = operation.traits.waits === "lanes" && !operation.words.has("aligned");
  const mask = hasMask ? sources.pop() : { constant: -1n };
  if (mask === undefined || ("constant" in mask && BigInt.asIntN(LANES, mask.constant) !== -1n))
    return undefined;
  const code = new Code(2);
  const [first, end] = [0, 1];
  const warp = new WarpCode(code);
  const leave = code.block();
  code
    .get(end)
    .get(first)
    .op("i32.sub")
    .i32(LANES - 1)
    .op("i32.and")
    .brIf(leave);
  if ("slot" in mask) {
    const pushPlace = (thread: number) => {
      code.getGlobal(module.globals.frame).get(thread).i32(2).op("i32.shl").op("i32.add");
    };
    leaveUnlessTiles(warp, mask.slot, writer.leastTile?.(step, sources) ?? LANES, {
      ...{ pushFirst: () => pushPlace(first), pushEnd: () => pushPlace(end), leave },
    });
    if (writer.leastTile !== undefined) warp.tile = code.local("i32");
  }
  const warps = code.loop();
  const place = (global: number, bytes: number, local: number) => {
    code.getGlobal(global).get(first).i32(Math.log2(bytes)).op("i32.shl").op("i32.add").set(local);
  };
  place(module.globals.frame, 4, warp.base);
  place(module.globals.frame, 8, warp.wideBase);
  place(module.globals.states, 4, warp.room);
  if (warp.tile !== undefined && "slot" in mask)
    code.get(warp.base).memory("i32.load", mask.slot).op("i32.popcnt").set(warp.tile);
  if (!writer.write(warp, step, sources, values.slice(0, operation.results), { ...setting, leave }))
    return undefined;
  code.get(first).i32(LANES).op("i32.add").tee(first).get(end).op("i32.lt_u").brIf(warps);
  code.end();
  code.i32(1).op("return");
  code.end();
  code.i32(0);
  return code;
}
