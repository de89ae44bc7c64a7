// A kernel whose sites are filled with programs: PTX that any compiler accepts, and that a farm's workers
// generate themselves.

import { hash } from "node:crypto";
import { RECIPE, type Recipe } from "@mm-ptx/cuda/backend";
import {
  type AnnotatedPtx,
  type PackNames,
  type PackVariant,
  type PtxPack,
  parsePtx,
  type UnpackedName,
} from "@mm-ptx/inject";
import type { StackProgram } from "@mm-ptx/stack";
import type {
  FilledKernel,
  LocatedPtx,
  PlacedStub,
  PtxTemplate,
  SourceLine,
  StackTable,
} from "@mm-ptx/types/core";
import { bytesOf, describeValue } from "@mm-ptx/types/internal";
import { type KernelFile, writeKernelFile } from "@mm-ptx/types/kernel-file";
import { FarmError } from "../error.js";
import { type Form, keyOf } from "./form.js";
import type { Language, ProgramKernelOptions, ProgramOf, ProgramTable } from "./language.js";
import { languageOf, otherLanguage } from "./languages.js";
import { Maker } from "./maker.js";
import { type AnyProgram, copyOf, isProgram, type Programs } from "./programs.js";

/** Options of alternatives. */
export interface AlternativesOptions<Program = StackProgram> {
  /** What chooses the alternative at run time, as in `expandSites` of `@mm-ptx/inject`. Default: `%ctaid.x`. */
  readonly select?: string;
  /** The programs for the other sites of the kernel. */
  readonly others?: SitePrograms<Program>;
}

/** One program for each site of a kernel. */
export type SitePrograms<Program = StackProgram> = Readonly<Record<string, Program>>;

/**
 * A kernel whose sites are filled with programs of Stack PTX or AST PTX, as its table says. To every
 * compiler, its results are PTX, with the same text everywhere; a `FarmCompiler` sends the programs
 * themselves, which have a third of the size of their PTX, and its workers generate the PTX.
 *
 * What a program reads and writes are the site's operands, as for `siteJob` of `@mm-ptx/stack` or `@mm-ptx/ast`.
 */
export class ProgramKernel<Table extends ProgramTable = StackTable> {
  /** The kernel. Sites of mm-ptx 0.x have been converted to sites of 1.1. */
  readonly annotated: AnnotatedPtx;
  readonly #language: Language;
  readonly #maker: Maker;
  readonly #setup: Setup;

  /**
   * @param table of the language of the programs
   * @throws StackPtxError or AstPtxError INVALID_ARGUMENT for options or operands that don't fit; FarmError
   * INVALID_ARGUMENT for a table of another language; KernelFileError INVALID_ARGUMENT for a kernel that UTF-8 can't hold
   */
  constructor(annotated: AnnotatedPtx, table: Table, options: ProgramKernelOptions<Table> = {}) {
    const language = languageOf(table);
    this.#language = language;
    const marked = parsePtx(annotated.markedText());
    const file: KernelFile = {
      ptx: marked.text,
      ...language.fileOf(table, options, marked.injections),
    };
    this.#maker = new Maker(file);
    this.annotated = this.#maker.annotated;
    this.#setup = setupOf(file);
  }

  /**
   * The kernel with a program at each site.
   *
   * @throws FarmError `INVALID_ARGUMENT`; a program that can't be compiled fails the job, or throws when the stubs are read
   */
  fill(programs: SitePrograms<ProgramOf<Table>>): FilledKernel {
    return this.#filled({ kind: "fill" }, this.#ordered(programs, "programs"));
  }

  /**
   * The kernel with one alternative of a site for each program; see `expandSites` of `@mm-ptx/inject`.
   *
   * @throws PtxInjectError as `expandSites`; FarmError `INVALID_ARGUMENT`, as for `fill`
   */
  alternatives(
    site: string,
    programs: readonly ProgramOf<Table>[],
    { select, others = {} }: AlternativesOptions<ProgramOf<Table>> = {},
  ): FilledKernel {
    if (!Array.isArray(programs) || programs.length === 0) throw invalid("a list of programs", programs);
    const form: Form = { kind: "alternatives", site, count: programs.length, select };
    const { places } = this.#maker.shape(form);
    const numbered = Object.fromEntries(programs.map((program, i) => [`${site}_${i}`, program]));
    return this.#filled(form, inOrder({ ...others, ...numbered }, places, "programs", this.#language));
  }

