// Converts stubs from the form that callers pass, by name, to the order of the injections.
import type { FilledKernel, PtxTemplate } from "@mm-ptx/types/core";
import { describeValue, isFilledKernel, quoted, withoutFinalNul } from "@mm-ptx/types/internal";
import { PtxInjectError } from "../error.js";
import { unknownName } from "../lookup.js";
import type { Operand } from "../marked/marker.js";

/** Stub texts by injection name. A plain object's own properties count, inherited ones do not. */
export type Stubs = Readonly<Record<string, string>> | ReadonlyMap<string, string>;

type StubsByName = Readonly<Record<string, string>>;

/** The place that a stub must fit: an injection, or the part of it that is known. */
export interface StubPlace {
  /** The name of the injection. */
  readonly name: string;
  readonly operands: readonly Operand[];
}

/**
 * The stubs of a filled kernel, which must have this template; other stubs are returned as they are.
 *
 * @throws PtxInjectError INVALID_ARGUMENT
 */
export function stubsOf(stubs: Stubs | FilledKernel, template: () => PtxTemplate): Stubs {
  // A record of stubs contains only texts, even if an injection is named `template`.
  if (!isFilledKernel(stubs) || typeof stubs.template === "string") return stubs as Stubs;
  const own = template();
  if (stubs.template !== own && JSON.stringify(stubs.template) !== JSON.stringify(own))
    throw new PtxInjectError(
      "INVALID_ARGUMENT",
      "expected a filled kernel of this PTX, found one of another text",
    );
  return stubs.stubs;
}

/** What happens to injections without a stub. */
export type Missing = "error" | "empty";

/** The injections of a text, by name. */
export class StubOrder {
  readonly #places: readonly StubPlace[];
  #names: readonly string[];
  #indices: ReadonlyMap<unknown, number> | undefined;

  constructor(places: readonly StubPlace[]) {
    this.#places = places;
    this.#names = places.map(({ name }) => name);
  }

  /**
   * The stubs in the order of the injections, each without the NUL that ends the stubs of mm-ptx for Python.
   *
   * @throws PtxInjectError INVALID_ARGUMENT, INVALID_INPUT for a stub that is not a string, INJECTION_NAME_NOT_FOUND, WRONG_NUM_STUBS
   */
  of(stubs: Stubs, missing: Missing): readonly string[] {
    if (typeof stubs !== "object" || stubs === null || Array.isArray(stubs)) {
      const message = `expected stubs by injection name, found ${describeValue(stubs)}`;
      throw new PtxInjectError("INVALID_ARGUMENT", message);
    }
    // Stubs are usually in the order of the injections, and comparing names takes a tenth of the time of
    // looking them up.
    const isMap = stubs instanceof Map;
    const names: readonly unknown[] = isMap ? [...stubs.keys()] : Object.keys(stubs);
    const texts: readonly unknown[] = isMap
      ? [...stubs.values()]
      : valuesOf(stubs as StubsByName, names as string[]);
    const ordered = this.#areInOrder(names, texts) ? texts : this.#sorted(names, texts, missing);
    return ordered.some(endsWithNul) ? ordered.map(withoutFinalNul) : ordered;
  }

  #areInOrder(names: readonly unknown[], texts: readonly unknown[]): texts is readonly string[] {
    const expected = this.#names;
    if (names.length !== expected.length) return false;
    for (let i = 0; i < expected.length; i++) {
      if (names[i] !== expected[i] || typeof texts[i] !== "string") return false;
    }
    // V8 compares the names that are keys of objects by address, but a part of the parsed text by character.
    this.#names = names as readonly string[];
    return true;
  }

  #sorted(names: readonly unknown[], texts: readonly unknown[], missing: Missing): readonly string[] {
    const places = this.#places;
    this.#indices ??= new Map(places.map(({ name }, index) => [name, index]));
    const sorted = new Array<string | undefined>(places.length).fill(undefined);
    let unknown = -1;
    for (const [i, name] of names.entries()) {
      const index = this.#indices.get(name);
      const text = texts[i];
      if (index === undefined) unknown = unknown === -1 ? i : unknown;
      else if (isText(text)) sorted[index] = text;
      else {
        const message = `expected PTX text as stub of ${quoted(places[index]!.name)}, found ${describeValue(text)}`;
        throw new PtxInjectError("INVALID_INPUT", message);
      }
    }
    if (unknown !== -1) throw unknownInjection(names[unknown], places);
    if (missing === "empty") return sorted.map((text) => text ?? "");
    const index = sorted.indexOf(undefined);
    if (index === -1) return sorted as string[];
    const all =
      places.length === 1 ? "a stub for the injection" : `stubs for all ${places.length} injections`;
    const message = `expected ${all}, found none for ${quoted(places[index]!.name)}`;
    throw new PtxInjectError("WRONG_NUM_STUBS", message);
  }
}

const endsWithNul = (text: string): boolean => text.charCodeAt(text.length - 1) === 0;

/** How many properties V8 keeps in an object's shape; an object that has more is a hash table. */
const MOST_IN_SHAPE = 1020;

/** `Object.values`, which takes ten times as long as reading the properties of a hash table one by one. */
function valuesOf(stubs: StubsByName, names: readonly string[]): readonly unknown[] {
  if (names.length <= MOST_IN_SHAPE) return Object.values(stubs);
  const values = new Array<unknown>(names.length);
  for (let i = 0; i < names.length; i++) values[i] = stubs[names[i]!];
  return values;
}

const isText = (value: unknown): value is string => typeof value === "string";

/** The error for a stub that belongs to none of the injections; the keys of a Map can be anything. */
function unknownInjection(name: unknown, places: readonly StubPlace[]): PtxInjectError {
  if (isText(name)) return unknownName("INJECTION_NAME_NOT_FOUND", "injection", name, places);
  const message = `expected the name of an injection, found ${describeValue(name)}`;
  return new PtxInjectError("INVALID_ARGUMENT", message);
}
