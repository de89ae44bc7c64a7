// `lz4js` has no types of its own.
declare module "lz4js" {
  /** Decompresses a block, and returns the index in `target` after its last byte. */
  export function decompressBlock(
    source: Uint8Array,
    target: Uint8Array,
    sourceIndex: number,
    sourceLength: number,
    targetIndex: number,
  ): number;
}
