// Binary search in lists that stand in the order of the text.

/** How many of the first `count` indices `isBefore` holds for; it holds for none behind the first that it does not hold for. */
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
