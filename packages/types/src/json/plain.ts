// Copies what a caller passed in place of a text into plain data, so that nothing behind it meets a getter, a class or
// a cycle. What JSON can't say is a problem, not dropped.
import { describeValue } from "../core/describe.js";
import { type JsonDocument, type JsonPath, type JsonProblem, MAX_DEPTH } from "./document.js";

/** Longer arrays are no list of a description, and may be endless. */
const MAX_ITEMS = 100_000;

/** The document of a value; keys whose value is `undefined` are left out. */
export function copyPlain(value: unknown): JsonDocument {
  const copier = new Copier();
  return { value: copier.read({ value }, "value", []), problems: copier.problems };
}

class Copier {
  readonly problems: JsonProblem[] = [];
  /** The copies of objects, so that one which stands in many places is copied once; `undefined` while it is copied. */
  private readonly copies = new Map<object, unknown>();

  /** The copy of a member. The only place that touches foreign objects: getters and proxies may throw there. */
  read(holder: object, key: number | string, path: JsonPath): unknown {
    try {
      return this.copy((holder as Record<number | string, unknown>)[key], path);
    } catch {
      return this.refuse(path, "a value that can be read", "one that throws");
    }
  }

  private copy(value: unknown, path: JsonPath): unknown {
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    if (value === undefined && typeof path.at(-1) === "string") return undefined;
    if (typeof value !== "object") return this.refuse(path, "a value that JSON has", describeValue(value));
    if (this.copies.has(value)) {
      const copy = this.copies.get(value);
      return copy ?? this.refuse(path, "a value that JSON has", "an object that contains itself");
    }
    if (path.length >= MAX_DEPTH) {
      return this.refuse([], `at most ${MAX_DEPTH} levels of nesting`, "more");
    }
    this.copies.set(value, undefined);
    const copy = Array.isArray(value) ? this.copyArray(value, path) : this.copyObject(value, path);
    this.copies.set(value, copy);
    return copy;
  }

  private copyArray(value: readonly unknown[], path: JsonPath): unknown {
    const { length } = value;
    if (length > MAX_ITEMS) return this.refuse(path, `at most ${MAX_ITEMS} elements`, String(length));
    return Array.from({ length }, (_, index) => this.read(value, index, [...path, index]));
  }

  private copyObject(value: object, path: JsonPath): unknown {
    if (!isPlain(value)) return this.refuse(path, "a plain object", describeValue(value));
    const members = Object.keys(value).map((key) => [key, this.read(value, key, [...path, key])] as const);
    return Object.fromEntries(members.filter(([, member]) => member !== undefined));
  }

  private refuse(path: JsonPath, expected: string, found: string): undefined {
    this.problems.push({ path, expected, found });
    return undefined;
  }
}

/** Whether an object is a literal of this realm or another. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
