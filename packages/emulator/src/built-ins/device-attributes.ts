// The results of `cudaDeviceGetAttribute` on the device: the numbers of native/cudart/attribute_table.inc that the
// device runtime supports, and the compute capability (CUDA Runtime API, cudaDeviceAttr).

/** Shared memory that the system reserves in each block. */
export const RESERVED_SHARED = 1024;
export const SHARED_PER_MULTIPROCESSOR = 233472;
export const THREADS_PER_MULTIPROCESSOR = 2048;
export const BLOCKS_PER_MULTIPROCESSOR = 32;

/** The largest sizes of a block and of a grid, by axis. */
export const MOST_THREADS = [1024, 1024, 64] as const;
export const MOST_BLOCKS = [2147483647, 65535, 65535] as const;

export const ATTRIBUTES: ReadonlyMap<number, number> = new Map([
  [1, 1024],
  ...MOST_THREADS.map((most, axis) => [2 + axis, most] as const),
  ...MOST_BLOCKS.map((most, axis) => [5 + axis, most] as const),
  [8, 49152],
  [9, 65536],
  [10, 32],
  [11, 2147483647],
  [12, 65536],
  [13, 1755000],
  [14, 512],
  [15, 1],
  [16, 8],
  [19, 1],
  [31, 1],
  [33, 1],
  [36, 2619000],
  [37, 5120],
  [38, 52428800],
  [39, THREADS_PER_MULTIPROCESSOR],
  [40, 3],
  [41, 1],
  [75, 9],
  [76, 0],
  [81, SHARED_PER_MULTIPROCESSOR],
  [82, 65536],
  [83, 1],
  [97, 232448],
  [106, BLOCKS_PER_MULTIPROCESSOR],
  [111, RESERVED_SHARED],
]);
