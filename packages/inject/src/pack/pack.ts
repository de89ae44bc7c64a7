// Many variants of kernels in one PTX module. The assembler's fixed cost for a module is several times the
// cost of a small kernel, so a pack compiles several times faster than its variants one by one. choose.ts
// decides what is shared and what is repeated; plan.ts cuts the module.
import type { FilledKernel, LocatedPtx, PlacedStub, SourceLine } from "@mm-ptx/types/core";
import {
  type Check,
  type Checks,
  describeValue,
  isListOf,
  nearestOf,
  unexpected,
} from "@mm-ptx/types/internal";
import type { AnnotatedPtx } from "../annotated-ptx.js";
import { PtxInjectError } from "../error.js";
import { checkLength } from "../length.js";
import { checkOptions, STUB_OPTIONS } from "../options.js";
import { checkStructure } from "../render/structure.js";
import { type Missing, StubOrder, type Stubs, stubsOf } from "../render/stubs.js";
import { checkAnnotated } from "./argument.js";
import { Lines } from "./lines.js";
import { type PackNames, packedName, type UnpackedName, unpackName } from "./names.js";
import { NUMBER, type Plan } from "./plan.js";
import { planFor, type StubLists } from "./stub-names.js";

/** Options of `pack`. */
export interface PackOptions {
  /** The kernels to repeat; by default all that contain a site, directly or in a function that they use. */
  readonly kernels?: readonly string[];
  /**
   * Variables in global memory that all variants share although threads may write them, or `"all"`. By
   * default, each variant has its own copy, as if it were compiled alone.
   */
  readonly shared?: readonly string[] | "all";
  /** What to do with an injection without a stub, as in `RenderOptions`. */
  readonly missing?: Missing;
  /** Whether stubs are checked, as in `RenderOptions`. */
  readonly check?: boolean;
}

/** A variant of a pack. */
export interface PackVariant {
  /** The index of its stubs in `stubsets`. */
  readonly index: number;
  /** Maps the original names of its kernels to their names in the pack. */
  readonly entries: Readonly<Record<string, string>>;
  /** The same for everything that is repeated for each variant: kernels, functions, and variables. */
  readonly names: Readonly<Record<string, string>>;
}

/**
 * Creates one PTX module with a variant of the kernels for each entry of `stubsets`, which is either stubs as
 * `render` takes them or a filled kernel of the same text. The kernels are named `scale_0`, `scale_1` and so
 * on. Other declarations of the module appear once if variants can share them; otherwise they are repeated
 * and renamed for each variant. A variant's machine code is the same as if it were compiled alone, except
 * that the assembler may allocate other registers around calls of its own subroutines (division, roots and
 * reciprocals with a rounding mode).
 *
 * The first pack of a text analyzes the module; later packs with the same options only join pieces of text.
 *
 * @throws PtxInjectError as `render`, naming the variant; CANNOT_REPEAT if there is nothing to repeat, or if
 * the text is not a PTX module or has debug information (`nvcc -G`; `-lineinfo` is kept), a site outside of
 * functions, or calls through addresses of functions that are repeated for each variant (a table of
 * functions with sites, or virtual functions); INVALID_ARGUMENT for an argument of the wrong kind, for a name in
 * `options` that the module does not declare, and if the pack would have more than 500,000,000 characters
 */
export function pack(
  annotated: AnnotatedPtx,
  stubsets: readonly (Stubs | FilledKernel)[],
  options: PackOptions = {},
): PtxPack {
  checkAnnotated(annotated);
  checkOptions("pack", options, OPTIONS);
  const { kernels, shared = [] } = options;
  const { plan, stubs } = planFor(annotated, { kernels, shared }, inOrder(annotated, stubsets, options));
  return new PtxPack(plan, stubs);
}

/**
 * Packed variants, created by `pack`. Compilers, linkers and devices accept it in place of its text; their
 * errors then name the variant, injection, site and stub line.
 */
export class PtxPack implements LocatedPtx {
  /** The PTX module. */
  readonly text: string;
  /** The argument for `unpackName`, as plain data that can be stored with a cubin. */
  readonly names: PackNames;
  readonly #plan: Plan;
  readonly #stubs: StubLists;
  #variants: readonly PackVariant[] | undefined;
  #lines: Lines | undefined;

  /** @internal */
  constructor(plan: Plan, stubs: StubLists) {
    this.#plan = plan;
    this.#stubs = stubs;
    this.text = textOf(plan, stubs);
    this.names = Object.freeze({ entries: plan.entries, separator: plan.separator, count: stubs.length });
  }

