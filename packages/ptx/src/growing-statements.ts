// The statements of a text while they are being found.
import { NONE, type StatementKind, Statements } from "./statement.js";

/** Statements that can grow; the arrays grow with them. */
export class GrowingStatements extends Statements {
  add(kind: StatementKind, first: number, end: number, scope: number): void {
    const statement = this.count++;
    if (statement === this.kinds.length) this.#grow();
    this.kinds[statement] = kind;
    this.firsts[statement] = first;
    this.ends[statement] = end;
    this.scopes[statement] = scope;
  }

  /** A scope that the next statement opens. */
  addScope(parent: number): number {
    const scope = this.scopeCount++;
    if (scope === this.parents.length) this.#growScopes();
    this.parents[scope] = parent;
    this.opens[scope] = this.count;
    this.closes[scope] = NONE;
    return scope;
  }

  #grow(): void {
    const room = 2 * this.kinds.length;
    this.kinds = copied(this.kinds, new Uint8Array(room));
    this.firsts = copied(this.firsts, new Uint32Array(room));
    this.ends = copied(this.ends, new Uint32Array(room));
    this.scopes = copied(this.scopes, new Uint32Array(room));
  }

  #growScopes(): void {
    const room = 2 * this.parents.length;
    this.parents = copied(this.parents, new Int32Array(room));
    this.opens = copied(this.opens, new Int32Array(room));
    this.closes = copied(this.closes, new Int32Array(room));
  }
}

function copied<T extends Int32Array | Uint8Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
