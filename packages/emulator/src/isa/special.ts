// Special registers (PTX ISA, Special Registers): their types, and whether they have components.
import type { PtxType } from "../program/types.js";

/** The properties of a special register. */
export interface SpecialRegister {
  readonly type: PtxType;
  /** A second type in which it may be read, as in early versions of PTX. */
  readonly early: PtxType | undefined;
  /** Whether it is read by component, such as `%tid.x`. */
  readonly vector: boolean;
}

const registers = (
  names: string,
  type: PtxType,
  { vector = false, early }: { readonly vector?: boolean; readonly early?: PtxType } = {},
): [string, SpecialRegister][] =>
  names.split(" ").map((name) => [name, Object.freeze({ type, early, vector })]);

/** The special registers that programs may read, by name without the percent sign. */
export const SPECIAL_REGISTERS: ReadonlyMap<string, SpecialRegister> = new Map([
  ...registers("tid ntid ctaid nctaid", "u32", { vector: true, early: "u16" }),
  ...registers("clusterid nclusterid cluster_ctaid cluster_nctaid", "u32", { vector: true }),
  ...registers("laneid warpid nwarpid smid nsmid cluster_ctarank cluster_nctarank", "u32"),
  ...registers("lanemask_eq lanemask_le lanemask_lt lanemask_ge lanemask_gt", "u32"),
  ...registers("clock clock_hi globaltimer_lo globaltimer_hi", "u32"),
  ...registers("total_smem_size aggr_smem_size dynamic_smem_size", "u32"),
  ...registers("reserved_smem_offset_begin reserved_smem_offset_end reserved_smem_offset_cap", "u32"),
  ...registers("reserved_smem_offset_0 reserved_smem_offset_1", "u32"),
  ...registers("gridid", "u64", { early: "u32" }),
  ...registers("clock64 globaltimer", "u64"),
  ...registers(Array.from({ length: 32 }, (_, i) => `envreg${i}`).join(" "), "b32"),
  ...registers("is_explicit_cluster", "pred"),
]);
