// How many cases property and fuzz tests run: the full count in `npm run soak`, a tenth of it otherwise.

/** Whether there is time for everything: `npm run soak`. */
export const SOAK = process.env.MM_PTX_SOAK === "1";

/** The number of cases to run where `full` are worth running when there is time. */
export function cases(full: number): number {
  return SOAK ? full : Math.max(1, Math.ceil(full / 10));
}

/** The same for cases that take long: the full count, or a fiftieth. */
export function smoke(full: number): number {
  return SOAK ? full : Math.max(1, Math.ceil(full / 50));
}
