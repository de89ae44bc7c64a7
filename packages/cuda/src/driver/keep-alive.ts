// Pending frees do not keep the process alive, but a caller that waits for them does.

const DAY_MS = 86_400_000;

/** Keeps the process alive until the promise settles, but at most for `longest` milliseconds. */
export async function keepAliveUntil<Result>(promise: Promise<Result>, longest = DAY_MS): Promise<Result> {
  const timer = setTimeout(() => {}, longest);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
