// Findings as SARIF 2.1.0 (OASIS Static Analysis Results Interchange Format), which code hosts show next to the source.
import { demangle } from "@mm-ptx/ptx";
import { documentAddress } from "@mm-ptx/types/internal";
import { ACCESSES } from "../../run/fault-error.js";
import { FINDING_KINDS, type Finding, type FindingKind } from "../../run/finding.js";
import {
  type FilePlace,
  filePlaces,
  hintsOf,
  madePlace,
  mainPlace,
  ownIndex,
  type ReportContext,
} from "./places.js";
import { detailsOf, headingOf } from "./words.js";

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
const INFORMATION = documentAddress("guide/emulator", "checks");

/** Findings as a SARIF 2.1.0 log with one run, as a value for `JSON.stringify`. */
export function findingsSarif(findings: readonly Finding[], context: ReportContext = {}): object {
  const kinds = Object.keys(FINDING_KINDS) as FindingKind[];
  const rules = kinds.map((id) => ({
    id,
    shortDescription: { text: FINDING_KINDS[id].title },
    helpUri: documentAddress("guide/emulator", `finding-${id.toLowerCase()}`),
    defaultConfiguration: { level: FINDING_KINDS[id].severity },
  }));
  const { stopped = false } = context;
  const notes = [
    ...hintsOf(findings, context).map((text) => ({ level: "note", message: { text } })),
    ...(stopped ? [{ level: "error", message: { text: "a launch stopped with an error" } }] : []),
  ];
  return {
    $schema: SCHEMA,
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "mm-ptx-emulate", informationUri: INFORMATION, rules } },
        columnKind: "utf16CodeUnits",
        invocations: [{ executionSuccessful: !stopped, toolExecutionNotifications: notes }],
        results: findings.map((finding) => resultOf(finding, kinds.indexOf(finding.kind), context)),
      },
    ],
  };
}

function resultOf(finding: Finding, ruleIndex: number, context: ReportContext): object {
  const { kind, severity, place, other, allocation, kernel, occurrences, calledAt = [] } = finding;
  const main = mainPlace(finding, context);
  const lines = place === undefined ? [] : filePlaces(place, context);
  const own = ownIndex(lines);
  const related = [
    ...lines.flatMap((at, i) =>
      i === own ? [] : [{ at, text: i < own ? "in a function of CUDA" : "inlined here" }],
    ),
    ...(other === undefined
      ? []
      : filePlaces(other, context).map((at, i) => ({
          at,
          text: i === 0 ? `the other access, ${ACCESSES[other.access]}` : "inlined here",
        }))),
    ...(allocation?.madeAt ?? []).flatMap((frame) => {
      const at = madePlace(frame);
      return at === undefined ? [] : [{ at, text: `allocation of ${allocation!.label}` }];
    }),
    ...calledAt.slice(1).flatMap((frame) => {
      const at = madePlace(frame);
      return at === undefined ? [] : [{ at, text: "called here" }];
    }),
  ];
  return {
    ruleId: kind,
    ruleIndex,
    level: severity,
    message: { text: [headingOf(finding), ...detailsOf(finding)].join("\n") },
    occurrenceCount: occurrences,
    locations: [
      {
        ...(main === undefined ? {} : { physicalLocation: physical(main) }),
        ...(kernel === undefined
          ? {}
          : { logicalLocations: [{ name: demangle(kernel), decoratedName: kernel, kind: "function" }] }),
      },
    ],
    relatedLocations: related.map(({ at, text }, id) => ({
      id,
      physicalLocation: physical(at),
      message: { text },
    })),
  };
}

function physical({ file, line, column }: FilePlace): object {
  return {
    artifactLocation: { uri: uriOf(file) },
    region: { startLine: line, ...(column === 0 ? {} : { startColumn: column }) },
  };
}

/** A relative reference for a relative path, and a URI for an absolute one. */
function uriOf(file: string): string {
  if (/^[a-z][a-z0-9+.-]+:/i.test(file)) return file;
  const path = file.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/");
  if (path.startsWith("/")) return `file://${path}`;
  return /^[a-zA-Z]%3A\//.test(path) ? `file:///${path.replace("%3A", ":")}` : path;
}
