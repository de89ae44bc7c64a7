// A farm on this machine: a server and workers in this process, and workers in processes of their own.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { capabilities } from "@mm-ptx/cuda";
import { openConnection } from "../../src/connection.js";
import { aheadOf, DECLARE, directOf, inboxOf, STATUS } from "../../src/names.js";
import { findServer } from "../../src/server/program.js";
import { FarmServer, type ServeOptions } from "../../src/server/serve.js";
import type { WorkerStatus } from "../../src/status/status.js";
import { Worker, type WorkerOptions } from "../../src/worker/worker.js";

const HAS_SERVER = await findServer().then(
  () => true,
  () => false,
);
const HAS_COMPILER = capabilities().backends.some(({ name, available }) => name === "isolated" && available);

/** Why tests of a whole farm are skipped, if they are. */
export const LACKS = HAS_SERVER
  ? HAS_COMPILER
    ? undefined
    : "no compiler in worker processes"
  : "no nats-server: `npm run setup -- --with nats` fetches it";

/** What a worker says about itself that has just started. */
export const statusOf = (id: string, pool: string, cores: number): WorkerStatus => ({
  kind: "worker",
  id,
  host: "test",
  pool,
  version: "13.0.88",
  cores,
  confined: true,
  draining: false,
  busy: 0,
  parcels: 0,
  jobs: 0,
  failed: 0,
  cached: 0,
  redelivered: 0,
  refused: 0,
  abandoned: 0,
  milliseconds: 0,
  crashes: 0,
  seconds: 1,
});

export interface BusyWorker {
  /** Single jobs that it has turned down. */
  readonly offers: number;
  close(): Promise<void>;
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, "close");
  return port;
}

export class TestFarm implements AsyncDisposable {
  readonly server: FarmServer;
  readonly folder: string;
  readonly #workers: Worker[] = [];
  readonly #processes: ChildProcess[] = [];

  private constructor(server: FarmServer, folder: string) {
    this.server = server;
    this.folder = folder;
  }

  static async start(options: Partial<ServeOptions> = {}): Promise<TestFarm> {
    const folder = mkdtempSync(join(tmpdir(), "mm-ptx-farm-"));
    const server = await FarmServer.start({ folder, port: await freePort(), ...options });
    return new TestFarm(server, folder);
  }

  get servers(): string {
    return this.server.address;
  }

  async worker(options: Partial<WorkerOptions> = {}): Promise<Worker> {
    const worker = await Worker.start({ servers: this.servers, workers: 1, cache: false, ...options });
    this.#workers.push(worker);
    return worker;
  }

  /** A worker in a process of its own, which can be killed. */
  async workerProcess(
    flags: readonly string[] = ["--no-cache"],
    nodeFlags: readonly string[] = [],
    variables: Readonly<Record<string, string>> = {},
  ): Promise<ChildProcess> {
    const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
    const words = ["worker", "--servers", this.servers, "--workers", "1", ...flags];
    const child = spawn(process.execPath, [...nodeFlags, main, ...words], {
      env: { ...process.env, XDG_CACHE_HOME: join(this.folder, "cache"), ...variables },
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#processes.push(child);
    await Promise.race([once(child.stdout!, "data"), once(child, "exit")]);
    return child;
  }

  /** Somebody who says that a pool has a core, which is always busy. */
  async busyWorker(pool: string): Promise<BusyWorker> {
    const connection = await openConnection({ servers: [this.servers] }, "busy", inboxOf("worker", "busy"));
    await connection.request(DECLARE, pool);
    const status = JSON.stringify(statusOf("busy", pool, 1));
    const busy = { offers: 0, close: () => connection.close() };
    connection.subscribe(STATUS, { callback: (_, message) => void message.respond(status) });
    for (const subject of [directOf, aheadOf])
      connection.subscribe(subject("busy", "*", "*.*"), {
        callback: (_, message) => {
          busy.offers++;
          message.respond("no");
        },
      });
    await connection.flush();
    return busy;
  }

  /** Kills the workers that are processes. */
  endWorkers(): void {
    for (const child of this.#processes) child.kill("SIGKILL");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.endWorkers();
    await Promise.all(this.#workers.map((worker) => worker.drain(2000)));
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const HEAD = ".version 8.0\n.target sm_75\n.address_size 64\n";

/** PTX that differs from that of any other value. */
export const ptxOf = (value: number | string): string => `${HEAD}.visible .entry write(.param .u64 out) {
  .reg .b64 %out;
  ld.param.u64 %out, [out];
  cvta.to.global.u64 %out, %out;
  st.global.u32 [%out], ${value};
  ret;
}
`;

/** PTX that takes a compiler seconds, or with five times as many lines minutes. */
export function longPtx(count = 20_000): string {
  const lines = Array.from({ length: count }, (_, i) => `  mad.lo.u32 %v, %v, %v, ${i};`);
  const [head = "", tail = ""] = ptxOf("%v").split("  .reg .b64 %out;\n");
  return `${head}  .reg .b64 %out;\n  .reg .b32 %v;\n  mov.u32 %v, %tid.x;\n${lines.join("\n")}\n${tail}`;
}
