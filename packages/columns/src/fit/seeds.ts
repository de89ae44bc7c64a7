// Seeds of codes: a code has the same one in every batch in which it has the same number.

/** Mixes the bits of a word, as the finalizer of MurmurHash3 does. */
function mixed(word: number): number {
  let x = word;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

/** Two words for each code of a batch. */
export function seedsOf(seed: number, count: number): Uint32Array {
  const seeds = new Uint32Array(2 * count);
  const key = mixed(seed ^ 0x9e3779b9);
  for (let index = 0; index < seeds.length; index++) seeds[index] = mixed(mixed(index) ^ key);
  return seeds;
}
