// The names of a text: what it declares, and what every place that uses a name means by it. resolve.ts finds that out.
import type { Span } from "@mm-ptx/types/core";
import { isPredefined } from "./predefined.js";

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
  /** In source order; parameters stand where their function does. */
  readonly declarations: readonly PtxDeclaration[];
  /** In source order. */
  readonly uses: readonly PtxUse[];

  constructor(declarations: readonly PtxDeclaration[], uses: readonly PtxUse[]) {
    this.declarations = declarations;
    this.uses = uses;
  }

  /** The uses that stand in a span, in source order. */
  usesIn({ start, end }: Span): readonly PtxUse[] {
    return this.uses.slice(firstAt(this.uses, start), firstAt(this.uses, end));
  }

  /** The uses of names that neither the text nor PTX itself declares. */
  get undeclared(): readonly PtxUse[] {
    return this.uses.filter(({ name, declaration }) => declaration === undefined && !isPredefined(name));
  }
}

/** Index of the first use at or behind an offset. */
function firstAt(uses: readonly PtxUse[], offset: number): number {
  let low = 0;
  let high = uses.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (uses[middle]!.span.start < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
