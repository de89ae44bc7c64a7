// Ends what a worker does for a submitter that does not wait for it any more.

import type { Addressee, Answers } from "./answers.js";

/** The submitter of a parcel has gone, or does not want the outcomes of its jobs any more. */
export class Ended extends Error {
  readonly hasGone: boolean;

  constructor(hasGone: boolean) {
    super(hasGone ? "the submitter has gone" : "the submitter does not want the parcel any more");
    this.hasGone = hasGone;
  }
}

/**
 * Runs something for a parcel, and asks its submitter meanwhile.
 *
 * @param run receives a signal that is aborted when nobody waits any more, and then rejects
 * @throws Ended in that case
 */
export async function whileWanted<Result>(
  answers: Pick<Answers, "tell">,
  to: Addressee,
  askMs: number,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  let isAsking = false;
  const ask = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    const wanted = await answers.tell(to, "wanted");
    isAsking = false;
    if (wanted !== "yes") controller.abort(new Ended(wanted === undefined));
  };
  const timer = setInterval(() => void ask(), askMs);
  try {
    return await run(controller.signal);
  } finally {
    clearInterval(timer);
  }
}
