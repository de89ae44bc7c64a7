// The names that PTX itself declares (PTX ISA, Special Registers; Predefined Identifiers).

const PREDEFINED: ReadonlySet<string> = new Set([
  "WARP_SZ",
  ..."tid ntid laneid warpid nwarpid ctaid nctaid smid nsmid gridid".split(" ").map((name) => `%${name}`),
  ..."is_explicit_cluster clusterid nclusterid cluster_ctaid cluster_nctaid cluster_ctarank cluster_nctarank"
    .split(" ")
    .map((name) => `%${name}`),
  ...["eq", "le", "lt", "ge", "gt"].map((relation) => `%lanemask_${relation}`),
  ..."clock clock_hi clock64 globaltimer globaltimer_lo globaltimer_hi".split(" ").map((name) => `%${name}`),
  ...Array.from({ length: 8 }, (_, i) => [`%pm${i}`, `%pm${i}_64`]).flat(),
  ...Array.from({ length: 32 }, (_, i) => `%envreg${i}`),
  ..."begin end cap 0 1".split(" ").map((name) => `%reserved_smem_offset_${name}`),
  ..."total_smem_size aggr_smem_size dynamic_smem_size current_graph_exec"
    .split(" ")
    .map((name) => `%${name}`),
]);

/** Whether a name such as `%tid` or `WARP_SZ` is declared by PTX itself. */
export function isPredefined(name: string): boolean {
  return PREDEFINED.has(name);
}
