// Findings as text for people.
import type { Finding } from "../../run/finding.js";
import { hintsOf, mainPlace, placeWord, type ReportContext } from "./places.js";
import { detailsOf, headingOf, summaryOf } from "./words.js";

/**
 * Findings as text: for each its place, severity, how often it was found, the threads, and the allocation; then a line that
 * counts them.
 */
export function findingsText(findings: readonly Finding[], context: ReportContext = {}): string {
  const parts = findings.map((finding) => {
    const place = mainPlace(finding, context);
    const at = place === undefined ? "" : `${placeWord(place)}: `;
    const lines = [
      `${at}${finding.severity}: ${headingOf(finding)}`,
      ...detailsOf(finding).map((line) => `  ${line}`),
    ];
    return `${lines.join("\n")}\n`;
  });
  const hints = hintsOf(findings, context).map((hint) => `${hint}\n`);
  return `${parts.join("")}${hints.join("")}${summaryOf(findings, context)}\n`;
}
