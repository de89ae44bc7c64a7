// Decompresses a raw LZ4 block (LZ4 Block Format Description).

/** @returns undefined if the block is corrupt */
export function decompressLz4(block: Uint8Array, bytes: number): Uint8Array | undefined {
  const output = new Uint8Array(bytes);
  let from = 0;
  let to = 0;
  const length = (nibble: number): number => {
    let total = nibble;
    if (nibble !== 15) return total;
    for (let more = 255; more === 255; ) {
      more = block[from++] ?? 0;
      total += more;
    }
    return total;
  };
  while (from < block.length) {
    const token = block[from++]!;
    const literals = length(token >> 4);
    if (from + literals > block.length || to + literals > bytes) return undefined;
    output.set(block.subarray(from, from + literals), to);
    from += literals;
    to += literals;
    // The last sequence has literals only.
    if (from >= block.length || to === bytes) break;
    const offset = block[from]! | (block[from + 1]! << 8);
    from += 2;
    const match = length(token & 15) + 4;
    if (offset === 0 || offset > to || to + match > bytes) return undefined;
    for (const end = to + match; to < end; to++) output[to] = output[to - offset]!;
  }
  return to === bytes ? output : undefined;
}
