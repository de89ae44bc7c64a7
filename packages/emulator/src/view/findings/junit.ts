// Findings as JUnit XML, which test dashboards show: each finding is a test that has failed.
import { demangle } from "@mm-ptx/ptx";
import type { Finding } from "../../run/finding.js";
import { mainPlace, placeWord, type ReportContext } from "./places.js";
import { detailsOf, headingOf, summaryOf } from "./words.js";

/**
 * Findings as JUnit XML. Warnings are tests that pass and have an output; without findings, one test passes. A launch that
 * stopped with another error is a test that has failed.
 */
export function findingsJunit(findings: readonly Finding[], context: ReportContext = {}): string {
  const { stopped = false } = context;
  const errors = findings.filter(({ severity }) => severity === "error").length + (stopped ? 1 : 0);
  const cases = findings.map((finding) => caseOf(finding, context));
  if (stopped) cases.push(STOPPED);
  if (cases.length === 0) cases.push('    <testcase classname="mm-ptx-emulate" name="no findings"/>\n');
  const counts = `tests="${cases.length}" failures="${errors}" errors="0"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<testsuites name="mm-ptx-emulate" ${counts}>\n`,
    `  <testsuite name="mm-ptx-emulate" ${counts}>\n`,
    ...cases,
    `    <system-out>${escaped(summaryOf(findings, context))}</system-out>\n`,
    "  </testsuite>\n</testsuites>\n",
  ].join("");
}

const STOPPED =
  '    <testcase classname="mm-ptx-emulate" name="launches">\n      <failure type="stopped" message="a launch stopped with an error">its message is on standard error</failure>\n    </testcase>\n';

function caseOf(finding: Finding, context: ReportContext): string {
  const place = mainPlace(finding, context);
  const at = place === undefined ? "" : ` at ${placeWord(place)}`;
  const name = `${finding.kind}${at}`;
  const text = escaped([headingOf(finding), ...detailsOf(finding)].join("\n"));
  const file = place === undefined ? "" : ` file="${escaped(place.file)}" line="${place.line}"`;
  const content =
    finding.severity === "error"
      ? `<failure type="${finding.kind}" message="${escaped(headingOf(finding))}">${text}</failure>`
      : `<system-out>${text}</system-out>`;
  const className = escaped(demangle(finding.kernel ?? "host"));
  return `    <testcase classname="${className}" name="${escaped(name)}"${file}>\n      ${content}\n    </testcase>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Text for XML 1.0; characters that it cannot represent become U+FFFD. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
