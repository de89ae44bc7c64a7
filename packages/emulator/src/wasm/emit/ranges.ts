// Accesses of one block through the same register are checked together once, while the group can still give up if some
// are not inside. The threads then run one by one, and each access has its own check.
import type { Graph } from "../../control/graph.js";
import type { Step } from "../../control/step.js";
import type { AddressOperand } from "../../program/operand.js";
import { TYPES } from "../../program/types.js";
import { PAGE_BYTES } from "../../run/memory.js";

/** The bytes that accesses through one register touch together, as offsets from the register's value. */
export interface Range {
  readonly register: number;
  readonly isShared: boolean;
  /** The bytes of each access, which are also the alignment of all of them if one is aligned. */
  readonly size: number;
  /** The distance of the last thread's addresses from the first thread's. */
  readonly spread: number;
  from: number;
  to: number;
}

/** Where a range begins in linear memory for the group that is running. */
export interface Cursor {
  readonly local: number;
  /** The distance between neighbouring threads. */
  readonly stride: number;
}

/** Ranges that are checked once. */
export interface CheckedRanges {
  /** For each access, the range that it belongs to. Other accesses check themselves. */
  readonly of: ReadonlyMap<Step, Range>;
  /** For each step, the ranges that are checked before it. */
  readonly before: ReadonlyMap<Step, readonly Range[]>;
}

/**
 * Finds the accesses of blocks that can be checked together.
 *
 * @param mayGiveUp whether a group of threads can still give up before a step
 * @param spreadOf the distance between the first and the last address of a group of threads; undefined when it is not
 * known
 */
export function checkedTogether(
  { blocks }: Graph,
  order: readonly number[],
  mayGiveUp: (step: Step) => boolean,
  spreadOf: (step: Step, operand: AddressOperand) => number | undefined,
): CheckedRanges {
  const of = new Map<Step, Range>();
  const before = new Map<Step, Range[]>();
  for (const block of order) {
    const { steps } = blocks[block]!;
    const open = new Map<string, Range>();
    // The last step before which the group can give up. The accesses after it are checked there, too.
    let last = -1;
    steps.forEach((step, i) => {
      if (mayGiveUp(step)) last = i;
      const access = accessOf(step, spreadOf);
      if (access !== undefined) {
        const { register } = access;
        const key = `${register} ${access.isShared} ${access.size}`;
        let range = open.get(key);
        if (range === undefined || !extend(range, access)) {
          const isKnown = last >= 0 && !steps.slice(last, i).some(({ writes }) => writes.includes(register));
          range = isKnown ? access : undefined;
          if (range !== undefined) {
            open.set(key, range);
            before.set(steps[last]!, [...(before.get(steps[last]!) ?? []), range]);
          }
        }
        if (range !== undefined) of.set(step, range);
      }
      if (open.size === 0) return;
      for (const [key, { register }] of open) if (step.writes.includes(register)) open.delete(key);
    });
  }
  return { of, before };
}

/** The range of one access; undefined when it has to check itself. */
function accessOf(
  step: Step,
  spreadOf: (step: Step, operand: AddressOperand) => number | undefined,
): Range | undefined {
  const { guard, operands } = step.source;
  const { types, space, traits } = step.operation;
  // Only plain loads and stores: steps that read and write memory, or call functions, check themselves.
  if (traits.reads === traits.writes || guard !== undefined) return undefined;
  const [address, value] = traits.reads ? [operands[1]!, operands[0]!] : [operands[0]!, operands[1]!];
  if (address.kind !== "address" || address.base.kind !== "register") return undefined;
  if (space === "local" || space === "param") return undefined;
  const spread = spreadOf(step, address);
  if (spread === undefined) return undefined;
  const isShared = space === "shared";
  const size = (TYPES[types.at(-1)!].bits / 8) * (value.kind === "vector" ? value.items.length : 1);
  if (!isShared && size + Math.abs(spread) > PAGE_BYTES) return undefined;
  const register = step.context.registerBase + address.base.register;
  return { register, isShared, size, spread, from: address.offset, to: address.offset + size };
}

/** Extends a range by an access through the same register; returns whether that is possible. */
function extend(range: Range, access: Range): boolean {
  if ((access.from - range.from) % range.size !== 0) return false;
  const from = Math.min(range.from, access.from);
  const to = Math.max(range.to, access.to);
  if (!range.isShared && to - from + Math.abs(range.spread) > PAGE_BYTES) return false;
  range.from = from;
  range.to = to;
  return true;
}
