// Accesses of one block by the same register are checked together, once, where it can still be given up when they are not all
// inside: then threads run one by one, and each access has its own check.
import type { Graph, Step } from "../../control/graph.js";
import type { AddressOperand } from "../../program/operand.js";
import { TYPES } from "../../program/types.js";
import { PAGE_BYTES } from "../../run/memory.js";
import type { Label } from "../binary/code.js";
import { leaveUnlessInside, leaveUnlessMapped, pushLikelyPlaces } from "./bounds.js";
import type { Emitter } from "./emitter.js";
import { spaceOf } from "./memory.js";

/** What accesses by one register touch together, as offsets from what is in the register. */
export interface Range {
  readonly register: number;
  readonly isShared: boolean;
  /** Bytes of each access; all are aligned to so many when one is. */
  readonly size: number;
  /** How far the last thread's addresses are behind the first thread's. */
  readonly spread: number;
  from: number;
  to: number;
}

/** Ranges that are checked once. */
export interface CheckedRanges {
  /** By access: the range that it belongs to. Others check themselves. */
  readonly of: ReadonlyMap<Step, Range>;
  /** By step: what is checked before it. */
  readonly before: ReadonlyMap<Step, readonly Range[]>;
}

/**
 * Finds the accesses of blocks that can be checked together.
 *
 * @param mayGiveUp whether a group of threads can still give up before a step
 * @param spreadOf how far the addresses of a group of threads are apart; undefined when there is no saying
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
    // The last step before which it can be given up: what is behind it is checked there, too.
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

/** The range of one access; undefined where it has to check itself. */
function accessOf(
  step: Step,
  spreadOf: (step: Step, operand: AddressOperand) => number | undefined,
): Range | undefined {
  const { name, guard, operands, types } = step.source;
  if ((name !== "ld" && name !== "st") || guard !== undefined) return undefined;
  const [address, value] = name === "ld" ? [operands[1]!, operands[0]!] : [operands[0]!, operands[1]!];
  if (address.kind !== "address" || address.base.kind !== "register") return undefined;
  const space = spaceOf(step);
  if (space === "local" || space === "param") return undefined;
  const spread = spreadOf(step, address);
  if (spread === undefined) return undefined;
  const isShared = space === "shared";
  const size = (TYPES[types.at(-1)!].bits / 8) * (value.kind === "vector" ? value.items.length : 1);
  if (!isShared && size + Math.abs(spread) > PAGE_BYTES) return undefined;
  const register = step.context.registerBase + address.base.register;
  return { register, isShared, size, spread, from: address.offset, to: address.offset + size };
}

/** Makes an access by the same register part of a range; says whether that can be. */
function extend(range: Range, access: Range): boolean {
  if ((access.from - range.from) % range.size !== 0) return false;
  const from = Math.min(range.from, access.from);
  const to = Math.max(range.to, access.to);
  if (!range.isShared && to - from + Math.abs(range.spread) > PAGE_BYTES) return false;
  range.from = from;
  range.to = to;
  return true;
}

/** Branches away, before the range's first access, unless all of it is inside. */
export function leaveUnlessInRange(emitter: Emitter, range: Range, away: Label): void {
  const { code, facts } = emitter;
  const from = range.from + Math.min(0, range.spread);
  const extent = { bytes: range.to + Math.max(0, range.spread) - from, alignment: range.size };
  code.scratch("i64", (full) => {
    const isNarrow = TYPES[facts.registerTypes[range.register]!].bits === 32;
    emitter.getRegister(range.register);
    emitter.convert(facts.types[range.register]!, isNarrow ? "i32" : "i64");
    if (from !== 0 && isNarrow) code.i32(from).op("i32.add");
    if (isNarrow) code.op("i64.extend_i32_u");
    else if (from !== 0) code.i64(BigInt(from)).op("i64.add");
    code.set(full);
    if (range.isShared) {
      leaveUnlessInside(emitter, full, range.size, () => pushLikelyPlaces(emitter, extent), away);
    } else code.scratch("i32", (low) => leaveUnlessMapped(emitter, full, low, extent, away));
  });
}

/**
 * Puts the offset in linear memory where a checked range begins on the stack, which is inside of it even where the register
 * alone is not, and says how far behind it an access's own offset is.
 */
export function pushCheckedBase(
  emitter: Emitter,
  { register, isShared, from }: Range,
  offset: number,
): number {
  const { code, facts } = emitter;
  emitter.getRegister(register);
  emitter.convert(facts.types[register]!, "i32");
  if (isShared) {
    emitter.hoisted(`shared ${from}`, "i32", () => {
      code.getGlobal(facts.module.globals.shared).i32(from).op("i32.add");
    });
    code.op("i32.add");
  } else if (from !== 0) code.i32(from).op("i32.add");
  return offset - from;
}
