// The way from a line of a pack back to where it was written: the kernel's text, or a stub of a variant. Nothing of it
// is made before somebody asks, which is when a compiler has complained.
import type { LineOrigins, PlacedStub, PtxTemplate, SourceLine } from "@mm-ptx/types/core";
import { countLineFeeds, RenderedLines } from "@mm-ptx/types/internal";
import { NUMBER, type Part, type Plan } from "./plan.js";

/** A place for a stub in the text of a variant. */
interface StubHole {
  /** The line that it is in when all stubs are empty, counted from 0. */
  readonly line: number;
  readonly injection: number;
  readonly site: number;
}

export class Lines implements LineOrigins {
  readonly #template: PtxTemplate;
  /** The text that was cut: the kernel with empty stubs. */
  readonly #kernel: LineOrigins;
  readonly #stubs: readonly (readonly string[])[];
  readonly #holes: readonly StubHole[];
  /** For each line of each piece, all stubs empty, its line in the text that was cut, counted from 1. */
  readonly #before: readonly number[];
  readonly #own: readonly number[];
  readonly #after: readonly number[];
  /** The line, counted from 0, in which each variant begins, and the one after the last. */
  readonly #begins: readonly number[];

  constructor(plan: Plan, stubs: readonly (readonly string[])[]) {
    const { template } = plan;
    this.#template = template;
    this.#kernel = new RenderedLines(template, new Array<string>(template.names.length).fill(""));
    this.#stubs = stubs;
    this.#holes = stubHoles(plan);
    this.#before = linesOf(plan.text, plan.before.parts, false);
    this.#own = linesOf(plan.text, plan.own, true);
    this.#after = linesOf(plan.text, plan.after.parts, false);
    const begins = [countLineFeeds(plan.before.text)];
    for (const own of stubs) begins.push(begins.at(-1)! + this.#own.length + this.#stubLines(own));
    this.#begins = begins;
  }

  *stubs(): Generator<PlacedStub> {
    const { names } = this.#template;
    for (const [variant, own] of this.#stubs.entries())
      for (const [i, injection] of names.entries()) yield { variant, injection, text: own[i]! };
  }

  locate(line: number): SourceLine | undefined {
    if (!Number.isInteger(line) || line < 1) return undefined;
    const at = line - 1;
    const behind = this.#begins.at(-1)!;
    if (at < this.#begins[0]!) return this.#kernelLine(this.#before[at]!, undefined);
    if (at >= behind) {
      const cut = this.#after[at - behind];
      return cut === undefined ? undefined : this.#kernelLine(cut, undefined);
    }
    const variant = this.#begins.findIndex((begin) => at < begin) - 1;
    return this.#variantLine(at - this.#begins[variant]!, variant);
  }

  /** @param line within the variant, counted from 0 */
  #variantLine(line: number, variant: number): SourceLine {
    const { names } = this.#template;
    let added = 0;
    for (const { line: empty, injection, site } of this.#holes) {
      if (line < empty + added) break;
      const feeds = countLineFeeds(this.#stubs[variant]![injection]!);
      const stubLine = line - empty - added + 1;
      // A line that the kernel's text shares with a stub is the stub's.
      if (stubLine <= feeds + 1) {
        const { kernelLine } = this.#kernelLine(this.#own[empty]!, variant);
        return { kind: "stub", injection: names[injection]!, site, stubLine, kernelLine, variant };
      }
      added += feeds;
    }
    return this.#kernelLine(this.#own[line - added]!, variant);
  }

  /** @param line of the text that was cut, counted from 1 */
  #kernelLine(line: number, variant: number | undefined): SourceLine {
    const { kernelLine } = this.#kernel.locate(line)!;
    return { kind: "kernel", kernelLine, ...(variant === undefined ? {} : { variant }) };
  }

  #stubLines(stubs: readonly string[]): number {
    const feeds = stubs.map(countLineFeeds);
    return this.#holes.reduce((sum, { injection }) => sum + feeds[injection]!, 0);
  }
}

function stubHoles({ variant }: Plan): StubHole[] {
  const holes: StubHole[] = [];
  let line = 0;
  variant.holes.forEach((injection, i) => {
    line += countLineFeeds(variant.literals[i]!);
    if (injection !== NUMBER) holes.push({ line, injection, site: variant.sites[i]! });
  });
  return holes;
}

/**
 * For each line of the parts, joined, the line of the text that it begins in, counted from 1.
 *
 * @param apart whether each part begins a line of its own
 */
function linesOf(text: string, parts: readonly Part[], apart: boolean): number[] {
  const lines: number[] = [];
  let line = 1;
  let at = 0;
  for (const { start, end } of parts) {
    line += countLineFeeds(text.slice(at, start));
    if (apart || lines.length === 0) lines.push(line);
    for (let feeds = countLineFeeds(text.slice(start, end)); feeds > 0; feeds--) lines.push(++line);
    at = end;
  }
  return lines;
}
