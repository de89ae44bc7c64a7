// Annotations for `annotateCuda` that nothing has replaced yet. To a CUDA compiler they are comments, so that the output
// would silently lack their sites.

import { TextLines } from "@mm-ptx/types/internal";
import type { CudaDiagnostic } from "./error.js";

/** The first line of an annotation: `PTX_INJECT` and a name, and nothing else. */
const ANNOTATION = /\/\* PTX_INJECT[ \t]+([A-Za-z_]\w*)[ \t]*(?=\r?\n|\*\/)/g;

/** A warning for each annotation that the compiler takes for a comment. */
export function annotationWarnings(source: string, file: string): CudaDiagnostic[] {
  const lines = new TextLines(source);
  return [...source.matchAll(ANNOTATION)].map((match) => ({
    severity: "warning",
    file,
    ...lines.positionAt(match.index),
    message: `expected a site \`${match[1]}\`, found a comment: \`annotateCuda\` of \`@mm-ptx/inject\` or \`ptxinject annotate\` makes sites of such comments`,
  }));
}
