// The names of a text: what it declares, and what every place that uses a name means by it. resolve.ts finds that out.
import type { Span } from "@mm-ptx/types/core";
import { isPredefined } from "./predefined.js";
import { isInRange, rangeNameOf } from "./range.js";
import { countBefore } from "./search.js";
import { NONE, type Statements } from "./statement.js";

/** What a declared name is. */
export type DeclarationKind = "function" | "label" | "parameter" | "register" | "variable";

/** A name that a text declares. */
export interface PtxDeclaration {
  readonly kind: DeclarationKind;
  readonly name: string;
  /** Of the name. */
  readonly span: Span;
  /** Where it can be used; the body's for a parameter, 0 in the whole module. */
  readonly scope: number;
  /** Of a range of registers `%r<count>`, which declares `%r0` to `%r(count - 1)`. */
  readonly count?: number;
  /** Index of the statement that declares it. */
  readonly statement: number;
}

/** A place where a name is used. */
export interface PtxUse {
  /** Without a component: `%tid` of `%tid.x`. */
  readonly name: string;
  /** Of the name. */
  readonly span: Span;
  /** Index of the statement that uses it. */
  readonly statement: number;
  /** What it means; `undefined` for what PTX itself names, such as `%tid`, and for what is declared nowhere in the text. */
  readonly declaration: PtxDeclaration | undefined;
}

/** The names of a text. */
export class PtxNames {
  /** In source order. */
  readonly declarations: readonly PtxDeclaration[];
  /** In source order. */
  readonly uses: readonly PtxUse[];
  readonly #parents: Int32Array;
  #byScope: ReadonlyMap<number, ReadonlyMap<string, PtxDeclaration>> | undefined;

  /** @internal */
  constructor({ parents }: Statements, declarations: readonly PtxDeclaration[], uses: readonly PtxUse[]) {
    this.#parents = parents;
    this.declarations = declarations;
    this.uses = uses;
  }

  /** The uses of names that neither the text nor PTX itself declares. */
  get undeclared(): readonly PtxUse[] {
    return this.uses.filter(({ name, declaration }) => declaration === undefined && !isPredefined(name));
  }

  /** The uses that stand in a span, in source order. */
  usesIn(span: Span): readonly PtxUse[] {
    return within(this.uses, span);
  }

  /** The declarations whose names stand in a span, in source order. */
  declarationsIn(span: Span): readonly PtxDeclaration[] {
    return within(this.declarations, span);
  }

  /** What a name would mean in a scope, used there or not: the innermost declaration of the text around it. */
  meaningIn(scope: number, name: string): PtxDeclaration | undefined {
    this.#byScope ??= byScope(this.declarations);
    const rangeKey = `${rangeNameOf(name)}<`;
    for (let at = scope; at !== NONE; at = this.#parents[at]!) {
      const declared = this.#byScope.get(at);
      const single = declared?.get(name);
      if (single !== undefined) return single;
      const range = declared?.get(rangeKey);
      if (range !== undefined && isInRange(name, range)) return range;
    }
    return undefined;
  }
}

function within<Placed extends { readonly span: Span }>(
  list: readonly Placed[],
  { start, end }: Span,
): readonly Placed[] {
  const before = (offset: number) => countBefore(list.length, (index) => list[index]!.span.start < offset);
  return list.slice(before(start), before(end));
}

/** Scopes with their declarations by name; a range of registers by its name and a `<`, which no name holds. */
function byScope(declarations: readonly PtxDeclaration[]): Map<number, Map<string, PtxDeclaration>> {
  const scopes = new Map<number, Map<string, PtxDeclaration>>();
  for (const declaration of declarations) {
    const { scope, name, count = 0 } = declaration;
    const own = scopes.get(scope) ?? new Map<string, PtxDeclaration>();
    scopes.set(scope, own);
    const key = declaration.count === undefined ? name : `${name}<`;
    // Of ranges that a damaged text has twice, the longer one has the registers of both.
    if ((own.get(key)?.count ?? 0) <= count) own.set(key, declaration);
  }
  return scopes;
}
