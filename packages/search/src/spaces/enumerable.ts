// What spaces say to `enumerate`: what their programs consist of, and how a program becomes a genome.
import type { CodeBuffer } from "@mm-ptx/types/code";
import type { ConstantType } from "@mm-ptx/types/core";
import type { EnumeratedNode, ProgramParts } from "../emitters/enumerate-programs.js";
import type { ProgramSpace } from "./space.js";

/** The constants that enumerated programs have, by type. */
export type EnumeratedConstants = Readonly<Partial<Record<ConstantType, readonly number[]>>>;

/** The programs of a space. */
export interface EnumerablePrograms {
  readonly parts: ProgramParts;
  /** Appends a program as a genome, or nothing if it is too long. */
  append(nodes: readonly EnumeratedNode[], output: number, out: CodeBuffer): void;
}

/** A space whose programs can be enumerated. */
export interface EnumerableSpace extends ProgramSpace {
  /** @internal */
  enumerable(constants: EnumeratedConstants): EnumerablePrograms;
}

const floats = new Float32Array(1);
const bits = new Int32Array(floats.buffer);

/** The bits of a constant. */
export function bitsOfConstant(type: ConstantType, value: number): number {
  if (type !== "f32") return value >>> 0;
  floats[0] = value;
  return bits[0]! >>> 0;
}
