// Meta instructions: they reorder a stack and compute nothing. Each does nothing when its condition fails. A depth or
// count is popped from the meta stack first, and is not pushed back when the condition fails.
import { MetaOperation } from "../layout.js";
import { Stack } from "../nodes.js";
import { roomFor } from "../room.js";
import type { Workspace } from "../workspace.js";
import { shareValue } from "./slots.js";

/** Pushes a number unless the meta stack holds `stackSize` of them. */
export function pushMeta(work: Workspace, value: number): void {
  if (work.metaSize === work.limits.stackSize) return;
  if (work.metaSize === work.metaStack.length) {
    const larger = new Uint32Array(roomFor(work.metaSize + 1, work.metaSize));
    larger.set(work.metaStack);
    work.metaStack = larger;
  }
  work.metaStack[work.metaSize++] = value;
}

/** Applies an operation to an existing stack; returns false when there is no such operation. */
export function applyMeta(work: Workspace, stack: number, operation: number): boolean {
  switch (operation) {
    case MetaOperation.dup:
      if (work.sizes[stack]! > 0 && hasRoom(work, stack)) copyToTop(work, stack, 0);
      return true;
    case MetaOperation.yankDup: {
      const depth = popMeta(work);
      if (depth >= 0 && work.sizes[stack]! > depth && hasRoom(work, stack)) copyToTop(work, stack, depth);
      return true;
    }
    case MetaOperation.swap:
      if (work.sizes[stack]! > 1) exchange(work, stack, 0, 1);
      return true;
    case MetaOperation.swapWith: {
      const depth = popMeta(work);
      if (depth >= 0 && work.sizes[stack]! > depth && hasRoom(work, stack)) exchange(work, stack, 0, depth);
      return true;
    }
    case MetaOperation.replace: {
      const depth = popMeta(work);
      if (depth >= 0 && work.sizes[stack]! > depth && hasRoom(work, stack)) {
        const top = topOf(work, stack);
        work.stacks[top - depth] = work.stacks[top]!;
        work.sizes[stack]!--;
      }
      return true;
    }
    case MetaOperation.drop: {
      const count = popMeta(work);
      if (count >= 0 && work.sizes[stack]! > count) work.sizes[stack]! -= count;
      return true;
    }
    case MetaOperation.clear:
      work.sizes[stack] = 0;
      return true;
    case MetaOperation.rotate:
      if (work.sizes[stack]! > 2) {
        const top = topOf(work, stack);
        const moved = work.stacks[top]!;
        work.stacks[top] = work.stacks[top - 1]!;
        work.stacks[top - 1] = work.stacks[top - 2]!;
        work.stacks[top - 2] = moved;
      }
      return true;
    case MetaOperation.reverse: {
      const { stacks } = work;
      let [bottom, top] = [Stack.pad + stack * work.stride, topOf(work, stack)];
      while (bottom < top) {
        const value = stacks[top]!;
        stacks[top--] = stacks[bottom]!;
        stacks[bottom++] = value;
      }
      return true;
    }
    default:
      return false;
  }
}

/** Pops the number on top of the meta stack; returns -1 when it is empty. */
function popMeta(work: Workspace): number {
  return work.metaSize === 0 ? -1 : work.metaStack[--work.metaSize]!;
}

function hasRoom(work: Workspace, stack: number): boolean {
  return work.sizes[stack]! < work.limits.stackSize;
}

/** The place of the topmost value of a stack that is not empty. */
function topOf(work: Workspace, stack: number): number {
  return Stack.pad + stack * work.stride + work.sizes[stack]! - 1;
}

function copyToTop(work: Workspace, stack: number, depth: number): void {
  if (work.sizes[stack] === work.stride) work.growStacks();
  const top = topOf(work, stack);
  const value = work.stacks[top - depth]!;
  shareValue(work, value);
  work.stacks[top + 1] = value;
  work.sizes[stack]!++;
}

/** Swaps the values at two depths. */
function exchange(work: Workspace, stack: number, first: number, second: number): void {
  const top = topOf(work, stack);
  const value = work.stacks[top - first]!;
  work.stacks[top - first] = work.stacks[top - second]!;
  work.stacks[top - second] = value;
}
