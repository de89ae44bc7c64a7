// A PTX module in the form that packing needs: its outermost declarations, and every place where their names
// are used.
import { PtxError, type PtxModule, type PtxUse, type PtxVariable, readModule } from "@mm-ptx/ptx";
import type { Span } from "@mm-ptx/types/core";
import { PtxInjectError } from "../error.js";
import { writingIn } from "./written.js";

/** A place where a name of the module is declared or used. */
interface Mention {
  readonly name: string;
  /** The offset after it. */
  readonly end: number;
}

/** A declaration or another directive of the module, with everything that belongs to it. */
export interface ModuleItem {
  readonly kind: "entry" | "func" | "variable" | "directive";
  /**
   * The names that it declares: usually one. A declaration of variables may have several, and few directives have one.
   */
  readonly names: readonly string[];
  readonly start: number;
  readonly end: number;
  /** In text order, including its own names. */
  readonly mentions: readonly Mention[];
  /** Whether it is memory that threads can change. */
  readonly isState: boolean;
}

export interface Module {
  readonly text: string;
  /** In text order. The text consists of these, with blanks and comments in between. */
  readonly items: readonly ModuleItem[];
  /** Variables that a thread may write, limited to memory that threads can change. */
  readonly written: ReadonlySet<string>;
  /** Registers, with `%`, that may hold the address of a variable. */
  readonly holders: ReadonlySet<string>;
  /** Functions whose address is taken, if there is a call through an address. */
  readonly called: ReadonlySet<string>;
  /** Every word of the text. */
  readonly words: ReadonlySet<string>;
}

/** What C++ generates and never writes: string literals, virtual tables and type information. */
const CONSTANT = /^(\$str|_ZT[CISTV])/;

/** Types of variables that refer to a texture, sampler or surface. */
const REFERENCES: readonly (string | undefined)[] = ["texref", "samplerref", "surfref"];

/**
 * Reads a module for packing.
 *
 * @param exposed registers, with `%`, that stubs may use in any way
 * @throws PtxInjectError CANNOT_REPEAT for text that is not a PTX module, and for a module with debug information
 */
export function readPackable(text: string, exposed: ReadonlySet<string>): Module {
  const code = read(text);
  // The sections of debug information contain addresses within a single kernel of each name.
  if (code.targetOptions.includes("debug")) {
    const message = "expected PTX without debug information, found `.target` with `debug` (nvcc -G)";
    throw new PtxInjectError("CANNOT_REPEAT", message);
  }
  const functions = new Map(code.functions.map((each) => [each.statement, each]));
  const { statements, tokens } = code;
  const items: ModuleItem[] = [];
  const add = (
    { start, end }: Span,
    what: Pick<ModuleItem, "kind" | "names"> & Partial<Pick<ModuleItem, "isState">>,
  ): void => {
    items.push({ isState: false, ...what, start, end, mentions: [] });
  };
  for (let statement = 0; statement < statements.count; statement++) {
    if (statements.scopes[statement] !== 0) continue;
    switch (statements.kind(statement)) {
      // The braces of bodies belong to their functions.
      case "open":
      case "close":
        break;
      case "function": {
        const { kind, name, span } = functions.get(statement)!;
        add(span, { kind, names: [name] });
        break;
      }
      case "variable": {
        const variables = code.variables(statement);
        const isState = variables.some(canChange);
        add(code.spanOf(statement), { kind: "variable", names: variables.map(({ name }) => name), isState });
        break;
      }
      // Only an alias declares a name; the others describe the module.
      default: {
        const first = statements.firsts[statement]!;
        const isAlias = tokens.textOf(first) === ".alias";
        const names = isAlias ? [tokens.textOf(tokens.skipBlanks(first + 1))] : [];
        add(code.spanOf(statement), { kind: "directive", names });
      }
    }
  }
  const writing = items.some(({ isState }) => isState) ? writingIn(code, exposed) : NO_WRITING;
  return {
    text,
    items: withMentions(code, items),
    ...writing,
    called: calledByAddress(code, text),
    words: wordsOf(code),
  };
}

const NO_WRITING = { written: new Set<string>(), holders: new Set<string>() };

/** What accompanies a call through an address: the functions that it may reach, or their prototype. */
const PROTOTYPES = [".callprototype", ".calltargets"];

function calledByAddress(code: PtxModule, text: string): Set<string> {
  if (!PROTOTYPES.some((word) => text.includes(word))) return new Set();
  const taken = code.names.uses.filter(
    ({ declaration, statement }) => declaration?.kind === "function" && takesAddress(code, statement),
  );
  return new Set(taken.map(({ name }) => name));
}

function takesAddress(code: PtxModule, statement: number): boolean {
  const kind = code.statements.kind(statement);
  if (kind === "instruction") return !/^call\b/.test(code.instruction(statement).opcode);
  return kind === "variable";
}

function read(text: string): PtxModule {
  try {
    return readModule(text);
  } catch (error) {
    if (!(error instanceof PtxError)) throw error;
    throw new PtxInjectError("CANNOT_REPEAT", `expected a PTX module to repeat kernels of: ${error.message}`);
  }
}

/** Whether threads can change a variable of this kind. */
const canChange = ({ name, space, linkage, type }: PtxVariable): boolean =>
  space === "global" && linkage !== "extern" && !REFERENCES.includes(type) && !CONSTANT.test(name);

const isOfModule = ({ declaration }: PtxUse): boolean =>
  declaration?.scope === 0 && (declaration.kind === "function" || declaration.kind === "variable");

function withMentions({ names }: PtxModule, items: readonly ModuleItem[]): ModuleItem[] {
  const mentions = [
    ...names.declarations.filter(({ scope, kind }) => scope === 0 && kind !== "label"),
    ...names.uses.filter(isOfModule),
  ]
    .map(({ name, span }) => ({ name, end: span.end }))
    .sort((a, b) => a.end - b.end);
  let next = 0;
  return items.map((item) => {
    const first = next;
    while (next < mentions.length && mentions[next]!.end <= item.end) next++;
    return { ...item, mentions: mentions.slice(first, next) };
  });
}

function wordsOf({ tokens }: PtxModule): Set<string> {
  const words = new Set<string>();
  for (let token = 0; token < tokens.count; token++) {
    if (tokens.kind(token) === "word") words.add(tokens.textOf(token));
  }
  return words;
}
