// A look at one stub without the kernel that it is for.
import { describeValue } from "@mm-ptx/types/internal";
import { PtxInjectError } from "../error.js";
import { checkStructure } from "./structure.js";
import type { StubPlace } from "./stubs.js";
import { type StubWarning, warningsOf } from "./warnings.js";

/**
 * Looks at a stub as `render` does, and at what is probably wrong with it besides. Registers of the kernel are not known
 * here: all that the stub neither declares nor gets count as undeclared. `AnnotatedPtx.warnings` knows them.
 *
 * @param place the injection that the stub is for
 * @throws PtxInjectError INVALID_STUB when `render` would refuse it, INVALID_INPUT when the stub is not a string,
 * INVALID_ARGUMENT when `place` is not an injection
 */
export function checkStub(stub: string, place: StubPlace): readonly StubWarning[] {
  if (typeof stub !== "string")
    throw new PtxInjectError("INVALID_INPUT", `expected PTX text as stub, found ${describeValue(stub)}`);
  if (typeof place?.name !== "string" || !Array.isArray(place.operands))
    throw new PtxInjectError("INVALID_ARGUMENT", `expected an injection, found ${describeValue(place)}`);
  checkStructure(stub, place.name);
  return Object.freeze(warningsOf(stub, place));
}