  /** The variants in the order of `stubsets`. */
  get variants(): readonly PackVariant[] {
    this.#variants ??= Object.freeze(this.#stubs.map((_, index) => this.#variant(index)));
    return this.#variants;
  }

  /**
   * The kernel and variant that a name in the pack, or a symbol or section of its cubin, belongs to; see
   * `unpackName`.
   */
  unpack(symbol: string): UnpackedName | undefined {
    return unpackName(this.names, symbol);
  }

  /** The origin of a line of the PTX, counted from 1; `undefined` if there is no such line. */
  locate(line: number): SourceLine | undefined {
    return this.#origins().locate(line);
  }

  /** The stubs of all variants, with the names that the module's declarations have in the pack. */
  stubs(): Iterable<PlacedStub> {
    return this.#origins().stubs();
  }

  #origins(): Lines {
    this.#lines ??= new Lines(this.#plan, this.#stubs);
    return this.#lines;
  }

  /** Returns the PTX, so that a pack can be used where text is expected. */
  toString(): string {
    return this.text;
  }

  #variant(index: number): PackVariant {
    const { entries, repeated, separator } = this.#plan;
    const numbered = (names: Iterable<string>): Readonly<Record<string, string>> =>
      Object.freeze(Object.fromEntries([...names].map((name) => [name, packedName(name, separator, index)])));
    return Object.freeze({ index, entries: numbered(entries), names: numbered(repeated) });
  }
}

/** The text of a pack as a flat string, because joining an array copies every piece only once. */
function textOf(plan: Plan, stubs: StubLists): string {
  const { before, after, variant } = plan;
  const { literals, holes } = variant;
  checkLength(`a pack of ${stubs.length} variants`, lengthOf(plan, stubs));
  const pieces = new Array<string>(stubs.length * (literals.length + holes.length) + 2);
  let at = 0;
  pieces[at++] = before.text;
  for (let index = 0; index < stubs.length; index++) {
    const own = stubs[index]!;
    const number = String(index);
    for (let i = 0; i < holes.length; i++) {
      const hole = holes[i]!;
      pieces[at++] = literals[i]!;
      pieces[at++] = hole === NUMBER ? number : own[hole]!;
    }
    pieces[at++] = literals[holes.length]!;
  }
  pieces[at] = after.text;
  return pieces.join("");
}

/** An upper bound of the text's length, which is off by at most a few digits for each number. */
function lengthOf({ before, after, variant, template }: Plan, stubs: StubLists): number {
  const { literals, holes } = variant;
  const sites = new Array<number>(template.names.length).fill(0);
  for (const hole of holes) if (hole !== NUMBER) sites[hole]!++;
  const kernel = literals.reduce((sum, literal) => sum + literal.length, holes.length * DIGITS);
  let length = before.text.length + after.text.length + stubs.length * kernel;
  for (const own of stubs) for (let i = 0; i < sites.length; i++) length += sites[i]! * own[i]!.length;
  return length;
}

/** The most digits in the number of a variant. */
const DIGITS = 9;

/** The stubs of each variant in the order of the injections, checked as by `render`. */
function inOrder(
  annotated: AnnotatedPtx,
  stubsets: unknown,
  { missing = "error", check = true }: PackOptions,
): StubLists {
  if (!Array.isArray(stubsets) || stubsets.length === 0) {
    const found = Array.isArray(stubsets) ? "none" : describeValue(stubsets);
    throw new PtxInjectError(
      "INVALID_ARGUMENT",
      `expected an array of the stubs of each variant, found ${found}`,
    );
  }
  const order = new StubOrder(annotated.injections);
  return stubsets.map((stubs: Stubs | FilledKernel, index) => {
    try {
      const ordered = order.of(
        stubsOf(stubs, () => annotated.template()),
        missing,
      );
      for (let i = 0; check && i < ordered.length; i++) {
        checkStructure(ordered[i]!, annotated.injections[i]!.name);
      }
      return ordered;
    } catch (error) {
      if (error instanceof PtxInjectError) error.message = `stubs of variant ${index}: ${error.message}`;
      throw error;
    }
  });
}

const isNames = isListOf("names", (value) => typeof value === "string");

const isShared: Check = (value, name) => {
  if (value === "all") return undefined;
  return Array.isArray(value)
    ? isNames(value, name)
    : unexpected(name, "`all` or a list of names", value, nearestOf(value, ["all"]));
};

const OPTIONS: Checks = { kernels: isNames, shared: isShared, ...STUB_OPTIONS };
