// The contents of a description file as plain data, wherever it came from, with the place of each value.
import type { Span } from "../core/span.js";

/** The keys and indices that lead to a value. */
export type JsonPath = readonly (number | string)[];

/** A reason why a text or value cannot be read as JSON. */
export interface JsonProblem {
  readonly path: JsonPath;
  readonly expected: string;
  readonly found: string;
  /** Present only for a text. */
  readonly span?: Span;
  /** The place of the first occurrence of a repeated key. */
  readonly first?: Span;
}

/** The place of a value in the text, and the places of the values in it. */
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
  /** Present only for a text that could be read. */
  readonly root?: JsonNode | undefined;
}

/** The levels of nesting that are read; descriptions have five. */
export const MAX_DEPTH = 64;

/** The longest key that is shown in a path; keys in a file may have any length. */
const LONGEST_KEY = 60;

/**
 * For example `instructions[3].args[0]`. Keys that are not identifiers are in brackets and quotes; long keys are cut.
 */
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
