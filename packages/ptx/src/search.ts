// Binary search in lists that are in the order of the text.

/**
 * The number of leading indices, among the first `count`, for which `isBefore` holds. After the first index for which
 * it does not hold, it must not hold for any.
 */
export function countBefore(count: number, isBefore: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
