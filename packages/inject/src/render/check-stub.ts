// Checks a single stub without its kernel.
import { describeValue, withoutFinalNul } from "@mm-ptx/types/internal";
import { PtxInjectError } from "../error.js";
import { checkStructure } from "./structure.js";
import type { StubPlace } from "./stubs.js";
import { type StubWarning, warningsOf } from "./warnings.js";

/**
 * Checks a stub as `render` does, and returns probable mistakes in it. The kernel's registers are not known
 * here, so every register that the stub does not declare and that is not an operand counts as undeclared.
 * `AnnotatedPtx.warnings` knows them.
 *
 * @param place the injection that the stub is for
 * @throws PtxInjectError INVALID_STUB if `render` would reject the stub, INVALID_INPUT if the stub is not a
 * string, INVALID_ARGUMENT if `place` is not an injection
 */
export function checkStub(stub: string, place: StubPlace): readonly StubWarning[] {
  if (typeof stub !== "string")
    throw new PtxInjectError("INVALID_INPUT", `expected PTX text as stub, found ${describeValue(stub)}`);
  if (typeof place?.name !== "string" || !Array.isArray(place.operands))
    throw new PtxInjectError("INVALID_ARGUMENT", `expected an injection, found ${describeValue(place)}`);
  const text = withoutFinalNul(stub);
  checkStructure(text, place.name);
  return Object.freeze(warningsOf(text, place));
}
