// What the names of a kernel mean at a place in it, for stubs that use more than their operands.
import { type DeclarationKind, type PtxModule, readModule } from "@mm-ptx/ptx";

/** What a scope declares. */
interface Scope {
  readonly names: Map<string, DeclarationKind>;
  /** Ranges of registers: `%r<5>` declares `%r0` to `%r4`. */
  readonly ranges: { readonly prefix: string; readonly count: number }[];
}

const NUMBER = /^(?:0|[1-9]\d*)$/;

/** The names of a PTX text, which is read for that. */
export class KernelNames {
  readonly #module: PtxModule;
  readonly #scopes = new Map<number, Scope>();

  constructor(text: string) {
    this.#module = readModule(text, { tolerant: true });
    for (const { name, kind, scope, count } of this.#module.names.declarations) {
      const { names, ranges } = this.#scope(scope);
      if (count === undefined) names.set(name, kind);
      else ranges.push({ prefix: name, count });
    }
  }

  /** What a name is at an offset of the text, by the innermost declaration; `undefined` when it is not declared there. */
  kindAt(name: string, offset: number): DeclarationKind | undefined {
    const { parents } = this.#module.statements;
    for (let scope = this.#module.scopeAt(offset); scope >= 0; scope = parents[scope]!) {
      const { names, ranges } = this.#scope(scope);
      const kind = names.get(name);
      if (kind !== undefined) return kind;
      const isInRange = ranges.some(({ prefix, count }) => {
        const number = name.slice(prefix.length);
        return name.startsWith(prefix) && NUMBER.test(number) && Number(number) < count;
      });
      if (isInRange) return "register";
    }
    return undefined;
  }

  #scope(index: number): Scope {
    const known = this.#scopes.get(index);
    if (known !== undefined) return known;
    const scope: Scope = { names: new Map(), ranges: [] };
    this.#scopes.set(index, scope);
    return scope;
  }
}
