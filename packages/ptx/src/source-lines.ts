// The source lines of a module that was compiled with `-lineinfo` or `-G` (PTX ISA, Debugging Directives): where each
// instruction was written, and where the functions that contain it were inlined.
import { Character } from "./characters.js";
import type { PtxModule } from "./module.js";
import { integerValue } from "./number.js";
import { countBefore } from "./search.js";
import { NONE, StatementKind } from "./statement.js";
import { TokenKind } from "./token.js";

/** A place in source code. */
export interface SourceFrame {
  /** The path as the compiler wrote it. */
  readonly file: string;
  /** The line, counted from 1. */
  readonly line: number;
  /** The column, counted from 1; 0 if unknown. */
  readonly column: number;
  /** The mangled name of the function that contains the place; undefined if unknown. */
  readonly function: string | undefined;
}

/** A `.loc` directive. */
interface Location {
  readonly offset: number;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The place of the inlined function's name in the strings; undefined for a function that was not inlined. */
  readonly name: { readonly label: string; readonly addend: number } | undefined;
  /** Index of the location at which the function was inlined; -1 if there is none. */
  readonly caller: number;
}

/** The most functions inlined into each other that are reported. */
const MOST_FRAMES = 64;

/** The source lines of a module. */
export class SourceLines {
  readonly #module: PtxModule;
  readonly #locations: Location[] = [];
  readonly #files = new Map<string, string>();
  #strings: Strings | undefined;

  constructor(module: PtxModule) {
    this.#module = module;
    for (const { name, values } of module.directives) {
      if (name === ".file" && values[1] !== undefined) this.#files.set(values[0]!, values[1].slice(1, -1));
    }
    if (this.#files.size > 0) this.#readLocations();
  }

  /** Whether the module has no source lines. */
  get isEmpty(): boolean {
    return this.#locations.length === 0;
  }

  /** The paths of all files that the module names. */
  get files(): readonly string[] {
    return [...new Set(this.#files.values())];
  }

  /**
   * Where the instruction at an offset was written: the innermost inlined function first, the function of the module
   * last. Empty if the text does not say.
   */
  framesAt(offset: number): readonly SourceFrame[] {
    const inside = this.#module.functionAt(offset);
    let index = countBefore(this.#locations.length, (i) => this.#locations[i]!.offset <= offset) - 1;
    if (inside === undefined || index < 0 || this.#locations[index]!.offset < inside.span.start) return [];
    const frames: SourceFrame[] = [];
    while (index !== NONE && frames.length < MOST_FRAMES) {
      const { file, line, column, name, caller } = this.#locations[index]!;
      const path = this.#files.get(file);
      // Line 0 marks instructions that the compiler generated without a source line.
      if (path === undefined || line === 0) break;
      frames.push({
        file: path,
        line,
        column,
        function: name === undefined ? inside.name : this.#string(name),
      });
      index = caller;
    }
    return frames;
  }

  #readLocations(): void {
    const { statements } = this.#module;
    const { kinds, firsts, tokens } = statements;
    // By file, line and column, the last location of the function.
    const known = new Map<string, number>();
    for (let statement = 0; statement < statements.count; statement++) {
      if (kinds[statement] === StatementKind.function) known.clear();
      if (kinds[statement] !== StatementKind.directive || tokens.textOf(firsts[statement]!) !== ".loc")
        continue;
      const { values } = this.#module.directive(statement);
      const [file = "", line = "", column = "0"] = values;
      const at = values.indexOf("inlined_at");
      const named = values.indexOf("function_name");
      known.set(`${file} ${line} ${column}`, this.#locations.length);
      this.#locations.push({
        offset: statements.start(statement),
        file,
        line: integerValue(line) ?? 0,
        column: integerValue(column) ?? 0,
        name:
          named === NONE
            ? undefined
            : {
                label: values[named + 1] ?? "",
                addend: named + 2 === at ? 0 : (integerValue(values[named + 2] ?? "") ?? 0),
              },
        caller: at === NONE ? NONE : this.#callerAt(known, values.slice(at + 1)),
      });
    }
  }

  /** A function is inlined at the place of a location before it. */
  #callerAt(known: ReadonlyMap<string, number>, [file, line, column]: readonly string[]): number {
    const caller = known.get(`${file} ${line} ${column}`);
    return caller === undefined || caller === this.#locations.length ? NONE : caller;
  }

  #string({ label, addend }: NonNullable<Location["name"]>): string | undefined {
    this.#strings ??= readStrings(this.#module);
    const { bytes, labels } = this.#strings;
    const start = labels.get(label);
    if (start === undefined) return undefined;
    const end = bytes.indexOf(0, start + addend);
    return new TextDecoder().decode(
      Uint8Array.from(bytes.slice(start + addend, end === NONE ? undefined : end)),
    );
  }
}

/** The section `.debug_str`. */
interface Strings {
  readonly bytes: number[];
  readonly labels: ReadonlyMap<string, number>;
}

/** Bytes per number, by directive. */
const WIDTHS: Readonly<Record<string, number>> = { ".b8": 1, ".b16": 2, ".b32": 4, ".b64": 8 };

function readStrings({ statements, sections }: PtxModule): Strings {
  const { tokens, firsts, ends } = statements;
  const bytes: number[] = [];
  const labels = new Map<string, number>();
  for (const section of sections) {
    const name = tokens.skipBlanks(firsts[section]! + 1);
    if (tokens.textOf(name) !== ".debug_str") continue;
    let width = 1;
    for (let token = name + 1; token < ends[section]!; token++) {
      switch (tokens.kinds[token]) {
        case TokenKind.directive:
          width = WIDTHS[tokens.textOf(token)] ?? width;
          break;
        case TokenKind.word:
          if (tokens.kinds[tokens.skipBlanks(token + 1)] === Character.colon) {
            labels.set(tokens.textOf(token), bytes.length);
          }
          break;
        case TokenKind.integer: {
          const value = BigInt(integerValue(tokens.textOf(token)) ?? 0);
          for (let i = 0; i < width; i++) bytes.push(Number((value >> BigInt(8 * i)) & 0xffn));
        }
      }
    }
  }
  return { bytes, labels };
}
