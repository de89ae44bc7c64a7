// What a description file says as plain data, wherever it came from, and where each piece stands.
import type { Span } from "../core/span.js";

/** The keys and indices that lead to a value. */
export type JsonPath = readonly (number | string)[];

/** Something that keeps a text or value from being read as JSON. */
export interface JsonProblem {
  readonly path: JsonPath;
  readonly expected: string;
  readonly found: string;
  /** Only of a text. */
  readonly span?: Span;
  /** Where the same key stood before. */
  readonly first?: Span;
}

/** A value's place in the text, with those of what is in it. */
export interface JsonNode extends Span {
  readonly items?: readonly JsonNode[];
  readonly members?: ReadonlyMap<string, JsonMember>;
}

export interface JsonMember {
  readonly key: Span;
  readonly value: JsonNode;
}

export interface JsonDocument {
  /** Plain data; `undefined` when nothing could be read. */
  readonly value: unknown;
  readonly problems: readonly JsonProblem[];
  /** Only of a text that could be read. */
  readonly root?: JsonNode | undefined;
}

/** Levels of nesting that are read; descriptions have five. */
export const MAX_DEPTH = 64;

/** Of a key in a path; a file may have one of any length. */
const LONGEST_KEY = 60;

/** `instructions[3].args[0]`; keys that are no words in brackets and quotes, long ones cut. */
export function pathText(path: JsonPath): string {
  return path
    .map((key) => {
      if (typeof key === "number") return `[${key}]`;
      const shown = key.length > LONGEST_KEY ? `${key.slice(0, LONGEST_KEY)}…` : key;
      return /^[A-Za-z_$][\w$]*$/.test(shown) ? `.${shown}` : `[${JSON.stringify(shown)}]`;
    })
    .join("")
    .replace(/^\./, "");
}

/** The value at a path; `undefined` when there is none. */
export function valueAt(value: unknown, path: JsonPath): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<number | string, unknown>)[key];
  }
  return at;
}
