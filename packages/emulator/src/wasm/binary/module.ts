// Builds a whole module: types, imports, functions, globals and exports, numbered in the order in which they are
// requested.
import { ByteWriter } from "./bytes.js";
import type { Code } from "./code.js";
import { STACK_TYPES, type StackType } from "./opcodes.js";

/** The parameters and results of a function. */
export interface Signature {
  readonly parameters: readonly StackType[];
  readonly results: readonly StackType[];
}

const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const FUNCTION_TYPE = 0x60;
const KIND = { function: 0, memory: 2, global: 3 } as const;
const SECTION = { type: 1, import: 2, function: 3, global: 6, export: 7, code: 10 } as const;
const MUTABLE = 1;
const I32_CONST = 0x41;
const END = 0x0b;
/** The limits of the memory: any size or, when several threads share it, up to 4 GiB. */
const ANY_SIZE = { own: [0, 0], shared: [3, 0, 0x80, 0x80, 0x04] } as const;

/** The module name of all imports. */
export const ENVIRONMENT = "env";

/** Builds a module that imports its only memory, `env.memory`. */
export class ModuleBuilder {
  readonly #types = new Map<string, number>();
  readonly #imports: { readonly name: string; readonly type: number }[] = [];
  readonly #importNumbers = new Map<string, number>();
  readonly #functions: { readonly type: number; code: Code | undefined }[] = [];
  readonly #globals: string[] = [];
  readonly #memory: keyof typeof ANY_SIZE;
  readonly #exports: { readonly name: string; readonly kind: number; readonly index: number }[] = [];

  /** @param memory whether several threads share it */
  constructor(memory: keyof typeof ANY_SIZE = "own") {
    this.#memory = memory;
  }

  /** Imports a function of the environment. All imports have to come before the first function. */
  import(name: string, signature: Signature): number {
    const known = this.#importNumbers.get(name);
    if (known !== undefined) return known;
    if (this.#functions.length > 0) throw new Error(`expected imports before functions, found ${name}`);
    const index = this.#imports.push({ name, type: this.#type(signature) }) - 1;
    this.#importNumbers.set(name, index);
    return index;
  }

  /** Declares a function, whose body is defined later. */
  function(signature: Signature): number {
    return this.#imports.length + this.#functions.push({ type: this.#type(signature), code: undefined }) - 1;
  }

  /** Defines the body of a function. */
  define(index: number, code: Code): void {
    this.#functions[index - this.#imports.length]!.code = code;
  }

  /** A mutable global of type i32, 0 at first, exported under its name. */
  global(name: string): number {
    const index = this.#globals.push(name) - 1;
    this.#exports.push({ name, kind: KIND.global, index });
    return index;
  }

  export(name: string, index: number): void {
    this.#exports.push({ name, kind: KIND.function, index });
  }

  encode(): Uint8Array<ArrayBuffer> {
    const out = new ByteWriter();
    out.append(HEADER);
    const section = (id: number, count: number, write: (part: ByteWriter) => void) => {
      const part = new ByteWriter();
      part.unsigned(count);
      write(part);
      out.byte(id);
      out.sized(part.bytes());
    };
    section(SECTION.type, this.#types.size, (part) => {
      for (const key of this.#types.keys()) {
        const [parameters, results] = key
          .split(">")
          .map((list) => list.split(",").filter((type) => type !== ""));
        part.byte(FUNCTION_TYPE);
        for (const list of [parameters!, results!]) {
          part.sized(list.map((type) => STACK_TYPES[type as StackType]));
        }
      }
    });
    section(SECTION.import, this.#imports.length + 1, (part) => {
      part.name(ENVIRONMENT);
      part.name("memory");
      part.byte(KIND.memory);
      part.append(ANY_SIZE[this.#memory]);
      for (const { name, type } of this.#imports) {
        part.name(ENVIRONMENT);
        part.name(name);
        part.byte(KIND.function);
        part.unsigned(type);
      }
    });
    section(SECTION.function, this.#functions.length, (part) => {
      for (const { type } of this.#functions) part.unsigned(type);
    });
    section(SECTION.global, this.#globals.length, (part) => {
      for (let i = 0; i < this.#globals.length; i++)
        part.append([STACK_TYPES.i32, MUTABLE, I32_CONST, 0, END]);
    });
    section(SECTION.export, this.#exports.length, (part) => {
      for (const { name, kind, index } of this.#exports) {
        part.name(name);
        part.byte(kind);
        part.unsigned(index);
      }
    });
    section(SECTION.code, this.#functions.length, (part) => {
      for (const { code } of this.#functions) part.sized(code!.encode());
    });
    // Workers get the bytes with their whole `ArrayBuffer`.
    return out.bytes().slice();
  }

  #type({ parameters, results }: Signature): number {
    const key = `${parameters.join(",")}>${results.join(",")}`;
    const known = this.#types.get(key) ?? this.#types.size;
    this.#types.set(key, known);
    return known;
  }
}
