// Assembles the CUDA header from its fixed parts and those that depend on a description of types.
import type { InjectTypes } from "@mm-ptx/types/core";
import { types as defaultTypes } from "../generated/default.js";
import { checkTypes } from "../options.js";
import { FUNCTIONS } from "./functions.js";
import { introduction } from "./introduction.js";
import { ARGUMENTS, PROLOGUE } from "./macros.js";
import { site } from "./site.js";
import { macroTypes, typeLines } from "./type-lines.js";
import { MAX_OPERANDS, walks } from "./walks.js";

/**
 * Returns the text of `ptx_inject.h` with the types of a description; its opening comment is its manual. The
 * same description always gives the same bytes. The header in the package, `@mm-ptx/inject/ptx_inject.h`, has
 * the default types.
 *
 * @param types the types that operands may have; each becomes a macro, `PTX_TYPE_INFO_` followed by the
 * type's name. Of names that only differ in case and mean the same type, the first one becomes a macro.
 * @returns a header for C++11 or later, for nvcc, NVRTC, and host compilers, where a site does nothing or
 * what its `PTX_HOST` says
 * @throws PtxInjectError INVALID_ARGUMENT if `types` is not an inject description, or if the name or cast of
 * a type cannot be part of a macro
 */
export function cudaHeader(types: InjectTypes = defaultTypes): string {
  const known = macroTypes(checkTypes(types).types);
  const lines = typeLines(known);
  const names = known.map(({ name }) => name);
  return `${introduction(MAX_OPERANDS, names)}${PROLOGUE}
${lines}
${FUNCTIONS}${ARGUMENTS}${site(MAX_OPERANDS)}
${walks()}
#endif  // PTX_INJECT_H
`;
}
