// The PTX of a kernel file, parsed.
import type { InjectTypes } from "@mm-ptx/types/core";
import { describeValue, kernelFileProblem, referredTable } from "@mm-ptx/types/internal";
import type { KernelFile } from "@mm-ptx/types/kernel-file";
import { type AnnotatedPtx, parsePtx } from "./annotated-ptx.js";
import { PtxInjectError } from "./error.js";
import { types as defaultTypes } from "./generated/default.js";
import { checkTypes } from "./options.js";

/**
 * Parses the PTX of a kernel file, and checks that it has the sites that programs of the file are for.
 * @param file what `readKernelFile` of `@mm-ptx/types/kernel-file` returned
 * @param types the types to choose from, besides the default ones, when the file has only the fingerprint of its types
 * @throws PtxInjectError FILE_TABLE when none of the types are those of the file or extend them; INJECTION_NAME_NOT_FOUND
 * when there is no site of a name; INVALID_ARGUMENT when an argument is of the wrong kind; and the errors of `parsePtx`
 */
export function ptxFromKernelFile(file: KernelFile, types: readonly InjectTypes[] = []): AnnotatedPtx {
  const problem = kernelFileProblem(file);
  if (problem !== undefined) throw new PtxInjectError("INVALID_ARGUMENT", problem);
  if (!Array.isArray(types)) throw invalid("`types` as an array", types);
  types.forEach(checkTypes);
  const { ptx, registerPrefix, types: reference = defaultTypes } = file;
  const found = referredTable(reference, [...types, defaultTypes]);
  if (found === undefined) {
    throw new PtxInjectError(
      "FILE_TABLE",
      `expected the types ${reference} or others that extend them, found none`,
    );
  }
  const annotated = parsePtx(ptx, { types: found, ...(registerPrefix !== undefined && { registerPrefix }) });
  for (const { site } of [...(file.stack?.jobs ?? []), ...(file.ast?.jobs ?? [])]) annotated.injection(site);
  return annotated;
}

const invalid = (expected: string, found: unknown): PtxInjectError =>
  new PtxInjectError("INVALID_ARGUMENT", `expected ${expected}, found ${describeValue(found)}`);
