// How many cases property and fuzz tests run: the full count in `npm run soak`, a tenth of it otherwise.

/** The number of cases to run where `full` are worth running when there is time. */
export function cases(full: number): number {
  return process.env.MM_PTX_SOAK === "1" ? full : Math.max(1, Math.ceil(full / 10));
}
