// Findings as data that JSON can represent.
import { demangle } from "@mm-ptx/ptx";
import type { Finding } from "../../run/finding.js";
import { mainPlace, type ReportContext } from "./places.js";

/** Findings as a value for `JSON.stringify`: addresses are strings such as `0x7f0002000000`. */
export function findingsJson(findings: readonly Finding[], context: ReportContext = {}): object {
  const hex = (_: string, value: unknown) => (typeof value === "bigint" ? `0x${value.toString(16)}` : value);
  const all = findings.map((finding) => ({
    at: mainPlace(finding, context),
    ...finding,
    ...(finding.kernel === undefined ? {} : { kernelName: demangle(finding.kernel) }),
  }));
  return {
    errors: findings.filter(({ severity }) => severity === "error").length,
    warnings: findings.filter(({ severity }) => severity === "warning").length,
    leftOut: context.leftOut ?? 0,
    stopped: context.stopped ?? false,
    findings: JSON.parse(JSON.stringify(all, hex)),
  };
}
