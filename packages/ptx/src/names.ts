// The names of a text: what it declares, and what each use of a name refers to. resolve.ts finds out both.
import type { Span } from "@mm-ptx/types/core";
import { isPredefined } from "./predefined.js";
import { isInRange, rangeNameOf } from "./range.js";
import { countBefore } from "./search.js";
import { NONE, type Statements } from "./statement.js";

/** The kinds of declared names. */
export type DeclarationKind = "function" | "label" | "parameter" | "register" | "variable";

/** A name that a text declares. */
export interface PtxDeclaration {
  readonly kind: DeclarationKind;
  readonly name: string;
  /** The span of the name. */
  readonly span: Span;
  /** The scope in which it can be used: for a parameter that of the body, and 0 for the whole module. */
  readonly scope: number;
  /** The count of a range of registers `%r<count>`, which declares `%r0` to `%r(count - 1)`. */
  readonly count?: number;
  /** The index of the statement that declares it. */
  readonly statement: number;
}

/** A use of a name. */
export interface PtxUse {
  /** Without a component: `%tid` of `%tid.x`. */
  readonly name: string;
  /** The span of the name. */
  readonly span: Span;
  /** The index of the statement that uses it. */
  readonly statement: number;
  /**
   * The declaration that it refers to; `undefined` for names that PTX itself declares, such as `%tid`, and for
   * undeclared names.
   */
  readonly declaration: PtxDeclaration | undefined;
}

/** The names of a text. */
export class PtxNames {
  /** The declarations in source order. */
  readonly declarations: readonly PtxDeclaration[];
  /** The uses in source order. */
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

  /** The uses in a span, in source order. */
  usesIn(span: Span): readonly PtxUse[] {
    return within(this.uses, span);
  }

  /** The declarations whose names are in a span, in source order. */
  declarationsIn(span: Span): readonly PtxDeclaration[] {
    return within(this.declarations, span);
  }

  /**
   * The declaration that a name would refer to in a scope, whether or not it is used there: the innermost one of the
   * text.
   */
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

/**
 * Scopes with their declarations by name. A range of registers is stored under its name followed by `<`, which no name
 * contains.
 */
function byScope(declarations: readonly PtxDeclaration[]): Map<number, Map<string, PtxDeclaration>> {
  const scopes = new Map<number, Map<string, PtxDeclaration>>();
  for (const declaration of declarations) {
    const { scope, name, count = 0 } = declaration;
    const own = scopes.get(scope) ?? new Map<string, PtxDeclaration>();
    scopes.set(scope, own);
    const key = declaration.count === undefined ? name : `${name}<`;
    // If a corrupt text declares a range twice, the longer one contains the registers of both.
    if ((own.get(key)?.count ?? 0) <= count) own.set(key, declaration);
  }
  return scopes;
}
