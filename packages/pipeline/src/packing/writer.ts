// The PTX of packs: the kernel with as many alternatives of its sites as the pack has programs, or a module with a kernel for each.
import { type AnnotatedPtx, type PtxPack, pack as packKernels } from "@mm-ptx/inject";
import type { FilledKernel, SourceLine } from "@mm-ptx/types/core";
import { isFilledKernel, locatedPtx } from "@mm-ptx/types/internal";
import { alternativesKernel } from "./alternatives.js";
import type { Pack } from "./pack.js";
import type { AlternativesKernel } from "./question.js";

/** All combinations of several sites' stubs. */
export interface CrossShape {
  /** How many stubs each site has, in the order of the pipeline's sites. */
  readonly counts: readonly number[];
}

/** How the programs of a pack are told apart. */
export type Packing =
  | { readonly kind: "alternatives"; readonly axis: "z" | "y" }
  | { readonly kind: "kernels" }
  | { readonly kind: "single" };

/** Where a line of a pack comes from. */
export interface PackPlace {
  /** The members that the line belongs to. */
  readonly members: readonly number[];
  readonly site: string;
  readonly stubLine: number;
}

/** The module of a pack. */
export interface PackText {
  readonly packing: Packing;
  readonly source: FilledKernel | PtxPack;
  /** The kernel of each member, or one kernel for all alternatives. */
  readonly entries: readonly string[];
  /** The names of the injections in the source that a member fills. */
  injectionsOf(member: number): readonly string[];
  /** Whether the kernel has a parameter for the first alternative of a launch. */
  readonly hasFirst: boolean;
  /** The whole text. */
  text(): string;
  /** Whose stub a line of the text, counted from 1, belongs to; undefined for a line of the kernel itself. */
  place(line: number): PackPlace | undefined;
}

/** Texts with alternatives are made once for each number of them. The last ones are kept. */
const KEPT = 12;

export class PackWriter {
  readonly #annotated: AnnotatedPtx;
  readonly #entry: string;
  readonly #sites: readonly string[];
  readonly #expanded = new Map<string, AlternativesKernel>();

  /** @param sites the names of the injections, in the order of the stubs of candidates */
  constructor(annotated: AnnotatedPtx, entry: string, sites: readonly string[]) {
    this.#annotated = annotated;
    this.#entry = entry;
    this.#sites = sites;
  }

  /**
   * @param strides for each parameter of the kernel, the bytes between the parts of two alternatives
   * @throws PtxInjectError CANNOT_REPEAT, INVALID_ARGUMENT for a text that gets too long
   */
  write(pack: Pack, packing: Packing, strides: readonly (number | undefined)[]): PackText {
    if (pack.members.length === 1 && pack.cross === undefined) return this.#single(pack);
    return packing.kind === "alternatives" ? this.#alternatives(pack, packing, strides) : this.#kernels(pack);
  }

  #single({ members }: Pack): PackText {
    const { stubs } = members[0]!;
    const filled = Object.fromEntries(this.#sites.map((name, i) => [name, stubs[i]!]));
    const source = this.#annotated.fill(filled, { check: false });
    return {
      packing: { kind: "single" },
      source,
      entries: [this.#entry],
      injectionsOf: () => this.#sites,
      hasFirst: false,
      text: () => locatedPtx(source).text,
      place: (line) => placeIn(source, line, (name) => ({ site: name, members: [0] })),
    };
  }

  #kernels({ members }: Pack): PackText {
    const stubsets = members.map(({ stubs }) =>
      Object.fromEntries(this.#sites.map((name, i) => [name, stubs[i]!])),
    );
    const source = packKernels(this.#annotated, stubsets, { kernels: [this.#entry], check: false });
    return {
      packing: { kind: "kernels" },
      source,
      entries: source.variants.map(({ entries }) => entries[this.#entry]!),
      injectionsOf: () => this.#sites,
      hasFirst: false,
      text: () => source.text,
      place: (line) => placeIn(source, line, (name, variant) => ({ site: name, members: [variant] })),
    };
  }

  #alternatives(
    { members, cross }: Pack,
    packing: Packing & { readonly kind: "alternatives" },
    strides: readonly (number | undefined)[],
  ): PackText {
    const counts = cross?.counts ?? this.#sites.map(() => members.length);
    const { annotated, hasFirst } = this.#expandedFor(counts, cross !== undefined, packing.axis, strides);
    const filled: Record<string, string> = {};
    this.#sites.forEach((name, site) => {
      const step = cross === undefined ? 1 : stepOf(counts, site);
      for (let i = 0; i < counts[site]!; i++) filled[`${name}_${i}`] = members[i * step]!.stubs[site]!;
    });
    const source = annotated.fill(filled, { check: false });
    return {
      packing,
      source,
      entries: [this.#entry],
      injectionsOf: (member) =>
        this.#sites.map((name, site) => {
          const step = cross === undefined ? 1 : stepOf(counts, site);
          return `${name}_${Math.floor(member / step) % counts[site]!}`;
        }),
      hasFirst,
      text: () => locatedPtx(source).text,
      place: (line) => placeIn(source, line, (name) => this.#memberOf(name, counts, cross !== undefined)),
    };
  }

  #memberOf(
    name: string,
    counts: readonly number[],
    isCross: boolean,
  ): { readonly site: string; readonly members: readonly number[] } {
    const at = name.lastIndexOf("_");
    const [site, number] = [name.slice(0, at), Number(name.slice(at + 1))];
    if (!isCross) return { site, members: [number] };
    const index = this.#sites.indexOf(site);
    const step = stepOf(counts, index);
    const total = counts.reduce((product, count) => product * count, 1);
    const members = Array.from({ length: total }, (_, member) => member);
    return {
      site,
      members: members.filter((member) => Math.floor(member / step) % counts[index]! === number),
    };
  }

  #expandedFor(
    counts: readonly number[],
    isCross: boolean,
    axis: "z" | "y",
    strides: readonly (number | undefined)[],
  ): AlternativesKernel {
    const key = `${counts.join()} ${isCross} ${axis} ${strides.join()}`;
    let expanded = this.#expanded.get(key);
    if (expanded === undefined) {
      expanded = alternativesKernel({
        annotated: this.#annotated,
        entry: this.#entry,
        axis,
        strides,
        counts: new Map(this.#sites.map((name, i) => [name, counts[i]!])),
        combine: isCross ? "cross" : "pairwise",
      });
      if (this.#expanded.size === KEPT) this.#expanded.delete(this.#expanded.keys().next().value!);
    } else this.#expanded.delete(key);
    this.#expanded.set(key, expanded);
    return expanded;
  }
}

/** How many members one stub of a site is followed by, before the next one. */
const stepOf = (counts: readonly number[], site: number): number =>
  counts.slice(site + 1).reduce((product, count) => product * count, 1);

function placeIn(
  source: FilledKernel | PtxPack,
  line: number,
  find: (injection: string, variant: number) => Pick<PackPlace, "site" | "members">,
): PackPlace | undefined {
  const located: { locate(line: number): SourceLine | undefined } = isFilledKernel(source)
    ? locatedPtx(source)
    : source;
  const found = located.locate(line);
  if (found === undefined || found.kind !== "stub") return undefined;
  return { ...find(found.injection, found.variant ?? 0), stubLine: found.stubLine };
}
