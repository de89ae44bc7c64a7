// Keys, results and folders for tests of the results store.
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { ELEMENTS } from "../../src/launch/elements.js";
import type { StoredResult } from "../../src/store/result.js";

export const FINGERPRINT = "0123456789abcdef".repeat(2);

/** A signature by number. */
export const signatureOf = (index: number): string => createHash("md5").update(String(index)).digest("hex");

/** Runs with a new folder, which is deleted afterwards. */
export function withFolder<T>(run: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-results-"));
  try {
    return run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same for what takes longer. */
export async function withFolderLater<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-results-"));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const number = fc.double();
/** The classes of outputs, as if all of them had the same elements. */
const CLASSES = Object.values(ELEMENTS) as unknown as readonly (typeof Uint8Array)[];

/** Arrays of any bytes, so also of any NaN. */
const output = fc
  .tuple(fc.constantFrom(...CLASSES), fc.nat({ max: 6 }), fc.uint8Array({ minLength: 48, maxLength: 48 }))
  .map(([elements, length, bytes]) => new elements(bytes.slice().buffer, 0, length));

const text = fc.string({ unit: "binary", maxLength: 20 });
const place = fc.record(
  { site: text, stubLine: fc.nat(), instruction: fc.nat() },
  { requiredKeys: ["site"] },
);

/** Results of all forms. */
export const anyResult: fc.Arbitrary<StoredResult> = fc.record(
  {
    status: fc.oneof(fc.constant("ok"), text),
    error: fc.record({ code: text, message: text, place }, { requiredKeys: ["code", "message"] }),
    outputs: fc.array(output, { maxLength: 3 }),
    score: fc.oneof(number, text),
    registers: fc.nat(),
    spills: fc.nat(),
    codeBytes: fc.nat(),
    microseconds: number,
    throttled: fc.constant<true>(true),
    effort: fc.constantFrom("draft", "balanced", "final"),
  },
  { requiredKeys: ["status"], noNullPrototype: true },
);

/** The type and the bytes of each output, which compare bit by bit, and everything else. */
export function comparable(result: StoredResult | undefined): unknown {
  if (result?.outputs === undefined) return result;
  const outputs = result.outputs.map((one) => [
    one.constructor.name,
    Buffer.from(one.buffer, one.byteOffset, one.byteLength).toString("hex"),
  ]);
  return { ...result, outputs };
}
