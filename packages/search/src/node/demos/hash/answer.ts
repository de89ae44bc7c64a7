// Answers requests in this thread.
import { AvalancheCounter } from "./avalanche.js";
import type { AnswerMessage, RequestMessage } from "./messages.js";
import { race } from "./race.js";

/** Makes a function that answers requests. */
export function counting(): (message: RequestMessage) => AnswerMessage {
  const counter = new AvalancheCounter();
  return (message) => {
    if (message.kind === "race")
      return { kind: "raced", estimate: race(counter, message.hash, message.rivals) };
    counter.counts.fill(0);
    counter.add(message.hash, message.from, message.to);
    return { kind: "counted", counts: counter.counts.slice() };
  };
}
