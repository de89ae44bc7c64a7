// What nvJitLink says, as messages, and the code that they amount to. It speaks with the voices of the linker, the
// assembler, the optimiser and its own.

import type { LinkDiagnostic, LinkErrorCode } from "./error.js";

/** First match wins. */
const FORMS: readonly RegExp[] = [
  // `ptxas application ptx input, line 44; error   : text`, `ptxas warning : text`
  /^ptxas (?:.*?, line (?<line>\d+); )?(?<severity>fatal|error|warning)\s*: +(?<message>.*)$/,
  // `error   : text`, on the standard error with `@E@` before it
  /^(?:@\w@)?(?<severity>error|warning)\s*: (?<message>.*)$/,
  // `f2: link error: error: text` and `k: parse Malformed block`, of the optimiser
  /^.+?: (?:link (?<severity>error): (?:error: )?|parse )(?<message>.*)$/,
  // `ERROR 1: text`, `ERROR NVJITLINK_ERROR_PTX_COMPILE: text`
  /^(?<severity>ERROR) (?:in )?\w+: (?<message>.*)$/,
];
/** Say nothing by themselves. */
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

/** First match wins. Texts are those of nvJitLink 13.0. */
const CAUSES: readonly (readonly [pattern: RegExp, code: LinkErrorCode])[] = [
  [/^Undefined reference to|^Unresolved extern/, "UNRESOLVED"],
  [/^Multiple definition of|symbol multiply defined/, "DUPLICATE"],
];

/** By `nvJitLinkResult`: what follows `NVJITLINK_ERROR_`, and what it amounts to. */
const RESULTS: readonly (readonly [name: string, code: LinkErrorCode])[] = [
  ["SUCCESS", "INTERNAL"],
  ["UNRECOGNIZED_OPTION", "INTERNAL"],
  ["MISSING_ARCH", "INTERNAL"],
  ["INVALID_INPUT", "REFUSED_INPUT"],
  ["PTX_COMPILE", "COMPILATION"],
  ["NVVM_COMPILE", "COMPILATION"],
  ["INTERNAL", "INTERNAL"],
  ["THREADPOOL", "INTERNAL"],
  ["UNRECOGNIZED_INPUT", "REFUSED_INPUT"],
  ["FINALIZE", "INTERNAL"],
  ["NULL_INPUT", "INTERNAL"],
  ["INCOMPATIBLE_OPTIONS", "INTERNAL"],
  ["INCORRECT_INPUT_TYPE", "REFUSED_INPUT"],
  ["ARCH_MISMATCH", "ARCH_MISMATCH"],
  ["OUTDATED_LIBRARY", "REFUSED_INPUT"],
  ["MISSING_FATBIN", "INTERNAL"],
  ["UNRECOGNIZED_ARCH", "UNSUPPORTED_ARCH"],
  ["UNSUPPORTED_ARCH", "UNSUPPORTED_ARCH"],
  ["LTO_NOT_ENABLED", "INTERNAL"],
];

/** A result in words, for example `NVJITLINK_ERROR_FINALIZE (9)`. */
export function resultName(result: number): string {
  const known = RESULTS[result];
  return known === undefined ? `${result}` : `NVJITLINK_ERROR_${known[0]} (${result})`;
}

export const isLinkError = ({ severity }: LinkDiagnostic): boolean => severity !== "warning";

/** Why a link failed. */
export interface LinkFailure {
  readonly code: LinkErrorCode;
  /** The message that tells it, where there is one. */
  readonly told: LinkDiagnostic | undefined;
}

/** What its messages and else its result say of a link; `undefined` when both say that nothing failed. */
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
