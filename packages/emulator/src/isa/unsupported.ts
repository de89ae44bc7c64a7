// The parts of PTX that this emulator does not support, with names for messages. They are looked up only for opcodes
// that match no row of the table.

/** Opcode prefixes by the feature that they belong to. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  "textures and surfaces of this kind": "tex tld4 txq istypep suld sust sured suq",
  "tensor memory": "tcgen05",
  "asynchronous warpgroup matrices": "wgmma",
  "matrices of this shape or type of `wmma`": "wmma",
  "matrices of this shape": [
    ..."m8n8k4 m16n8k4 m8n8k32 m16n8k64 m8n8k128 m16n8k128 m16n8k256".split(" "),
    ..."m16n8k8.row.col.f64 m16n8k16.row.col.f64".split(" "),
  ]
    .map((shape) => `mma.sync.aligned.${shape}`)
    .join(" "),
  "sparse matrices": "mma.sp mma.sp::ordered_metadata",
  "bulk copies of this kind":
    "cp.async.bulk cp.reduce.async.bulk prefetch.tensormap cp.async.bulk.prefetch st.bulk multimem",
  "tensor maps":
    "tensormap fence.proxy.tensormap::generic membar.proxy.tensormap prefetch.param.tensormap prefetch.const.tensormap prefetch.global.tensormap",
  "other cluster instructions": "st.async red.async clusterlaunchcontrol",
  "scalar video instructions": "vadd vsub vabsdiff vmin vmax vshl vshr vmad vset",
  "the out-of-bounds NaN": "fma.rn.oob",
};

/** Modifiers and types by the feature that they belong to. */
const WORDS: Readonly<Record<string, string>> = {
  "floats with fewer than 8 bits":
    "e3m2 e2m3 e2m1 ue8m0 ue4m3 e3m2x2 e2m3x2 e2m1x2 ue8m0x2 e3m2x4 e2m3x4 e2m1x4",
  "8-bit floats in this instruction": "e4m3 e5m2 e4m3x2 e5m2x2 e4m3x4 e5m2x4",
  "4-bit and 1-bit integers": "s4 u4 b1",
  "vectors in this instruction": "v2 v4 v8",
  "stochastic rounding": "rs",
  "matrices of 8-bit elements": "m16n16 m8n16 m16n8",
};

const byWord = (table: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(table).flatMap(([what, words]) => words.split(" ").map((word) => [word, what] as const)),
  );

const BY_BEGINNING = byWord(BEGINNINGS);
const BY_WORD = byWord(WORDS);

/** The unsupported feature that an opcode uses, found by the longest known prefix and then by its words. */
export function unsupported(opcode: string): string | undefined {
  for (let end = opcode.length; end > 0; end = opcode.lastIndexOf(".", end - 1)) {
    const what = BY_BEGINNING.get(opcode.slice(0, end));
    if (what !== undefined) return what;
  }
  for (const word of opcode.split(".")) {
    const what = BY_WORD.get(word);
    if (what !== undefined) return what;
  }
  return undefined;
}

/** All unsupported features, for the documentation. */
export function unsupportedFeatures(): { readonly what: string; readonly words: readonly string[] }[] {
  return [...Object.entries(BEGINNINGS), ...Object.entries(WORDS)].map(([what, words]) => ({
    what,
    words: words.split(" "),
  }));
}
