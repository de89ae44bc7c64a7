// Accesses of one block by the same register are checked together, once, before the first of them, where it can still be given
// up when they are not all inside: then threads run one by one, and each access has its own check.
import type { Graph, Step } from "../../control/graph.js";
import type { AddressOperand } from "../../program/operand.js";
import { TYPES } from "../../program/types.js";
import { PAGE_BYTES } from "../../run/memory.js";
import type { Label } from "../binary/code.js";
import { leaveUnlessInside, leaveUnlessMapped, pushSharedPlaces } from "./bounds.js";
import type { Emitter } from "./emitter.js";
import { spaceOf } from "./memory.js";

/** What accesses by one register touch together, as offsets from what is in the register. */
interface Range {
  readonly register: number;
  readonly isShared: boolean;
  /** Bytes of each access; all are aligned to so many when one is. */
  readonly size: number;
  /** How far the last thread's addresses are behind the first thread's. */
  readonly spread: number;
  from: number;
  to: number;
}

/** Which range an access belongs to, and whether it is the one before which the range is checked. */
export interface CheckedAccess {
  readonly range: Range;
  readonly leads: boolean;
}

/**
 * Finds the accesses of a block that can be checked together.
 *
 * @param mayGiveUp whether a group of threads can still give up before a step
 * @param spreadOf how far the addresses of a group of threads are apart; undefined when there is no saying
 */
export function checkedTogether(
  { blocks }: Graph,
  order: readonly number[],
  mayGiveUp: (step: Step) => boolean,
  spreadOf: (step: Step, operand: AddressOperand) => number | undefined,
): ReadonlyMap<Step, CheckedAccess> {
  const found = new Map<Step, CheckedAccess>();
  for (const block of order) {
    const open = new Map<string, Range>();
    for (const step of blocks[block]!.steps) {
      addAccess(step, open, mayGiveUp(step), spreadOf, found);
      for (const [key, { register }] of open) if (step.writes.includes(register)) open.delete(key);
    }
  }
  return found;
}

function addAccess(
  step: Step,
  open: Map<string, Range>,
  mayLead: boolean,
  spreadOf: (step: Step, operand: AddressOperand) => number | undefined,
  found: Map<Step, CheckedAccess>,
): void {
  const { name, guard, operands, types } = step.source;
  if ((name !== "ld" && name !== "st") || guard !== undefined) return;
  const [address, value] = name === "ld" ? [operands[1]!, operands[0]!] : [operands[0]!, operands[1]!];
  if (address.kind !== "address" || address.base.kind !== "register") return;
  const space = spaceOf(step);
  if (space === "local" || space === "param") return;
  const spread = spreadOf(step, address);
  if (spread === undefined) return;
  const isShared = space === "shared";
  const size = (TYPES[types.at(-1)!].bits / 8) * (value.kind === "vector" ? value.items.length : 1);
  const register = step.context.registerBase + address.base.register;
  const key = `${register} ${isShared} ${size}`;
  const { offset } = address;
  const range = open.get(key);
  if (range !== undefined && (offset - range.from) % size === 0) {
    const from = Math.min(range.from, offset);
    const to = Math.max(range.to, offset + size);
    if (isShared || to - from + Math.abs(spread) <= PAGE_BYTES) {
      range.from = from;
      range.to = to;
      found.set(step, { range, leads: false });
      return;
    }
  }
  if (!mayLead || (!isShared && size + Math.abs(spread) > PAGE_BYTES)) return;
  const begun: Range = { register, isShared, size, spread, from: offset, to: offset + size };
  open.set(key, begun);
  found.set(step, { range: begun, leads: true });
}

/** Branches away, where the first access of a range stands, unless all of it is inside. */
export function leaveUnlessInRange(emitter: Emitter, { range }: CheckedAccess, away: Label): void {
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
      leaveUnlessInside(emitter, full, range.size, () => pushSharedPlaces(emitter, extent), away);
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
