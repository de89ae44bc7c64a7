// How long parcels waited, as counts that can be added up: by a quarter of an octave of milliseconds.

const STEPS = 4;
/** The last class is for everything from two hours on; the server forgets parcels sooner. */
const CLASSES = 93;

/** Counts by class, up to the last class that has any. */
export type Waits = readonly number[];

/** Counts a wait. */
export function addWait(waits: number[], ms: number): void {
  const at = Math.min(CLASSES - 1, Math.max(0, Math.ceil(STEPS * Math.log2(Math.max(1, ms)))));
  while (waits.length <= at) waits.push(0);
  waits[at]!++;
}

/** All counts together. */
export function sumOfWaits(all: readonly Waits[]): Waits {
  const length = Math.max(0, ...all.map((waits) => waits.length));
  return Array.from({ length }, (_, at) => all.reduce((sum, waits) => sum + (waits[at] ?? 0), 0));
}

/**
 * The milliseconds within which a share of the waits ended, at most a fifth too many; `undefined` without waits.
 *
 * @param share from 0 to 1
 */
export function quantile(waits: Waits, share: number): number | undefined {
  const wanted = share * waits.reduce((sum, count) => sum + count, 0);
  if (wanted === 0) return undefined;
  let sum = 0;
  const at = waits.findIndex((count) => {
    sum += count;
    return sum >= wanted;
  });
  return Math.round(2 ** (at / STEPS));
}

export const areWaits = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length <= CLASSES &&
  value.every((count) => Number.isSafeInteger(count) && count >= 0);
