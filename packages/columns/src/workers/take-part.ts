// How a thread takes part in a task.
import type { EndMessage } from "./messages.js";
import type { Share } from "./share.js";

/** Runs a thread's share of a task. */
export async function takePart<Data>(
  runShare: (data: Data, share: Share) => Promise<unknown>,
  data: Data,
  share: Share,
): Promise<EndMessage> {
  const result = await runShare(data, share);
  return { kind: "end", result, failure: share.failure };
}
