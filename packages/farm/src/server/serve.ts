// Runs nats-server for a farm: writes its configuration, starts it, restarts it when it dies, and recreates
// the queue.

import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { NatsConnection } from "@nats-io/transport-node";
import { isDistrusted, linkProblem, openConnection } from "../connection.js";
import { FarmError } from "../error.js";
import { inboxOf } from "../names.js";
import { endpointOf, serverConfig } from "./config.js";
import { waitForRoom, writeProblem } from "./disk.js";
import { Guard, pidFileOf, takeFolder } from "./guard.js";
import { listenProblem } from "./listening.js";
import { findServer, type ServerProgram } from "./program.js";
import { Queue } from "./queue.js";
import type { KeyEntry } from "./roles.js";

/** Options of a server. */
export interface ServeOptions {
  /** Where its configuration and the queue are kept. */
  readonly folder: string;
  readonly host?: string;
  readonly port?: number;
  /** The port of nats-server's own figures over HTTP. */
  readonly monitor?: number;
  readonly keys?: readonly KeyEntry[];
  /** The path of a file with the key of the role `admin`, if there are keys. */
  readonly adminKey?: string;
  readonly certificate?: { readonly cert: string; readonly key: string; readonly ca?: string };
}

const START_MS = 20_000;
const RESTART_MS = 200;
const STOP_MS = 5_000;
const LAST_LINES = 8;
/**
 * For Go's garbage collector, which otherwise takes more than half of the server's time: it runs with almost every parcel. From the
 * limit on, it runs more often: without one, 64 submitters made the server use 400 MB.
 */
export const GARBAGE = { GOGC: "400", GOMEMLIMIT: "100MiB" } as const;

/** A running server of a farm. */
export class FarmServer {
  readonly program: ServerProgram;
  readonly address: string;
  readonly #config: string;
  readonly #guard = new Guard();
  #child: ChildProcess | undefined;
  /** The child that could not write. */
  #fullChild: ChildProcess | undefined;
  #output = "";
  #isStopping = false;
  #connection: NatsConnection | undefined;
  #queue: Queue | undefined;
  #restarts = 0;

  private constructor(program: ServerProgram, address: string, config: string) {
    this.program = program;
    this.address = address;
    this.#config = config;
  }

  /**
   * Starts nats-server, and declares the queue.
   *
   * @throws FarmError `NO_PROGRAM`, `SERVER`, `DENIED`
   */
  static async start(options: ServeOptions): Promise<FarmServer> {
    const { host = "127.0.0.1", port = 4222, monitor, keys = [], adminKey, certificate } = options;
    const folder = resolve(options.folder);
    const program = await findServer();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const config = join(folder, "nats-server.json");
    const name = `mm-ptx-farm-${randomBytes(4).toString("hex")}`;
    await takeFolder(folder, config);
    const [store, pidFile] = [join(folder, "store"), pidFileOf(folder)];
    const setting = { name, host, port, monitor, store, pidFile, keys, certificate };
    writeFileSync(config, serverConfig(setting), { mode: 0o600 });
    const scheme = certificate === undefined ? "nats" : "tls";
    // A certificate is for names; a client that is given an IP address looks for `localhost` in it.
    const here = certificate === undefined ? "127.0.0.1" : "localhost";
    const reached = ["0.0.0.0", "::", "127.0.0.1"].includes(host) ? here : host;
    const server = new FarmServer(program, `${scheme}://${endpointOf(reached, port)}`, config);
    try {
      server.#spawn();
      const address = { servers: [server.address], key: adminKey, ca: certificate?.ca };
      server.#connection = await server.#reach(() =>
        openConnection(address, "serve", inboxOf("admin", "serve")),
      );
      const found = server.#connection.info?.server_name;
      if (found !== name) throw await server.#displaced(found);
      server.#queue = await Queue.open(server.#connection);
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  get pools(): readonly string[] {
    return this.#queue?.pools ?? [];
  }

  /** How often nats-server died and was restarted. */
  get restarts(): number {
    return this.#restarts;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get connection(): NatsConnection {
    return this.#connection!;
  }

  /** Why it takes no jobs at this moment. */
  async problem(): Promise<string | undefined> {
    if (this.#fullChild === this.#child) return "nats-server takes no jobs until the disk has room";
    return linkProblem(this.connection);
  }

  /** Ends nats-server. The queue stays in the folder. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#connection?.close();
    const child = this.#child;
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
      await ended;
      clearTimeout(timer);
    }
    this.#guard.end();
  }

  #spawn(): void {
    const child = spawn(this.program.path, ["-c", this.#config], {
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...GARBAGE, ...process.env },
    });
    this.#child = child;
    this.#guard.watch(child.pid);
    child.stderr!.on("data", (chunk: Buffer) => {
      const text = chunk.toString();
      this.#output = (this.#output + text).slice(-20_000);
      const problem = writeProblem(text);
      if (problem !== undefined) void this.#renewWhenWritable(child, problem);
    });
    child.on("error", () => {});
    child.once("exit", () => {
      this.#guard.watch(undefined);
      // Before it has been reached, the caller receives the error.
      if (this.#isStopping || this.#connection === undefined) return;
      this.#restarts++;
      setTimeout(() => {
        if (!this.#isStopping) this.#spawn();
      }, RESTART_MS);
    });
  }

  /** Restarts nats-server when the disk has room. */
  async #renewWhenWritable(child: ChildProcess, problem: string): Promise<void> {
    if (this.#fullChild === child || this.#isStopping) return;
    this.#fullChild = child;
    process.emitWarning(`nats-server takes no jobs until the disk has room: ${problem}`, {
      code: "MM_PTX_FARM_DISK",
    });
    await waitForRoom(dirname(this.#config), () => !this.#isStopping && this.#child === child);
    if (!this.#isStopping && this.#child === child) child.kill("SIGTERM");
  }

  async #reach<Result>(connect: () => Promise<Result>): Promise<Result> {
    const until = performance.now() + START_MS;
    for (;;) {
      const { exitCode, signalCode } = this.#child!;
      if (exitCode !== null || signalCode !== null) throw this.#ended();
      try {
        return await connect();
      } catch (error) {
        const isEarly =
          error instanceof FarmError &&
          error.code === "UNREACHABLE" &&
          !isDistrusted(error) &&
          performance.now() < until;
        // Another server may answer at the address, which the own one then can't have.
        if (!isEarly) throw (await this.#exits()) ? this.#ended() : error;
      }
      await new Promise<void>((resolve) => setTimeout(resolve, 50));
    }
  }

  /** The error when another server answers at the address; the own one ends soon. */
  async #displaced(found: string | undefined): Promise<FarmError> {
    await this.#exits();
    return this.#ended(found);
  }

  /** Whether nats-server ends soon. */
  async #exits(): Promise<boolean> {
    const child = this.#child!;
    if (child.exitCode !== null || child.signalCode !== null) return true;
    return new Promise<boolean>((resolve) => {
      child.once("exit", () => resolve(true));
      setTimeout(() => resolve(false), STOP_MS).unref();
    });
  }

  /** @param by the server that has answered instead */
  #ended(by?: string): FarmError {
    const problem = listenProblem(this.#output, by);
    if (problem !== undefined) return new FarmError("SERVER", problem);
    const lines = this.#output.trim().split("\n").slice(-LAST_LINES).join("\n");
    return new FarmError("SERVER", `expected ${this.program.path} to run, but it ended:\n${lines}`);
  }
}
