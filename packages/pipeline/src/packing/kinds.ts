// The kinds of packs.

/** The kinds of packs: alternatives of the kernel's sites, kernels of one module, or each program by itself. */
export type PackKind = "alternatives" | "kernels" | "single";

/** How programs are packed: `pipeline.plan` has this form, and can be given as an option to repeat a choice. */
export interface PackChoice {
  readonly kind: PackKind;
  readonly size: number;
}
