// What one name of a PTX text stands for.
import { quoted } from "@mm-ptx/types/core";
import { atIndex, unknownName } from "./lookup.js";
import type { Operand } from "./marked/marker.js";
import type { SiteGroup } from "./marked/scan.js";
import type { Site } from "./site.js";

/** What one name stands for: its operands, and the places where its stub goes. */
export class Injection {
  readonly name: string;
  /** Place in `AnnotatedPtx.injections`. */
  readonly index: number;
  /** In the order of the marker, which in 1.x is mod, then out, then in. */
  readonly operands: readonly Operand[];
  readonly #sitesOf: (index: number) => readonly Site[];

  /** @internal */
  constructor({ name, operands }: SiteGroup, index: number, sitesOf: (index: number) => readonly Site[]) {
    this.name = name;
    this.index = index;
    this.operands = operands;
    this.#sitesOf = sitesOf;
  }

  /** In the order of the text; lines are counted when this is first asked for. */
  get sites(): readonly Site[] {
    return this.#sitesOf(this.index);
  }

  /**
   * The operand of this name (the first when several share it), or the one at this place in `operands`.
   *
   * @throws PtxInjectError INJECTION_ARG_NAME_NOT_FOUND, OUT_OF_BOUNDS_IDX, or INVALID_INPUT for what is neither.
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
