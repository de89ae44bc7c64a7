// What operators of AST programs have in common.
import type { Draws } from "../../draws.js";
import type { AstConstants } from "../../spaces/ast-constants.js";
import type { AstSymbols } from "../../spaces/ast-symbols.js";
import type { Genome } from "../../spaces/space.js";
import type { Draft } from "./draft.js";
import type { TreeSampler } from "./sampler.js";

/** What operators work with. */
export interface AstMaterial {
  readonly symbols: AstSymbols;
  readonly constants: AstConstants;
  readonly sampler: TreeSampler;
  readonly draft: Draft;
  /** Room for one place in the draft for each node. */
  readonly places: Int32Array;
  /** The most nodes of a program. */
  readonly maxLength: number;
}

/**
 * Writes a program to the empty draft, which has at most `maxLength` nodes but may violate other constraints. Returns false if this try
 * made nothing.
 */
export type AstChange = (material: AstMaterial, parent: Genome, other: Genome, draws: Draws) => boolean;
