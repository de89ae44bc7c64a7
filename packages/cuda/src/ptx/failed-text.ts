// PTX that did not compile, with the place that is blamed: what hints are found in. Nothing is read before a hint asks.

import { type PtxInstruction, type PtxModule, type PtxVariable, readModule } from "@mm-ptx/ptx";
import { lineOffset, positionAt } from "@mm-ptx/types/core";

/** What is longer is not read for a hint: that would hold the event loop up for longer than the hint is worth. */
const LONGEST = 256 * 1024;

/** The place that is blamed. */
export interface FailedPlace {
  /** Counted from 1; absent when the compiler names none. */
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** Of a line of a stub: that line, counted from 1. */
  readonly stubLine: number | undefined;
  /** Of a template: what a line is in words. */
  readonly describe: ((line: number) => string | undefined) | undefined;
  /** Of a template: the stubs by injection. */
  readonly stubs: ReadonlyMap<string, string>;
}

/** A name that the place could use. */
export interface VisibleName {
  readonly kind: "register" | "variable" | "parameter" | "label" | "function";
  readonly name: string;
  /** Of registers, variables and parameters. */
  readonly type?: string | undefined;
  readonly space?: string;
  /** N of a range `%r<N>`, which declares `%r0` to `%r(N-1)`. */
  readonly count?: number;
  readonly scope: number;
  /** The offset of the name. */
  readonly start: number;
}

/** PTX that did not compile. */
export class FailedText {
  readonly ptx: string;
  /** The architecture that it was compiled for. */
  readonly arch: string;
  readonly #place: FailedPlace;
  #module: PtxModule | undefined;
  #visible: readonly VisibleName[] | undefined;

  constructor(ptx: string, arch: string, place: FailedPlace) {
    this.ptx = ptx;
    this.arch = arch;
    this.#place = place;
  }

  /** The architecture of `.target`. */
  get target(): string | undefined {
    return /^[ \t]*\.target[ \t]+(\w+)/m.exec(this.ptx)?.[1];
  }

  /** The number of the line that is blamed; 0 when there is none. */
  get line(): number {
    return this.#place.line ?? 0;
  }

  /** Of a template: the stubs by injection. */
  get stubs(): ReadonlyMap<string, string> {
    return this.#place.stubs;
  }

  get inStub(): boolean {
    return this.#place.stubLine !== undefined;
  }

  /** A line in words, for messages about another than the one that is blamed. */
  placeOf(line: number): string {
    return this.#place.describe?.(line) ?? `line ${line}`;
  }

  /** The line of an offset in words. */
  placeAt(offset: number): string {
    return this.placeOf(positionAt(this.ptx, offset).line);
  }

  /** The text of a line, counted from 1; by default the one that is blamed. */
  lineText(line = this.line): string {
    if (line < 1) return "";
    const start = lineOffset(this.ptx, line);
    return this.ptx.slice(start).split("\n", 1)[0]!;
  }

  /** The text as a module, read as far as it can be understood; `undefined` when it is too long for that. */
  get module(): PtxModule | undefined {
    if (this.ptx.length > LONGEST) return undefined;
    this.#module ??= readModule(this.ptx, { tolerant: true });
    return this.#module;
  }

  /** The offset that is blamed: of the column, or of what stands first in the line. */
  get offset(): number {
    const { column } = this.#place;
    const start = lineOffset(this.ptx, this.line);
    const text = this.lineText();
    return start + (column === undefined ? text.length - text.trimStart().length : column - 1);
  }

  /** The instruction that is blamed. */
  get instruction(): PtxInstruction | undefined {
    const { module } = this;
    const statement = module?.statementAt(this.offset) ?? -1;
    return statement !== -1 && module!.statements.kind(statement) === "instruction"
      ? module!.instruction(statement)
      : undefined;
  }

  /** The names that the place could use, innermost first; all labels of its function among them. */
  get visible(): readonly VisibleName[] {
    this.#visible ??= this.module === undefined ? [] : namesAround(this.module, this.offset);
    return this.#visible;
  }

  /** What a name means at the place. */
  meaningOf(name: string): VisibleName | undefined {
    const hasRegister = ({ name: base, count = 0 }: VisibleName): boolean => {
      const digits = name.startsWith(base) ? name.slice(base.length) : "";
      return /^\d+$/.test(digits) && Number(digits) < count;
    };
    return this.visible.find((each) => (each.name === name && each.count === undefined) || hasRegister(each));
  }

  /** The names that may be used at the place: in a stub no registers of the kernel, which are others at its next compile. */
  get usable(): readonly VisibleName[] {
    const { module } = this;
    const site = this.#siteStart;
    if (module === undefined || site === undefined) return this.visible;
    const scopes = scopesAround(module, this.offset);
    const own = scopes.slice(0, scopes.indexOf(module.scopeAt(site)) + 1);
    return this.visible.filter(({ kind, scope }) => kind !== "register" || own.includes(scope));
  }

  /** The registers of the site that a stub stands at: what is declared in the scope that it was put into. */
  get siteRegisters(): readonly VisibleName[] {
    const { module } = this;
    const site = this.#siteStart;
    if (module === undefined || site === undefined) return [];
    const scope = module.scopeAt(site);
    return this.visible.filter(
      (each) => each.kind === "register" && each.scope === scope && each.start < site,
    );
  }

  /** The offset of a stub's first line. */
  get #siteStart(): number | undefined {
    const { stubLine } = this.#place;
    return stubLine === undefined ? undefined : lineOffset(this.ptx, this.line - stubLine + 1);
  }
}

/** The scopes that an offset stands in, innermost first. */
function scopesAround(module: PtxModule, offset: number): number[] {
  const scopes: number[] = [];
  for (let scope = module.scopeAt(offset); scope !== -1; scope = module.statements.parents[scope]!)
    scopes.push(scope);
  return scopes;
}

/** Only declarations are taken apart: what the other statements use is of no interest, and takes far longer. */
function namesAround(module: PtxModule, offset: number): VisibleName[] {
  const { statements } = module;
  const scopes = scopesAround(module, offset);
  const around = module.functionAt(offset);
  const found: VisibleName[] = [];
  for (let statement = 0; statement < statements.count; statement++) {
    const scope = statements.scopes[statement]!;
    const kind = statements.kind(statement);
    if (kind === "variable" && scopes.includes(scope)) {
      for (const variable of module.variables(statement)) {
        const is = variable.space === "reg" ? "register" : "variable";
        found.push(visibleName(is, variable, scope));
      }
    } else if (kind === "label") {
      const start = statements.start(statement);
      const within = around?.bodySpan;
      if (within === undefined || start < within.start || start >= within.end) continue;
      found.push({ kind, name: module.label(statement), scope: around!.scope!, start });
    }
  }
  for (const variable of around?.params ?? [])
    found.push(visibleName("parameter", variable, around?.scope ?? 0));
  for (const { name, nameSpan } of module.functions)
    found.push({ kind: "function", name, scope: 0, start: nameSpan.start });
  return found.sort((a, b) => scopes.indexOf(a.scope) - scopes.indexOf(b.scope));
}

function visibleName(
  kind: VisibleName["kind"],
  { name, nameSpan, type, space, count }: PtxVariable,
  scope: number,
): VisibleName {
  return { kind, name, type, space, scope, start: nameSpan.start, ...(count === undefined ? {} : { count }) };
}
