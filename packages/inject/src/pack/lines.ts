// Maps a line of a pack back to its origin: the kernel's text, or a stub of a variant. The tables are created
// on first use, which is usually after a compile error.
import type { LineOrigins, PlacedStub, PtxTemplate, SourceLine } from "@mm-ptx/types/core";
import { countLineFeeds, RenderedLines } from "@mm-ptx/types/internal";
import { NUMBER, type Part, type Plan } from "./plan.js";

/** A place for a stub in the text of a variant. */
interface StubHole {
  /** Its line if all stubs are empty, counted from 0. */
  readonly line: number;
  readonly injection: number;
  readonly site: number;
}

export class Lines implements LineOrigins {
  readonly #template: PtxTemplate;
  /** The text from which the pieces were cut: the kernel with empty stubs. */
  readonly #kernel: LineOrigins;
  readonly #stubs: readonly (readonly string[])[];
  readonly #holes: readonly StubHole[];
  /** For each line of a piece with empty stubs, its line in the text with empty stubs, counted from 1. */
  readonly #before: readonly number[];
  readonly #own: readonly number[];
  readonly #after: readonly number[];
  /** The line in which each variant begins, counted from 0, followed by the line after the last variant. */
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
      // A line that contains both kernel text and a stub counts as the stub's.
      if (stubLine <= feeds + 1) {
        const { kernelLine } = this.#kernelLine(this.#own[empty]!, variant);
        return { kind: "stub", injection: names[injection]!, site, stubLine, kernelLine, variant };
      }
      added += feeds;
    }
    return this.#kernelLine(this.#own[line - added]!, variant);
  }

  /** @param line the line in the text with empty stubs, counted from 1 */
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
 * For each line of the joined parts, its line in the text, counted from 1.
 *
 * @param apart whether each part begins on a new line
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
