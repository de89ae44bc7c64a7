// A signal that many calls share: one listener, which aborts every pending call.
import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { whenAborted } from "../../src/ptx/abort.js";

it("listens once to a signal that many calls share, and not at all after the last one", () => {
  const controller = new AbortController();
  const heard: number[] = [];
  const forget = Array.from({ length: 20 }, (_, call) =>
    whenAborted(controller.signal, () => heard.push(call)),
  );
  expect(getEventListeners(controller.signal, "abort").length).toBe(1);
  for (const each of forget) each();
  expect(getEventListeners(controller.signal, "abort").length).toBe(0);
  whenAborted(controller.signal, () => heard.push(20));
  const late = whenAborted(controller.signal, () => heard.push(21));
  late();
  late();
  controller.abort();
  expect(heard).toEqual([20]);
});
