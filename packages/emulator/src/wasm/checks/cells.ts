// Code that finds the cell and the line of a place in shadow memory, and the epochs of an access.
import type { Code } from "../binary/code.js";
import type { ModuleFrame } from "../frame.js";
import {
  BLOCK_EPOCH,
  cellOf,
  ENTRY,
  FIRST_THREAD,
  SHADOW_PAGE,
  type ShadowShape,
  THREAD_MASK,
} from "./layout.js";

/** Sets locals to the epoch of the block and to that of the warp of an access. */
export function setEpochs(
  code: Code,
  frame: ModuleFrame,
  shape: ShadowShape,
  now: number,
  block: number,
  epoch: number,
): void {
  const { globals } = frame;
  code.getGlobal(globals.epochs).memory("i32.load", BLOCK_EPOCH).tee(block).set(epoch);
  if (!shape.warps) return;
  pushThread(code, now, FIRST_THREAD).i32(5).op("i32.shr_u").i32(2).op("i32.shl");
  code.getGlobal(globals.epochs).op("i32.add").memory("i32.load").set(epoch);
}

/** Pushes the address of a page's entry in the table for a place. */
export function pushEntry(code: Code, frame: ModuleFrame, place: number): void {
  code.get(place).i32(SHADOW_PAGE).op("i32.shr_u").i32(ENTRY).op("i32.shl");
  code.getGlobal(frame.globals.shadow).op("i32.add");
}

/** Adds to the cells or lines of a page, which are on the stack, where those of a place are. */
export function addCell(code: Code, shape: ShadowShape, place: number): void {
  code
    .get(place)
    .i32(cellOf(shape) - shape.granule)
    .op("i32.shl")
    .op("i32.add");
}

export function addLine(code: Code, { granule }: ShadowShape, place: number): void {
  code.get(place).i32(granule).op("i32.shr_u").i32(-4).op("i32.and").op("i32.add");
}

/** Pushes the first or the last thread of a record. */
export const pushThread = (code: Code, word: number, shift: number): Code =>
  code.get(word).i32(shift).op("i32.shr_u").i32(THREAD_MASK).op("i32.and");
