// `mbarrier.test_wait` and `mbarrier.try_wait` of all threads of a block, whose phases are complete: usually because they
// have all arrived before they wait.
import { registerOf } from "../../control/graph.js";
import type { Step } from "../../control/step.js";
import { BARRIER_LAYOUT } from "../../procedures/barrier-object.js";
import type { ProgramFunction } from "../../program/program.js";
import { TYPES } from "../../program/types.js";
import { Code } from "../binary/code.js";
import type { ModuleFrame } from "../frame.js";
import { type SavedPlaces, warpValue } from "./values.js";

const { bytes, phase, mark, valid } = BARRIER_LAYOUT;
const LANES = 4;
const VECTOR_BYTES = 16;

/**
 * Generates a function that takes the first thread and the one after the last. It returns 1 when the phases for which they
 * wait are complete, and otherwise 0, and has changed nothing.
 *
 * @returns undefined when the engine has to look
 */
export function writePhaseTest(
  step: Step,
  kernel: ProgramFunction,
  module: ModuleFrame,
  places: SavedPlaces,
): Code | undefined {
  const { operation, source, context } = step;
  const [result, address, operand] = source.operands;
  if (operation.traits.waits !== "phase" || operation.space !== "shared") return undefined;
  if (address?.kind !== "address") return undefined;
  const target = warpValue(step, result, places);
  const wanted = warpValue(step, operand, places);
  if (target === undefined || !("slot" in target) || wanted === undefined) return undefined;
  const byParity = operation.words.has("parity");
  const { base, offset } = address;
  const [thread, end] = [0, 1];
  const code = new Code(2);
  const pushThread = (size: 4 | 8) => {
    code.getGlobal(module.globals.frame).get(thread).i32(Math.log2(size)).op("i32.shl").op("i32.add");
  };
  const pushAddress = addressWriter();
  if (pushAddress === undefined) return undefined;
  const [first, at] = [code.local("i32"), code.local("i32")];
  const [bits, state] = [code.local("i64"), code.local("i64")];
  code.get(thread).set(first);
  const incomplete = code.block();
  const loop = code.loop();
  pushAddress();
  code.set(at);
  code
    .get(at)
    .i32(bytes - 1)
    .op("i32.and")
    .brIf(incomplete);
  code.get(at).getGlobal(module.globals.sharedBytes).op("i32.ge_u").brIf(incomplete);
  code.get(at).getGlobal(module.globals.shared).op("i32.add").memory("i64.load").set(bits);
  code.get(bits).i64(mark).op("i64.shr_u").i64(valid).op("i64.ne").brIf(incomplete);
  pushWanted();
  code.set(state);
  // A mistaken operand is reported by the engine.
  if (byParity) code.get(state).i64(1n).op("i64.gt_u").brIf(incomplete);
  else {
    code.get(state).i64(mark).op("i64.shr_u").i64(valid).op("i64.ne").brIf(incomplete);
    code.get(state).i64(phase).op("i64.shr_u").i64(1n).op("i64.and").set(state);
  }
  code.get(state).get(bits).i64(phase).op("i64.shr_u").i64(1n).op("i64.and").op("i64.eq").brIf(incomplete);
  code.get(thread).i32(1).op("i32.add").tee(thread).get(end).op("i32.lt_u").brIf(loop);
  code.end();
  code.get(first).set(thread);
  const stores = code.loop();
  pushThread(4);
  code.v128(Array<bigint>(LANES).fill(1n), 32).memory("v128.store", target.slot);
  code
    .get(thread)
    .i32(VECTOR_BYTES / LANES)
    .op("i32.add")
    .tee(thread)
    .get(end)
    .op("i32.lt_u")
    .brIf(stores);
  code.end();
  code.i32(1).op("return").end().i32(0);
  return code;

  /** The address in shared memory; undefined where it is not known how to compute it. */
  function addressWriter(): (() => void) | undefined {
    if (base.kind === "register") {
      if (TYPES[context.body.registers[base.register]!.type].bits !== 32) return undefined;
      const slot = places.slots.get(registerOf(step, base));
      const constant = places.constants.get(registerOf(step, base));
      if (slot === undefined && constant === undefined) return undefined;
      return () => {
        if (constant !== undefined) code.i32(Number(BigInt.asIntN(32, constant)));
        else {
          pushThread(4);
          code.memory("i32.load", slot!);
        }
        code.i32(offset).op("i32.add");
      };
    }
    if (base.kind === "immediate") return () => void code.i32(Number(base.bits) + offset);
    if (base.kind !== "module-variable") return undefined;
    const placed = kernel.shared.find(({ variable }) => variable === base.variable);
    return placed && (() => void code.i32(placed.offset + offset));
  }

  /** Pushes the state that an arrival has returned, or the parity of a phase. */
  function pushWanted(): void {
    if (wanted === undefined) return;
    if ("constant" in wanted) code.i64(wanted.constant);
    else {
      pushThread(byParity ? 4 : 8);
      code.memory(byParity ? "i64.load32_u" : "i64.load", wanted.slot);
    }
  }
}
