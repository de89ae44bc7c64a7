// The entry point of descriptions: JSON text or a parsed object becomes a checked table. Everything after this may
// trust its input.
import { checkOptions } from "./arguments.js";
import { deepFreeze } from "./core/freeze.js";
import type { AstTable, InjectTypes, StackTable } from "./core/table.js";
import type { DescriptionKind } from "./description.js";
import type { DescriptionProblem } from "./error.js";
import { describeValue } from "./internal/describe.js";
import { fingerprintOf, type Rows, rowTexts, startsWith } from "./internal/fingerprint.js";
import { KIND_NAMES } from "./kind.js";
import { AST } from "./kinds/ast.js";
import { INJECT } from "./kinds/inject.js";
import type { KindRules } from "./kinds/rules.js";
import { STACK } from "./kinds/stack.js";
import { kindOf, type Layer, LayerOpener, type ResolveDescription, Resolver } from "./layer.js";
import { type Merged, Merger } from "./merge.js";
import { Problems, tellDocument } from "./problems.js";
import { Source } from "./source.js";

/** Options of the parsers of descriptions. */
export interface ParseDescriptionOptions {
  /** The name of the file in messages, which `resolve` receives as `from`. */
  readonly name?: string;
  /** Finds the files that `extends` refers to. Without it, `extends` is a problem. */
  readonly resolve?: ResolveDescription;
  /**
   * Whether to reject oddities that mm-ptx 1.1 accepts and that are otherwise warnings: a `literal_prefix` that `mov`
   * does not take, such as `u8`; `aligned` as text; a `constant_type` in upper case or with blanks. By default, these
   * are warnings.
   */
  readonly strict?: boolean;
  /** Called with each warning of a description that has no problems. */
  readonly onWarning?: (warning: DescriptionProblem) => void;
}

/** The table of each kind of description. */
export interface TableOfKind {
  readonly ast: AstTable;
  readonly inject: InjectTypes;
  readonly stack: StackTable;
}

/** A table of any kind; its `kind` says which. */
export type AnyTable = TableOfKind[DescriptionKind];

const OPTIONS = { name: "string", onWarning: "function", resolve: "function", strict: "boolean" } as const;

const RULES: { readonly [Kind in DescriptionKind]: KindRules<TableOfKind[Kind]> } = {
  ast: AST,
  inject: INJECT,
  stack: STACK,
};

/**
 * Checks a Stack PTX description and resolves its names to indices.
 * @param json the file's text, or the result of `JSON.parse`
 * @returns a deeply frozen table with the entries of the bases first, then those of the file in its order
 * @throws DescriptionError with all problems of the file and its bases: SYNTAX when it is not JSON, SCHEMA when it has
 * the wrong shape, EXTENDS when a base cannot be opened, REFERENCE when names clash, do not exist, or do not fit each
 * other; INVALID_ARGUMENT for unknown options
 */
export function parseStackDescription(json: unknown, options: ParseDescriptionOptions = {}): StackTable {
  return parseOfKind("stack", json, options);
}

/**
 * Checks a PTX Inject description.
 * @param json the file's text, or the result of `JSON.parse`
 * @returns deeply frozen types, those of the bases first
 * @throws DescriptionError like `parseStackDescription`
 */
export function parseInjectDescription(json: unknown, options: ParseDescriptionOptions = {}): InjectTypes {
  return parseOfKind("inject", json, options);
}

/**
 * Checks an AST PTX description.
 * @param json the file's text, or the result of `JSON.parse`
 * @returns a deeply frozen table with the entries of the bases first
 * @throws DescriptionError like `parseStackDescription`
 */
export function parseAstDescription(json: unknown, options: ParseDescriptionOptions = {}): AstTable {
  return parseOfKind("ast", json, options);
}

/**
 * Checks a description of any kind. The top-level keys of the file or of its bases determine the kind.
 * @param json the file's text, or the result of `JSON.parse`
 * @returns the deeply frozen table, with its `kind`
 * @throws DescriptionError like `parseStackDescription`
 */
export function parseDescription(json: unknown, options: ParseDescriptionOptions = {}): AnyTable {
  checkOptions(options, OPTIONS);
  const source = new Source(json, options.name);
  const resolver = new Resolver(options.resolve);
  const kind = kindOf(source, resolver);
  if (kind !== undefined) return parseSource(kind, source, resolver, options);
  const problems = new Problems();
  problems.addSource(source);
  tellDocument(source, problems);
  if (!problems.any) {
    problems.add({
      code: "SCHEMA",
      source,
      path: [],
      expected: "a description, with `stack_types`, `data_type_infos` or `instructions`",
      found: describeValue(source.document.value),
    });
  }
  throw problems.error("the description");
}

/** @internal The parsers by kind. */
export function parseOfKind<Kind extends DescriptionKind>(
  kind: Kind,
  json: unknown,
  options: ParseDescriptionOptions,
): TableOfKind[Kind] {
  checkOptions(options, OPTIONS);
  return parseSource(kind, new Source(json, options.name), new Resolver(options.resolve), options);
}

function parseSource<Kind extends DescriptionKind>(
  kind: Kind,
  source: Source,
  resolver: Resolver,
  { strict = false, onWarning }: ParseDescriptionOptions,
): TableOfKind[Kind] {
  const rules: KindRules<TableOfKind[Kind]> = RULES[kind];
  const problems = new Problems(strict);
  const root = new LayerOpener(kind, resolver, problems).open(source);
  const merger = new Merger(rules.lists, problems);
  const bases = basesOf(root);
  for (const layer of [...bases, root]) rules.check(merger.entriesOf(layer), merger.merge(layer), problems);
  if (problems.any) throw problems.error(KIND_NAMES[kind].replace(/^an? /, "the "));

  const merged = merger.merge(root);
  const content = rules.build(merged);
  const rows = rowTexts(rules.rows(content));
  const fingerprint = fingerprintOf(kind, rows);
  const fingerprints = bases
    .map((layer) => merger.merge(layer))
    .map((base) => sharedRows(merged, base, rows) ?? rowTexts(rules.rows(rules.build(base))))
    .filter((base) => startsWith(rows, base))
    .map((base) => fingerprintOf(kind, base));
  if (onWarning !== undefined) for (const warning of problems.warnings) onWarning(warning);
  const others = new Set(fingerprints);
  others.delete(fingerprint);
  return deepFreeze({ ...content, fingerprint, bases: [...others] }) as unknown as TableOfKind[Kind];
}

/**
 * The rows of a base whose entries come first in the table. Building all rows would take long when there are many
 * bases.
 */
function sharedRows(table: Merged, base: Merged, rows: readonly Rows[]): readonly Rows[] | undefined {
  const keys = [...table.keys()];
  const entries = keys.map((key) => base.get(key)!.entries);
  const isFirst = entries.every((list, at) => {
    const all = table.get(keys[at]!)!.entries;
    return list.every((entry, index) => entry === all[index]);
  });
  return isFirst ? rows.map((list, at) => list.slice(0, entries[at]!.length)) : undefined;
}

/** All files that a file extends, each once and after those that it extends itself. */
function basesOf(layer: Layer, found = new Set<Layer>()): Layer[] {
  for (const base of layer.bases) {
    if (found.has(base)) continue;
    basesOf(base, found);
    found.add(base);
  }
  return [...found];
}
