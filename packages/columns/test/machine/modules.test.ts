// WebAssembly modules that share the memory of `core`.
import { bytesOfHex } from "@mm-ptx/types/internal";
import { expect, it } from "vitest";
import { MODULE as BOUNDS } from "../../src/wasm/bounds.js";
import { MODULE as CORE } from "../../src/wasm/core.js";
import { MODULE as EXTENDED } from "../../src/wasm/extended.js";
import { MODULE as RELAXED } from "../../src/wasm/relaxed.js";

const HEADER = 8;
const DATA = 11;

/** The numbers of the sections of a module. */
function sectionsOf(hex: string): number[] {
  const bytes = bytesOfHex(hex);
  const sections: number[] = [];
  for (let at = HEADER; at < bytes.length; ) {
    sections.push(bytes[at++]!);
    // LEB128
    let size = 0;
    let shift = 0;
    do {
      size |= (bytes[at]! & 0x7f) << shift;
      shift += 7;
    } while ((bytes[at++]! & 0x80) !== 0);
    at += size;
  }
  return sections;
}

it("only `core` has data in memory, which another module would replace", () => {
  expect(sectionsOf(CORE)).toContain(DATA);
  for (const module of [BOUNDS, EXTENDED, RELAXED]) expect(sectionsOf(module)).not.toContain(DATA);
});
