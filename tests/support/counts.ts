// How many cases property and fuzz tests run: the full count in `npm run soak`, a tenth of it otherwise.

/** Whether everything is to run: `npm run soak`. */
export const SOAK = process.env.MM_PTX_SOAK === "1";

/** The number of cases to run, of which a soak runs `full`. */
export function cases(full: number): number {
  return SOAK ? full : Math.max(1, Math.ceil(full / 10));
}

/** The same for slow cases: the full count, or a fiftieth. */
export function smoke(full: number): number {
  return SOAK ? full : Math.max(1, Math.ceil(full / 50));
}

/** The same for the slowest cases, and for what only shows in large numbers: the full count, or a two-hundredth. */
export function rare(full: number): number {
  return SOAK ? full : Math.max(1, Math.ceil(full / 200));
}

/** The same for lists whose entries differ little: all of them, or every tenth. */
export function sample<T>(full: readonly T[]): readonly T[] {
  return SOAK ? full : full.filter((_, index) => index % 10 === 0);
}
