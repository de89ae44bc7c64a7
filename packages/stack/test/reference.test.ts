// The plain reference agrees with mm-ptx 1.1.1, which makes it an oracle for cases that no vector covers.
import { describe, expect, it } from "vitest";
import { type ReferenceCase, referenceCompile } from "./support/reference.js";
import { codeOf, VECTOR_TABLE, VECTORS, type Vector } from "./support/vectors.js";

function asCase(vector: Vector, requestCopies: ReferenceCase["requestCopies"]): ReferenceCase {
  const [executionLimit, maxAstSize, maxVisitDepth, stackSize, maxFrameDepth, storeSize] = vector.limits;
  return {
    table: VECTOR_TABLE,
    limits: { maxAstSize, maxVisitDepth, stackSize, maxFrameDepth, storeSize },
    routines: vector.routines,
    program: vector.program,
    registers: vector.registers.map(([name, stackIndex]) => ({ name, stackIndex })),
    requests: vector.requests,
    executionLimit,
    requestCopies,
  };
}

describe("the plain reference", () => {
  it.each(VECTORS.map((vector, index) => [index, vector] as const))("agrees with vector %i", (_, vector) => {
    const expected = vector.ptx === undefined ? { code: codeOf(vector) } : { text: vector.ptx };
    expect(referenceCompile(asCase(vector, "sequential"))).toEqual(expected);
    if (!vector.hazard) expect(referenceCompile(asCase(vector, "parallel"))).toEqual(expected);
  });
});
