// What the checks need to know about a kernel's accesses before code is generated.
import { type Graph, Untranslatable } from "../../control/graph.js";
import { forEachStep } from "../../control/registers.js";
import type { Step } from "../../control/step.js";
import { isWarpBarrier, waitKind } from "../../control/waits.js";
import type { OperationSpace } from "../../program/operation.js";
import { TYPES } from "../../program/types.js";
import { isSynchronizing, ordersOthers } from "../../run/synchronizing.js";
import type { Access } from "../access.js";
import type { ModuleFrame } from "../frame.js";
import { isFetch, isSurfaceAccess, surfaceValue } from "../images/forms.js";
import { ACCESS_BITS, type ShadowShape } from "./layout.js";
import type { TouchKind } from "./shadow-code.js";

/** Memory that other threads do not access. */
export const isPrivate = (space: OperationSpace): boolean => space === "local" || space === "param";

/** The bytes of the largest granule: no access is larger. */
const LARGEST = 16;

/**
 * The shape of shadow memory for a kernel.
 * @throws {@link Untranslatable} when threads synchronize in a way that its records cannot represent
 */
export function shadowShape(graphs: readonly Graph[]): ShadowShape {
  let smallest = LARGEST;
  let strong = false;
  let warps = false;
  for (const graph of graphs) {
    forEachStep(graph, (step) => {
      const { traits, space } = step.operation;
      if (!(traits.reads || traits.writes) || isPrivate(space)) return;
      smallest = Math.min(smallest, bytesOf(step));
      const { before, after } = ordersOthers(step.operation);
      if ((before || after) && step.operation.words.has("cta"))
        throw new Untranslatable(`it has \`${step.operation.opcode}\``);
      strong ||= isSynchronizing(step.operation) || (traits.procedure && traits.strong);
    });
    for (const { step } of graph.waits) {
      const { opcode } = step.operation;
      if (isWarpBarrier(step)) {
        if (!isOfAllLanes(step)) throw new Untranslatable(`it has \`${opcode}\` of some lanes of a warp`);
        warps = true;
      }
      if (waitKind(step) === "barrier" && !isOfAllThreads(step))
        throw new Untranslatable(`it has \`${opcode}\` of some threads of a block`);
    }
  }
  return { granule: Math.log2(smallest), strong, warps };
}

/** The bytes of the smallest part of memory that an instruction accesses. */
function bytesOf(step: Step): number {
  const { source, operation } = step;
  if (source.call !== undefined) return LARGEST;
  // The elements of a texture may be smaller, but granules are only too large if writes are.
  if (isFetch(step)) return LARGEST;
  if (isSurfaceAccess(step)) return surfaceValue(step).access.bytes;
  const type = operation.types.at(-1);
  // Copies without a type have at least four bytes.
  if (type === undefined) return 4;
  // The elements of a matrix are accessed one by one.
  const isMatrix = operation.shape !== undefined;
  const items = Math.max(
    ...source.operands.map((operand) => (operand.kind === "vector" ? operand.items.length : 1)),
  );
  return Math.min(LARGEST, (TYPES[type].bits / 8) * (isMatrix ? 1 : items));
}

/** Whether the mask of a `bar.warp.sync` is constant and has all lanes. */
function isOfAllLanes({ source }: Step): boolean {
  const mask = source.operands.at(-1);
  return mask?.kind === "immediate" && BigInt.asUintN(32, mask.bits) === 0xffffffffn;
}

/** Whether a barrier is one for all threads of the block. */
function isOfAllThreads({ source, operation }: Step): boolean {
  const { operands } = source;
  const count = operands[operation.results + 1];
  const isReduction = operation.results > 0;
  const hasCount = isReduction ? operands.length > operation.results + 2 : count !== undefined;
  return !operation.words.has("arrive") && (!hasCount || count?.kind === "sink");
}

/**
 * The number by which records name an access. An instruction may be translated several times, and the elements that it
 * accesses may differ in size.
 */
export function accessNumber({ accesses }: ModuleFrame, step: Step, access: Access): number {
  const known = accesses.findIndex(
    (each) => each.step === step && each.access.kind === access.kind && each.access.bytes === access.bytes,
  );
  if (known >= 0) return known;
  if (accesses.length >= 1 << ACCESS_BITS)
    throw new Untranslatable(
      `more than ${1 << ACCESS_BITS} accesses, which the race check cannot tell apart`,
    );
  return accesses.push({ step, access }) - 1;
}

/** The kind of an access in shadow memory. */
export function touchKind(kind: Access["kind"], isStrong: boolean): TouchKind {
  const isRead = kind === "load";
  if (isStrong) return isRead ? "strongRead" : "strongWrite";
  return isRead ? "read" : "write";
}
