// Models how nvcc expands an asm statement, as far as the tests need it: the statement's text with its
// operands substituted. Operands get the registers `%b0`, `%b1`, … in the order in which they are listed.
import { expect } from "vitest";

/** An operand that a statement binds. */
export interface Bound {
  readonly constraint: string;
  readonly expression: string;
}

/** A statement as nvcc sees it. */
export interface Compiled {
  readonly ptx: string;
  readonly bound: readonly Bound[];
  readonly volatile: boolean;
  readonly clobbers: readonly string[];
}

const STRING = /^"((?:\\.|[^"\\\x00-\x1f])*)"\s*/;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", '"': '"', "\\": "\\", "?": "?" };
/** The trigraphs of C++14, by the character after the two question marks. */
const TRIGRAPHS: Readonly<Record<string, string>> = {
  "=": "#",
  "/": "\\",
  "'": "^",
  "(": "[",
  ")": "]",
  "!": "|",
  "<": "{",
  ">": "}",
  "-": "~",
};

/** Reads the statement that the text consists of. */
export function compileAsm(source: string): Compiled {
  const statement = source.replace(/\?\?([=/'()!<>-])/g, (_, sign: string) => TRIGRAPHS[sign]!);
  const opening = /^asm( volatile)?\(\s*/.exec(statement);
  expect(opening).not.toBeNull();
  let rest = statement.slice(opening![0].length);
  const next = (pattern: RegExp): RegExpExecArray | null => {
    const match = pattern.exec(rest);
    if (match !== null) rest = rest.slice(match[0].length);
    return match;
  };

  let template = "";
  for (let match = next(STRING); match !== null; match = next(STRING)) {
    template += match[1]!.replace(/\\([0-7]{3}|.)/g, (_, sign: string) =>
      sign.length === 3 ? String.fromCharCode(Number.parseInt(sign, 8)) : ESCAPES[sign]!,
    );
  }
  const lists: Bound[][] = [];
  while (next(/^:\s*/) !== null) {
    const list: Bound[] = [];
    for (let match = next(STRING); match !== null; match = next(STRING)) {
      list.push({ constraint: match[1]!, expression: next(/^\(/) === null ? "" : parenthesized() });
      if (next(/^\s*,\s*/) === null) break;
    }
    next(/^\s*/);
    lists.push(list);
  }
  expect(rest).toBe(");");

  /** The text up to the parenthesis that closes the one just read. */
  function parenthesized(): string {
    let depth = 1;
    let end = 0;
    for (; depth > 0; end++) {
      if (rest[end] === "(") depth++;
      else if (rest[end] === ")") depth--;
    }
    const inside = rest.slice(0, end - 1);
    rest = rest.slice(end).trimStart();
    return inside;
  }

  const [written = [], read = [], clobbers = []] = lists;
  expect(written.every(({ constraint }) => /^[+=]/.test(constraint))).toBe(true);
  expect(read.every(({ constraint }) => /^\w$/.test(constraint))).toBe(true);
  const bound = [...written, ...read];
  // Without operands, nothing is substituted.
  const ptx =
    bound.length === 0
      ? template
      : template.replace(/%(%|\d+)/g, (_, what) => (what === "%" ? "%" : `%b${what}`));
  return {
    ptx,
    bound,
    volatile: opening![1] !== undefined,
    clobbers: clobbers.map(({ constraint }) => constraint),
  };
}
