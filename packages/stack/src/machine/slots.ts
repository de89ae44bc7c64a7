// Store and load: values outside the stacks. A slot remembers the value and the stack it came from.
import { Slot, Stack, type Workspace } from "../workspace.js";

/** Moves the top of a stack into a slot; nothing happens when the stack is empty. */
export function storeTop(work: Workspace, stack: number, slot: number): void {
  const size = work.sizes[stack]!;
  if (size === 0) return;
  if (slot >= work.slots.length) work.growSlots(slot);
  work.slots[slot] = work.stacks[Stack.pad + stack * work.stride + size - 1]!;
  work.slotStacks[slot] = stack;
  work.sizes[stack] = size - 1;
}

/** Pushes a slot's value on its stack; nothing happens when the slot is empty. */
export function loadSlot(work: Workspace, slot: number): void {
  if (slot >= work.slots.length) return;
  const node = work.slots[slot]!;
  if (node === Slot.empty) return;
  work.listed = false;
  pushNode(work, work.slotStacks[slot]!, node);
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
