// The figures of a worker as Prometheus text, over HTTP.

import { createServer, type Server } from "node:http";
import { FarmError } from "../error.js";
import type { WorkerStatus } from "../status/status.js";

/** What each figure means, and whether it only grows. */
const FIGURES = [
  ["cores", "gauge", "concurrent compiles"],
  ["busy", "gauge", "jobs that are not done"],
  ["parcels", "counter", "parcels received"],
  ["jobs", "counter", "jobs done"],
  ["failed", "counter", "jobs that failed"],
  ["cached", "counter", "jobs answered from the cache"],
  ["redelivered", "counter", "parcels received again"],
  ["refused", "counter", "parcels refused"],
  ["abandoned", "counter", "parcels whose submitter had gone"],
  ["milliseconds", "counter", "time in the compiler"],
  ["crashes", "counter", "compile processes that crashed"],
] as const satisfies readonly (readonly [keyof WorkerStatus, "gauge" | "counter", string])[];

/** Text in the exposition format of Prometheus 0.0.4. */
export function metricsText(status: WorkerStatus): string {
  const labels = `{worker="${status.id}",pool="${status.pool}"}`;
  return FIGURES.map(([name, type, help]) => {
    const metric = `mm_ptx_farm_worker_${name}${type === "counter" ? "_total" : ""}`;
    return `# HELP ${metric} ${help}\n# TYPE ${metric} ${type}\n${metric}${labels} ${status[name]}\n`;
  }).join("");
}

/**
 * Serves them at `/metrics`, and at `/healthz` whether the worker takes jobs.
 *
 * @throws FarmError `INVALID_ARGUMENT` if nobody can listen there, for example because another process does
 */
export async function serveMetrics(host: string, port: number, status: () => WorkerStatus): Promise<Server> {
  const server = createServer((request, response) => {
    const now = status();
    if (request.url === "/metrics") {
      response.writeHead(200, { "content-type": "text/plain; version=0.0.4" }).end(metricsText(now));
    } else if (request.url === "/healthz") {
      response.writeHead(now.draining ? 503 : 200).end(now.draining ? "draining\n" : "ok\n");
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve, reject) => {
    server
      .once("error", (cause) => {
        const message = `option \`--metrics\`: expected a free port of this machine, found ${host}:${port}: ${cause.message}`;
        reject(new FarmError("INVALID_ARGUMENT", message, { cause }));
      })
      .listen(port, host, resolve);
  });
  return server;
}
