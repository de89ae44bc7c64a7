// Errors of all packages as data: what an editor marks, a sentence, and the page that explains it.
import { errorAddress } from "./explanations.js";

/** Something that is wrong with a text. */
export interface Problem {
  readonly severity: "error" | "warning";
  /** Without the lines of code that some messages end with. */
  readonly message: string;
  /** The place in the text; undefined if it has none. */
  readonly span?: { readonly start: number; readonly end: number } | undefined;
  /** The address of the page that explains it. */
  readonly help?: string | undefined;
}

interface Located {
  readonly message: string;
  readonly code?: string;
  readonly span?: { readonly start: number; readonly end: number } | undefined;
}

/** What errors of the packages may have. */
interface PackageError {
  readonly name?: string;
  readonly code?: string;
  readonly message: string;
  readonly span?: Located["span"];
  readonly problems?: readonly Located[];
  readonly place?: { readonly routine?: number | undefined; readonly instruction?: number } | undefined;
}

/** A message without its code frame and with a capital letter. */
export function sentence(message: string): string {
  const [first = ""] = message.split("\n");
  const plain = first.replace(/^line \d+, column \d+: /, "");
  return plain.slice(0, 1).toUpperCase() + plain.slice(1);
}

/**
 * The problems that an error reports.
 *
 * @param lines the line of each instruction, for errors that name one
 */
export function problemsOf(error: unknown, text: string, lines: readonly number[] = []): Problem[] {
  const { name = "", code = "", message, span, problems, place } = error as PackageError;
  if (problems !== undefined && problems.length > 0) {
    return problems.map((one) => ({
      severity: "error",
      message: sentence(one.message),
      span: one.span,
      help: errorAddress(name, one.code ?? code),
    }));
  }
  const line = place?.routine === undefined ? lines[place?.instruction ?? -1] : undefined;
  return [
    {
      severity: "error",
      message: sentence(message ?? String(error)),
      span: span ?? (line === undefined ? undefined : lineSpan(text, line)),
      help: errorAddress(name, code),
    },
  ];
}

/** The span of a line, counted from 1. */
export function lineSpan(text: string, line: number): { start: number; end: number } {
  const lines = text.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  return { start, end: start + (lines[line - 1]?.length ?? 0) };
}
