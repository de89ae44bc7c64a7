// Shadow memory: which threads accessed memory last, and when. Linear memory is divided into granules as large as the
// smallest access of the kernel, and each granule has a cell of records.
//
// A record is two words: up to two threads and the number of an access, and the epoch. Time is divided into epochs. A
// barrier of the block begins a new one for all of its threads, and `bar.warp.sync` begins one for a warp. What
// happened before the block's last barrier has an epoch below the block's and precedes everything that follows, so
// nothing has to be cleared. Records with two threads of one warp, or of different warps, stand for all such threads:
// that is enough to decide whether a third access races with one of them.

/** Offsets of the records of a cell. The last two exist only in kernels with synchronizing accesses. */
export const RECORDS = { write: 0, read: 8, strongWrite: 16, strongRead: 24 } as const;
export const RECORD_EPOCH = 4;

/** A record's first word: the number of the access, and the first and the last thread. */
export const ACCESS_BITS = 12;
export const FIRST_THREAD = 12;
export const LAST_THREAD = 22;
export const THREAD_MASK = 1023;
/** Multiplied by a thread, it is the record of that thread alone. */
export const ALONE = (1 << FIRST_THREAD) | (1 << LAST_THREAD);

/**
 * Four granules are a line. Its word says that further plain reads of it need no record: of any thread, or of a warp.
 * It holds an epoch, the block's or that of the warp, and the number of the warp plus one, or 0 for any thread.
 */
export const LINE = 2;
export const LINE_EPOCH = 6;
/** The clock is reset in time, so that epochs fit in a line's word. */
export const LATEST_EPOCH = 2 ** 25;

/** Linear memory is shadowed in pages of this many bytes, as a power of two. */
export const SHADOW_PAGE = 16;
/**
 * An entry of the table of pages: where the page's cells and its lines would begin if it were the first page. A page
 * without shadow memory has no cells, and lines of zeros.
 */
export const ENTRY = 3;
export const ENTRY_LINES = 4;
/** In place of the cells of a page without shadow memory. Other entries are even. */
export const NO_PAGE = 1;

/** The epochs of a block: one word for each warp, then one for the block. */
export const BLOCK_EPOCH = 4 * 32;
export const EPOCH_BYTES = BLOCK_EPOCH + 4;

/** The shape of a kernel's shadow memory. */
export interface ShadowShape {
  /** The bytes of a granule as a power of two. */
  readonly granule: number;
  /** Whether there are synchronizing accesses. */
  readonly strong: boolean;
  /** Whether there are barriers of warps. */
  readonly warps: boolean;
}

/** The bytes of a cell as a power of two. */
export const cellOf = ({ strong }: Pick<ShadowShape, "strong">): number => (strong ? 5 : 4);
