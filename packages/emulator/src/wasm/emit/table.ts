// Chooses the emitter of an instruction, by name and then by form. Instructions without an emitter are computed by
// JavaScript.
import type { Step } from "../../control/step.js";
import { addsHalves } from "./atomic.js";
import { BITS } from "./bits.js";
import { CARRYING } from "./carry.js";
import { COMPARE } from "./compare.js";
import { CONVERT } from "./convert.js";
import { EFFECT } from "./effect.js";
import type { Emitter } from "./emitter.js";
import { FLOAT } from "./float.js";
import { HALF } from "./half.js";
import { INTEGER } from "./integer.js";
import { MOVE } from "./move.js";
import { procedure } from "./procedure.js";
import type { Emit, Select } from "./select.js";

const GROUPS: readonly Readonly<Record<string, Select>>[] = [
  CARRYING,
  BITS,
  INTEGER,
  FLOAT,
  HALF,
  COMPARE,
  CONVERT,
  MOVE,
  EFFECT,
];

const SELECTS: ReadonlyMap<string, readonly Select[]> = (() => {
  const selects = new Map<string, Select[]>();
  for (const group of GROUPS) {
    for (const [name, select] of Object.entries(group))
      selects.set(name, [...(selects.get(name) ?? []), select]);
  }
  return selects;
})();

/** Whether JavaScript computes an instruction or a part of it. */
export function needsHost(step: Step, fused: boolean): boolean {
  return isForeign(step, fused) || addsHalves(step);
}

/**
 * Whether JavaScript computes an instruction. Without a fused multiply-add, it computes the fused f64 operation, too.
 */
function isForeign(step: Step, fused: boolean): boolean {
  const { traits, types } = step.operation;
  return emitterOf(step) === null || (!fused && traits.fuses && types[0] === "f64");
}

/** Emits the code of an instruction. */
export function writeStep(emitter: Emitter, step: Step): void {
  if (emitter.facts.isLeftOut?.(step)) return;
  if (isForeign(step, emitter.facts.fusedMultiplyAdd)) emitter.foreign(step);
  else emitterOf(step)!(emitter, step);
}

function emitterOf(step: Step): Emit | null {
  if (step.operation.traits.procedure) return procedure;
  if (step.emit === undefined) step.emit = select(step);
  return step.emit as Emit | null;
}

function select(step: Step): Emit | null {
  for (const select of SELECTS.get(step.operation.name) ?? []) {
    const emit = select(step);
    if (emit !== undefined) return emit;
  }
  return null;
}
