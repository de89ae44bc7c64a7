// Instructions of PTX that this emulator does not have, by what their opcodes begin with, and what each is.

const BEGINNINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "textures and surfaces": "tex tld4 txq istypep suld sust sured suq",
    "tensor memory": "tcgen05",
    "asynchronous warpgroup matrices": "wgmma",
    "matrices of `wmma`": "wmma",
    "matrices of this shape":
      "mma.sync.aligned.m8n8k4 mma.sync.aligned.m16n8k4 mma.sync.aligned.m8n8k32 mma.sync.aligned.m16n8k64 mma.sync.aligned.m8n8k128 mma.sync.aligned.m16n8k128 mma.sync.aligned.m16n8k256 mma.sync.aligned.m16n8k8.row.col.f64 mma.sync.aligned.m16n8k16.row.col.f64",
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

/** Modifiers and types that no instruction of the table has, and what each is. */
const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "floats of 8 bits and fewer":
      "e4m3 e5m2 e3m2 e2m3 e2m1 ue8m0 ue4m3 e4m3x2 e5m2x2 e3m2x2 e2m3x2 e2m1x2 ue8m0x2 e4m3x4 e5m2x4 e3m2x4 e2m3x4 e2m1x4 kind::f8f6f4",
    "pairs of f32": "f32x2",
    "integers of 4 bits and of one bit": "s4 u4 b1",
    "vectors of this instruction": "v2 v4 v8",
    "stochastic rounding": "rs",
    "matrices of this shape": "m16n16 m8n16",
    "bulk operations": "bulk",
  }).flatMap(([what, words]) => words.split(" ").map((word): [string, string] => [word, what])),
);

/**
 * What an opcode does that this emulator does not have; the longest beginning counts. Of an opcode that the table has, this says
 * nothing of use.
 */
export function unsupported(opcode: string): string | undefined {
  for (let prefix = opcode; prefix !== ""; prefix = prefix.slice(0, Math.max(0, prefix.lastIndexOf(".")))) {
    const what = BEGINNINGS.get(prefix);
    if (what !== undefined) return what;
  }
  for (const word of opcode.split(".")) {
    const what = WORDS.get(word);
    if (what !== undefined) return what;
  }
  return undefined;
}
