// Reads the parts of a cubin that checks need: its architecture, its kernels, and whether two cubins hold the same
// code.

import { readElf } from "./elf.js";
import { type CubinSection, kernelSymbols, sectionsOf } from "./inspect.js";
import { archNumber, readArch, readTool, TOOL_NOTE } from "./notes.js";

/** The result of `readCubin`. */
export interface Cubin {
  /** For example, `sm_90` or `sm_100a`. */
  readonly arch: string;
  /** The kernels, in the order of the symbol table. */
  readonly entries: readonly string[];
  /** In file order, without the empty first section. */
  readonly sections: readonly CubinSection[];
}

/**
 * Reads the parts of a cubin; `inspectCubin` reads their contents.
 *
 * @throws CubinError `INVALID_CUBIN`
 */
export function readCubin(bytes: Uint8Array): Cubin {
  const elf = readElf(bytes);
  return {
    arch: readArch(elf, readTool(elf)),
    entries: kernelSymbols(elf).map(({ name }) => name),
    sections: sectionsOf(elf),
  };
}

/**
 * Compares two cubins section by section. Only the note with the tool's name and options may differ; everything that a
 * GPU uses must be equal.
 *
 * @returns the names of the sections that differ or that only one cubin has; empty if the machine code is the same
 * @throws CubinError `INVALID_CUBIN`
 */
export function diffMachineCode(a: Uint8Array, b: Uint8Array): string[] {
  const [one, other] = [readElf(a), readElf(b)];
  const differing = new Set<string>();
  const left = byName(sectionsOf(one));
  const right = byName(sectionsOf(other));
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    const mine = left.get(name) ?? [];
    const theirs = right.get(name) ?? [];
    if (mine.length !== theirs.length || mine.some((bytes, i) => !equal(bytes, theirs[i]!)))
      differing.add(name);
  }
  if (archNumber(one) !== archNumber(other)) differing.add("ELF header");
  return [...differing];
}

function byName(sections: readonly CubinSection[]): Map<string, Uint8Array[]> {
  const map = new Map<string, Uint8Array[]>();
  for (const { name, bytes } of sections) {
    if (name === TOOL_NOTE) continue;
    const same = map.get(name);
    if (same === undefined) map.set(name, [bytes]);
    else same.push(bytes);
  }
  return map;
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
