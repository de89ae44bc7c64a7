// The kinds of packs.

/** The kinds of packs: alternatives of the kernel's sites, kernels of one module, or each program by itself. */
export type PackKind = "alternatives" | "kernels" | "single";

/** How programs are packed: `pipeline.plan` has this form, and can be given as an option to repeat a choice. */
export interface PackChoice {
  readonly kind: PackKind;
  /** The programs in a pack; without it, sizes are tried. */
  readonly size?: number;
  /** With `false`, as in the plan of a pipeline that has measured too little, sizes are tried. */
  readonly settled?: boolean;
}
