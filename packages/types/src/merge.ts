// The entries of a file and its bases in one order: those of the bases keep their indices, new ones follow. What stands
// in several files must mean the same in all of them.
import { quoted } from "./core/describe.js";
import { MAX_ENTRIES } from "./description.js";
import { placeText } from "./error.js";
import { camelCase, cIdentifier } from "./identifier.js";
import type { JsonPath } from "./json/document.js";
import type { Layer } from "./layer.js";
import { againAfter, type Problems } from "./problems.js";
import type { Source } from "./source.js";

/** Something of a list, and where it is written. */
export interface Entry<Value = unknown> {
  readonly name: string;
  /** As in the file. Of a malformed entry only the name may be read. */
  readonly value: Value;
  readonly wellFormed: boolean;
  readonly source: Source;
  readonly path: JsonPath;
}

/** How the entries of a list are named. */
export interface ListRules {
  readonly key: string;
  /** What an entry is called, as far as it has a name. */
  readonly nameOf: (value: NamedValue) => unknown;
  /** Which key that is, where there is a choice. */
  readonly nameWords?: string;
  /** What generated code calls the entries. */
  readonly identifiers: readonly IdentifierRule[];
}

/** The identifiers that a language has for the entries of a list. */
export interface IdentifierRule {
  readonly language: string;
  /** `undefined` for an entry that has none. It has the letters and digits of the entry's name, in any case. */
  readonly of: (entry: Entry) => string | undefined;
}

/** The keys of an entry that may name it. */
export interface NamedValue {
  readonly name?: unknown;
  readonly display?: unknown;
  readonly ptx?: unknown;
}

/** Entries that have a name of their own, and those that are printed. */
export const BY_NAME = { nameOf: ({ name }: NamedValue) => name };
export const BY_NAME_OR_PTX = {
  nameOf: ({ name, display, ptx }: NamedValue) => name ?? display ?? ptx,
  nameWords: " (name, else display, else ptx)",
};

export const IN_C: IdentifierRule = { language: "C", of: ({ name }) => cIdentifier(name) };
export const IN_TYPESCRIPT: IdentifierRule = { language: "TypeScript", of: ({ name }) => camelCase(name) };

/** What a key means that is left out. */
const DEFAULTS: Record<string, unknown> = { aligned: false, num_vec_elems: 0, requires: {} };

export class MergedList {
  readonly entries: Entry[];
  /** Of each name. */
  readonly indices: Map<string, number>;
  /** The first entry of each name without its signs. */
  private readonly alike: Map<string, Entry>;
  /** By identifier, of names that are alike. */
  private readonly identifiers: Map<IdentifierRule, Map<string, Entry>>;
  /** Whether a part of the list could not be read, so that names may be missing. */
  incomplete: boolean;

  /** @param base the list that this one continues */
  constructor(
    private readonly rules: ListRules,
    private readonly problems: Problems,
    base?: MergedList,
  ) {
    this.entries = [...(base?.entries ?? [])];
    this.indices = new Map(base?.indices);
    this.alike = new Map(base?.alike);
    this.identifiers = new Map(rules.identifiers.map((rule) => [rule, new Map(base?.identifiers.get(rule))]));
    this.incomplete = base?.incomplete ?? false;
  }

  add(entry: Entry): void {
    const first = this.entries[this.indices.get(entry.name) ?? -1];
    if (first === entry) return;
    if (first !== undefined) {
      this.compare(first, entry);
      return;
    }
    this.indices.set(entry.name, this.entries.length);
    this.entries.push(entry);
    this.compareIdentifiers(entry);
  }

  /** A name again: once more in its file, or in another with the same or another meaning. */
  private compare(first: Entry, entry: Entry): void {
    const related = first.source.place(first.path);
    const problem = { code: "REFERENCE", source: entry.source, path: entry.path, related } as const;
    if (first.source === entry.source) {
      this.problems.add({
        ...problem,
        expected: `a unique name${this.rules.nameWords ?? ""}`,
        found: quoted(entry.name),
        hint: againAfter(related),
      });
      return;
    }
    if (!first.wellFormed || !entry.wellFormed) return;
    const key = differingKey(first.value, entry.value);
    if (key === undefined) return;
    this.problems.add({
      ...problem,
      expected: `\`${entry.name}\` to mean what it means at ${placeText(related)}`,
      found: `another \`${key}\``,
    });
  }

  /** Generated code has an identifier for each name. */
  private compareIdentifiers(entry: Entry): void {
    // Only names that differ in case and signs at most can become the same, and hardly any do.
    const letters = entry.name.replace(/[^A-Za-z0-9]+/g, "").toLowerCase();
    const first = this.alike.get(letters);
    if (first === undefined) {
      this.alike.set(letters, entry);
      return;
    }
    this.claimIdentifiers(first);
    this.claimIdentifiers(entry);
  }

  private claimIdentifiers(entry: Entry): void {
    for (const [{ language, of }, known] of this.identifiers) {
      const identifier = of(entry);
      if (identifier === undefined) continue;
      const first = known.get(identifier);
      if (first === undefined) known.set(identifier, entry);
      else if (first !== entry) {
        this.problems.add({
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

/** The lists of a layer, merged from its bases and itself, by key. */
export type Merged = ReadonlyMap<string, MergedList>;

/** Merges the lists of layers, each layer once. */
export class Merger {
  private readonly merged = new Map<Layer, Merged>();
  private readonly own = new Map<Layer, ReadonlyMap<string, readonly Entry[]>>();

  constructor(
    private readonly rules: readonly ListRules[],
    private readonly problems: Problems,
  ) {}

  merge(layer: Layer): Merged {
    const known = this.merged.get(layer);
    if (known !== undefined) return known;
    const [first, ...others] = layer.bases.map((base) => this.merge(base));
    const lists = this.rules.map((rules): [string, MergedList] => {
      const list = new MergedList(rules, this.problems, first?.get(rules.key));
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
        this.problems.add({
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
    this.merged.set(layer, merged);
    return merged;
  }

  /** What a layer adds itself, by list. */
  entriesOf(layer: Layer): ReadonlyMap<string, readonly Entry[]> {
    let entries = this.own.get(layer);
    if (entries === undefined) {
      entries = new Map(this.rules.map((rules) => [rules.key, ownEntries(layer, rules)]));
      this.own.set(layer, entries);
    }
    return entries;
  }
}

function ownEntries({ file, source }: Layer, { key, nameOf }: ListRules): Entry[] {
  return file.entries(key).flatMap(({ value, wellFormed }, index) => {
    const name = typeof value === "object" && value !== null ? nameOf(value) : undefined;
    return typeof name === "string" ? [{ name, value, wellFormed, source, path: [key, index] }] : [];
  });
}

/** The first key in which two entries of one name differ, but for how they came to it. */
function differingKey(a: unknown, b: unknown): string | undefined {
  const [first, second] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = new Set([...Object.keys(first), ...Object.keys(second)]);
  return [...keys].find((key) => {
    const [left, right] = [first[key] ?? DEFAULTS[key], second[key] ?? DEFAULTS[key]];
    return key !== "name" && sortedJson(left) !== sortedJson(right);
  });
}

/** JSON with sorted keys, one level deep: `requires` is the only object in an entry. */
function sortedJson(value: unknown): string | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return JSON.stringify(isObject ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : value);
}
