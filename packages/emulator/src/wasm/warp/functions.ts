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
import { writeShuffle } from "./shuffle.js";
import { LANES, type SavedPlaces, WarpCode, type WarpValue, warpValue } from "./values.js";
import { writeActiveMask, writeElection, writeMatch, writeReduction, writeVote } from "./votes.js";

/** The export name of the function of each wait. */
export const warpName = (wait: number): string => `warp${wait}`;

/** What the code of an operation may use besides the warp's registers. */
export interface WarpSetting {
  readonly module: ModuleFrame;
  readonly places: SavedPlaces;
  /** Where the room for matrices begins in a frame. */
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

const always =
  (write: (...parameters: Parameters<Write>) => void): Write =>
  (...parameters) => {
    write(...parameters);
    return true;
  };

const WRITERS: Readonly<Record<string, Write>> = {
  shfl: always((warp, { operation }, sources, results) =>
    writeShuffle(warp, operation.words, sources, results),
  ),
  vote: always((warp, { operation }, sources, results) => writeVote(warp, operation.words, sources, results)),
  match: always((warp, { operation }, sources, results) =>
    writeMatch(warp, operation.words, sources, results, TYPES[operation.types[0]!].bits),
  ),
  redux: (warp, { operation }, sources, results) =>
    writeReduction(warp, operation.words, sources, results, operation.types[0]!),
  elect: always((warp, _, __, results) => writeElection(warp, results)),
  activemask: always((warp, _, __, results) => writeActiveMask(warp, results)),
  bar: always(() => {}),
  mma: (warp, step, _, __, setting) => multiply(warp, step, setting),
  wmma: (warp, step, _, __, setting) =>
    multipliesMatrices(step) ? multiply(warp, step, setting) : moveFragment(warp, step, setting),
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
  const write = WRITERS[operation.name];
  if (write === undefined || operation.traits.waits === "barrier") return undefined;
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
    const [at, last] = [code.local("i32"), code.local("i32")];
    const address = (thread: number) => {
      code.getGlobal(module.globals.frame).get(thread).i32(2).op("i32.shl").op("i32.add");
    };
    address(first);
    code.set(at);
    address(end);
    code.set(last);
    const masks = code.loop();
    code.get(at).memory("v128.load", mask.slot).v128([-1n, -1n], 64).op("i32x4.eq");
    code.op("i32x4.all_true").op("i32.eqz").brIf(leave);
    code.get(at).i32(16).op("i32.add").tee(at).get(last).op("i32.lt_u").brIf(masks);
    code.end();
  }
  const warps = code.loop();
  const place = (global: number, bytes: number, local: number) => {
    code.getGlobal(global).get(first).i32(Math.log2(bytes)).op("i32.shl").op("i32.add").set(local);
  };
  place(module.globals.frame, 4, warp.base);
  place(module.globals.frame, 8, warp.wideBase);
  place(module.globals.states, 4, warp.room);
  if (!write(warp, step, sources, values.slice(0, operation.results), { ...setting, leave }))
    return undefined;
  code.get(first).i32(LANES).op("i32.add").tee(first).get(end).op("i32.lt_u").brIf(warps);
  code.end();
  code.i32(1).op("return");
  code.end();
  code.i32(0);
  return code;
}
