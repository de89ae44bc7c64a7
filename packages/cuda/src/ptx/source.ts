// The sources of a backend: a text, or a template with stubs, with known line origins.

import type { FilledKernel, LineOrigins, LocatedPtx, PtxTemplate } from "@mm-ptx/types/core";
import { fillOrdered, joinSegments, RenderedLines } from "@mm-ptx/types/internal";

/** A template with its stubs in the order of its names. */
export interface FilledTemplate {
  readonly template: PtxTemplate;
  readonly stubs: readonly string[];
  /** The same as the caller's value, if that cannot change. */
  readonly filled?: FilledKernel;
}

/** The source of a compile. */
export type Source = string | Uint8Array | FilledTemplate | LocatedPtx;

/** The source as plain data that devices load. */
export function plainSource(source: Source): string | Uint8Array | FilledKernel {
  if (typeof source === "string" || source instanceof Uint8Array) return source;
  if ("text" in source) return source.text;
  return source.filled ?? fillOrdered(source.template, source.stubs);
}

/** The text to compile; a template is rendered on each call. */
export function renderSource(source: Source): string | Uint8Array {
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
  if (typeof source === "string" || source instanceof Uint8Array) return undefined;
  return "text" in source ? source : new RenderedLines(source.template, source.stubs);
}

/** The same line origins with another text. */
export function withText(source: Source, text: string): Source {
  const origins = originsOf(source);
  if (origins === undefined) return text;
  return {
    text,
    locate: (line) => origins.locate(line),
    stubs: () => origins.stubs(),
  };
}
