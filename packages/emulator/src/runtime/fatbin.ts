// Finds the PTX in a fatbin. nvcc writes a header and entries for architectures, each with PTX or machine code, which may
// be compressed.
import { decompress as decompressZstd } from "fzstd";
import { decompressBlock } from "lz4js";
import { CudaError, NO_KERNEL_IMAGE } from "./cuda-errors.js";

const MAGIC = 0xba55ed50;
const PTX_KIND = 1;
const COMPRESSED_LZ4 = 0x2000n;
const COMPRESSED_ZSTD = 0x8000n;
/** Instructions of one architecture, as in sm_90a. */
const ARCH_SPECIFIC = 0x100000n;
const LEAST_HEADER_BYTES = 64;
/** Larger texts can't be loaded anyway. */
const MOST_PTX_BYTES = 2 ** 29;

interface Entry {
  readonly kind: number;
  readonly arch: number;
  readonly flags: bigint;
  readonly data: Buffer;
  readonly compressedBytes: number;
  readonly bytes: number;
}

/** The PTX of an image: a fatbin, or PTX as text. */
export interface Image {
  /** Undefined if there is no PTX for the architecture. */
  readonly ptx: string | undefined;
  /** The architectures of machine code, such as 90 for sm_90. */
  readonly machineCode: readonly number[];
}

/**
 * @param arch the newest architecture whose PTX is wanted, such as 90; PTX for a newer one is taken if there is no other
 * @throws CudaError if the image is corrupt
 */
export function readImage(image: Buffer, arch: number): Image {
  if (image.length < 16 || image.readUInt32LE() !== MAGIC) return { ptx: textOf(image), machineCode: [] };
  const entries = entriesOf(image);
  const texts = entries.filter(({ kind }) => kind === PTX_KIND).sort((a, b) => a.arch - b.arch);
  const own = texts.find((one) => one.arch === arch && isSpecific(one));
  const best = own ?? texts.findLast((one) => one.arch <= arch && !isSpecific(one)) ?? texts[0];
  return {
    ptx: best && textOf(contentOf(best)),
    machineCode: entries.filter(({ kind }) => kind !== PTX_KIND).map((one) => one.arch),
  };
}

const isSpecific = ({ flags }: Entry): boolean => (flags & ARCH_SPECIFIC) !== 0n;

/** What an image without PTX contains. */
export const insteadOfPtx = (machineCode: readonly number[]): string =>
  machineCode.length === 0
    ? "nothing"
    : `machine code for ${machineCode.map((arch) => `sm_${arch}`).join(", ")} alone`;

/** The options of nvcc that add PTX. */
export const WITH_PTX = "-gencode arch=compute_90,code=compute_90";

function entriesOf(image: Buffer): readonly Entry[] {
  const entries: Entry[] = [];
  const end = Math.min(image.length, image.readUInt16LE(6) + Number(image.readBigUInt64LE(8)));
  for (let at = image.readUInt16LE(6); at < end; ) {
    if (at + LEAST_HEADER_BYTES > end) throw corrupt("a truncated entry");
    const headerBytes = image.readUInt32LE(at + 4);
    const dataBytes = Number(image.readBigUInt64LE(at + 8));
    const next = at + headerBytes + dataBytes;
    if (headerBytes < LEAST_HEADER_BYTES || next > end)
      throw corrupt("an entry that is larger than the fatbin");
    entries.push({
      kind: image.readUInt16LE(at),
      arch: image.readUInt32LE(at + 28),
      flags: image.readBigUInt64LE(at + 40),
      data: image.subarray(at + headerBytes, next),
      compressedBytes: image.readUInt32LE(at + 16),
      bytes: Number(image.readBigUInt64LE(at + 56)),
    });
    at = next;
  }
  return entries;
}

function contentOf({ flags, data, compressedBytes, bytes }: Entry): Uint8Array {
  const isLz4 = (flags & COMPRESSED_LZ4) !== 0n;
  const isZstd = (flags & COMPRESSED_ZSTD) !== 0n;
  if (!isLz4 && !isZstd) return data;
  // A byte of LZ4 stands for at most 255.
  const mostBytes = isLz4 ? Math.min(MOST_PTX_BYTES, 255 * compressedBytes) : MOST_PTX_BYTES;
  if (bytes > mostBytes || compressedBytes > data.length) throw corrupt("compressed PTX of the wrong size");
  const block = data.subarray(0, compressedBytes);
  const content = new Uint8Array(bytes);
  if ((isLz4 ? decompressBlock(block, content, 0, block.length, 0) : zstd(block, content)) !== bytes)
    throw corrupt("compressed PTX that can't be decompressed");
  return content;
}

/** The number of bytes; undefined for corrupt data. */
function zstd(block: Uint8Array, content: Uint8Array): number | undefined {
  try {
    return decompressZstd(block, content).length;
  } catch {
    return undefined;
  }
}

/** PTX is padded with zeros, and nvcc begins it with empty lines. */
function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return Buffer.from(end === -1 ? bytes : bytes.subarray(0, end)).toString("utf8");
}

const corrupt = (found: string) =>
  new CudaError(NO_KERNEL_IMAGE, `expected a fatbin as nvcc writes it, found ${found}`);
