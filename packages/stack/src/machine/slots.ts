// Store and load: values outside the stacks. A slot remembers its value and the stack that it came from.
import { Slot, Stack, Text } from "../nodes.js";
import type { Workspace } from "../workspace.js";

/** The place of a slot in `work.slots`; -1 when nothing was ever stored in it. */
export function slotPlace(work: Workspace, slot: number): number {
  if (slot >= Slot.near) return work.farSlots.get(slot) ?? -1;
  return slot < work.slotEnd ? slot : -1;
}

/** Moves the top of a stack into a slot; does nothing when the stack is empty. */
export function storeTop(work: Workspace, stack: number, slot: number): void {
  const size = work.sizes[stack]!;
  if (size === 0) return;
  let place = slotPlace(work, slot);
  if (place < 0) {
    place = slot < Slot.near ? slot : Math.max(Slot.near, work.slotEnd);
    if (slot >= Slot.near) work.farSlots.set(slot, place);
    work.growSlots(place + 1);
  }
  work.slots[place] = work.stacks[Stack.pad + stack * work.stride + size - 1]!;
  work.slotStacks[place] = stack;
  work.sizes[stack] = size - 1;
}

/** Pushes a slot's value on its stack; does nothing when the slot is empty. */
export function loadSlot(work: Workspace, slot: number): void {
  const place = slotPlace(work, slot);
  if (place < 0 || work.slots[place] === Slot.empty) return;
  shareValue(work, work.slots[place]!);
  pushNode(work, work.slotStacks[place]!, work.slots[place]!);
}

/** Records that a value may be read twice. This only matters for values that an instruction computes. */
export function shareValue(work: Workspace, node: number): void {
  if (work.nodes[node + Text.lengthWord] === Text.pending) work.unlisted++;
}

/** Pushes a value; a full stack drops it. */
export function pushNode(work: Workspace, stack: number, node: number): void {
  const size = work.sizes[stack]!;
  if (size === work.stride) {
    if (size === work.limits.stackSize) return;
    work.growStacks();
  }
  work.stacks[Stack.pad + stack * work.stride + size] = node;
  work.sizes[stack] = size + 1;
}
