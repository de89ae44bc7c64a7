// The CUDA header, put together from its parts: what is the same always, and what a description of types decides.
import type { InjectTypes } from "@mm-ptx/types/core";
import { types as defaultTypes } from "../generated/default.js";
import { checkTypes } from "../options.js";
import { FUNCTIONS } from "./functions.js";
import { introduction } from "./introduction.js";
import { ARGUMENTS, PROLOGUE, site } from "./macros.js";
import { typeLines } from "./type-lines.js";
import { MAX_OPERANDS, walks } from "./walks.js";

/**
 * The text of `ptx_inject.h` with the types of a description; its opening comment is its manual. The same description
 * gives the same bytes. The header that the package has, `@mm-ptx/inject/ptx_inject.h`, is that of the default types.
 *
 * @param types what operands may name; each becomes a macro `PTX_TYPE_INFO_` and its name, as it is written there
 * @returns a header for C++14 or later: nvcc, NVRTC, and host compilers, for which a site is nothing or its `PTX_HOST`
 * @throws PtxInjectError INVALID_ARGUMENT when `types` is no inject description, or a macro can't have the name of a type or
 * hold its cast
 */
export function cudaHeader(types: InjectTypes = defaultTypes): string {
  const { types: known } = checkTypes(types);
  const lines = typeLines(known);
  const names = known.map(({ name }) => name);
  return `${introduction(MAX_OPERANDS, names)}${PROLOGUE}
${lines}
${FUNCTIONS}${ARGUMENTS}${site(MAX_OPERANDS)}
${walks()}
#endif  // PTX_INJECT_H
`;
}
