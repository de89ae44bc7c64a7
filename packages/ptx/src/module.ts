// A PTX module: its header, its functions with their parameters, its variables and other directives. Bodies are split
// into statements and scopes; their instructions are parsed on request.
import { quoted } from "@mm-ptx/types/internal";
import { checkOptions, PtxCode, type PtxParts, type ReadOptions, readParts } from "./code.js";
import type { PtxVariable } from "./declaration.js";
import type { PtxDirective } from "./directive.js";
import { type PtxFunction, readFunction } from "./function.js";
import { countBefore } from "./search.js";
import { StatementKind } from "./statement.js";

/** A PTX module. Parts that a text with mistakes lacks are missing here. */
export class PtxModule extends PtxCode {
  /** The PTX ISA version as written, for example `9.0`. */
  readonly version: string | undefined;
  /** The architecture of `.target`, for example `sm_75`. */
  readonly target: string | undefined;
  /** The words after the architecture, for example `debug`. */
  readonly targetOptions: readonly string[];
  /** Kernels and device functions with their forward declarations, in source order. */
  readonly functions: readonly PtxFunction[];
  /** The kernels that have a body, in source order. */
  readonly entries: readonly PtxFunction[];
  /** Variables of the module, in source order. */
  readonly globals: readonly PtxVariable[];
  /**
   * Directives of the module that declare neither functions nor variables: `.version`, `.address_size`, `.file`,
   * `.alias`, `.pragma`.
   */
  readonly directives: readonly PtxDirective[];
  /** Indices of the statements that contain sections of debug data. */
  readonly sections: readonly number[];

  readonly #byName: ReadonlyMap<string, PtxFunction>;

  /** @internal */
  constructor(parts: PtxParts) {
    super(parts);
    const { functions, globals, directives, sections } = readItems(this, parts);
    const valuesOf = (name: string) => directives.find((directive) => directive.name === name)?.values ?? [];
    [this.version] = valuesOf(".version");
    [this.target, ...this.targetOptions] = valuesOf(".target") as [string | undefined, ...string[]];
    this.functions = functions;
    const defined = functions.filter(({ scope }) => scope !== undefined);
    this.entries = defined.filter(({ kind }) => kind === "entry");
    // When a name occurs several times, a map keeps the last one.
    this.#byName = new Map([...functions, ...defined].map((one) => [one.name, one]));
    this.globals = globals;
    this.directives = directives;
    this.sections = sections;
  }

  /** The function with a name: its definition rather than a forward declaration. */
  function(name: string): PtxFunction | undefined {
    return this.#byName.get(name);
  }

  /** The function that contains an offset. */
  functionAt(offset: number): PtxFunction | undefined {
    const { functions } = this;
    const found = functions[countBefore(functions.length, (index) => functions[index]!.span.end <= offset)];
    return found !== undefined && found.span.start <= offset ? found : undefined;
  }
}

/**
 * Reads a module.
 * @throws PtxError with all mistakes of the text, unless `tolerant`; INVALID_ARGUMENT unless it is text.
 */
export function readModule(text: string, options: ReadOptions = {}): PtxModule {
  const tolerant = checkOptions(options);
  const parts = readParts(text);
  const module = new PtxModule(parts);
  if (!tolerant) parts.problems.throwIfAny(text);
  return module;
}

function readItems(code: PtxCode, { statements, problems }: PtxParts) {
  const functions: PtxFunction[] = [];
  const globals: PtxVariable[] = [];
  const directives: PtxDirective[] = [];
  const sections: number[] = [];
  const complain = (statement: number, expected: string) => {
    const { start, end } = code.spanOf(statement);
    const found = quoted(code.text.slice(start, end));
    problems.add("SYNTAX", start, end, `expected ${expected}, found ${found}`);
  };
  for (let statement = 0; statement < statements.count; statement++) {
    if (statements.scopes[statement] !== 0) continue;
    switch (statements.kinds[statement]) {
      case StatementKind.function: {
        const read = readFunction(statements, statement);
        if (read === undefined) complain(statement, "a name in the header of a function");
        else functions.push(read);
        break;
      }
      case StatementKind.variable:
        for (const variable of code.variables(statement)) globals.push(variable);
        break;
      case StatementKind.directive:
        directives.push(code.directive(statement));
        break;
      case StatementKind.section:
        sections.push(statement);
        break;
      case StatementKind.open:
        if (statement === 0 || statements.kinds[statement - 1] !== StatementKind.function) {
          complain(statement, "a function or a directive");
        }
        break;
      case StatementKind.instruction:
      case StatementKind.label:
        complain(statement, "a function or a directive");
        break;
    }
  }
  return { functions, globals, directives, sections };
}
