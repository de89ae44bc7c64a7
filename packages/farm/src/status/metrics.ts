// The figures of a worker, or of a whole farm, as Prometheus text, over HTTP.

import { createServer, type Server } from "node:http";
import { FarmError } from "../error.js";
import type { FarmStatus } from "./gather.js";
import type { PoolStatus, WorkerStatus } from "./status.js";

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

/** The figures of a pool. */
const POOL_FIGURES = [
  ["workers", "workers that answer"],
  ["cores", "concurrent compiles of all workers"],
  ["busy", "jobs that workers have not finished"],
  ["waiting", "parcels that no worker has taken"],
  ["taken", "parcels that workers have"],
  ["wanted", "workers that would finish these parcels in 150 milliseconds"],
  ["oldestMs", "milliseconds since the oldest unanswered parcel was sent"],
] as const satisfies readonly (readonly [keyof PoolStatus, string])[];

/** A figure in the exposition format of Prometheus 0.0.4. */
function metric(
  name: string,
  type: "gauge" | "counter",
  help: string,
  values: readonly (readonly [labels: string, value: number])[],
): string {
  const metric = `mm_ptx_farm_${name}${type === "counter" ? "_total" : ""}`;
  const lines = values.map(([labels, value]) => `${metric}{${labels}} ${value}\n`);
  return `# HELP ${metric} ${help}\n# TYPE ${metric} ${type}\n${lines.join("")}`;
}

/** What `worker --metrics` serves. */
export function metricsText(status: WorkerStatus): string {
  const labels = `worker="${status.id}",pool="${status.pool}"`;
  return FIGURES.map(([name, type, help]) =>
    metric(`worker_${name}`, type, help, [[labels, status[name]]]),
  ).join("");
}

/** What `serve --metrics` serves. Submitters with the same name and pool are one. */
export function farmMetricsText({ pools, submitters }: FarmStatus): string {
  const ofPools = POOL_FIGURES.map(([name, help]) =>
    metric(
      `pool_${name.replace("Ms", "_milliseconds")}`,
      "gauge",
      help,
      pools.map((each) => [`pool="${each.pool}"`, each[name]]),
    ),
  );
  const waits = pools.flatMap(({ pool, waitP50Ms, waitP95Ms }) =>
    waitP50Ms === undefined || waitP95Ms === undefined
      ? []
      : ([
          [`pool="${pool}",quantile="0.5"`, waitP50Ms],
          [`pool="${pool}",quantile="0.95"`, waitP95Ms],
        ] as const),
  );
  const sums = (of: "queued" | "open" | "share"): [string, number][] => {
    const all = new Map<string, number>();
    for (const each of submitters) {
      const labels = `submitter="${each.name}",pool="${each.pool}"`;
      all.set(labels, (all.get(labels) ?? 0) + (each[of] ?? 0));
    }
    return [...all];
  };
  return [
    ...ofPools,
    metric("pool_wait_milliseconds", "gauge", "how long parcels of the last minute waited", waits),
    metric("submitter_queued", "gauge", "jobs that are not in a parcel yet", sums("queued")),
    metric("submitter_open", "gauge", "parcels sent and not yet answered", sums("open")),
    metric("submitter_share", "gauge", "share of the pool's compile time in the last minute", sums("share")),
  ].join("");
}

/** What is served. */
export interface Metrics {
  /** The text at `/metrics`. */
  readonly text: () => string | Promise<string>;
  /** Why it does not do its work now, for `/healthz`; it gets over it by itself. */
  readonly problem: () => Promise<string | undefined>;
}

/**
 * Serves figures at `/metrics`, at `/healthz` whether all is well, and at `/livez` that this process still answers.
 *
 * @throws FarmError `INVALID_ARGUMENT` if nobody can listen there, for example because another process does
 */
export async function serveMetrics(host: string, port: number, metrics: Metrics): Promise<Server> {
  const server = createServer((request, response) => {
    answerTo(request.url, metrics).then(
      ({ code, text }) => response.writeHead(code, { "content-type": "text/plain; version=0.0.4" }).end(text),
      (error: Error) => response.writeHead(503).end(`${error.message}\n`),
    );
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

async function answerTo(
  path: string | undefined,
  { text, problem }: Metrics,
): Promise<{ readonly code: number; readonly text: string }> {
  if (path === "/metrics") return { code: 200, text: await text() };
  if (path === "/livez") return { code: 200, text: "ok\n" };
  if (path !== "/healthz") return { code: 404, text: "" };
  const found = await problem();
  return { code: found === undefined ? 200 : 503, text: `${found ?? "ok"}\n` };
}
