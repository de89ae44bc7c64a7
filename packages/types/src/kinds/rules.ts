// What each kind of description defines so that it can be checked and made into a table, and helpers for these checks.

import type { AstTable, InjectTypes, StackTable, TableIdentity } from "../core/table.js";
import { quoted } from "../internal/describe.js";
import type { JsonPath } from "../json/document.js";
import type { Entry, ListRules, Merged } from "../merge.js";
import type { Finding, Problems } from "../problems.js";

type Table = AstTable | InjectTypes | StackTable;

/** A table without its identity. */
export type Content<Of extends Table> = Omit<Of, keyof TableIdentity>;

export interface KindRules<Of extends Table> {
  readonly lists: readonly ListRules[];
  /** Reports problems in a file's own well-formed entries. */
  check(own: ReadonlyMap<string, readonly Entry[]>, merged: Merged, problems: Problems): void;
  /** Makes the table from entries without problems. */
  build(merged: Merged): Content<Of>;
  /** The part of the table that its fingerprint covers: a row for each entry, list by list, in the order of `lists`. */
  rows(content: Content<Of>): readonly (readonly (readonly unknown[])[])[];
}

/** Reports problems of one file's entries. */
export class EntryChecker {
  readonly #merged: Merged;
  readonly #problems: Problems;

  constructor(merged: Merged, problems: Problems) {
    this.#merged = merged;
    this.#problems = problems;
  }

  tell(entry: Entry, inner: JsonPath, words: Words): void {
    this.#problems.add({ code: "REFERENCE", ...placed(entry, inner), ...words });
  }

  /** Warns about something that existing files contain although it cannot be used. */
  warn(entry: Entry, inner: JsonPath, words: Words): void {
    this.#problems.warn({ code: "SCHEMA", ...placed(entry, inner), ...words });
  }

  /** Finds the entry of a list that another entry refers to; an unknown name is a problem. */
  find(entry: Entry, inner: JsonPath, list: string, name: string, expected: string): Entry | undefined {
    const merged = this.#merged.get(list)!;
    const index = merged.indices.get(name);
    if (index !== undefined) return merged.entries[index];
    if (!merged.incomplete) {
      this.tell(entry, inner, {
        expected,
        found: quoted(name),
        hint: this.#problems.suggest(name, merged.indices),
      });
    }
    return undefined;
  }
}

type Words = Pick<Finding, "expected" | "found" | "hint">;

const placed = ({ source, path }: Entry, inner: JsonPath) => ({ source, path: [...path, ...inner] });

/** A file's own well-formed entries of a list. */
export function wellFormed<Value>(
  own: ReadonlyMap<string, readonly Entry[]>,
  list: string,
): readonly Entry<Value>[] {
  return own.get(list)!.filter((entry) => entry.wellFormed) as Entry<Value>[];
}

/** All entries of a list, in the order of their indices. */
export function entriesOf<Value>(merged: Merged, list: string): readonly Entry<Value>[] {
  return merged.get(list)!.entries as Entry<Value>[];
}

/** A property for a key that is set only if it has a value. */
export function optional<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { readonly [K in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [K in Key]: Value });
}
