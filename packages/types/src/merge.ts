// Merges the entries of a file and its bases: the entries of the bases keep their indices, and new ones follow. An
// entry that is in several files must have the same meaning in all of them.

import { MAX_ENTRIES } from "./description.js";
import { placeText } from "./error.js";
import { describeValue, quoted } from "./internal/describe.js";
import { camelCase, cIdentifier } from "./internal/identifier.js";
import type { JsonPath } from "./json/document.js";
import type { Layer } from "./layer.js";
import { againAfter, type Problems } from "./problems.js";
import type { Source } from "./source.js";

/** An entry of a list, and where it is written. */
export interface Entry<Value = unknown> {
  readonly name: string;
  /** The entry as it is in the file. Only the name of a malformed entry may be read. */
  readonly value: Value;
  readonly wellFormed: boolean;
  readonly source: Source;
  readonly path: JsonPath;
}

/** How the entries of a list are named. */
export interface ListRules {
  readonly key: string;
  /** The name of an entry, if it has one. */
  readonly nameOf: (value: NamedValue) => unknown;
  /** The key that the name comes from, where there is a choice. */
  readonly nameWords?: string;
  /** The identifiers of the entries in generated code. */
  readonly identifiers: readonly IdentifierRule[];
  /** Keys whose values may be written in several ways. */
  readonly spellings?: readonly Spelling[];
}

/** A key whose value has one proper form. Existing files contain other forms as well, which are read with a warning. */
export interface Spelling {
  readonly key: string;
  /** The proper form, for messages. */
  readonly expected: string;
  /** The proper form of a well-formed value. */
  readonly read: (value: unknown) => unknown;
}

/** The identifiers that a language has for the entries of a list. */
export interface IdentifierRule {
  readonly language: string;
  /**
   * Returns `undefined` for an entry without an identifier. An identifier has the letters and digits of the entry's
   * name, in any case.
   */
  readonly of: (entry: Entry) => string | undefined;
}

/** The keys of an entry that can provide its name. */
export interface NamedValue {
  readonly name?: unknown;
  readonly display?: unknown;
  readonly ptx?: unknown;
}

/** The naming of entries that may have a name of their own and are printed as PTX. */
export const BY_NAME = { nameOf: ({ name }: NamedValue) => name };
export const BY_NAME_OR_PTX = {
  nameOf: ({ name, display, ptx }: NamedValue) => name ?? display ?? ptx,
  nameWords: " (name, else display, else ptx)",
};

export const IN_C: IdentifierRule = { language: "C", of: ({ name }) => cIdentifier(name) };
export const IN_TYPESCRIPT: IdentifierRule = { language: "TypeScript", of: ({ name }) => camelCase(name) };

/** The values of omitted keys. */
const DEFAULTS: Record<string, unknown> = { aligned: false, num_vec_elems: 0, requires: {} };

export class MergedList {
  readonly entries: Entry[];
  /** The entry of each name. */
  readonly indices: Map<string, number>;
  /** The first entry of each name, with all signs removed. */
  readonly #alike: Map<string, Entry>;
  /** Entries by identifier, for names that are similar. */
  readonly #identifiers: Map<IdentifierRule, Map<string, Entry>>;
  /** Whether a part of the list could not be read, so that names may be missing. */
  incomplete: boolean;

  readonly #rules: ListRules;
  readonly #problems: Problems;

  /** @param base the list that this one continues */
  constructor(rules: ListRules, problems: Problems, base?: MergedList) {
    this.#rules = rules;
    this.#problems = problems;
    this.entries = [...(base?.entries ?? [])];
    this.indices = new Map(base?.indices);
    this.#alike = new Map(base === undefined ? [] : base.#alike);
    this.#identifiers = new Map(
      rules.identifiers.map((rule) => [rule, new Map(base === undefined ? [] : base.#identifiers.get(rule))]),
    );
    this.incomplete = base?.incomplete ?? false;
  }

  add(entry: Entry): void {
    const first = this.entries[this.indices.get(entry.name) ?? -1];
    if (first === entry) return;
    if (first !== undefined) {
      this.#compare(first, entry);
      return;
    }
    this.indices.set(entry.name, this.entries.length);
    this.entries.push(entry);
    this.#compareIdentifiers(entry);
  }

  /** Handles a repeated name: in the same file, or in another file with the same or another meaning. */
  #compare(first: Entry, entry: Entry): void {
    const related = first.source.place(first.path);
    const problem = { code: "REFERENCE", source: entry.source, path: entry.path, related } as const;
    if (first.source === entry.source) {
      this.#problems.add({
        ...problem,
        expected: `a unique name${this.#rules.nameWords ?? ""}`,
        found: quoted(entry.name),
        hint: againAfter(related),
      });
      return;
    }
    if (!first.wellFormed || !entry.wellFormed) return;
    const key = differingKey(first.value, entry.value);
    if (key === undefined) return;
    this.#problems.add({
      ...problem,
      expected: `\`${entry.name}\` to mean what it means at ${placeText(related)}`,
      found: `another \`${key}\``,
    });
  }

  /** Checks that names have distinct identifiers in generated code. */
  #compareIdentifiers(entry: Entry): void {
    // Only names that are the same except for case and signs can have the same identifier, and that is rare.
    const letters = entry.name.replace(/[^A-Za-z0-9]+/g, "").toLowerCase();
    const first = this.#alike.get(letters);
    if (first === undefined) {
      this.#alike.set(letters, entry);
      return;
    }
    this.#claimIdentifiers(first);
    this.#claimIdentifiers(entry);
  }

  #claimIdentifiers(entry: Entry): void {
    for (const [{ language, of }, known] of this.#identifiers) {
      const identifier = of(entry);
      if (identifier === undefined) continue;
      const first = known.get(identifier);
      if (first === undefined) known.set(identifier, entry);
      else if (first !== entry) {
        this.#problems.add({
          code: "REFERENCE",
          source: entry.source,
          path: entry.path,
          expected: "names that give different identifiers",
          found: `${quoted(first.name)} and ${quoted(entry.name)}, both \`${identifier}\` in ${language}`,
          related: first.source.place(first.path),
        });
      }
    }
  }
}

