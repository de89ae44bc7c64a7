// Parses the output of nvJitLink into messages, and determines the error code. The output mixes the formats of the
// linker, the assembler, the optimizer and the library itself.

import type { LinkDiagnostic, LinkErrorCode } from "./error.js";

/** The first match wins. */
const FORMS: readonly RegExp[] = [
  // `ptxas application ptx input, line 44; error   : text`, `ptxas warning : text`
  /^ptxas (?:.*?, line (?<line>\d+); )?(?<severity>fatal|error|warning)\s*: +(?<message>.*)$/,
  // `error   : text`, with the prefix `@E@` on standard error
  /^(?:@\w@)?(?<severity>error|warning)\s*: (?<message>.*)$/,
  // `f2: link error: error: text` and `k: parse Malformed block`, from the optimizer
  /^.+?: (?:link (?<severity>error): (?:error: )?|parse )(?<message>.*)$/,
  // `ERROR 1: text`, `ERROR NVJITLINK_ERROR_PTX_COMPILE: text`
  /^(?<severity>ERROR) (?:in )?\w+: (?<message>.*)$/,
];
/** Messages without information. */
const CLOSING = /^Ptx assembly aborted due to errors$|^finish$|^NVVM_ERROR_COMPILATION$|^JIT the PTX \(.*\)$/;

export function parseLinkLog(log: string): LinkDiagnostic[] {
  return log.split(/\r?\n/).flatMap((text): LinkDiagnostic[] => {
    const groups = FORMS.map((form) => form.exec(text)?.groups).find((found) => found !== undefined);
    if (groups === undefined || CLOSING.test(groups.message!)) return [];
    const severity = (groups.severity ?? "error").toLowerCase() as LinkDiagnostic["severity"];
    return [
      {
        severity,
        ...(groups.line === undefined ? {} : { line: Number(groups.line) }),
        message: groups.message!,
      },
    ];
  });
}

/** The first match wins. The texts are from nvJitLink 13.0. */
const CAUSES: readonly (readonly [pattern: RegExp, code: LinkErrorCode])[] = [
  [/^Undefined reference to|^Unresolved extern/, "UNRESOLVED"],
  [/^Multiple definition of|symbol multiply defined/, "DUPLICATE"],
];

/** By `nvJitLinkResult`: the name after `NVJITLINK_ERROR_`, and the error code. */
const RESULTS: readonly (readonly [name: string, code: LinkErrorCode])[] = [
  ["SUCCESS", "INTERNAL"],
  ["UNRECOGNIZED_OPTION", "INTERNAL"],
  ["MISSING_ARCH", "INTERNAL"],
  ["INVALID_INPUT", "INVALID_ARGUMENT"],
  ["PTX_COMPILE", "COMPILATION"],
  ["NVVM_COMPILE", "COMPILATION"],
  ["INTERNAL", "INTERNAL"],
  ["THREADPOOL", "INTERNAL"],
  ["UNRECOGNIZED_INPUT", "INVALID_ARGUMENT"],
  ["FINALIZE", "INTERNAL"],
  ["NULL_INPUT", "INTERNAL"],
  ["INCOMPATIBLE_OPTIONS", "INTERNAL"],
  ["INCORRECT_INPUT_TYPE", "INVALID_ARGUMENT"],
  ["ARCH_MISMATCH", "ARCH_MISMATCH"],
  ["OUTDATED_LIBRARY", "INVALID_ARGUMENT"],
  ["MISSING_FATBIN", "INTERNAL"],
  ["UNRECOGNIZED_ARCH", "UNSUPPORTED_ARCH"],
  ["UNSUPPORTED_ARCH", "UNSUPPORTED_ARCH"],
  ["LTO_NOT_ENABLED", "INTERNAL"],
];

/** The name of a result, for example `NVJITLINK_ERROR_FINALIZE (9)`. */
export function resultName(result: number): string {
  const known = RESULTS[result];
  return known === undefined ? `${result}` : `NVJITLINK_ERROR_${known[0]} (${result})`;
}

export const isLinkError = ({ severity }: LinkDiagnostic): boolean => severity !== "warning";

/** The reason why a link failed. */
export interface LinkFailure {
  readonly code: LinkErrorCode;
  /** The message that reports it, if there is one. */
  readonly told: LinkDiagnostic | undefined;
}

/** The failure according to the messages, otherwise according to the result; `undefined` if neither reports one. */
export function linkFailureOf(
  diagnostics: readonly LinkDiagnostic[],
  result: number,
): LinkFailure | undefined {
  const errors = diagnostics.filter(isLinkError);
  for (const told of errors) {
    const cause = CAUSES.find(([pattern]) => pattern.test(told.message));
    if (cause !== undefined) return { code: cause[1], told };
  }
  if (result === 0) return undefined;
  return { code: RESULTS[result]?.[1] ?? "INTERNAL", told: errors[0] };
}
