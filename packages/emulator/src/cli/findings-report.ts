// Reports findings on the command line: leaves out suppressed ones, and writes the formats that were asked for.
import { isAbsolute, relative, sep } from "node:path";
import type { Finding, HostFrame } from "../run/finding.js";
import type { TextPlace } from "../run/launch-fault.js";
import { findingsJson } from "../view/findings/json.js";
import { findingsJunit } from "../view/findings/junit.js";
import type { ReportContext } from "../view/findings/places.js";
import { findingsSarif } from "../view/findings/sarif.js";
import { findingsText } from "../view/findings/text.js";
import type { CheckOptions, ReportWord } from "./check-options.js";
import { readBytes, STANDARD, writeWhole } from "./framework.js";
import { readSuppressions, type Suppression } from "./suppressions.js";
import { inOptions } from "./words.js";

/** A report that has been written, apart from the text for the standard streams. */
export interface FindingsReport {
  /** 1 if there are errors among the findings, or a launch stopped with one. */
  readonly exitCode: 0 | 1;
  /** Text for stderr. */
  readonly complaints: string;
  /** Text for stdout. */
  readonly text: string;
  /** The findings for `--json`. */
  readonly json: object;
}

type Render = (findings: readonly Finding[], context: ReportContext) => string;

const RENDER: Readonly<Record<ReportWord["format"], Render>> = {
  text: findingsText,
  json: (...all) => `${JSON.stringify(findingsJson(...all), null, 2)}\n`,
  sarif: (...all) => `${JSON.stringify(findingsSarif(...all), null, 2)}\n`,
  junit: findingsJunit,
};

/**
 * Writes the reports that options ask for.
 * @param context the file of the PTX, how many findings were left out, and whether a launch stopped
 * @throws FileError if a file cannot be written
 */
export type FindingsReporter = (found: readonly Finding[], context?: ReportContext) => FindingsReport;

/**
 * Reads the suppressions, so that a mistake in them is found before anything runs.
 * @throws FileError if they cannot be read
 */
export async function findingsReporter(options: CheckOptions): Promise<FindingsReporter> {
  const { suppress } = options;
  const suppressions = suppress === undefined ? [] : await suppressionsOf(suppress);
  return (found, context = {}) => reportFindings(found, suppressions, options, context);
}

function reportFindings(
  found: readonly Finding[],
  suppressions: readonly Suppression[],
  { report = [{ format: "text", file: undefined }] }: CheckOptions,
  context: ReportContext,
): FindingsReport {
  const used = new Set<Suppression>();
  const findings = found.map(fromHere).filter((finding) => {
    const matching = suppressions.filter(({ matches }) => matches(finding));
    for (const one of matching) used.add(one);
    return matching.length === 0;
  });
  const unused = suppressions
    .filter((one) => !used.has(one))
    .map(({ file, line, text }) => `${file}:${line}: warning: no finding is suppressed by ${text}\n`);
  const hidden = found.length - findings.length;
  const texts = { complaints: hidden === 0 ? "" : `${hidden} suppressed\n`, text: "" };
  for (const { format, file } of report) {
    const text = RENDER[format](findings, context);
    if (file === undefined) texts.complaints = text + texts.complaints;
    else if (file === STANDARD) texts.text += text;
    else writeWhole(file, Buffer.from(text));
  }
  return {
    exitCode: context.stopped === true || findings.some(({ severity }) => severity === "error") ? 1 : 0,
    complaints: texts.complaints + unused.join(""),
    text: texts.text,
    json: findingsJson(findings, context),
  };
}

async function suppressionsOf(file: string): Promise<readonly Suppression[]> {
  return readSuppressions(new TextDecoder().decode(await readBytes(file)), file);
}

/** Paths below the current folder become relative to it, as editors and code hosts expect, and messages name options of the command. */
function fromHere(finding: Finding): Finding {
  const { place, other, waiting, allocation, calledAt } = finding;
  return {
    ...finding,
    message: inOptions(finding.message),
    place: place && placeFromHere(place),
    other: other && placeFromHere(other),
    waiting: waiting?.map(placeFromHere),
    allocation: allocation && { ...allocation, madeAt: allocation.madeAt.map(withPath) },
    calledAt: calledAt?.map(withPath),
  };
}

const placeFromHere = <Place extends TextPlace>(place: Place): Place => ({
  ...place,
  frames: place.frames.map(withPath),
});

function withPath<Frame extends Pick<HostFrame, "file">>(frame: Frame): Frame {
  if (!isAbsolute(frame.file)) return frame;
  const path = relative(".", frame.file);
  return path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path) ? frame : { ...frame, file: path };
}