/** The lists of a layer by key, merged from its bases and the layer itself. */
export type Merged = ReadonlyMap<string, MergedList>;

/** Merges the lists of layers, each layer once. */
export class Merger {
  readonly #merged = new Map<Layer, Merged>();
  readonly #own = new Map<Layer, ReadonlyMap<string, readonly Entry[]>>();

  readonly #rules: readonly ListRules[];
  readonly #problems: Problems;

  constructor(rules: readonly ListRules[], problems: Problems) {
    this.#rules = rules;
    this.#problems = problems;
  }

  merge(layer: Layer): Merged {
    const known = this.#merged.get(layer);
    if (known !== undefined) return known;
    const [first, ...others] = layer.bases.map((base) => this.merge(base));
    const lists = this.#rules.map((rules): [string, MergedList] => {
      const list = new MergedList(rules, this.#problems, first?.get(rules.key));
      for (const base of others) {
        const inherited = base.get(rules.key)!;
        list.incomplete ||= inherited.incomplete;
        for (const entry of inherited.entries) list.add(entry);
      }
      const own = this.entriesOf(layer).get(rules.key)!;
      for (const entry of own) list.add(entry);
      const lacksNames = own.length < layer.file.entries(rules.key).length;
      list.incomplete ||= lacksNames || layer.lacksBases || layer.file.unreadable(rules.key);
      if (layer.bases.length > 0 && list.entries.length > MAX_ENTRIES) {
        this.#problems.add({
          code: "REFERENCE",
          source: layer.source,
          path: [rules.key],
          expected: `at most ${MAX_ENTRIES} entries together with those of its bases`,
          found: String(list.entries.length),
        });
      }
      return [rules.key, list];
    });
    const merged = new Map(lists);
    this.#merged.set(layer, merged);
    return merged;
  }

  /** The entries that a layer itself adds, by list. */
  entriesOf(layer: Layer): ReadonlyMap<string, readonly Entry[]> {
    let entries = this.#own.get(layer);
    if (entries === undefined) {
      entries = new Map(this.#rules.map((rules) => [rules.key, ownEntries(layer, rules, this.#problems)]));
      this.#own.set(layer, entries);
    }
    return entries;
  }
}

function ownEntries({ file, source }: Layer, rules: ListRules, problems: Problems): Entry[] {
  const { key, nameOf } = rules;
  return file.entries(key).flatMap(({ value, wellFormed }, index): Entry[] => {
    const name = typeof value === "object" && value !== null ? nameOf(value) : undefined;
    if (typeof name !== "string") return [];
    const entry = { name, value, wellFormed, source, path: [key, index] };
    return [wellFormed ? { ...entry, value: properlySpelled(entry, rules, problems) } : entry];
  });
}

/** The value of a well-formed entry with the proper forms of its keys; other forms are warnings. */
function properlySpelled(
  { value, source, path }: Entry,
  { spellings = [] }: ListRules,
  problems: Problems,
): unknown {
  let proper = value as Readonly<Record<string, unknown>>;
  for (const { key, expected, read } of spellings) {
    const given = proper[key];
    if (given === undefined || read(given) === given) continue;
    problems.warn({ code: "SCHEMA", source, path: [...path, key], expected, found: describeValue(given) });
    proper = { ...proper, [key]: read(given) };
  }
  return proper;
}

/** The first key in which two entries with the same name differ; where they come from does not matter. */
function differingKey(a: unknown, b: unknown): string | undefined {
  const [first, second] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = new Set([...Object.keys(first), ...Object.keys(second)]);
  return [...keys].find((key) => {
    const [left, right] = [first[key] ?? DEFAULTS[key], second[key] ?? DEFAULTS[key]];
    return key !== "name" && sortedJson(left) !== sortedJson(right);
  });
}

/** JSON with sorted keys, one level deep, since `requires` is the only object in an entry. */
function sortedJson(value: unknown): string | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return JSON.stringify(isObject ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : value);
}
