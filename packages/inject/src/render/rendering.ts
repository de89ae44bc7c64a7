// A rendering that can be asked where its lines come from and what is odd about its stubs. All is made when asked for.
import { locateLine, type PtxTemplate, type SourceLine, type SourceMap, sourceMap } from "@mm-ptx/types/core";
import { renderText } from "./text.js";
import type { StubWarning } from "./warnings.js";

/** Rendered PTX with the way back to where it was written. Made by `AnnotatedPtx.rendering`. */
export class Rendering {
  readonly #template: PtxTemplate;
  readonly #warningsOf: () => readonly StubWarning[];
  readonly #stubs: readonly string[];
  #text: string | undefined;
  #sourceMap: SourceMap | undefined;
  #warnings: readonly StubWarning[] | undefined;

  /** @internal */
  constructor(template: PtxTemplate, stubs: readonly string[], warningsOf: () => readonly StubWarning[]) {
    this.#template = template;
    this.#stubs = stubs;
    this.#warningsOf = warningsOf;
  }

  /** The PTX, as `AnnotatedPtx.render` gives it. */
  get text(): string {
    this.#text ??= renderText(this.#template, this.#stubs);
    return this.#text;
  }

  /** The PTX, so that a rendering can stand where a text is expected. */
  toString(): string {
    return this.text;
  }

  /** What is probably wrong with the stubs; the PTX compiler may take them all the same. */
  get warnings(): readonly StubWarning[] {
    this.#warnings ??= this.#warningsOf();
    return this.#warnings;
  }

  /** Where all lines come from, as a plain value that can be cloned; `locateLine` of `@mm-ptx/types/core` reads it. */
  get sourceMap(): SourceMap {
    this.#sourceMap ??= sourceMap(this.#template, this.#stubs);
    return this.#sourceMap;
  }

  /** Where a line of the PTX, counted from 1, comes from; `undefined` when there is no such line. */
  locate(line: number): SourceLine | undefined {
    return locateLine(this.sourceMap, line);
  }
}
