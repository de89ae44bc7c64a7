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

/** By `nvJitLinkResult`; others are `INTERNAL`. */
const RESULTS: Readonly<Record<number, LinkErrorCode>> = {
  3: "REFUSED_INPUT",
  4: "COMPILATION",
  5: "COMPILATION",
  8: "REFUSED_INPUT",
  12: "REFUSED_INPUT",
  13: "ARCH_MISMATCH",
  14: "REFUSED_INPUT",
  16: "UNSUPPORTED_ARCH",
  17: "UNSUPPORTED_ARCH",
};

export const isLinkError = ({ severity }: LinkDiagnostic): boolean => severity !== "warning";

/** The code of a failed link, by its messages and else by its result; `undefined` when both say that nothing failed. */
export function linkCodeOf(
  diagnostics: readonly LinkDiagnostic[],
  result: number,
): LinkErrorCode | undefined {
  for (const { message } of diagnostics.filter(isLinkError)) {
    const cause = CAUSES.find(([pattern]) => pattern.test(message));
    if (cause !== undefined) return cause[1];
  }
  return result === 0 ? undefined : (RESULTS[result] ?? "INTERNAL");
}
