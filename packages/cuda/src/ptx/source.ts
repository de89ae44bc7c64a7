// The sources of a backend: a text, or a template with stubs, with known line origins; or what they are made of.

import type { FilledKernel, LineOrigins, LocatedPtx, PtxTemplate } from "@mm-ptx/types/core";
import { fillOrdered, joinSegments, RenderedLines } from "@mm-ptx/types/internal";
import type { Recipe } from "./recipe.js";

/** A template with its stubs in the order of its names. */
export interface FilledTemplate {
  readonly template: PtxTemplate;
  readonly stubs: readonly string[];
  /** The same as the caller's value, if that cannot change. */
  readonly filled?: FilledKernel;
}

/** A source that exists. */
export type WrittenSource = string | Uint8Array | FilledTemplate | LocatedPtx;

/** A source that is made when it is needed, and once. Only backends with `takesRecipes` receive it. */
export interface MadeSource {
  readonly recipe: Recipe;
  /** The caller's value if it is a filled kernel, which makes its stubs when they are read. */
  readonly filled: FilledKernel | undefined;
  /** @throws PtxCompileError `INVALID_ARGUMENT` if it can't be made, `OUT_OF_MEMORY` if it is too long */
  written(): WrittenSource;
}

/** The source of a compile. */
export type Source = WrittenSource | MadeSource;

/** Whether a source is made when it is needed. */
export const isMade = (source: Source): source is MadeSource =>
  typeof source === "object" && "recipe" in source;

/** The source itself, made if it has to be. @throws PtxCompileError `INVALID_ARGUMENT`, `OUT_OF_MEMORY` */
export const writtenSource = (source: Source): WrittenSource => (isMade(source) ? source.written() : source);

/** The source as plain data that devices load. */
export function plainSource(source: Source): string | Uint8Array | FilledKernel {
  if (isMade(source)) return source.filled ?? plainSource(source.written());
  if (typeof source === "string" || source instanceof Uint8Array) return source;
  if ("text" in source) return source.text;
  return source.filled ?? fillOrdered(source.template, source.stubs);
}

/** The text to compile; a template is rendered on each call. */
export function renderSource(source: Source): string | Uint8Array {
  if (isMade(source)) return renderSource(source.written());
  if (typeof source === "string" || source instanceof Uint8Array) return source;
  return "text" in source ? source.text : joinSegments(source.template, source.stubs);
}

/** The text to compile, also for bytes. */
export function sourceText(source: Source): string {
  const ptx = renderSource(source);
  return typeof ptx === "string" ? ptx : new TextDecoder("latin1").decode(ptx);
}

/** The origins of the lines; `undefined` for a text, whose lines are its own. */
export function originsOf(source: Source): LineOrigins | undefined {
  if (isMade(source)) return originsOf(source.written());
  if (typeof source === "string" || source instanceof Uint8Array) return undefined;
  return "text" in source ? source : new RenderedLines(source.template, source.stubs);
}

/** The same line origins with another text. */
export function withText(source: Source, text: string): WrittenSource {
  const origins = originsOf(source);
  if (origins === undefined) return text;
  return {
    text,
    locate: (line) => origins.locate(line),
    stubs: () => origins.stubs(),
  };
}
