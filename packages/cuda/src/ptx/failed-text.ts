// PTX that did not compile, with the place of the error, for finding hints. It is parsed lazily, when a hint needs it.

import { type PtxInstruction, type PtxModule, type PtxVariable, readModule } from "@mm-ptx/ptx";
import { type PlacedStub, positionAt } from "@mm-ptx/types/core";
import { lineOffset } from "@mm-ptx/types/internal";
import { headerTarget } from "./header-target.js";

/** Longer texts are not parsed for a hint, because that would block the event loop for too long. */
const LONGEST = 256 * 1024;

/** The place of the error. */
export interface FailedPlace {
  /** Counted from 1; absent if the compiler names no line. */
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** The line within its stub, counted from 1, for a line of a stub. */
  readonly stubLine: number | undefined;
  /** Describes a line of rendered PTX. */
  readonly describe: ((line: number) => string | undefined) | undefined;
  /** The stubs of rendered PTX. */
  readonly stubs: () => Iterable<PlacedStub>;
}

/** A name that is visible at the place. */
export interface VisibleName {
  readonly kind: "register" | "variable" | "parameter" | "label" | "function";
  readonly name: string;
  /** The type of registers, variables and parameters. */
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

  /** The architecture in `.target`. */
  get target(): string | undefined {
    return headerTarget(this.ptx);
  }

  /** The number of the line with the error; 0 if it is not known. */
  get line(): number {
    return this.#place.line ?? 0;
  }

  /** The stubs of rendered PTX. */
  get stubs(): Iterable<PlacedStub> {
    return this.#place.stubs();
  }

  get inStub(): boolean {
    return this.#place.stubLine !== undefined;
  }

  /** Describes a line, for messages about a different line than the one with the error. */
  placeOf(line: number): string {
    return this.#place.describe?.(line) ?? `line ${line}`;
  }

  /** Describes the line of an offset. */
  placeAt(offset: number): string {
    return this.placeOf(positionAt(this.ptx, offset).line);
  }

  /** The text of a line, counted from 1; by default, the line with the error. */
  lineText(line = this.line): string {
    if (line < 1) return "";
    const start = lineOffset(this.ptx, line);
    return this.ptx.slice(start).split("\n", 1)[0]!;
  }

  /** The text as a module, parsed tolerantly; `undefined` if it is too long. */
  get module(): PtxModule | undefined {
    if (this.ptx.length > LONGEST) return undefined;
    this.#module ??= readModule(this.ptx, { tolerant: true });
    return this.#module;
  }

  /** The offset of the error: its column, or the start of the line's code. */
  get offset(): number {
    const { column } = this.#place;
    const start = lineOffset(this.ptx, this.line);
    const text = this.lineText();
    return start + (column === undefined ? text.length - text.trimStart().length : column - 1);
  }

  /** The instruction with the error. */
  get instruction(): PtxInstruction | undefined {
    const { module } = this;
    const statement = module?.statementAt(this.offset) ?? -1;
    return statement !== -1 && module!.statements.kind(statement) === "instruction"
      ? module!.instruction(statement)
      : undefined;
  }

  /** The visible names, innermost first, including all labels of the function. */
  get visible(): readonly VisibleName[] {
    this.#visible ??= this.module === undefined ? [] : namesAround(this.module, this.offset);
    return this.#visible;
  }

  /** The declaration that a name refers to at the place. */
  meaningOf(name: string): VisibleName | undefined {
    const hasRegister = ({ name: base, count = 0 }: VisibleName): boolean => {
      const digits = name.startsWith(base) ? name.slice(base.length) : "";
      return /^\d+$/.test(digits) && Number(digits) < count;
    };
    return this.visible.find((each) => (each.name === name && each.count === undefined) || hasRegister(each));
  }

  /**
   * The names that the place should use: within a stub, no registers of the kernel, which may be different at its next
   * compile.
   */
  get usable(): readonly VisibleName[] {
    const { module } = this;
    const site = this.#siteStart;
    if (module === undefined || site === undefined) return this.visible;
    const scopes = scopesAround(module, this.offset);
    const own = scopes.slice(0, scopes.indexOf(module.scopeAt(site)) + 1);
    return this.visible.filter(({ kind, scope }) => kind !== "register" || own.includes(scope));
  }

  /** The registers of the site of a stub: those declared in the scope of the stub. */
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

/** The scopes that contain an offset, innermost first. */
function scopesAround(module: PtxModule, offset: number): number[] {
  const scopes: number[] = [];
  for (let scope = module.scopeAt(offset); scope !== -1; scope = module.statements.parents[scope]!)
    scopes.push(scope);
  return scopes;
}

/** Parses only declarations: the operands of other statements are not needed, and parsing them takes much longer. */
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
  for (const variable of around?.parameters ?? [])
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
