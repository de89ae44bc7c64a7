// Finds probable mistakes in stubs that leave the text around them intact: either the PTX compiler would
// reject the stub, or it would accept it, but the kernel would do something unintended.
import { type DeclarationKind, type PtxCode, type PtxUse, readFragment } from "@mm-ptx/ptx";
import type { Span } from "@mm-ptx/types/core";
import { didYouMean, quoted, TextLines } from "@mm-ptx/types/internal";
import type { StubPlace } from "./stubs.js";

/** The codes of `StubWarning`. */
export type StubWarningCode =
  /**
   * The stub does not consist of complete PTX statements. An unterminated one continues in the kernel's text.
   */
  | "SYNTAX"
  /** A character that PTX compilers reject, even in comments. */
  | "REFUSED_CHARACTER"
  /**
   * A name that is neither an operand nor predefined in PTX, and that neither the stub nor the kernel
   * declares; or a name that the stub declares after its first use.
   */
  | "UNDECLARED"
  /** A register of the kernel that is not an operand. The next compile may use it for something else. */
  | "KERNEL_REGISTER"
  /** An output that the stub never names, or reads before writing it, so that its value is undefined. */
  | "UNWRITTEN_OUTPUT";

/** A probable mistake in a stub. */
export interface StubWarning {
  readonly code: StubWarningCode;
  /** The warning as text, with the line of the stub and carets below the place. */
  readonly message: string;
  /** The name of the injection. */
  readonly injection: string;
  /** The place in the stub; its beginning if something is missing. */
  readonly span: Span;
}

/** The kind of a name of the kernel at the place of the stub; `undefined` if it is not declared there. */
export type NamesAround = (name: string) => DeclarationKind | undefined;

interface Finding {
  readonly code: StubWarningCode;
  readonly message: string;
  readonly span: Span;
}

/**
 * The warnings of a stub, in the order of its text.
 *
 * @param around absent if the kernel is unknown, in which case only registers can count as undeclared
 */
export function warningsOf(stub: string, place: StubPlace, around?: NamesAround): StubWarning[] {
  const code = readFragment(stub, { tolerant: true });
  const findings: Finding[] = [
    ...refusedCharacters(stub),
    ...code.problems.map(({ message, span }): Finding => ({ code: "SYNTAX", message, span })),
    ...unknownNames(code.names.undeclared, place, around),
    ...namesBeforeDeclaration(code.names.uses),
    ...unwrittenOutputs(code, place),
  ];
  if (findings.length === 0) return [];
  const lines = new TextLines(stub);
  return findings
    .sort((a, b) => a.span.start - b.span.start)
    .map(({ code, message, span }) =>
      Object.freeze({
        code,
        message: `stub of ${quoted(place.name)}: ${message}\n${lines.codeFrame(span)}`,
        injection: place.name,
        span: Object.freeze({ ...span }),
      }),
    );
}

/** Reports only the first character, because a text in another encoding has many. */
function refusedCharacters(stub: string): Finding[] {
  const found = /[^\x01-\x7f]/u.exec(stub);
  if (found === null) return [];
  const [character] = found;
  const span = { start: found.index, end: found.index + character.length };
  const message = `expected ASCII without NUL, the only characters that PTX compilers accept, found ${quoted(character)}`;
  return [{ code: "REFUSED_CHARACTER", message, span }];
}

/**
 * The most operands that a message lists and searches for a similar name, which takes time for each message.
 */
const MOST_LISTED = 64;

function unknownNames(
  undeclared: readonly { readonly name: string; readonly span: Span }[],
  { name: injection, operands }: StubPlace,
  around: NamesAround | undefined,
): Finding[] {
  const own = operands.map(({ register }) => `%${register}`);
  const more = own.length > MOST_LISTED ? ` and ${own.length - MOST_LISTED} more` : "";
  const listed =
    own.length === 0 ? "it has none" : `${own.slice(0, MOST_LISTED).map(quoted).join(", ")}${more}`;
  const expected = `expected an operand of ${quoted(injection)} (${listed}) or a name that the stub declares`;
  const seen = new Set(own);
  const findings: Finding[] = [];
  for (const { name, span } of undeclared) {
    if (seen.has(name)) continue;
    seen.add(name);
    const kind = around?.(name);
    if (kind === "register") {
      const message = `${expected}, found ${quoted(name)}, a register of the kernel, which the next compile of the kernel may use for something else`;
      findings.push({ code: "KERNEL_REGISTER", message, span });
    } else if (kind === undefined && (around !== undefined || name.startsWith("%"))) {
      const message = `${expected}, found ${quoted(name)}${didYouMean(name, own.slice(0, MOST_LISTED))}`;
      findings.push({ code: "UNDECLARED", message, span });
    }
  }
  return findings;
}

/** Only labels may be used before their declaration. */
function namesBeforeDeclaration(uses: readonly PtxUse[]): Finding[] {
  const seen = new Set<string>();
  const findings: Finding[] = [];
  for (const { name, span, declaration } of uses) {
    if (declaration === undefined || declaration.kind === "label" || seen.has(name)) continue;
    if (span.start >= declaration.span.start) continue;
    seen.add(name);
    const message = `expected ${quoted(name)} to be declared before it is used, found its declaration after that`;
    findings.push({ code: "UNDECLARED", message, span });
  }
  return findings;
}

function unwrittenOutputs(code: PtxCode, { operands }: StubPlace): Finding[] {
  const { names } = code;
  const outputs = operands.filter(({ direction }) => direction === "out");
  const firstUses = new Map<string, PtxUse>();
  for (const use of names.uses) {
    if (use.declaration === undefined && !firstUses.has(use.name)) firstUses.set(use.name, use);
  }
  // With labels, the first use in the text need not be the first to run.
  const hasLabels = names.declarations.some(({ kind }) => kind === "label");
  return outputs.flatMap(({ name, register }): Finding[] => {
    const own = `%${register}`;
    const what = `\`${own}\`, the output ${quoted(name)},`;
    const first = firstUses.get(own);
    if (first === undefined) {
      const message = `expected a statement that writes ${what} found none`;
      return [{ code: "UNWRITTEN_OUTPUT", message, span: { start: 0, end: 0 } }];
    }
    const span = hasLabels ? undefined : firstRead(code, first);
    if (span === undefined) return [];
    const message = `expected ${what} to be written before it is read, found this read first`;
    return [{ code: "UNWRITTEN_OUTPUT", message, span }];
  });
}

/** Where the instruction of a register's first use reads it: in an address, or after the first operand. */
function firstRead(code: PtxCode, { name, statement }: PtxUse): Span | undefined {
  const { names, statements } = code;
  if (statements.kind(statement) !== "instruction") return undefined;
  const [written] = code.instruction(statement).operands;
  if (written === undefined) return undefined;
  const isWrite = ({ span }: PtxUse): boolean =>
    written.kind !== "address" && span.start >= written.span.start && span.end <= written.span.end;
  return names.usesIn(code.spanOf(statement)).find((use) => use.name === name && !isWrite(use))?.span;
}
