// Reads of textures, and reads and writes of surfaces. Functions of the module carry out the usual ones; for all others,
// the procedure is called, which also reports mistakes.
import type { Step } from "../../control/step.js";
import { itemsOf } from "../../program/operand.js";
import { observesAccesses } from "../checks/checks.js";
import { ALONE } from "../checks/layout.js";
import { afterStore, observe } from "../checks/observe.js";
import { accessNumber } from "../checks/shape.js";
import { ELEMENT_BYTES, surfaceValue } from "../images/forms.js";
import { coordinatesOf, GEOMETRIES } from "../images/record.js";
import { OUTSIDE, UNUSUAL } from "../images/surface.js";
import { type Emitter, stackType } from "./emitter.js";
import { loadOpcode, storeOpcode } from "./memory.js";

/** Pushes the handle and the coordinates. */
function pushPoint(emitter: Emitter, step: Step, geometry: string): void {
  const sources = step.source.operands.slice(step.operation.results).flatMap(itemsOf);
  emitter.pushBits(step, sources[0]!, "i64", true);
  for (const source of sources.slice(1, 1 + coordinatesOf(GEOMETRIES[geometry]!)))
    emitter.pushBits(step, source, "i32", true);
}

/** @param slowly calls the procedure, which leaves its results on the stack */
export function fetch(emitter: Emitter, step: Step, slowly: () => void): void {
  const { code, facts } = emitter;
  const { modifiers, types, operandTypes } = step.operation;
  const gathered = modifiers.part === undefined ? undefined : "rgba".indexOf(modifiers.part);
  const geometry = modifiers.geom ?? "2d";
  const form = { geometry, isInteger: types[1] === "s32", gathered };
  const channels = [0, 1, 2, 3].map(() => code.take("i32"));
  const isDone = code.take("i32");
  pushPoint(emitter, step, geometry);
  if (facts.shadow !== undefined) pushRecord(emitter, step);
  const { images } = facts.module;
  code.call(images.texture(form, facts.pageTable, facts.shadow?.touch.read)).set(isDone);
  for (const channel of channels.toReversed()) code.set(channel);
  code.get(isDone).op("i32.eqz").if();
  slowly();
  // The predicate, which is always true, follows the channels.
  code.op("drop");
  for (const channel of channels.toReversed()) code.op("i32.wrap_i64").set(channel);
  code.end();
  const [value, predicate] = step.source.operands;
  itemsOf(value!).forEach((item, i) => {
    emitter.assignOperand(step, item, operandTypes[0]!, "i32", () => void code.get(channels[i]!));
  });
  emitter.assignOperand(step, predicate!, "pred", "i32", () => void code.i32(1));
  for (const local of [...channels, isDone]) code.release("i32", local);
}

/** @param slowly calls the procedure, which leaves its results on the stack */
export function surfaceAccess(emitter: Emitter, step: Step, slowly: () => void): void {
  const { code, facts } = emitter;
  const { modifiers, traits } = step.operation;
  const { type, items, access } = surfaceValue(step);
  const { bytes } = access;
  const size = bytes / items.length;
  const geometry = modifiers.geom!;
  const form = { geometry, clamp: modifiers.clamp!, bytes };
  const as = stackType(type);
  const place = code.take("i32");
  const values = traits.writes ? [] : items.map(() => code.take(as));
  pushPoint(emitter, step, geometry);
  code.call(facts.module.images.surface(form, facts.pageTable)).tee(place).i32(OUTSIDE).op("i32.gt_u").if();
  if (observesAccesses(facts.checks)) observe(emitter, step, access, () => code.get(place), 0, bytes);
  items.forEach((item, i) => {
    code.get(place);
    if (!traits.writes) code.memory(loadOpcode(type, as), i * size).set(values[i]!);
    else {
      emitter.pushBits(step, item, as, true);
      code.memory(storeOpcode(type, as), i * size);
    }
  });
  if (traits.writes) afterStore(emitter, "global");
  code.else().get(place).i32(UNUSUAL).op("i32.eq").if();
  slowly();
  for (const value of values.toReversed()) {
    if (as === "i32") code.op("i32.wrap_i64");
    code.set(value);
  }
  code.else();
  // Elements outside read as 0.
  for (const value of values) {
    emitter.constant(0n, as);
    code.set(value);
  }
  code.end().end();
  values.forEach((value, i) => {
    emitter.assignOperand(step, items[i]!, type, as, () => void code.get(value));
    code.release(as, value);
  });
  code.release("i32", place);
}

/**
 * Pushes the record of a read of one byte. Those of larger elements follow it.
 */
function pushRecord(emitter: Emitter, step: Step): void {
  const { code, facts } = emitter;
  const [first] = ELEMENT_BYTES.map((bytes) =>
    accessNumber(facts.module, step, { kind: "load", space: "global", bytes }),
  );
  emitter.threadNumber();
  code.i32(ALONE).op("i32.mul").i32(first!).op("i32.or");
}
