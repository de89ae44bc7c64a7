// `worker`: compiles jobs until Ctrl-C or SIGTERM, then finishes what it has.

import type { Server } from "node:http";
import { metricsText, serveMetrics } from "../status/metrics.js";
import { Worker } from "../worker/worker.js";
import { counted, interruptible, type Outcome } from "./framework.js";
import { type ServerFlags, serverOf } from "./server-flags.js";

export interface WorkerFlags extends ServerFlags {
  readonly workers?: number;
  readonly confine?: "required" | "auto" | "off";
  readonly timeoutLimitMs?: number;
  readonly drainMs?: number;
  readonly cache: boolean;
  readonly metrics?: number;
  readonly metricsHost?: string;
  readonly json?: true;
}

/** @throws FarmError */
export async function worker(flags: WorkerFlags): Promise<Outcome> {
  const { workers, confine, timeoutLimitMs, drainMs, cache, json } = flags;
  return interruptible(async (signal) => {
    const running = await Worker.start({
      ...serverOf(flags),
      ...(workers === undefined ? {} : { workers }),
      ...(confine === undefined ? {} : { confine: confine === "off" ? false : confine }),
      ...(timeoutLimitMs === undefined ? {} : { timeoutLimitMs }),
      cache,
    });
    const { id, pool } = running;
    const { metrics, metricsHost = "127.0.0.1" } = flags;
    let figures: Server | undefined;
    try {
      if (metrics !== undefined)
        figures = await serveMetrics(metricsHost, metrics, {
          text: () => metricsText(running.status()),
          problem: () => running.problem(),
        });
      if (json === undefined) {
        const { cores } = running.status();
        process.stdout.write(`worker ${id} compiles for the pool ${pool} on ${counted(cores, "core")}\n`);
      }
      const aborted = new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener("abort", () => resolve());
      });
      await Promise.race([aborted, running.closed()]);
    } finally {
      await running.drain(drainMs);
      figures?.close();
    }
    const status = running.status();
    return {
      ok: true,
      json: () => ({ ok: true, ...status }),
      text: () => `${counted(status.jobs, "job")}, of which ${status.failed} failed\n`,
    };
  });
}
