// Which emitter writes an instruction: by name, and then by its form. What has none is computed by JavaScript.
import type { Step } from "../../control/graph.js";
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

/** Writes an instruction. */
export type Emit = (emitter: Emitter, step: Step) => void;

/** The emitter for a form of an instruction; undefined when it is not translated. Asks only for its opcode and operands. */
export type Select = (step: Step) => Emit | undefined;

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

/** Whether JavaScript computes an instruction, or a part of it. */
export function needsHost(step: Step, fused: boolean): boolean {
  return isForeign(step, fused) || addsHalves(step);
}

/** Whether JavaScript computes an instruction. Where no operation fuses, it computes the fused one of f64, too. */
function isForeign(step: Step, fused: boolean): boolean {
  return emitterOf(step) === undefined || (!fused && DOUBLE_FMA.test(step.source.opcode));
}

const DOUBLE_FMA = /^(fma|mad)\.rn\.f64$/;

/** Writes an instruction. */
export function writeStep(emitter: Emitter, step: Step): void {
  if (isForeign(step, emitter.facts.fusedMultiplyAdd)) emitter.foreign(step);
  else emitterOf(step)!(emitter, step);
}

/** Found once for each step: it is written for several segments and lanes. */
const found = new WeakMap<Step, { readonly emit: Emit | undefined }>();

function emitterOf(step: Step): Emit | undefined {
  let known = found.get(step);
  if (known === undefined) {
    known = { emit: select(step) };
    found.set(step, known);
  }
  return known.emit;
}

function select(step: Step): Emit | undefined {
  for (const select of SELECTS.get(step.source.name) ?? []) {
    const emit = select(step);
    if (emit !== undefined) return emit;
  }
  return undefined;
}
