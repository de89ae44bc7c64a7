// A farm on this machine for `--farm`: a server and two workers in processes of their own, which end with the run.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PtxCompiler, PtxCompilerOptions } from "@mm-ptx/cuda";
import type { FarmCompiler } from "@mm-ptx/farm";
import { QuickstartError } from "./error.js";

/** The command line of @mm-ptx/farm. */
const mainFile = (): string =>
  fileURLToPath(new URL("./cli/main.js", import.meta.resolve("@mm-ptx/farm/command")));
const WORKERS = 2;

export class LocalFarm implements AsyncDisposable {
  readonly #servers: string;
  readonly #Compiler: typeof FarmCompiler;
  readonly #folder = mkdtempSync(join(tmpdir(), "mm-ptx-farm-"));
  readonly #children: ChildProcess[] = [];

  private constructor(servers: string, Compiler: typeof FarmCompiler) {
    this.#servers = servers;
    this.#Compiler = Compiler;
  }

  /**
   * @param compiles how many compiles run at once
   * @throws QuickstartError `FARM`, with what the process that could not start has printed
   */
  static async start(compiles: number): Promise<LocalFarm> {
    const port = await freePort();
    // Runs without a farm do not load what connects to one.
    const { FarmCompiler } = await import("@mm-ptx/farm");
    const farm = new LocalFarm(`nats://127.0.0.1:${port}`, FarmCompiler);
    try {
      await farm.#begin("serve", "--folder", farm.#folder, "--port", `${port}`);
      const each = `${Math.ceil(compiles / WORKERS)}`;
      const words = [
        "worker",
        "--servers",
        farm.#servers,
        "--workers",
        each,
        "--confine",
        "auto",
        "--no-cache",
      ];
      await Promise.all(Array.from({ length: WORKERS }, () => farm.#begin(...words)));
      return farm;
    } catch (error) {
      await farm.disposeAsync();
      throw error;
    }
  }

  /** A compiler whose jobs the workers do. */
  compiler(options: PtxCompilerOptions): PtxCompiler {
    return new this.#Compiler({ ...options, servers: this.#servers, local: "never" });
  }

  /** Ends the workers, then the server. */
  async disposeAsync(): Promise<void> {
    const [server, ...workers] = this.#children;
    await Promise.all(workers.map(ended));
    if (server !== undefined) await ended(server);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.disposeAsync();
  }

  /** Starts a process, and waits until it says that it is ready. */
  async #begin(...words: string[]): Promise<void> {
    const child = spawn(process.execPath, [mainFile(), ...words], { stdio: ["ignore", "pipe", "pipe"] });
    this.#children.push(child);
    let told = "";
    child.stderr!.on("data", (chunk: Buffer) => {
      told += chunk;
    });
    const ready = once(child.stdout!, "data").then(() => true);
    const isReady = await Promise.race([ready, once(child, "exit").then(() => false)]);
    if (!isReady)
      throw new QuickstartError(
        "FARM",
        `expected \`mm-ptx-farm ${words[0]}\` to run, it ended: ${told.trim()}`,
      );
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  server.close();
  return port;
}
