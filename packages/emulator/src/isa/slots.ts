// Slots that many rows of the instruction table share, each with the words that it may hold. `written=meaning` declares
// a synonym.

export const SLOTS: Readonly<Record<string, string>> = {
  rnd: "rn rz rm rp",
  irnd: "rni rzi rmi rpi",
  bool: "and or xor",
  fcmp: "eq ne lt le gt ge equ neu ltu leu gtu geu num nan",
  sem: "relaxed acquire release acq_rel",
  scope: "cta cluster gpu sys",
  vec: "v2 v4",
  type: "b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64",
  // Addresses in the shared memory of other blocks of a cluster are beyond those of the block's own, so that
  // `shared::cluster` and `shared` mean the same.
  ss: "const global local param param::entry=param param::func=param shared shared::cta=shared shared::cluster=shared",
  evict: "L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate",
  evict2: "L2::evict_last L2::evict_normal L2::evict_first",
  layout: "row col",
  alayout: "row col",
  blayout: "row col",
  shape: "m16n16k16 m8n32k16 m32n8k16",
  policy: "L2::cache_hint",
  prefetch: "L2::64B L2::128B L2::256B",
};

/** Hints for caches, which are allowed only on cached memory: where the slot `ss` is `global` or absent. */
export const GLOBAL_HINTS: readonly string[] = ["evict", "evict2", "policy", "prefetch"];

/** The most bits of a vector whose number of items is in the slot `vec`. */
export const VECTOR_BITS = 128;
