// What is given back does not keep the process, which may end before. Who waits for it all the same does.

/** In milliseconds. */
const A_DAY = 86_400_000;

/** The same promise, for whose sake the process stays, but no longer than so many milliseconds. */
export async function stayFor<Result>(promise: Promise<Result>, longest = A_DAY): Promise<Result> {
  const timer = setTimeout(() => {}, longest);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