  /**
   * The kernel once for each set of programs, as `pack` of `@mm-ptx/inject` makes it.
   *
   * @throws PtxInjectError as `pack`; FarmError `INVALID_ARGUMENT`, as for `fill`
   */
  pack(sets: readonly SitePrograms<ProgramOf<Table>>[]): ProgramPack {
    if (!Array.isArray(sets) || sets.length === 0) throw invalid("a list of programs by site", sets);
    const form: Form = { kind: "pack", count: sets.length };
    const programs = sets.flatMap((each, i) => this.#ordered(each, `programs of variant ${i}`));
    return new ProgramPack(this.#recipe(form, programs));
  }

  #ordered(programs: SitePrograms<AnyProgram>, what: string): readonly AnyProgram[] {
    return inOrder(programs, this.#maker.shape({ kind: "fill" }).places, what, this.#language);
  }

  #recipe(form: Form, programs: readonly AnyProgram[]): ProgramRecipe {
    return new ProgramRecipe(this.#setup, this.#maker, form, copyOf(programs));
  }

  #filled(form: Form, programs: readonly AnyProgram[]): FilledKernel {
    const recipe = this.#recipe(form, programs);
    const filled = Object.defineProperties({} as FilledKernel, {
      template: { enumerable: true, value: recipe.outline },
      stubs: { enumerable: true, get: () => (recipe.make() as FilledKernel).stubs },
      [RECIPE]: { value: recipe },
    });
    return Object.freeze(filled);
  }
}

/** What each worker needs once for a kernel. */
export interface Setup {
  /** The SHA-256 of the bytes, in 64 hexadecimal digits. */
  readonly hash: string;
  /** A kernel file without programs. */
  readonly bytes: Uint8Array;
}

function setupOf(file: KernelFile): Setup {
  const bytes = Buffer.from(writeKernelFile(file).buffer);
  return { hash: hash("sha256", bytes), bytes };
}

/** How PTX is generated from programs. */
export class ProgramRecipe implements Recipe {
  readonly setup: Setup;
  readonly form: Form;
  readonly programs: Programs;
  readonly outline: PtxTemplate;
  readonly #maker: Maker;
  #digest: string | undefined;
  #made: FilledKernel | LocatedPtx | undefined;

  constructor(setup: Setup, maker: Maker, form: Form, programs: Programs) {
    this.setup = setup;
    this.form = form;
    this.programs = programs;
    this.#maker = maker;
    this.outline = maker.shape(form).outline;
  }

  get digest(): string {
    const { counts, words } = this.programs;
    const head = Buffer.from(`${this.setup.hash} ${keyOf(this.form)}\n${counts.join(" ")}\n`);
    this.#digest ??= hash("sha256", Buffer.concat([head, bytesOf(words)]));
    return this.#digest;
  }

  make(): FilledKernel | LocatedPtx {
    this.#made ??= this.#maker.make(this.form, this.programs);
    return this.#made;
  }
}

/**
 * A pack of programs, whose text is generated when it is read. Compilers, linkers and devices accept it in
 * place of its text.
 */
export class ProgramPack implements LocatedPtx {
  readonly #recipe: ProgramRecipe;

  /** @internal */
  constructor(recipe: ProgramRecipe) {
    this.#recipe = recipe;
  }

  /** @internal */
  get [RECIPE](): Recipe {
    return this.#recipe;
  }

  /**
   * The PTX module. @throws FarmError `INVALID_ARGUMENT` for a program that can't be compiled, like every
   * other member
   */
  get text(): string {
    return this.#pack.text;
  }

  /** As of a `PtxPack`. */
  get names(): PackNames {
    return this.#pack.names;
  }

  /** As of a `PtxPack`. */
  get variants(): readonly PackVariant[] {
    return this.#pack.variants;
  }

  /** As of a `PtxPack`. */
  unpack(symbol: string): UnpackedName | undefined {
    return this.#pack.unpack(symbol);
  }

  /** As of a `PtxPack`. */
  locate(line: number): SourceLine | undefined {
    return this.#pack.locate(line);
  }

  /** As of a `PtxPack`. */
  stubs(): Iterable<PlacedStub> {
    return this.#pack.stubs();
  }

  get #pack(): PtxPack {
    return this.#recipe.make() as PtxPack;
  }
}

function inOrder(
  programs: SitePrograms<AnyProgram>,
  places: readonly { readonly name: string }[],
  what: string,
  language: Language,
): readonly AnyProgram[] {
  if (typeof programs !== "object" || programs === null) throw invalid(`${what} by site`, programs);
  const known = new Set(places.map(({ name }) => name));
  const unknown = Object.keys(programs).find((name) => !known.has(name));
  if (unknown !== undefined) throw invalid(`${what} for sites of the kernel`, `one for \`${unknown}\``);
  return places.map(({ name }) => {
    const program = Object.hasOwn(programs, name) ? programs[name] : undefined;
    if (!isProgram(program)) throw invalid(`a program for site \`${name}\``, program);
    const other = otherLanguage(language, program);
    if (other !== undefined)
      throw invalid(`a program of ${language.name} for site \`${name}\``, `one of ${other}`);
    return program;
  });
}

const invalid = (expected: string, found: unknown): FarmError =>
  new FarmError(
    "INVALID_ARGUMENT",
    `expected ${expected}, found ${typeof found === "string" ? found : describeValue(found)}`,
  );
