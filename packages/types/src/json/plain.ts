// Copies an object that a caller passed instead of a text into plain data, so that later code meets no getters, classes
// or cycles. Values that JSON cannot represent are reported, not dropped.
import { describeValue } from "../internal/describe.js";
import { type JsonDocument, type JsonPath, type JsonProblem, MAX_DEPTH } from "./document.js";

/** Longer arrays cannot be lists of a description, and may be endless. */
const MAX_ITEMS = 100_000;

/**
 * Objects that create others when they are read may be endless; the longest lists of a description have half as many
 * values.
 */
const MAX_VALUES = 4_000_000;

/** The document of a value; keys whose value is `undefined` are left out. */
export function copyPlain(value: unknown): JsonDocument {
  const copier = new Copier();
  const copy = copier.read({ value }, "value", []);
  return { value: copier.stopped ? undefined : copy, problems: copier.problems };
}

class Copier {
  readonly problems: JsonProblem[] = [];
  /** The copies of objects, so that an object which occurs many times is copied once. */
  readonly #copies = new Map<object, unknown>();
  /** The objects that are being copied. */
  readonly #open = new Set<object>();
  #count = 0;
  /** Whether there was too much to continue. */
  stopped = false;

  /** Copies a member. This is the only place that touches foreign objects; their getters and proxies may throw here. */
  read(holder: object, key: number | string, path: JsonPath): unknown {
    if (this.stopped) return undefined;
    try {
      return this.#copy((holder as Record<number | string, unknown>)[key], path);
    } catch {
      return this.#refuse(path, "a value that can be read", "one that throws");
    }
  }

  #copy(value: unknown, path: JsonPath): unknown {
    if (++this.#count > MAX_VALUES) return this.#stop(`at most ${MAX_VALUES} values`);
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    if (value === undefined && typeof path.at(-1) === "string") return undefined;
    if (typeof value !== "object") return this.#refuse(path, "a value that JSON has", describeValue(value));
    if (this.#open.has(value)) {
      return this.#refuse(path, "a value that JSON has", "an object that contains itself");
    }
    const known = this.#copies.get(value);
    if (known !== undefined) return known;
    if (path.length >= MAX_DEPTH) return this.#stop(`at most ${MAX_DEPTH} levels of nesting`);
    this.#open.add(value);
    try {
      const copy = Array.isArray(value) ? this.#copyArray(value, path) : this.#copyObject(value, path);
      this.#copies.set(value, copy);
      return copy;
    } finally {
      this.#open.delete(value);
    }
  }

  #copyArray(value: readonly unknown[], path: JsonPath): unknown {
    const { length } = value;
    if (length > MAX_ITEMS) return this.#refuse(path, `at most ${MAX_ITEMS} elements`, String(length));
    return Array.from({ length }, (_, index) => this.read(value, index, [...path, index]));
  }

  #copyObject(value: object, path: JsonPath): unknown {
    if (!isPlain(value)) return this.#refuse(path, "a plain object", describeValue(value));
    const members = Object.keys(value).map((key) => [key, this.read(value, key, [...path, key])] as const);
    return Object.fromEntries(members.filter(([, member]) => member !== undefined));
  }

  #stop(expected: string): undefined {
    this.stopped = true;
    return this.#refuse([], expected, "more");
  }

  #refuse(path: JsonPath, expected: string, found: string): undefined {
    this.problems.push({ path, expected, found });
    return undefined;
  }
}

/** Whether an object is an object literal, of this realm or another. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
