// `bar.red` and `barrier.red` of all threads of a block, on the registers that waiting threads have saved (PTX ISA,
// barrier.red).
import type { Step } from "../../control/step.js";
import { Code } from "../binary/code.js";
import type { ModuleFrame } from "../frame.js";
import { type SavedPlaces, warpValue } from "./values.js";

const LANES = 4;
const VECTOR_BYTES = 16;

/**
 * Generates the function that combines the predicates of all threads of the block, from 0 to the number in its second
 * parameter.
 *
 * @returns undefined unless the instruction is a reduction of all threads
 */
export function writeBlockReduction(step: Step, module: ModuleFrame, places: SavedPlaces): Code | undefined {
  const { operation, source } = step;
  const [result, barrier, count, predicate] = source.operands;
  const isWhole = count?.kind === "sink" && barrier?.kind === "immediate";
  if (operation.traits.waits !== "barrier" || operation.results !== 1 || !isWhole) return undefined;
  const given = warpValue(step, predicate, places);
  const target = warpValue(step, result, places);
  if (given === undefined || !("slot" in given)) return undefined;
  const threads = 1;
  const code = new Code(2);
  const [at, end, holds] = [code.local("i32"), code.local("i32"), code.local("i32")];
  const sums = code.local("v128");
  const forEach = (pushEnd: () => void, bytes: number, write: () => void) => {
    pushEnd();
    code.set(end);
    const done = code.block();
    const loop = code.loop();
    code.get(at).get(end).op("i32.ge_u").brIf(done);
    write();
    code.get(at).i32(bytes).op("i32.add").set(at).br(loop).end().end();
  };
  const pushPlace = (round: () => void) => {
    code.getGlobal(module.globals.frame).get(threads);
    round();
    code.i32(2).op("i32.shl").op("i32.add");
  };
  code.getGlobal(module.globals.frame).set(at);
  // Whole vectors of threads, and the threads after them.
  forEach(
    () => pushPlace(() => code.i32(-LANES).op("i32.and")),
    VECTOR_BYTES,
    () => code.get(sums).get(at).memory("v128.load", given.slot).op("i32x4.add").set(sums),
  );
  for (let lane = 0; lane < LANES; lane++)
    code.get(sums).lane("i32x4.extract_lane", lane).get(holds).op("i32.add").set(holds);
  forEach(
    () => pushPlace(() => {}),
    LANES,
    () => code.get(at).memory("i32.load", given.slot).get(holds).op("i32.add").set(holds),
  );
  if (given.negated) code.get(threads).get(holds).op("i32.sub").set(holds);
  if (target !== undefined && "slot" in target) {
    code.get(holds);
    if (operation.words.has("and")) code.get(threads).op("i32.eq");
    else if (operation.words.has("or")) code.i32(0).op("i32.ne");
    code.op("i32x4.splat").set(sums);
    code.getGlobal(module.globals.frame).set(at);
    forEach(
      () => pushPlace(() => {}),
      VECTOR_BYTES,
      () => code.get(at).get(sums).memory("v128.store", target.slot),
    );
  }
  code.i32(1);
  return code;
}
