// PTX that is made when it is needed. A backend elsewhere can send what it is made of, which is shorter.

import type { FilledKernel, LocatedPtx, PtxTemplate } from "@mm-ptx/types/core";

/** The property of PTX under which its recipe is found. It is not enumerable, so copies of the PTX have none. */
export const RECIPE: unique symbol = Symbol("the recipe of PTX");

/** How PTX is made. */
export interface Recipe {
  /** Identifies the PTX: recipes of equal digests make equal PTX. */
  readonly digest: string;
  /** A template that has the kernels of the PTX, whatever its stubs are. */
  readonly outline: PtxTemplate;
  /** Makes the PTX; may throw any error. */
  make(): FilledKernel | LocatedPtx;
}

/** The recipe of a value, if it has one. */
export const recipeOf = (value: unknown): Recipe | undefined =>
  typeof value === "object" && value !== null ? (value as { readonly [RECIPE]?: Recipe })[RECIPE] : undefined;
