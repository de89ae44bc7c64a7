// An injection: the sites of one name in a PTX text, and their operands.
import { deepFreeze } from "@mm-ptx/types/core";
import { quoted } from "@mm-ptx/types/internal";
import type { Kernel } from "./kernel.js";
import { atIndex, unknownName } from "./lookup.js";
import type { Operand } from "./marked/marker.js";
import type { Scan, SiteGroup } from "./marked/scan.js";
import { locate, type Site } from "./site.js";

/** An injection: its operands, and the places where its stub goes. */
export class Injection {
  readonly name: string;
  /** The index in `AnnotatedPtx.injections`. */
  readonly index: number;
  /** The operands in the order of the marker, which in 1.0 and 1.1 is mod, then out, then in. */
  readonly operands: readonly Operand[];
  /** The sites in text order; computed on first use. */
  declare readonly sites: readonly Site[];

  readonly #sites: () => readonly (readonly Site[])[];

  /** @internal @param sites those of all injections, by index */
  constructor({ name, operands }: SiteGroup, index: number, sites: () => readonly (readonly Site[])[]) {
    this.name = name;
    this.index = index;
    this.operands = Object.isFrozen(operands) ? operands : deepFreeze(operands);
    this.#sites = sites;
    Object.defineProperty(this, "sites", Injection.#lazySites);
  }

  /**
   * An own property, so that printing, cloning and posting an injection includes it like any other. All injections
   * share one getter, because creating a closure for each took longer than parsing the text.
   */
  static readonly #lazySites: PropertyDescriptor & ThisType<Injection> = {
    enumerable: true,
    get() {
      return this.#sites()[this.index];
    },
  };

  /**
   * The operand of this name (the first one, if several share it), or the one at this index of `operands`.
   *
   * @throws PtxInjectError INJECTION_ARG_NAME_NOT_FOUND, OUT_OF_BOUNDS_IDX, or INVALID_ARGUMENT if it is neither a name
   * nor an index.
   */
  operand(nameOrIndex: string | number): Operand {
    if (typeof nameOrIndex !== "string") return atIndex(this.operands, nameOrIndex, "operand");
    const found = this.operands.find((operand) => operand.name === nameOrIndex);
    if (found !== undefined) return found;
    throw unknownName(
      "INJECTION_ARG_NAME_NOT_FOUND",
      `operand of ${quoted(this.name)}`,
      nameOrIndex,
      this.operands,
    );
  }
}

/** The injections of a text; the lines of all sites are counted when the sites of one injection are first used. */
export function injectionsOf(kernel: () => Kernel, scanned: Scan): readonly Injection[] {
  let located: readonly (readonly Site[])[] | undefined;
  const sites = () => {
    located ??= locate(kernel(), scanned);
    return located;
  };
  return Object.freeze(scanned.groups.map((group, index) => new Injection(group, index, sites)));
}
