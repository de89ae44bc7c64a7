// Packing and expanding need the result of `parsePtx`; a text or a structured clone is not enough.
import { describeValue } from "@mm-ptx/types/internal";
import { AnnotatedPtx } from "../annotated-ptx.js";
import { PtxInjectError } from "../error.js";

/** @throws PtxInjectError INVALID_ARGUMENT */
export function checkAnnotated(annotated: unknown): void {
  if (annotated instanceof AnnotatedPtx) return;
  const message = `expected annotated PTX, as \`parsePtx\` returns it, found ${describeValue(annotated)}`;
  throw new PtxInjectError("INVALID_ARGUMENT", message);
}
