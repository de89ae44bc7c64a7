// Collects the problems of all files of a table, to be reported together in the order of the files.
import type { Span } from "./core/span.js";
import {
  DescriptionError,
  type DescriptionErrorCode,
  type DescriptionPlace,
  type DescriptionProblem,
  placeText,
} from "./error.js";
import { didYouMean } from "./internal/suggest.js";
import type { JsonPath } from "./json/document.js";
import type { Source } from "./source.js";

/** A problem at a place. */
export interface Finding {
  readonly code: DescriptionErrorCode;
  readonly source: Source;
  readonly path: JsonPath;
  readonly expected: string;
  readonly found: string;
  /** Text that the message adds after `found`. */
  readonly hint?: string;
  /** The place in the text; by default that of the value at the path. */
  readonly span?: Span | undefined;
  readonly related?: DescriptionPlace;
}

/** The codes in order of precedence: an error has the first of these that applies. */
const GRAVITY: readonly DescriptionErrorCode[] = ["SYNTAX", "SCHEMA", "EXTENDS", "REFERENCE"];

/** The number of problems that an error describes with their places; nobody reads more. */
const MAX_PROBLEMS = 10_000;

/**
 * The number of pairs of characters that are compared for suggestions; a file with thousands of wrong names would take
 * minutes.
 */
const MAX_COMPARISONS = 100_000_000;

/** Collects the problems of all files of a table. */
export class Problems {
  readonly #findings: Finding[] = [];
  readonly #told = new Set<string>();
  readonly #sources: Source[] = [];
  readonly #warnings: Finding[] = [];
  #comparisons = 0;

  readonly #strict: boolean;

  /** @param strict whether warnings are problems */
  constructor(strict = false) {
    this.#strict = strict;
  }

  /** Files are reported in the order in which they were added. */
  addSource(source: Source): void {
    this.#sources.push(source);
  }

  /**
   * Adds a problem, unless there is already one of this kind at this place: a consequence of it adds no information.
   */
  add(finding: Finding): void {
    const order = this.#sources.indexOf(finding.source);
    const key = JSON.stringify([finding.code, order, finding.path]);
    if (this.#told.has(key)) return;
    this.#told.add(key);
    if (this.#findings.length < MAX_PROBLEMS) this.#findings.push(finding);
  }

  /** Adds a warning about something that existing files may contain although it is wrong; only a problem if strict. */
  warn(finding: Finding): void {
    if (this.#strict) this.add(finding);
    else if (this.#warnings.length < MAX_PROBLEMS) this.#warnings.push(finding);
  }

  /** `, did you mean `x`?`, as long as there are few enough names to compare with. */
  suggest(name: string, names: ReadonlyMap<string, unknown>): string {
    this.#comparisons += names.size * name.length ** 2;
    return this.#comparisons > MAX_COMPARISONS ? "" : didYouMean(name, names.keys());
  }

  get any(): boolean {
    return this.#findings.length > 0;
  }

  /** The error that reports all problems. */
  error(what: string): DescriptionError {
    const code = GRAVITY.find((grave) => this.#findings.some((finding) => finding.code === grave))!;
    return new DescriptionError(code, what, this.#described(this.#findings), this.#told.size);
  }

  /** The warnings, in the order of the files. */
  get warnings(): readonly DescriptionProblem[] {
    return this.#described(this.#warnings);
  }

  #described(findings: readonly Finding[]): DescriptionProblem[] {
    const located = findings.map((finding) => ({
      ...finding,
      order: this.#sources.indexOf(finding.source),
      span: finding.span ?? finding.source.span(finding.path),
    }));
    located.sort((a, b) => a.order - b.order || (a.span?.start ?? 0) - (b.span?.start ?? 0));
    return located.map(problemOf);
  }
}

/** Reports why a file could not be read as JSON. */
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

/** The hint for something that occurs a second time. */
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
