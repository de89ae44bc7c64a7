// The problems found in all files of a table, which are told together in the order of the files.
import type { Span } from "./core/span.js";
import { didYouMean } from "./core/suggest.js";
import {
  DescriptionError,
  type DescriptionErrorCode,
  type DescriptionPlace,
  type DescriptionProblem,
  placeText,
} from "./error.js";
import type { JsonPath } from "./json/document.js";
import type { Source } from "./source.js";

/** What is wrong at a place. */
export interface Finding {
  readonly code: DescriptionErrorCode;
  readonly source: Source;
  readonly path: JsonPath;
  readonly expected: string;
  readonly found: string;
  /** What the message adds, in words that follow `found`. */
  readonly hint?: string;
  /** Where in the text; otherwise the value at the path. */
  readonly span?: Span | undefined;
  readonly related?: DescriptionPlace;
}

/** Of several kinds of problems an error has the first code of these. */
const GRAVITY: readonly DescriptionErrorCode[] = ["SYNTAX", "SCHEMA", "EXTENDS", "REFERENCE"];

/** Problems of which an error tells the places; nobody reads more. */
const MAX_PROBLEMS = 10_000;

/** Pairs of characters that are compared for suggestions; a file of thousands of wrong names would take minutes. */
const MAX_COMPARISONS = 100_000_000;

/** Gathers the problems of all files of a table. */
export class Problems {
  private readonly findings: (Finding & { readonly order: number })[] = [];
  private readonly told = new Set<string>();
  private readonly sources: Source[] = [];
  private comparisons = 0;

  /** Files are told in the order in which they were added. */
  addSource(source: Source): void {
    this.sources.push(source);
  }

  /** Adds a problem, unless one of this kind and place is known: what follows from it says nothing new. */
  add(finding: Finding): void {
    const order = this.sources.indexOf(finding.source);
    const key = JSON.stringify([finding.code, order, finding.path]);
    if (this.told.has(key)) return;
    this.told.add(key);
    if (this.findings.length < MAX_PROBLEMS) this.findings.push({ ...finding, order });
  }

  /** `, did you mean `x`?`, as long as there are few enough names to compare with. */
  suggest(name: string, names: ReadonlyMap<string, unknown>): string {
    this.comparisons += names.size * name.length ** 2;
    return this.comparisons > MAX_COMPARISONS ? "" : didYouMean(name, names.keys());
  }

  get any(): boolean {
    return this.findings.length > 0;
  }

  /** The error that tells them all. */
  error(what: string): DescriptionError {
    const code = GRAVITY.find((grave) => this.findings.some((finding) => finding.code === grave))!;
    const located = this.findings.map((finding) => ({
      ...finding,
      span: finding.span ?? finding.source.span(finding.path),
    }));
    located.sort((a, b) => a.order - b.order || (a.span?.start ?? 0) - (b.span?.start ?? 0));
    return new DescriptionError(code, what, located.map(problemOf), this.told.size);
  }
}

/** Tells what kept a file from being read as JSON. */
export function tellDocument(source: Source, problems: Problems): void {
  for (const { path, expected, found, span, first } of source.document.problems) {
    const code = span === undefined ? "SCHEMA" : "SYNTAX";
    const finding = { code, source, path, expected, found, span } as const;
    if (first === undefined) problems.add(finding);
    else {
      const related = source.place(path, first);
      problems.add({ ...finding, related, hint: againAfter(related) });
    }
  }
}

/** The hint where something stands once more. */
export function againAfter(first: DescriptionPlace): string {
  return ` again, first at ${placeText(first)}`;
}

function problemOf({ source, path, expected, found, hint, span, related }: Finding): DescriptionProblem {
  const frame = span === undefined ? undefined : source.frame(span);
  return {
    ...source.place(path, span),
    message: `expected ${expected}, found ${found}${hint ?? ""}`,
    expected,
    found,
    ...(related === undefined ? {} : { related }),
    ...(frame === undefined ? {} : { frame }),
  };
}
