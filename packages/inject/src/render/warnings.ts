// What is probably wrong with a stub although it can stand where it is put: the PTX compiler would refuse it, or take it and
// make something else of the kernel than was meant.
import { type DeclarationKind, readFragment } from "@mm-ptx/ptx";
import { codeFrame, didYouMean, quoted, type Span } from "@mm-ptx/types/core";
import type { StubPlace } from "./stubs.js";

/** What a `StubWarning` is about. */
export type StubWarningCode =
  /** The stub is not whole statements of PTX. One without its end goes on in the kernel's text. */
  | "SYNTAX"
  /** A character that PTX compilers refuse, in comments too. */
  | "REFUSED_CHARACTER"
  /** A name that neither the stub nor the kernel declares, that is no operand, and that PTX itself does not have. */
  | "UNDECLARED"
  /** A register of the kernel that is no operand: the next compile of the kernel may use it for something else. */
  | "KERNEL_REGISTER"
  /** An output that the stub never names: what the kernel reads after the site is undefined. */
  | "UNWRITTEN_OUTPUT";

/** Something odd in a stub. */
export interface StubWarning {
  readonly code: StubWarningCode;
  /** In words, with the line of the stub and carets below the place. */
  readonly message: string;
  /** The name of the injection. */
  readonly injection: string;
  /** Where in the stub; its beginning for what is not there. */
  readonly span: Span;
}

/** What a name is where the stub is put; nothing is known of the names of a kernel that is not at hand. */
export type NamesAround = (name: string) => DeclarationKind | undefined;

interface Finding {
  readonly code: StubWarningCode;
  readonly message: string;
  readonly span: Span;
}

/**
 * The warnings of a stub, in the order of its text.
 *
 * @param around absent when the kernel is not at hand: only registers count as undeclared then
 */
export function warningsOf(stub: string, place: StubPlace, around?: NamesAround): StubWarning[] {
  const code = readFragment(stub, { tolerant: true });
  const findings: Finding[] = [
    ...refusedCharacters(stub),
    ...code.problems.map(({ message, span }): Finding => ({ code: "SYNTAX", message, span })),
    ...unknownNames(code.names.undeclared, place, around),
    ...unwrittenOutputs(new Set(code.names.uses.map(({ name }) => name)), place),
  ];
  return findings
    .sort((a, b) => a.span.start - b.span.start)
    .map(({ code, message, span }) =>
      Object.freeze({
        code,
        message: `stub of ${quoted(place.name)}: ${message}\n${codeFrame(stub, span)}`,
        injection: place.name,
        span: Object.freeze({ ...span }),
      }),
    );
}

/** The first of them: a text in another encoding has many. */
function refusedCharacters(stub: string): Finding[] {
  const found = /[^\x01-\x7f]/u.exec(stub);
  if (found === null) return [];
  const [character] = found;
  const span = { start: found.index, end: found.index + character.length };
  const message = `expected ASCII without NUL, as PTX compilers take nothing else, found ${quoted(character)}`;
  return [{ code: "REFUSED_CHARACTER", message, span }];
}

function unknownNames(
  undeclared: readonly { readonly name: string; readonly span: Span }[],
  { name: injection, operands }: StubPlace,
  around: NamesAround | undefined,
): Finding[] {
  const own = operands.map(({ register }) => `%${register}`);
  const listed = own.length === 0 ? "it has none" : own.map(quoted).join(", ");
  const expected = `expected an operand of ${quoted(injection)} (${listed}) or a name that the stub declares`;
  const seen = new Set(own);
  const findings: Finding[] = [];
  for (const { name, span } of undeclared) {
    if (seen.has(name)) continue;
    seen.add(name);
    const kind = around?.(name);
    if (kind === "register") {
      const message = `${expected}, found ${quoted(name)}, a register of the kernel, which may be another one at its next compile`;
      findings.push({ code: "KERNEL_REGISTER", message, span });
    } else if (kind === undefined && (around !== undefined || name.startsWith("%"))) {
      const message = `${expected}, found ${quoted(name)}${didYouMean(name, own)}`;
      findings.push({ code: "UNDECLARED", message, span });
    }
  }
  return findings;
}

function unwrittenOutputs(used: ReadonlySet<string>, { operands }: StubPlace): Finding[] {
  return operands
    .filter(({ direction, register }) => direction === "out" && !used.has(`%${register}`))
    .map(({ name, register }) => ({
      code: "UNWRITTEN_OUTPUT",
      message: `expected a statement that writes \`%${register}\`, the output ${quoted(name)}, found none`,
      span: { start: 0, end: 0 },
    }));
}
