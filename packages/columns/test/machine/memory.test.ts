// Memory that grew for a large code is kept while another may follow, and freed when none does.
import { CodeBuffer, codeType, constantOperation } from "@mm-ptx/types/code";
import { CodeWord, PATIENT_USES } from "@mm-ptx/types/internal";
import { expect, it } from "vitest";
import { machineOf } from "../../src/machine/machines.js";

const MEBIBYTE = 2 ** 20;
const F32 = codeType("f32");

/** The code of this many constants, of which the first is the output. */
function constants(count: number): Uint32Array {
  const out = new CodeBuffer();
  const words = out.reserve(CodeWord.header + 2 * count + 1);
  words.set([CodeWord.magic, count, 1 << CodeWord.outputShift]);
  for (let item = 0; item < count; item++) {
    words[CodeWord.header + 2 * item] = constantOperation(F32);
    words[CodeWord.header + 2 * item + 1] = 0x3fc00000;
  }
  words[CodeWord.header + 2 * count] = F32 << CodeWord.typeShift;
  out.append(CodeWord.header + 2 * count + 1);
  return out.words;
}

it.each([true, false])("is freed after small codes, WebAssembly: %s", (webAssembly) => {
  // In JavaScript, each constant takes a slot of 4 KiB.
  const [small, large] = [constants(1), constants(webAssembly ? 1_000_000 : 10_000)];
  const compute = (code: Uint32Array) => {
    const target = new Float32Array(1);
    machineOf(webAssembly).compute(code, { columns: [], rows: 1 }, new Uint8Array(target.buffer));
    return target[0];
  };
  expect(compute(large)).toBe(1.5);
  expect(machineOf(webAssembly).heldBytes).toBeGreaterThan(33 * MEBIBYTE);
  for (let use = 0; use < 2 * PATIENT_USES; use++) expect(compute(small)).toBe(1.5);
  expect(machineOf(webAssembly).heldBytes).toBeLessThan(4 * MEBIBYTE);
});
