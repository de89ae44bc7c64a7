// What packing and expanding take is made by `parsePtx`: a text alone, or a structured clone, cannot be repeated.
import { describeValue } from "@mm-ptx/types/internal";
import { AnnotatedPtx } from "../annotated-ptx.js";
import { PtxInjectError } from "../error.js";

/** @throws PtxInjectError INVALID_ARGUMENT */
export function checkAnnotated(annotated: unknown): void {
  if (annotated instanceof AnnotatedPtx) return;
  const message = `expected annotated PTX, as \`parsePtx\` gives it, found ${describeValue(annotated)}`;
  throw new PtxInjectError("INVALID_ARGUMENT", message);
}
