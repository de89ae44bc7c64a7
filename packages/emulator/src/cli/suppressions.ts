// Suppression files: findings that are known and not to be reported. Each line names what a finding has to be, such as
// `kind=RACE kernel=reduce* source=reduce.cu:40`; `#` begins a comment.
import { demangle, demangled } from "@mm-ptx/ptx";
import { didYouMean, quoted } from "@mm-ptx/types/internal";
import { FINDING_KINDS, type Finding, type HostFrame } from "../run/finding.js";
import { filePlaces, madePlace } from "../view/findings/places.js";
import { FileError, namedFile } from "./framework.js";

/** A line of a suppression file. */
export interface Suppression {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
  readonly matches: (finding: Finding) => boolean;
}

type Matches = (finding: Finding, pattern: RegExp) => boolean;

/** The end of a path with or without a line matches: `reduce.cu`, `src/reduce.cu:40`. */
const isAt = (pattern: RegExp, file: string, line: number): boolean =>
  [file, `${file}:${line}`].some((word) => {
    const parts = word.split(/[\\/]/);
    return parts.some((_, i) => pattern.test(parts.slice(i).join("/"))) || pattern.test(word);
  });

/** Whether one of the calls of the host matches. */
const areAt = (pattern: RegExp, frames: readonly HostFrame[] = []): boolean =>
  frames.some((frame) => {
    const at = madePlace(frame);
    return at !== undefined && isAt(pattern, at.file, at.line);
  });

const KEYS: Readonly<Record<string, Matches>> = {
  kind: ({ kind }, pattern) => pattern.test(kind),
  kernel: ({ kernel }, pattern) =>
    kernel !== undefined &&
    [kernel, demangle(kernel), demangled(kernel).path].some((name) => pattern.test(name)),
  source: ({ place, other, waiting, calledAt }, pattern) =>
    [place, other, ...(waiting ?? [])].some(
      (one) => one !== undefined && filePlaces(one, {}).some(({ file, line }) => isAt(pattern, file, line)),
    ) || areAt(pattern, calledAt),
  allocation: ({ allocation }, pattern) =>
    allocation !== undefined && (pattern.test(allocation.label) || areAt(pattern, allocation.madeAt)),
};

/** @throws FileError for lines that are not suppressions */
export function readSuppressions(text: string, file: string): readonly Suppression[] {
  return text.split("\n").flatMap((content, index) => {
    const words = content.replace(/(^|\s)#.*$/, "").trim();
    return words === "" ? [] : [suppressionOf(words, file, index + 1)];
  });
}

function suppressionOf(text: string, file: string, line: number): Suppression {
  const wrong = (expected: string, found: string) =>
    new FileError(`expected ${expected}, found ${quoted(found)} in line ${line} of ${namedFile(file)}`);
  const words = text.match(/[^\s=]+=(?:"[^"]*"|\S*)|\S+/g) ?? [];
  const parts = words.map((word) => {
    const [, key = "", quotedValue, value] = /^([^\s=]+)=(?:"([^"]*)"|(.*))$/s.exec(word) ?? [];
    const pattern = quotedValue ?? value;
    if (pattern === undefined || pattern === "") throw wrong("words such as `kind=RACE`", word);
    const matches = KEYS[key];
    if (matches === undefined)
      throw wrong(`one of ${Object.keys(KEYS).join(", ")}${didYouMean(key, Object.keys(KEYS))}`, key);
    const kinds = Object.keys(FINDING_KINDS);
    if (key === "kind" && !kinds.some((kind) => glob(pattern).test(kind)))
      throw wrong(`a kind of finding (${kinds.join(", ")})`, pattern);
    return { matches, pattern: glob(pattern) };
  });
  const matches = (finding: Finding) => parts.every((part) => part.matches(finding, part.pattern));
  return { file, line, text, matches };
}

/** A pattern in which `*` stands for any text. */
function glob(pattern: string): RegExp {
  const text = pattern
    .split("*")
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
  return new RegExp(`^${text}$`, "s");
}
