// Instructions of PTX that this emulator does not have, by what their opcodes begin with, and what each is.

export const UNSUPPORTED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "textures and surfaces": "tex tld4 txq istypep suld sust sured suq",
    "tensor memory": "tcgen05",
    "asynchronous warpgroup matrices": "wgmma",
    "matrices of `wmma`": "wmma",
    "sparse matrices": "mma.sp mma.sp::ordered_metadata",
    "bulk copies":
      "cp.async.bulk cp.reduce.async.bulk prefetch.tensormap cp.async.bulk.prefetch st.bulk multimem",
    "tensor maps": "tensormap fence.proxy.tensormap",
    "memory barrier objects": "mbarrier cp.async.mbarrier fence.mbarrier_init fence.proxy.async::generic",
    "clusters of more than one block":
      "barrier.cluster mapa getctarank st.async red.async clusterlaunchcontrol fence.proxy.async",
    "the register counts of warps": "setmaxnreg",
    "cache policies": "createpolicy applypriority discard",
    "the stack as memory": "alloca stacksave stackrestore",
    "video instructions on one value": "vadd vsub vabsdiff vmin vmax vshl vshr vmad vset",
    "NaNs that mean out of bounds": "fma.rn.oob",
  }).flatMap(([what, prefixes]) => prefixes.split(" ").map((prefix): [string, string] => [prefix, what])),
);

/** What an opcode does that this emulator does not have; the longest beginning counts. */
export function unsupported(opcode: string): string | undefined {
  for (let prefix = opcode; prefix !== ""; prefix = prefix.slice(0, Math.max(0, prefix.lastIndexOf(".")))) {
    const what = UNSUPPORTED.get(prefix);
    if (what !== undefined) return what;
  }
  return undefined;
}
