// What the server takes for a request alone: another process answers it at once. As a program, this file is that process.

import { fork } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { median } from "./measure.mjs";

const { connect } = createRequire(import.meta.resolve("@mm-ptx/farm"))("@nats-io/transport-node");

const SUBJECT = "bench.echo";
/** About what travels of a single job and of its answer. */
const BYTES = { request: 1200, reply: 4500 };
const REQUESTS = 200;
const BEFORE = 150;
const PAUSE_MS = 5;

/** @param {string} servers of a farm without keys */
export async function echoRow(servers) {
  const echo = fork(fileURLToPath(import.meta.url), [servers]);
  const connection = await connect({ servers });
  try {
    await once(echo, "message");
    const times = [];
    for (let i = 0; i < BEFORE + REQUESTS; i++) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      const start = performance.now();
      await connection.request(SUBJECT, new Uint8Array(BYTES.request), { timeout: 5000 });
      if (i >= BEFORE) times.push(performance.now() - start);
    }
    return {
      name: "a request to another process that answers at once: what the server and this machine take of a single job",
      ours: median(times),
      yardstick: undefined,
      ratio: undefined,
      budget: undefined,
      unit: "ms",
      pass: true,
    };
  } finally {
    await connection.close();
    echo.disconnect();
    await once(echo, "exit");
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const connection = await connect({ servers: process.argv[2] });
  connection.subscribe(SUBJECT, {
    callback: (_, message) => message.respond(new Uint8Array(BYTES.reply)),
  });
  await connection.flush();
  process.once("disconnect", () => connection.close());
  process.send("ready");
}
