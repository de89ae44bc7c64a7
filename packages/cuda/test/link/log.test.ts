// The error codes for nvJitLink's messages and results.

import { expect, test } from "vitest";
import type { LinkErrorCode } from "../../src/index.js";
import { linkFailureOf, parseLinkLog, resultName } from "../../src/link/log.js";

test.each<readonly [log: string, message: object]>([
  [
    "ptxas application ptx input, line 44; error   : Not a name of any known instruction: 'rett'",
    { severity: "error", line: 44, message: "Not a name of any known instruction: 'rett'" },
  ],
  [
    "ptxas warning :  .debug_info section not found",
    { severity: "warning", message: ".debug_info section not found" },
  ],
  [
    "error   : Undefined reference to '_Z1ff' in 'k'",
    { severity: "error", message: "Undefined reference to '_Z1ff' in 'k'" },
  ],
  [
    "@E@error   : Multiple definition of '_Z1ff' in 'b', first defined in 'a'",
    { severity: "error", message: "Multiple definition of '_Z1ff' in 'b', first defined in 'a'" },
  ],
  [
    "b: link error: error: Linking globals named '_Z1ff': symbol multiply defined!",
    { severity: "error", message: "Linking globals named '_Z1ff': symbol multiply defined!" },
  ],
  ["k: parse Malformed block", { severity: "error", message: "Malformed block" }],
  [
    "ERROR NVJITLINK_ERROR_UNRECOGNIZED_ARCH: unrecognized architecture (compute_33)",
    { severity: "error", message: "unrecognized architecture (compute_33)" },
  ],
])("%s", (log, message) => {
  expect(parseLinkLog(`${log}\n`)).toEqual([message]);
});

test("lines without information are not messages", () => {
  const lines = [
    "ptxas info    : 0 bytes gmem",
    "ptxas fatal   : Ptx assembly aborted due to errors",
    "ERROR 9: finish",
    "ERROR in nvvmCompileProgram: NVVM_ERROR_COMPILATION",
    "ERROR NVJITLINK_ERROR_PTX_COMPILE: JIT the PTX (k.ptx)",
  ];
  expect(parseLinkLog(lines.join("\n"))).toEqual([]);
});

test.each<readonly [result: number, code: LinkErrorCode | undefined]>([
  [0, undefined],
  [3, "INVALID_ARGUMENT"],
  [4, "COMPILATION"],
  [6, "INTERNAL"],
  [13, "ARCH_MISMATCH"],
  [16, "UNSUPPORTED_ARCH"],
  [99, "INTERNAL"],
])("without a message, result %i is %s", (result, code) => {
  const warning = { severity: "warning", message: "Undefined reference to nothing" } as const;
  expect(linkFailureOf([warning], result)).toEqual(code && { code, told: undefined });
});

test("the message with the cause takes precedence over the result", () => {
  const large = { severity: "error", message: "Entry function 'f' uses too much constant data" } as const;
  const duplicate = { severity: "error", message: "Multiple definition of 'f'" } as const;
  expect(linkFailureOf([duplicate], 0)).toEqual({ code: "DUPLICATE", told: duplicate });
  expect(linkFailureOf([large, duplicate], 4)).toEqual({ code: "DUPLICATE", told: duplicate });
  expect(linkFailureOf([large], 4)).toEqual({ code: "COMPILATION", told: large });
  const unresolved = { severity: "fatal", message: "Unresolved extern function 'f'" } as const;
  expect(linkFailureOf([unresolved], 4)).toEqual({ code: "UNRESOLVED", told: unresolved });
});

test("results have names", () => {
  expect(resultName(9)).toBe("NVJITLINK_ERROR_FINALIZE (9)");
  expect(resultName(18)).toBe("NVJITLINK_ERROR_LTO_NOT_ENABLED (18)");
  expect(resultName(99)).toBe("99");
});
