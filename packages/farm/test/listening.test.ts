// What is said when nats-server can't listen, from what it logs.

import { expect, it } from "vitest";
import { listenProblem } from "../src/server/listening.js";

it.each([
  [
    'Error listening on port: 127.0.0.1:4222, "listen tcp 127.0.0.1:4222: bind: address already in use"',
    "expected a free port, found 127.0.0.1:4222, which is in use (EADDRINUSE): stop what uses it, or choose another port with `--port`",
  ],
  [
    'Error listening on port: nowhere.invalid:4222, "listen tcp: lookup nowhere.invalid on 10.0.0.1:53: no such host"',
    "expected an address of this machine, found nowhere.invalid, which has none: choose another one with `--host`",
  ],
  [
    'Error listening on port: a b:4222, "listen tcp: lookup a b: no such host"',
    "expected an address of this machine, found a b, which has none: choose another one with `--host`",
  ],
  ["Took 1ms to start JetStream", undefined],
])("%s", (log, message) => {
  expect(listenProblem(`[1] 2026/12/01 02:02:54.400385 [FTL] ${log}\n`)).toBe(message);
});
