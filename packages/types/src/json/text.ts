// Reads JSON text (RFC 8259). `JSON.parse` returns the data, but not the places of values or repeated keys, and its
// error messages differ between engines. So a text with a problem is scanned a second time.

import type { Span } from "../core/span.js";
import { quoted, unicodeEscape } from "../internal/describe.js";
import {
  type JsonDocument,
  type JsonMember,
  type JsonNode,
  type JsonProblem,
  MAX_DEPTH,
} from "./document.js";

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/y;
const WORD = /[\w.+-]+/y;
const LITERALS = ["true", "false", "null"];

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * The document of a text without byte order mark. For invalid syntax the first place is reported; repeated keys are all
 * reported.
 */
export function readJsonText(text: string): JsonDocument {
  let scan: Scan | undefined;
  const scanned = () => {
    scan ??= new Scanner(text).scan();
    return scan;
  };
  const value = parsed(text);
  const sound = value !== undefined && keysOf(value, 0) === (text.match(/"\s*:/g)?.length ?? 0);
  const problems = sound ? [] : scanned().problems;
  return {
    value: problems.some(({ fatal }) => fatal) ? undefined : value,
    problems,
    get root() {
      return scanned().root;
    },
  };
}

/** The parsed text; `undefined` when it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The number of keys in all objects of a value; `NaN` when it is nested too deeply. */
function keysOf(value: unknown, depth: number): number {
  if (typeof value !== "object" || value === null) return 0;
  if (depth >= MAX_DEPTH) return Number.NaN;
  const inner = Object.values(value);
  let keys = Array.isArray(value) ? 0 : inner.length;
  for (const one of inner) keys += keysOf(one, depth + 1);
  return keys;
}

interface Scan {
  /** `undefined` when the text is not JSON. */
  readonly root: JsonNode | undefined;
  readonly problems: readonly ScanProblem[];
}

interface ScanProblem extends JsonProblem {
  /** Whether the text is unusable. */
  readonly fatal: boolean;
}

/** Ends the scan at the first thing that is not JSON. */
class Unreadable {
  constructor(readonly problem: ScanProblem) {}
}

/** Scans a text once, for the places of its values and for problems. */
class Scanner {
  readonly #problems: ScanProblem[] = [];
  #at = 0;
  readonly #path: (number | string)[] = [];

  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): Scan {
    const problems = this.#problems;
    try {
      this.#skipBlanks();
      const root = this.#value("a JSON object");
      if (this.#at < this.#text.length) this.#fail("the end of the text");
      return { root, problems };
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return { root: undefined, problems: [...problems, error.problem] };
    }
  }

  /** A value and the blanks after it. */
  #value(expected: string): JsonNode {
    const node = this.#bareValue(expected);
    this.#skipBlanks();
    return node;
  }

  #bareValue(expected: string): JsonNode {
    const start = this.#at;
    const sign = this.#text[start];
    if (sign === "{") return this.#object(start);
    if (sign === "[") return this.#array(start);
    if (sign === '"') {
      this.#string();
      return { start, end: this.#at };
    }
    NUMBER.lastIndex = start;
    const literal = LITERALS.find((word) => this.#text.startsWith(word, start));
    if (literal !== undefined) this.#at += literal.length;
    else if (NUMBER.test(this.#text)) this.#at = NUMBER.lastIndex;
    else this.#fail(expected);
    return { start, end: this.#at };
  }

  #object(start: number): JsonNode {
    this.#open();
    const members = new Map<string, JsonMember>();
    if (this.#text[this.#at] !== "}") {
      do this.#member(members);
      while (this.#take(","));
      if (this.#text[this.#at] !== "}") this.#fail("`,` or `}`");
    }
    return { start, end: ++this.#at, members };
  }

  #member(members: Map<string, JsonMember>): void {
    if (this.#text.charCodeAt(this.#at) !== QUOTE) {
      this.#fail(members.size === 0 ? "a key in double quotes or `}`" : "a key in double quotes");
    }
    const start = this.#at;
    const name = this.#string();
    const key = { start, end: this.#at };
    this.#skipBlanks();
    if (!this.#take(":")) this.#fail("`:`");
    this.#path.push(name);
    const value = this.#value("a value");
    const first = members.get(name);
    // `JSON.parse` uses the last one.
    members.set(name, { key, value });
    if (first !== undefined) this.#tellRepeated(name, key, first.key);
    this.#path.pop();
  }

  #array(start: number): JsonNode {
    this.#open();
    const items: JsonNode[] = [];
    if (this.#text[this.#at] !== "]") {
      do {
        this.#path.push(items.length);
        items.push(this.#value(items.length === 0 ? "a value or `]`" : "a value"));
        this.#path.pop();
      } while (this.#take(","));
      if (this.#text[this.#at] !== "]") this.#fail("`,` or `]`");
    }
    return { start, end: ++this.#at, items };
  }

  /** Moves past a bracket and the blanks after it. */
  #open(): void {
    if (this.#path.length >= MAX_DEPTH) {
      this.#path.length = 0;
      this.#fail(`at most ${MAX_DEPTH} levels of nesting`);
    }
    this.#at++;
    this.#skipBlanks();
  }

  #string(): string {
    const text = this.#text;
    const start = this.#at;
    let escaped = false;
    for (let at = start + 1; ; ) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.#at = at + 1;
        return escaped ? JSON.parse(text.slice(start, this.#at)) : text.slice(start + 1, at);
      }
      if (code === BACKSLASH) {
        ESCAPE.lastIndex = at;
        if (!ESCAPE.test(text)) {
          const found = quoted(text.slice(at, at + 2));
          this.#failAt({ start: at, end: at + 2 }, "an escape such as `\\n` or `\\u0041`", found);
        }
        escaped = true;
        at = ESCAPE.lastIndex;
      } else if (code >= 0x20) at++;
      else this.#failInString(start, at, code);
    }
  }

  #failInString(start: number, at: number, code: number): never {
    if (Number.isNaN(code) || code === 0x0a || code === 0x0d) {
      const found = Number.isNaN(code) ? "the end of the text" : "the end of the line";
      return this.#failAt({ start, end: at }, 'a string that ends in `"`', found);
    }
    const expected = quoted(unicodeEscape(String.fromCharCode(code)));
    return this.#failAt({ start: at, end: at + 1 }, expected, "the control character itself");
  }

  /** Moves past a sign and the blanks after it, if the sign is there. */
  #take(sign: string): boolean {
    if (this.#text[this.#at] !== sign) return false;
    this.#at++;
    this.#skipBlanks();
    return true;
  }

  #skipBlanks(): void {
    for (; ; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    }
  }

  #tellRepeated(name: string, span: Span, first: Span): void {
    const path = [...this.#path];
    this.#problems.push({ path, expected: "each key once", found: quoted(name), span, first, fatal: false });
  }

  /** Reports that the sign or word at this place is not what was expected. */
  #fail(expected: string): never {
    const text = this.#text;
    const at = this.#at;
    if (at >= text.length) return this.#failAt({ start: at, end: at }, expected, "the end of the text");
    WORD.lastIndex = at;
    const word = WORD.exec(text)?.[0] ?? String.fromCodePoint(text.codePointAt(at)!);
    return this.#failAt({ start: at, end: at + word.length }, expected, quoted(word));
  }

  #failAt(span: Span, expected: string, found: string): never {
    throw new Unreadable({ path: [...this.#path], expected, found, span, fatal: true });
  }
}
